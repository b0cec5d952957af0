/** The facts of a supplier: of a new one, or changed. */
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { Supplier } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../../components/forms/changed-meanwhile.tsx';
import { changesOf } from '../../components/forms/meanwhile-changes.ts';
import { readBy, useSavedForm } from '../../components/forms/use-saved-form.ts';
import { useAction } from '../../components/use-action.ts';
import styles from '../procurement.module.css';
import { SUPPLIER_CHARS_MAX } from './supplier-field.tsx';

const CODE_CHARS_MAX = 64;
const CONTACT_CHARS_MAX = 2000;

export interface SupplierRecordDialogProps {
  /** Null for a new one. */
  supplier: Supplier | null;
  onClose: () => void;
  onDone?: (supplier: Supplier) => void;
}

export function SupplierRecordDialog({ supplier, onClose, onDone }: SupplierRecordDialogProps) {
  const shown = fieldsOf(supplier);
  const create = useAction('createSupplier', {
    changes: ['listSuppliers', 'listAudit'],
    done: ({ name }) => `Supplier ${name} created.`,
    onDone: (made) => {
      onClose();
      onDone?.(made);
    },
  });
  const change = useSavedForm('updateSupplier', {
    shown,
    read: readBy('getSupplier', supplier === null ? null : { id: supplier.id }, fieldsOf),
    tell: (from, to) =>
      changesOf(from, to, {
        name: 'Name',
        code: 'Code',
        currency: 'Currency',
        leadTime: 'Lead time in days',
        contact: 'Contact',
        state: 'State',
      }),
    changes: ['listSuppliers', 'getSupplier', 'listSupplierParts', 'listAudit'],
    done: ({ name }) => `Supplier ${name} saved.`,
    onDone: onClose,
  });
  const { form, set, isTyped } = change;
  const leadTimeDays = readDays(form.leadTime);
  const currency = form.currency.trim().toUpperCase();
  const body = {
    name: form.name.trim(),
    code: textOrNull(form.code),
    currency: textOrNull(currency),
    leadTimeDays: leadTimeDays ?? null,
    contact: textOrNull(form.contact),
    state: form.state,
  };
  const notYet =
    change.meanwhile !== null
      ? SOMEBODY_FIRST
      : body.name === ''
        ? 'Enter a name.'
        : leadTimeDays === undefined
          ? 'The lead time is a whole number of days, at most 3650.'
          : currency !== '' && !/^[A-Z]{3}$/.test(currency)
            ? 'The currency is a code of three letters, such as EUR.'
            : supplier !== null && !isTyped
              ? 'No changes.'
              : null;
  return (
    <Dialog
      title={supplier === null ? 'New supplier' : `Change ${supplier.name}`}
      submit={supplier === null ? 'Create' : 'Save'}
      onClose={onClose}
      busy={change.isPending || create.isPending}
      error={change.error ?? create.error}
      notYet={notYet}
      onSubmit={() => (supplier === null ? create.mutate({ body }) : change.save({ id: supplier.id, body }))}
    >
      <TextInput
        label="Name"
        value={form.name}
        maxLength={SUPPLIER_CHARS_MAX}
        data-autofocus=""
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <div className={styles.two}>
        <TextInput
          label="Code"
          value={form.code}
          maxLength={CODE_CHARS_MAX}
          onChange={(event) => set({ code: event.currentTarget.value })}
        />
        <TextInput
          label="Currency"
          description="Such as EUR"
          value={form.currency}
          maxLength={3}
          onChange={(event) => set({ currency: event.currentTarget.value })}
        />
      </div>
      <div className={styles.two}>
        <TextInput
          label="Lead time in days"
          inputMode="numeric"
          value={form.leadTime}
          onChange={(event) => set({ leadTime: event.currentTarget.value })}
        />
        <NativeSelect
          label="State"
          value={form.state}
          data={[
            { value: 'active', label: 'Active' },
            { value: 'inactive', label: 'Inactive: no longer proposed' },
          ]}
          onChange={(event) => set({ state: event.currentTarget.value as typeof form.state })}
        />
      </div>
      <Textarea
        label="Contact"
        autosize
        minRows={2}
        value={form.contact}
        maxLength={CONTACT_CHARS_MAX}
        onChange={(event) => set({ contact: event.currentTarget.value })}
      />
      {supplier !== null && <ChangedMeanwhile form={change} />}
    </Dialog>
  );
}

function fieldsOf(supplier: Supplier | null) {
  return {
    name: supplier?.name ?? '',
    code: supplier?.code ?? '',
    currency: supplier?.currency ?? '',
    leadTime: supplier?.leadTimeDays == null ? '' : String(supplier.leadTimeDays),
    contact: supplier?.contact ?? '',
    state: supplier?.state === 'inactive' ? ('inactive' as const) : ('active' as const),
  };
}

/** Returns null for no days, and undefined for a text that is no number of days. */
export function readDays(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const days = /^\d{1,4}$/.test(text.trim()) ? Number(text) : undefined;
  return days !== undefined && days <= 3650 ? days : undefined;
}

export function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
