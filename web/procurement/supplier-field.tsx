/** From whom a purchase order is: typed, or one of those that there are orders from already. */
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { askAll } from '../client/ask.ts';
import type { Filter } from '../components/lists/filter-bar.tsx';

const CHARS_MAX = 200;

export interface SupplierFieldProps {
  value: string;
  onValue: (value: string) => void;
  autoFocus?: boolean;
}

export function SupplierField({ value, onValue, autoFocus = false }: SupplierFieldProps) {
  const known = useQuery(askAll('listSuppliers', {}));
  const id = useId();
  return (
    <>
      <TextInput
        label="Supplier"
        value={value}
        maxLength={CHARS_MAX}
        list={id}
        autoComplete="off"
        data-autofocus={autoFocus ? '' : undefined}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
      <datalist id={id}>
        {(known.data ?? []).map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** What a call says of it: nothing of an order that has none. */
export function supplierGiven(type: string, name: string): { supplier?: string } {
  return type !== 'purchaseOrder' || name.trim() === '' ? {} : { supplier: name.trim() };
}

/** Of lists of orders and of their lines. */
export function useSupplierFilter(): Filter {
  const known = useQuery(askAll('listSuppliers', {}));
  return {
    key: 'supplier',
    label: 'Supplier',
    options: (known.data ?? []).map(({ name }) => ({ value: name, label: name })),
  };
}
