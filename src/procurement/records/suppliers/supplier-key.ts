/** The names of suppliers: as they are stored, and the key that their spellings share. */
import { newId } from '../../../db/ids.ts';
import type { Tx } from '../../../db/transaction.ts';
import { ensureSuppliers, selectKeysOfSupplier } from './suppliers.sql.ts';

/** Returns the key that spellings of one supplier share: "DigiKey", "digikey" and "DigiKey " are the same. */
export function supplierKey(name: string): string {
  return tidyName(name).normalize('NFC').toLowerCase();
}

/** Returns the supplier's name to store; null if a call names none. */
export function givenSupplier({ supplier }: { supplier?: string | null | undefined }): string | null {
  return supplier == null ? null : tidyName(supplier);
}

/** Without spaces around it, and with one where there are several. */
export function tidyName(name: string): string {
  return name.trim().replaceAll(/\s+/gu, ' ');
}

/** Parameters of `ensureSuppliers` behind the workspace: each name once, in the order of the keys. */
export function newSuppliers(names: readonly string[]): [names: string[], keys: string[], ids: string[]] {
  const byKey = new Map(names.map((name) => [supplierKey(name), name]));
  const keys = [...byKey.keys()].toSorted();
  return [keys.map((key) => byKey.get(key) as string), keys, keys.map(() => newId())];
}

/** Makes a supplier of each name that none has. */
export async function ensureSupplier(tx: Tx, name: string): Promise<void> {
  await tx.query(ensureSuppliers, [tx.workspaceId, ...newSuppliers([name])]);
}

/** Returns the keys that orders of the supplier may have; null where none is named. */
export async function keysOfSupplier(tx: Tx, name: string | undefined): Promise<string[] | null> {
  if (name === undefined) return null;
  const key = supplierKey(name);
  const rows = await tx.query<{ key: string }>(selectKeysOfSupplier, [tx.workspaceId, key]);
  return rows.length === 0 ? [key] : rows.map((row) => row.key);
}
