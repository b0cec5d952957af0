/**
 * Categories, lifecycles and property definitions have this in common: each has a key, a bound on how many there may
 * be, and a trail of its changes.
 */
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { requireRoom, requireRoomForAll } from './limits.ts';
import { lockConfiguration } from './lock-configuration.ts';

export interface KeyedRow {
  key: string;
  version: number;
  createdAt: Date;
}

export interface Kind<Row extends KeyedRow, Shown extends object> {
  /** The noun for one of them in messages. */
  noun: string;
  /** The noun for one of them in the audit trail. */
  subjectType: string;
  /** The last part of their path. */
  collection: string;
  table: 'category' | 'lifecycle' | 'property_definition';
  limit: Parameters<typeof requireRoom>[0];
  /** Columns by which a page of them is measured. */
  long: readonly string[];
  /** Returns those with the keys, in their order. */
  find: (tx: Tx, keys: readonly string[]) => Promise<Row[]>;
  /** Returns the form of the API. */
  show: (row: Row) => Shown;
}

/** Throws `not_found`. */
export async function findByKey<Row extends KeyedRow, Shown extends object>(
  tx: Tx,
  kind: Kind<Row, Shown>,
  key: string,
): Promise<Row> {
  const [row] = await kind.find(tx, [key]);
  if (row === undefined) throw new AppError('not_found', `There is no ${kind.noun} "${key}".`);
  return row;
}

/** Takes the configuration lock. Throws `key_taken`, `configuration_full`. */
export async function requireNew<Row extends KeyedRow, Shown extends object>(
  tx: Tx,
  kind: Kind<Row, Shown>,
  key: string,
): Promise<void> {
  await lockConfiguration(tx);
  if ((await kind.find(tx, [key])).length > 0) {
    throw new AppError('key_taken', `There is a ${kind.noun} "${key}" already.`);
  }
  const [present] = await tx.query<{ count: number }>(
    `select count(*)::int as count from ${kind.table} where workspace_id = $1`,
    [tx.workspaceId],
  );
  requireRoom(kind.limit, present?.count ?? 0);
}

/** Writes a row that has been made, or assigned to: `before` is null, or what it was. Throws `configuration_full`. */
export async function saveRow<Row extends KeyedRow, Shown extends object>(
  tx: Tx,
  actor: Actor,
  kind: Kind<Row, Shown>,
  row: Row,
  before: Shown | null,
): Promise<void> {
  await tx.em.flush();
  const after = kind.show(row);
  await requireRoomForAll(tx, before, after);
  const action = before === null ? 'create' : 'update';
  await recordChange(tx, {
    actor,
    action,
    subjectType: kind.subjectType,
    subjectKey: row.key,
    before,
    after,
  });
}

export async function removeRow<Row extends KeyedRow, Shown extends object>(
  tx: Tx,
  actor: Actor,
  kind: Kind<Row, Shown>,
  row: Row,
): Promise<void> {
  const { key } = row;
  const before = kind.show(row);
  tx.em.remove(row);
  await tx.em.flush();
  await recordChange(tx, {
    actor,
    action: 'delete',
    subjectType: kind.subjectType,
    subjectKey: key,
    before,
    after: null,
  });
}
