/** What a table does not say of its suppliers: their name, and the currency of their prices. */
import { TextInput } from '@mantine/core';
import type { ImportMapping } from '../client/operations.ts';
import type { SupplierSource } from './supplier-columns.ts';

/** Nothing while no column says who sells a part. */
export function SupplierSettings({
  mapping,
  onChange,
}: {
  mapping: ImportMapping;
  onChange: (mapping: ImportMapping) => void;
}) {
  const [first, ...others] = mapping.supplierParts ?? [];
  if (first === undefined) return null;
  const set = (change: Partial<SupplierSource>) =>
    onChange({ ...mapping, supplierParts: [{ ...first, ...change }, ...others] });
  return (
    <>
      {first.supplier === undefined && (
        <TextInput
          label="Supplier of all rows"
          placeholder="its name"
          maxLength={200}
          value={first.supplierName ?? ''}
          onChange={(event) => set({ supplierName: event.currentTarget.value || undefined })}
        />
      )}
      {first.price !== undefined && (
        <TextInput
          label="Currency of prices without one"
          placeholder="that of the supplier"
          maxLength={3}
          value={first.currencyCode ?? ''}
          onChange={(event) => set({ currencyCode: event.currentTarget.value.toUpperCase() || undefined })}
        />
      )}
    </>
  );
}
