/** What a line of a structure says beside its part, as it is typed: quantity, unit, find number, designators, note. */
import { Textarea, TextInput } from '@mantine/core';
import type { Use, UseQuantity } from '../client/operations.ts';
import { readQuantity, typedQuantity } from '../components/exact-quantity.ts';
import type { MeanwhileChange } from '../components/meanwhile-changes.ts';
import { QuantityInput } from '../components/quantity-input.tsx';
import styles from './entities.module.css';

export interface LineText {
  quantity: string;
  unit: string;
  findNumber: string;
  designators: string;
  note: string;
}

/** Designators and note in one cell. */
export function lineTextOf({ referenceDesignators, note }: Use): string {
  return [referenceDesignators.join(', '), note].filter((text) => text).join('. ');
}

/** Of a line that is not there yet: one. */
export function textOfLine(use: Use | null): LineText {
  return {
    quantity: use === null ? '1' : typedQuantity(use.quantity),
    unit: use?.unit ?? '',
    findNumber: use?.findNumber ?? '',
    designators: use?.referenceDesignators.join(', ') ?? '',
    note: use?.note ?? '',
  };
}

/** What of it is to be said: the quantity always, the rest where it differs from what was shown. Null where that cannot be a quantity. */
export function lineOf(text: LineText, shown: LineText): UseQuantity | null {
  const quantity = readQuantity(text.quantity);
  if (quantity === null || quantity <= 0) return null;
  const said = (field: 'unit' | 'findNumber' | 'note') =>
    text[field].trim() === shown[field] ? {} : { [field]: text[field].trim() || null };
  const designators = text.designators.split(/[\s,;]+/).filter((one) => one !== '');
  return {
    quantity,
    ...said('unit'),
    ...said('findNumber'),
    ...said('note'),
    ...(designators.join(', ') === shown.designators
      ? {}
      : { referenceDesignators: designators.length === 0 ? null : designators }),
  };
}

const NAMES: readonly [field: keyof LineText, name: string][] = [
  ['quantity', 'Quantity'],
  ['unit', 'Unit'],
  ['findNumber', 'Find no.'],
  ['designators', 'Designators'],
  ['note', 'Note'],
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

export function LineFields({
  text,
  onText,
  focused,
}: {
  text: LineText;
  onText: (text: LineText) => void;
  /** The quantity is where typing begins. */
  focused: boolean;
}) {
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
        <TextInput label="Unit" {...input('unit')} />
        <TextInput label="Find no." {...input('findNumber')} />
      </div>
      <Textarea
        label="Designators"
        description="Where it stands, such as R1, R2, R10."
        autosize
        maxRows={6}
        {...input('designators')}
      />
      <TextInput label="Note" {...input('note')} />
    </>
  );
}
