/** The form of a supplier part, new or changed. */
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askAll } from '../../client/ask.ts';
import type { SupplierPart } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../../components/forms/changed-meanwhile.tsx';
import { readQuantity, typedQuantity } from '../../components/forms/exact-quantity.ts';
import { changesOf } from '../../components/forms/meanwhile-changes.ts';
import { QuantityInput } from '../../components/forms/quantity-input.tsx';
import { readBy, useSavedForm } from '../../components/forms/use-saved-form.ts';
import { useAction } from '../../components/use-action.ts';
import { EntityPicker, type PickedEntity } from '../../entities/entity-picker.tsx';
import styles from '../procurement.module.css';
import { readDays, textOrNull } from './supplier-record-dialog.tsx';

export const PART_CHANGES = ['listSupplierParts', 'lookUpSuppliers', 'offerItems', 'listAudit'] as const;

export interface SupplierPartDialogProps {
  /** Null for a new one. */
  part: SupplierPart | null;
  /** The item and the supplier of a new one, where they are known. */
  item: PickedEntity | null;
  supplierId: string | null;
  onClose: () => void;
}

export function SupplierPartDialog({ part, item: given, supplierId, onClose }: SupplierPartDialogProps) {
  const suppliers = useQuery({
    ...askAll('listSuppliers', {}),
    enabled: part === null && supplierId === null,
  });
  const [item, setItem] = useState<PickedEntity | null>(given);
  const [supplier, setSupplier] = useState(supplierId ?? '');
  const create = useAction('createSupplierPart', {
    changes: PART_CHANGES,
    done: ({ sku, supplier: name }) => `${sku} of ${name} created.`,
    onDone: onClose,
  });
  const change = useSavedForm('updateSupplierPart', {
    shown: fieldsOf(part),
    read: readBy('getSupplierPart', part === null ? null : { id: part.id }, fieldsOf),
    tell: (from, to) => changesOf(from, to, labels),
    changes: PART_CHANGES,
    done: ({ sku }) => `${sku} saved.`,
    onDone: onClose,
  });
  const { form, set, isTyped } = change;
  const prices = readPrices(form.prices);
  const [packQuantity, minimum, multiple] = [form.pack, form.minimum, form.multiple].map((text) =>
    text.trim() === '' ? null : readQuantity(text),
  );
  const wrongQuantity = [form.pack, form.minimum, form.multiple].some(
    (text) => text.trim() !== '' && !((readQuantity(text) ?? 0) > 0),
  );
  const leadTimeDays = readDays(form.leadTime);
  const rank = /^[1-9]\d{0,2}$/.test(form.rank.trim()) ? Number(form.rank) : null;
  const fault =
    part === null && item === null
      ? 'Choose an item.'
      : part === null && supplier === ''
        ? 'Choose a supplier.'
        : form.sku.trim() === ''
          ? 'Enter the number of the supplier (SKU).'
          : wrongQuantity
            ? 'Quantities must be above zero.'
            : leadTimeDays === undefined
              ? 'The lead time is a whole number of days, at most 3650.'
              : rank === null
                ? 'The rank is a whole number from 1.'
                : typeof prices === 'string'
                  ? prices
                  : part !== null && !isTyped
                    ? 'No changes.'
                    : null;
  const send = () => {
    if (typeof prices === 'string' || rank === null) return;
    const body = {
      sku: form.sku.trim(),
      manufacturer: textOrNull(form.manufacturer),
      mpn: textOrNull(form.mpn),
      unit: textOrNull(form.unit),
      packQuantity: packQuantity ?? 1,
      minimum: minimum ?? null,
      multiple: multiple ?? null,
      leadTimeDays: leadTimeDays ?? null,
      rank,
      status: form.status,
      prices,
    };
    if (part !== null) change.save({ id: part.id, body });
    else if (item !== null) create.mutate({ body: { itemEntityId: item.id, supplierId: supplier, ...body } });
  };
  const text = (
    field: 'sku' | 'manufacturer' | 'mpn' | 'unit' | 'leadTime' | 'rank',
    description?: string,
  ) => (
    <TextInput
      label={labels[field]}
      description={description}
      value={form[field]}
      maxLength={255}
      onChange={(event) => set({ [field]: event.currentTarget.value })}
    />
  );
  const quantity = (field: 'pack' | 'minimum' | 'multiple') => (
    <QuantityInput label={labels[field]} value={form[field]} onValue={(value) => set({ [field]: value })} />
  );
  return (
    <Dialog
      title={part === null ? 'New supplier part' : `Change ${part.sku} of ${part.supplier}`}
      submit={part === null ? 'Create' : 'Save'}
      onClose={onClose}
      busy={change.isPending || create.isPending}
      error={change.error ?? create.error}
      notYet={change.meanwhile !== null ? SOMEBODY_FIRST : fault}
      onSubmit={send}
    >
      {part === null && given === null && (
        <EntityPicker label="Item" plays="item" value={item} onPick={setItem} autoFocus />
      )}
      {part === null && supplierId === null && (
        <NativeSelect
          label="Supplier"
          value={supplier}
          data={[
            { value: '', label: '–' },
            ...(suppliers.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => setSupplier(event.currentTarget.value)}
        />
      )}
      {text('sku')}
      <div className={styles.two}>
        {text('manufacturer')}
        {text('mpn')}
      </div>
      <div className={styles.two}>
        {text('unit', 'Empty: the base unit of the item')}
        {quantity('pack')}
      </div>
      <div className={styles.two}>
        {quantity('minimum')}
        {quantity('multiple')}
      </div>
      <div className={styles.two}>
        {text('leadTime', 'Empty: that of the supplier')}
        {text('rank', '1 is proposed first')}
      </div>
      <NativeSelect
        label="Status"
        value={form.status}
        data={[
          { value: 'active', label: 'Active' },
          { value: 'inactive', label: 'Inactive: no longer proposed' },
        ]}
        onChange={(event) => set({ status: event.currentTarget.value as typeof form.status })}
      />
      <Textarea
        label="Prices"
        description="A line for each: the quantity from which it applies, price, currency, and the first day if there is one, such as 100 0.0123 EUR 2026-12-01."
        autosize
        minRows={3}
        value={form.prices}
        onChange={(event) => set({ prices: event.currentTarget.value })}
      />
      {part !== null && <ChangedMeanwhile form={change} />}
    </Dialog>
  );
}

const labels = {
  sku: 'SKU',
  manufacturer: 'Manufacturer',
  mpn: 'MPN',
  unit: 'Unit',
  pack: 'Quantity of a pack',
  minimum: 'Minimum',
  multiple: 'Multiple',
  leadTime: 'Lead time in days',
  rank: 'Rank',
  status: 'Status',
  prices: 'Prices',
} as const;

function fieldsOf(part: SupplierPart | null) {
  const typed = (value: number | null | undefined) => (value == null ? '' : typedQuantity(value));
  return {
    sku: part?.sku ?? '',
    manufacturer: part?.manufacturer ?? '',
    mpn: part?.mpn ?? '',
    unit: part?.unit ?? '',
    pack: typed(part?.packQuantity ?? 1),
    minimum: typed(part?.minimum),
    multiple: typed(part?.multiple),
    leadTime: part?.leadTimeDays == null ? '' : String(part.leadTimeDays),
    rank: String(part?.rank ?? 1),
    status: part?.status ?? ('active' as const),
    prices: (part?.prices ?? [])
      .map(({ from, price, currency, validFrom, source }) =>
        [typedQuantity(from), price, currency, validFrom, source].filter((one) => one != null).join(' '),
      )
      .join('\n'),
  };
}

type Price = SupplierPart['prices'][number];

/** Reads the lines; returns what is wrong with the first that is none. */
function readPrices(text: string): Price[] | string {
  const prices: Price[] = [];
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const found =
      /^(\S+)\s+(\d{1,9}(?:[.,]\d{1,6})?)\s+([A-Za-z]{3})(?:\s+(\d{4}-\d\d-\d\d))?(?:\s+(.+))?$/.exec(
        line.trim(),
      );
    const from = found === null ? null : readQuantity(found[1] as string);
    if (found === null || from === null || from <= 0)
      return `“${line.trim()}” is no price. Write 100 0.0123 EUR.`;
    const [, , price = '', currency = '', validFrom = null, source = null] = found;
    prices.push({
      from,
      price: price.replace(',', '.'),
      currency: currency.toUpperCase(),
      validFrom,
      source,
    });
  }
  return prices;
}
