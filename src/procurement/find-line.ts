/** Reads one line. */
import type { Tx } from '../db/transaction.ts';
import { type EntityRef, resolveEntityIds } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { type Line, type LineRow, lineOfRow } from './line.ts';
import { selectLines } from './lines.sql.ts';

/** As it is now. Throws `line_not_found`. */
export async function findLine(tx: Tx, ref: EntityRef): Promise<Line> {
  const id = (await resolveEntityIds(tx, [ref])).get(ref);
  const [row] = id === undefined ? [] : await tx.query<LineRow>(selectLines, [tx.workspaceId, [id]]);
  if (row === undefined) throw new AppError('line_not_found', `There is no stock line ${ref}.`);
  return lineOfRow(row);
}
