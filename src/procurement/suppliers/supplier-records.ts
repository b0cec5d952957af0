/** Reads, makes, changes and merges suppliers. */
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { newId } from '../../db/ids.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError, invalidValue } from '../../errors.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../http/list.ts';
import { WINDOW_ROWS } from '../records/find-by-text.ts';
import { supplierKey, tidyName } from '../records/suppliers/supplier-key.ts';
import type { NewSupplier, Supplier, SupplierQuery } from './supplier.schema.ts';
import {
  countNames,
  dropDuplicateParts,
  insertSupplier,
  keepChosenParts,
  lockCodes,
  lockSuppliers,
  markMerged,
  moveNames,
  moveParts,
  type SupplierRow,
  selectSupplier,
  selectSupplierByCode,
  selectSupplierByKey,
  selectSupplierPage,
  selectSupplierWindowEnd,
  shareSupplier,
  takeName,
  updateSupplier,
} from './supplier.sql.ts';

/** Names that a supplier has or had: lists of orders look for each of them. */
const NAMES_MAX = 100;

export interface ReadSupplier {
  supplier: Supplier;
  version: number;
}

/** Lists suppliers by name. Throws `invalid_cursor`. */
export async function listSuppliers(
  tx: Tx,
  { limit, cursor, name, q, state }: SupplierQuery,
): Promise<{ items: Supplier[]; nextCursor: string | null }> {
  const after = decodeCursor('suppliers', cursor, z.string());
  if (name !== undefined) {
    const rows = await tx.query<SupplierRow>(selectSupplierByKey, [tx.workspaceId, supplierKey(name)]);
    return {
      items: rows.filter((row) => state === undefined || row.state === state).map(show),
      nextCursor: null,
    };
  }
  const window = q === undefined && state === undefined ? limit + 1 : WINDOW_ROWS;
  const rows = await readPage<SupplierRow>(
    tx,
    selectSupplierPage,
    [tx.workspaceId, after, limit + 1, q ?? null, state ?? null, window],
    { limit, long: ['key', 'name', 'contact'] },
  );
  const page = pageOf('suppliers', rows, ({ key }) => key, show);
  if (page.nextCursor !== null || window === limit + 1) return page;
  const [end] = await tx.query<{ key: string }>(selectSupplierWindowEnd, [tx.workspaceId, after, window]);
  return end === undefined ? page : { ...page, nextCursor: encodeCursor('suppliers', end.key) };
}

/** Throws `supplier_not_found`. */
export async function readSupplier(tx: Tx, id: string): Promise<ReadSupplier> {
  const [row] = await tx.query<SupplierRow>(selectSupplier, [tx.workspaceId, id]);
  if (row === undefined) throw notFound(id);
  return { supplier: show(row), version: row.version };
}

/** Throws `supplier_taken`. */
export async function createSupplier(tx: Tx, actor: Actor, given: NewSupplier): Promise<ReadSupplier> {
  const id = newId();
  const facts = { ...given, name: tidyName(given.name) };
  if (facts.code !== null) await requireCode(tx, id, facts.code);
  await requireName(tx, id, facts.name);
  const [row] = await tx.query<SupplierRow>(insertSupplier, [tx.workspaceId, id, ...columnsOf(facts)]);
  if (row === undefined) throw notFound(id);
  await record(tx, actor, 'create', null, show(row));
  return { supplier: show(row), version: row.version };
}

/**
 * `check` sees the supplier as it is locked, and may refuse. A change of nothing writes nothing. Throws `supplier_not_found`,
 * `supplier_merged`, `supplier_taken`.
 */
export async function changeSupplierRecord(
  tx: Tx,
  actor: Actor,
  id: string,
  change: { [Field in keyof NewSupplier]?: NewSupplier[Field] | undefined },
  check: (locked: ReadSupplier) => void,
): Promise<ReadSupplier> {
  const before = (await lock(tx, [id])).get(id) as SupplierRow;
  const shown = show(before);
  check({ supplier: shown, version: before.version });
  requireUnmerged(before);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const facts: NewSupplier = { ...shown, state: before.state as NewSupplier['state'], ...given };
  facts.name = tidyName(facts.name);
  const stored = { ...shown, state: before.state as NewSupplier['state'] };
  if (JSON.stringify(columnsOf(facts)) === JSON.stringify(columnsOf(stored)))
    return { supplier: shown, version: before.version };
  if (facts.code !== null && facts.code !== before.code) await requireCode(tx, id, facts.code);
  await requireName(tx, id, facts.name);
  const [row] = await tx.query<SupplierRow>(updateSupplier, [tx.workspaceId, id, ...columnsOf(facts)]);
  if (row === undefined) throw notFound(id);
  await record(tx, actor, 'update', shown, show(row));
  return { supplier: show(row), version: row.version };
}

/**
 * Merges a supplier into another, which gets its orders, by their names, and its supplier parts. `check` sees the supplier that goes as it is
 * locked. Throws `supplier_not_found`, `supplier_merged`, `validation_failed`.
 */
export async function mergeSuppliers(
  tx: Tx,
  actor: Actor,
  { id, into }: { id: string; into: string },
  check: (locked: ReadSupplier) => void,
): Promise<ReadSupplier> {
  if (id === into) throw invalidMerge('A supplier cannot be merged into itself.');
  const rows = await lock(tx, [id, into]);
  const [from, to] = [rows.get(id) as SupplierRow, rows.get(into) as SupplierRow];
  check({ supplier: show(from), version: from.version });
  for (const row of [from, to]) requireUnmerged(row);
  const [names] = await tx.query<{ count: number }>(countNames, [tx.workspaceId, [id, into]]);
  if ((names?.count ?? 0) > NAMES_MAX)
    throw invalidMerge(`The two suppliers have had more than ${NAMES_MAX} names.`);
  for (const statement of [moveNames, keepChosenParts, dropDuplicateParts, moveParts, markMerged])
    await tx.query(statement, [tx.workspaceId, id, into]);
  await record(tx, actor, 'update', show(from), { ...show(from), state: 'merged', mergedIntoId: into });
  return readSupplier(tx, into);
}

function invalidMerge(message: string): AppError {
  return invalidValue('/into', message);
}

/** Locks suppliers in the order of their ids. Throws `supplier_not_found`. */
async function lock(tx: Tx, ids: readonly string[]): Promise<Map<string, SupplierRow>> {
  const rows = await tx.query<SupplierRow>(lockSuppliers, [tx.workspaceId, ids]);
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const id of ids) if (!found.has(id)) throw notFound(id);
  return found;
}

/** Keeps a supplier from being merged until the transaction ends. Throws `supplier_not_found`, `supplier_merged`. */
export async function lockUnmergedSupplier(tx: Tx, id: string): Promise<SupplierRow> {
  const [row] = await tx.query<SupplierRow>(shareSupplier, [tx.workspaceId, id]);
  if (row === undefined) throw notFound(id);
  requireUnmerged(row);
  return row;
}

function requireUnmerged({ name, merged_into: into }: SupplierRow): void {
  if (into === null) return;
  throw new AppError('supplier_merged', {
    detail: `Supplier ${name} was merged into another one. Change that one: ${into}.`,
    extensions: { mergedIntoId: into },
  });
}

/** The names of a supplier are bounded by renaming too. Throws `supplier_taken`, `validation_failed`. */
async function requireName(tx: Tx, id: string, name: string): Promise<void> {
  const key = supplierKey(name);
  const rows = await tx.query(takeName, [tx.workspaceId, key, id]);
  if (rows.length === 0) {
    const [other] = await tx.query<SupplierRow>(selectSupplierByKey, [tx.workspaceId, key]);
    throw taken('name', name, other);
  }
  const [names] = await tx.query<{ count: number }>(countNames, [tx.workspaceId, [id]]);
  if ((names?.count ?? 0) <= NAMES_MAX) return;
  const message = `A supplier has at most ${NAMES_MAX} names, former ones included.`;
  throw new AppError('validation_failed', {
    detail: message,
    errors: [{ pointer: '/name', code: 'invalid_value', message }],
  });
}

async function requireCode(tx: Tx, id: string, code: string): Promise<void> {
  await tx.query(lockCodes, [tx.workspaceId]);
  const [other] = await tx.query<SupplierRow>(selectSupplierByCode, [tx.workspaceId, code]);
  if (other !== undefined && other.id !== id) throw taken('code', code, other);
}

function taken(field: 'name' | 'code', value: string, other: SupplierRow | undefined): AppError {
  const owner = other === undefined ? 'another supplier' : `supplier ${other.name}`;
  const message = `The ${field} ${value} belongs to ${owner}. Change that supplier, or merge the two.`;
  return new AppError('supplier_taken', {
    detail: message,
    errors: [{ pointer: `/${field}`, code: 'supplier_taken', message }],
    ...(other === undefined ? {} : { extensions: { supplierId: other.id } }),
  });
}

function notFound(id: string): AppError {
  return new AppError('supplier_not_found', `There is no supplier ${id} in this workspace.`);
}

function record(tx: Tx, actor: Actor, action: 'create' | 'update', before: Supplier | null, after: Supplier) {
  return recordChange(tx, { actor, action, subjectType: 'supplier', subjectKey: after.id, before, after });
}

function columnsOf({ name, code, currency, leadTimeDays, contact, state }: NewSupplier) {
  return [name, supplierKey(name), code, currency, leadTimeDays, contact, state];
}

function show(row: SupplierRow): Supplier {
  return {
    id: row.id,
    name: row.name,
    code: row.code,
    currency: row.currency,
    leadTimeDays: row.lead_time_days,
    contact: row.contact,
    state: row.state,
    mergedIntoId: row.merged_into,
    createdAt: new Date(row.created_at).toISOString(),
  };
}
