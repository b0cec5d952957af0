/** Follows a lot from ledger entries: to what it was used for, or to what it was made of. Memory is bounded by the lots that are found. */
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { microOfDecimal, numberOf } from '../../quantity.ts';
import type { TraceNode } from './lots.schema.ts';
import {
  type BuildStepRow,
  type MovementStepRow,
  selectBuildSteps,
  selectItemNames,
  selectMovementSteps,
} from './trace.sql.ts';

export interface TracedLot {
  readonly itemId: string;
  readonly lot: string;
}

export interface TraceWanted {
  readonly from: TracedLot;
  readonly direction: 'up' | 'down';
  /** Lots that a trace may find. */
  readonly most: number;
}

/** Lots whose steps one statement reads: to plan it costs as much as the steps of a hundred lots. */
const FRONTIER = 2000;

/**
 * Yields portions of serialised nodes, the nearest lots first. Each portion is read in a transaction of its own. Throws `tree_too_large`.
 */
export async function* traceLot(
  db: Db,
  workspaceId: string,
  { from, direction, most }: TraceWanted,
  gone: AbortSignal,
): AsyncGenerator<string[]> {
  const slices = new Slices(gone);
  const read = <Row>(sql: string, params: readonly unknown[]) =>
    inTransaction(db, { workspaceId }, (tx) => tx.query<Row>(sql, [workspaceId, ...params]), {
      readOnly: true,
      gone,
    });
  const names = new Map<string, { number: string | null; name: string }>();
  const named = async (ids: Iterable<string>) => {
    const missing = [...new Set(ids)].filter((id) => !names.has(id));
    if (missing.length === 0) return;
    for (const row of await read<{ id: string; number: string | null; name: string }>(selectItemNames, [
      missing,
    ]))
      names.set(row.id, row);
  };
  const found = new Set([keyOf(from)]);
  let frontier: TracedLot[] = [from];
  let isEmpty = true;
  for (let level = 1; frontier.length > 0; level++) {
    const next: TracedLot[] = [];
    for (let at = 0; at < frontier.length; at += FRONTIER) {
      const some = frontier.slice(at, at + FRONTIER);
      const params = [some.map(({ itemId }) => itemId), some.map(({ lot }) => lot), most + 1];
      const [movements, builds] = await inTransaction(
        db,
        { workspaceId },
        (tx) =>
          Promise.all([
            tx.query<MovementStepRow>(selectMovementSteps(direction), [workspaceId, ...params]),
            tx.query<BuildStepRow>(selectBuildSteps(direction), [workspaceId, ...params]),
          ]),
        { readOnly: true, gone },
      );
      if (movements.length > most || builds.length > most) throw tooLarge(most);
      await named([...some.map(({ itemId }) => itemId), ...builds.map((row) => row.item_id)]);
      const item = (id: string) => ({
        itemEntityId: id,
        itemNumber: names.get(id)?.number ?? null,
        itemName: names.get(id)?.name ?? '',
      });
      const nodes: string[] = [];
      const of = (place: number) => {
        const { itemId, lot } = some[place - 1] as TracedLot;
        return { itemEntityId: itemId, lot };
      };
      for (const row of movements) {
        if (slices.areDue) await slices.next();
        const lot = some[row.place - 1] as TracedLot;
        nodes.push(
          textOf({
            type: 'movement',
            level,
            of: of(row.place),
            ...item(lot.itemId),
            lot: lot.lot,
            quantity: numberOf(microOfDecimal(row.quantity)),
            movementType: row.movement_type,
            entryId: row.entry_id,
            recordedAt: new Date(row.recorded_at).toISOString(),
            lineId: row.line_id,
            orderId: row.order_id,
            orderNumber: row.order_number,
          }),
        );
      }
      for (const row of builds) {
        if (slices.areDue) await slices.next();
        if (row.lot !== null) {
          const lot = { itemId: row.item_id, lot: row.lot };
          if (found.has(keyOf(lot))) continue;
          if (found.size > most) throw tooLarge(most);
          found.add(keyOf(lot));
          next.push(lot);
        }
        nodes.push(
          textOf({
            type: row.lot === null ? 'component' : 'lot',
            level,
            of: of(row.place),
            ...item(row.item_id),
            lot: row.lot,
            quantity: numberOf(microOfDecimal(row.quantity)),
            movementType: null,
            entryId: null,
            recordedAt: null,
            lineId: row.line_id,
            orderId: null,
            orderNumber: null,
          }),
        );
      }
      if (nodes.length === 0) continue;
      isEmpty = false;
      yield nodes;
    }
    frontier = next;
  }
  if (isEmpty) yield [];
}

function keyOf({ itemId, lot }: TracedLot): string {
  return itemId + lot;
}

function textOf(node: TraceNode): string {
  return JSON.stringify(node);
}

function tooLarge(most: number): AppError {
  return new AppError('tree_too_large', {
    detail: `The trace has more than ${most} steps. Trace one of the lots that it contains instead.`,
    extensions: { limit: most },
  });
}
