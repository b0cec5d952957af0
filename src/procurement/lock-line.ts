/** Takes a line for a change. */
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../db/transaction.ts';
import { lockEntityRow } from '../entities/lock-entity-row.ts';
import type { EntityRef } from '../entities/resolve-entity.ts';
import { findLine } from './find-line.ts';
import type { Line } from './line.ts';

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
