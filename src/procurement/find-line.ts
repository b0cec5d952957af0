/** Reads one line, or takes it for a change. */
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../db/transaction.ts';
import { lockEntityRow } from '../entities/lock-entity-row.ts';
import { type EntityRef, resolveEntityIds } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { type Line, type LineRow, lineOfRow } from './line.ts';
import { selectLines } from './lines.sql.ts';

/** As it is now. Throws `line_not_found`. */
export async function findLine(tx: Tx, ref: EntityRef): Promise<Line> {
  const id = (await resolveEntityIds(tx, [ref])).get(ref);
  const [row] = id === undefined ? [] : await tx.queryPrepared<LineRow>(selectLines, [tx.workspaceId, [id]]);
  if (row === undefined) throw new AppError('line_not_found', `There is no stock line ${ref}.`);
  return lineOfRow(row);
}

/**
 * The line as it is under its lock, which every movement of it holds: what its entries sum up to stays so.
 * Takes the configuration lock first (lock order: transition-effect.ts). Throws `line_not_found`.
 */
export async function lockLine(tx: Tx, ref: EntityRef): Promise<Line> {
  await configurationForWriting(tx);
  const { id } = await findLine(tx, ref);
  await lockEntityRow(tx, id);
  // Again: what was read before the lock may have moved since.
  return findLine(tx, id);
}
