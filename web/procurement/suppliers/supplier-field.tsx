/** The supplier of a purchase order: proposed for its items, chosen from the known ones, or typed and confirmed as new. */
import { Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { ask, askAll } from '../../client/ask.ts';
import type { Filter } from '../../components/lists/filter-bar.tsx';
import styles from '../procurement.module.css';

export const SUPPLIER_CHARS_MAX = 200;

export interface SupplierFieldProps {
  value: string;
  onValue: (value: string) => void;
  autoFocus?: boolean;
  /** Asks about a name that is new. */
  question: ReactNode;
}

export function SupplierField({ value, onValue, autoFocus = false, question }: SupplierFieldProps) {
  const names = useId();
  return (
    <div>
      <TextInput
        label="Supplier"
        value={value}
        maxLength={SUPPLIER_CHARS_MAX}
        list={names}
        autoComplete="off"
        data-autofocus={autoFocus ? '' : undefined}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
      <SupplierNames id={names} />
      {question}
    </div>
  );
}

/** The known suppliers, for the fields that name its id as their `list`. */
export function SupplierNames({ id }: { id: string }) {
  const known = useQuery(askAll('listSuppliers', {}));
  return (
    <datalist id={id}>
      {(known.data ?? []).map(({ name }) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

/** Number of items that the service looks up at once. */
const ITEMS_MAX = 1000;

/** The supplier of each of the items, by item; empty while it is not known. */
function useSuppliersOf(itemIds: readonly string[]): ReadonlyMap<string, string> {
  const itemEntityIds = [...new Set(itemIds)].slice(0, ITEMS_MAX);
  const found = useQuery({
    ...ask('lookUpSuppliers', { body: { itemEntityIds } }),
    enabled: itemEntityIds.length > 0,
  });
  return new Map(
    (found.data?.items ?? []).flatMap(({ itemEntityId, supplier }) =>
      supplier === null ? [] : [[itemEntityId, supplier] as const],
    ),
  );
}

/** The supplier to propose for an order of the items: the one that they have in common, or nothing. */
export function useProposedSupplier(itemIds: readonly string[]): string {
  const [only, ...others] = new Set(useSuppliersOf(itemIds).values());
  return others.length === 0 ? (only ?? '') : '';
}

/** Spellings of one supplier have the same key, as in the service. */
function keyOf(name: string): string {
  return name.trim().replaceAll(/\s+/gu, ' ').normalize('NFC').toLowerCase();
}

export interface NewSuppliers {
  /** Why the order cannot be sent yet. */
  notYet: string | null;
  /** The question for each new name; null where all are known. */
  question: ReactNode;
}

/** Asks before a typed name becomes a new supplier. */
export function useNewSuppliers(names: readonly string[]): NewSuppliers {
  const known = useQuery(askAll('listSuppliers', {}));
  const [agreed, setAgreed] = useState<ReadonlySet<string>>(new Set());
  const typed = new Map(names.map((name) => [keyOf(name), name.trim()]));
  for (const { name } of known.data ?? []) typed.delete(keyOf(name));
  typed.delete('');
  // Without the list nobody can tell which names are new.
  if (known.data === undefined || typed.size === 0) return { notYet: null, question: null };
  const open = [...typed].find(([key]) => !agreed.has(key));
  return {
    notYet: open === undefined ? null : `Confirm the new supplier “${open[1]}”, or choose a known one.`,
    question: (
      <div role="status" className={styles.question}>
        {[...typed].map(([key, name]) => (
          <Checkbox
            key={key}
            label={`“${name}” is a new supplier`}
            description="It is created with the order."
            checked={agreed.has(key)}
            onChange={(event) => {
              const next = new Set(agreed);
              if (event.currentTarget.checked) next.add(key);
              else next.delete(key);
              setAgreed(next);
            }}
          />
        ))}
      </div>
    ),
  };
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
