/** Fields of a line of a structure as they are typed: quantity, unit, find number, designators, note, and what builds go by. */
import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../client/ask.ts';
import type { Use, UseQuantity } from '../../client/operations.ts';
import { readQuantity, typedQuantity } from '../../components/forms/exact-quantity.ts';
import type { MeanwhileChange } from '../../components/forms/meanwhile-changes.ts';
import { QuantityInput } from '../../components/forms/quantity-input.tsx';
import styles from '../entities.module.css';
import { SubstitutesField } from './substitutes-field.tsx';

export interface LineText {
  quantity: string;
  unit: string;
  findNumber: string;
  designators: string;
  note: string;
  lossPercent: string;
  lossFixed: string;
  /** `yes`, or empty. */
  phantom: string;
  /** One on each line, the best first: its GUID, and how many replace one if that is not 1. */
  substitutes: string;
}

/** Designators and note in one cell. */
export function lineTextOf({ referenceDesignators, note }: Use): string {
  return [referenceDesignators.join(', '), note].filter((text) => text).join('. ');
}

/** Of a line that is not there yet: one. */
function textOfLine(use: Use | null): LineText {
  return {
    quantity: use === null ? '1' : typedQuantity(use.quantity),
    unit: use?.unit ?? '',
    findNumber: use?.findNumber ?? '',
    designators: use?.referenceDesignators.join(', ') ?? '',
    note: use?.note ?? '',
    lossPercent: use ? typedLoss(use.lossPercent) : '',
    lossFixed: use ? typedLoss(use.lossFixed) : '',
    phantom: use?.phantom ? 'yes' : '',
    substitutes: (use?.substitutes ?? [])
      .map(({ guid, ratio }) => (ratio === 1 ? guid : `${guid} ${typedQuantity(ratio)}`))
      .join('\n'),
  };
}

function typedLoss(loss: number): string {
  return loss === 0 ? '' : typedQuantity(loss);
}

/** Reads substitutes, the best first; null if a line is none. */
function substitutesOf(text: string): { guid: string; ratio: number }[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map((line) => {
    const [guid = '', ratio] = line.trim().split(/\s+/);
    return { guid, ratio: ratio === undefined ? 1 : (readQuantity(ratio) ?? 0) };
  });
  return read.every(({ guid, ratio }) => GUID.test(guid) && ratio > 0) ? read : null;
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What of it is to be said: the quantity always, the rest where it differs from what was shown. Null where that cannot be a quantity. */
export function lineOf(text: LineText, shown: LineText): UseQuantity | null {
  const quantity = readQuantity(text.quantity);
  if (quantity === null || quantity <= 0) return null;
  const said = (field: 'unit' | 'findNumber' | 'note') =>
    text[field].trim() === shown[field] ? {} : { [field]: text[field].trim() || null };
  const loss = (field: 'lossPercent' | 'lossFixed') =>
    text[field].trim() === shown[field] ? {} : { [field]: readQuantity(text[field] || '0') ?? 0 };
  const substitutes = substitutesOf(text.substitutes);
  if (substitutes === null) return null;
  if ([text.lossPercent, text.lossFixed].some((typed) => typed.trim() !== '' && readQuantity(typed) === null))
    return null;
  const designators = text.designators.split(/[\s,;]+/).filter((one) => one !== '');
  return {
    quantity,
    ...said('unit'),
    ...said('findNumber'),
    ...said('note'),
    ...(designators.join(', ') === shown.designators
      ? {}
      : { referenceDesignators: designators.length === 0 ? null : designators }),
    ...loss('lossPercent'),
    ...loss('lossFixed'),
    ...(text.phantom === shown.phantom ? {} : { phantom: text.phantom !== '' }),
    ...(text.substitutes.trim() === shown.substitutes ? {} : { substitutes }),
  };
}

/** Returns why the text is no line. */
export function lineFault(text: LineText): string {
  const quantity = readQuantity(text.quantity);
  if (quantity === null || quantity <= 0) return 'The quantity must be above zero.';
  return substitutesOf(text.substitutes) === null
    ? 'A substitute is a GUID, alone or with how many replace one.'
    : 'A loss is a quantity, or empty.';
}

const NAMES: readonly [field: keyof LineText, name: string][] = [
  ['quantity', 'Quantity'],
  ['unit', 'Unit'],
  ['findNumber', 'Find no.'],
  ['designators', 'Designators'],
  ['note', 'Note'],
  ['lossPercent', 'Loss in percent'],
  ['lossFixed', 'Loss for each order'],
  ['phantom', 'Phantom'],
  ['substitutes', 'Substitutes'],
];

/** A line as a form compares it with what others save. */
export interface LineState extends LineText {
  /** Whether the part is in the structure. */
  isThere: boolean;
}

export function fieldsOfLine(use: Use | null): LineState {
  return { ...textOfLine(use), isThere: use !== null };
}

/** Names the differences between two versions of a line. */
export function tellLine(before: LineState, after: LineState): MeanwhileChange[] {
  if (before.isThere && !after.isThere) return [{ name: 'Line', from: 'in the structure', to: 'removed' }];
  return NAMES.filter(([field]) => before[field] !== after[field]).map(([field, name]) => ({
    name,
    from: before[field] || '–',
    to: after[field] || '–',
  }));
}

/** Returns what the quantity is in the base unit of the part, or that the part has no such unit. */
function useUnitMeaning(itemId: string | null, text: LineText): string | undefined {
  const unit = text.unit.trim();
  const { data } = useQuery({
    ...ask('getItemUnits', { itemEntityId: itemId ?? '' }),
    enabled: itemId !== null && unit !== '',
  });
  if (data === undefined || data.baseUnit === null || unit === '' || unit === data.baseUnit) return undefined;
  const factor = data.conversions.find((one) => one.unit.toLowerCase() === unit.toLowerCase());
  if (factor === undefined)
    return `Not a usual unit of the part, which is kept in ${data.baseUnit}. A unit that it does not know counts as ${data.baseUnit}.`;
  return `1 ${factor.unit} = ${factor.denominator === 1 ? factor.numerator : `${factor.numerator}/${factor.denominator}`} ${data.baseUnit}`;
}

export function LineFields({
  itemId,
  text,
  onText,
  focused,
}: {
  /** The part; null while none is chosen. */
  itemId: string | null;
  text: LineText;
  onText: (text: LineText) => void;
  /** The quantity is where typing begins. */
  focused: boolean;
}) {
  const meaning = useUnitMeaning(itemId, text);
  const input = (field: keyof LineText) => ({
    value: text[field],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      onText({ ...text, [field]: event.currentTarget.value }),
  });
  return (
    <>
      <div className={styles.three}>
        <QuantityInput
          label="Quantity"
          data-autofocus={focused ? '' : undefined}
          value={text.quantity}
          onValue={(quantity) => onText({ ...text, quantity })}
        />
        <TextInput
          label="Unit"
          {...input('unit')}
          inputWrapperOrder={['label', 'input', 'description']}
          description={meaning}
          descriptionProps={{ role: 'status' }}
        />
        <TextInput label="Find no." {...input('findNumber')} />
      </div>
      <Textarea
        label="Designators"
        description="The places of the part, such as R1, R2, R10."
        autosize
        maxRows={6}
        {...input('designators')}
      />
      <TextInput label="Note" {...input('note')} />
      <div className={styles.three}>
        <QuantityInput
          label="Loss in percent"
          value={text.lossPercent}
          onValue={(lossPercent) => onText({ ...text, lossPercent })}
        />
        <QuantityInput
          label="Loss for each order"
          value={text.lossFixed}
          onValue={(lossFixed) => onText({ ...text, lossFixed })}
        />
        <Checkbox
          label="Phantom"
          description="Builds need its components."
          checked={text.phantom !== ''}
          onChange={(event) => onText({ ...text, phantom: event.currentTarget.checked ? 'yes' : '' })}
        />
      </div>
      <SubstitutesField
        value={text.substitutes}
        onValue={(substitutes) => onText({ ...text, substitutes })}
      />
    </>
  );
}
