/** The refusal of a reversal: the goods are no longer there, or are reserved for others. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { numberOf } from '../../quantity.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import { momentOf } from '../../stock/entries/show-stock.ts';
import { type EntryRow, entryOfRow } from '../../stock/ledger/ledger.sql.ts';
import type { Refusal } from '../../stock/movements/decide-movements.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import { namedIn, refuseMovements } from '../../stock/movements/refuse-movements.ts';
import { selectTakers } from './corrections.sql.ts';

const TAKERS_SHOWN = 20;

/** Returns the error, which names the newest movements that took the stock since. */
export async function refuseReversal(
  tx: Tx,
  refusals: readonly Refusal[],
  originals: readonly LedgerEntry[],
): Promise<AppError> {
  const error = refuseMovements(refusals, await findStockEntities(tx, new Set(namedIn(refusals))));
  const original = originals[refusals[0]?.index ?? 0];
  if (original === undefined) return error;
  const rows = await tx.query<EntryRow & { order_number: string | null; requirement_number: string | null }>(
    selectTakers,
    [tx.workspaceId, original.itemId, original.locationId, original.sequence.toString(), TAKERS_SHOWN],
  );
  const takenBy = rows.map((row) => {
    const entry = entryOfRow(row);
    return {
      entryId: entry.id,
      recordedAt: momentOf(entry.recordedUs),
      movementType: entry.movementType,
      quantity: numberOf(entry.quantity),
      orderNumber: row.order_number,
      requirementNumber: row.requirement_number,
    };
  });
  const [last] = takenBy;
  const by = last?.orderNumber ?? last?.requirementNumber;
  const named =
    last === undefined
      ? ''
      : ` The last movement that took from it since is ${last.movementType} of ${Math.abs(last.quantity)}${by == null ? '' : ` for ${by}`}.`;
  return new AppError(error.code, {
    detail: `${error.message}${named}`,
    extensions: { ...error.extensions, takenBy },
  });
}
