/** The lines of a link's table, by the same code as the downloads of the lists. */
import type { Db } from '../db/connect.ts';
import type { Tx } from '../db/transaction.ts';
import { exportEntities } from '../entities/lists/export-entities.ts';
import { viewOfEntities, withView } from '../entities/views/apply-view.ts';
import { AppError } from '../errors.ts';
import { streamLedger } from '../stock/ledger/stream-ledger.ts';
import { exportLots } from '../stock/lots/export-lots.ts';
import { exportPositions } from '../stock/positions/export-positions.ts';
import type { CsvTable } from './csv-link.schema.ts';

/** Returns the table with the filters, order and columns of its saved view, if it names one. Throws `view_not_found`. */
export async function tableOf(tx: Tx, table: CsvTable): Promise<CsvTable> {
  if (table.of !== 'entities' || table.view === undefined) return table;
  const { columns } = await viewOfEntities(tx, null, table.view);
  const filters = await withView(tx, null, table);
  return { ...filters, columns: table.columns ?? columns?.slice() } as CsvTable;
}

export function tableLines(
  db: Db,
  workspaceId: string,
  table: CsvTable,
  gone: AbortSignal,
): AsyncIterable<string> {
  switch (table.of) {
    case 'entities':
      return exportEntities(db, workspaceId, table, gone);
    case 'positions':
      return exportPositions(
        db,
        workspaceId,
        { ...table, short: table.short === true ? 'true' : 'false' },
        gone,
      );
    case 'lots': {
      const { of, inStock = false, ...wanted } = table;
      return exportLots(db, workspaceId, { ...wanted, inStock: inStock ? 'true' : 'false' }, gone);
    }
    case 'ledger': {
      const { movementType, actorId, order = 'desc', from, to, effectiveFrom, effectiveTo, columns } = table;
      const wanted = {
        by: actorId === undefined ? ('all' as const) : ('actor' as const),
        entityId: actorId ?? null,
        movementType,
        order,
        from: from === undefined ? undefined : Date.parse(from),
        to: to === undefined ? undefined : Date.parse(to),
        effectiveFrom,
        effectiveTo,
      };
      return streamLedger(db, workspaceId, wanted, { behindId: null, columns }, gone);
    }
  }
}

/** Yields lines up to that many bytes. Throws `table_too_large`, which ends a download that has begun. */
export async function* withinBytes(
  pieces: AsyncIterable<string>,
  bytesMax: number,
): AsyncGenerator<string, void, undefined> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > bytesMax) {
      throw new AppError('table_too_large', {
        detail: `A table that a link shows has at most ${bytesMax} bytes. Make a link with fewer columns, or of less.`,
        extensions: { limit: bytesMax },
      });
    }
    yield piece;
  }
}
