/**
 * Reports what adjustments would change, one after another, with the positions as they are now. Nothing is locked
 * or written; the real adjustments are decided again.
 */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { numberOf } from '../../quantity.ts';
import { showPlace } from '../entries/show-stock.ts';
import type { PlannedAdjustment, StockAdjustment, StockAdjustmentsPlanned } from '../entries/stock.schema.ts';
import { MovementDecisions, type Outcome, positionKey } from '../movements/decide-movements.ts';
import { findStockEntities } from '../movements/find-stock-entities.ts';
import { readPositions } from '../movements/record-requests.ts';
import { refuseMovements } from '../movements/refuse-movements.ts';
import { type CheckedAdjustment, checkAdjustments, readToCheck } from './check-adjustments.ts';

/**
 * An adjustment that would be refused is shown as such, and those behind it as if it were not there. Throws what is wrong
 * with the request itself; `pointer` is where an adjustment stands in it.
 */
export async function planAdjustments(
  tx: Tx,
  actor: Actor,
  adjustments: readonly StockAdjustment[],
  pointer: (index: number) => string,
): Promise<StockAdjustmentsPlanned> {
  const refs = adjustments.flatMap(({ itemEntityId, locationEntityId }) => [itemEntityId, locationEntityId]);
  const found = await findStockEntities(tx, refs);
  const slices = new Slices(tx.gone);
  await slices.next();
  const checked = checkAdjustments(adjustments, await readToCheck(tx, adjustments, found), pointer);
  const { positions, nowUs, archived } = await readPositions(
    tx,
    checked.map(({ movement }) => movement),
  );
  const decisions = new MovementDecisions(tx.workspaceId, positions, nowUs, archived);
  await decisions.load(
    tx,
    checked.map(({ movement }) => movement),
  );
  const planned: PlannedAdjustment[] = [];
  for (const [index, adjustment] of checked.entries()) {
    if (slices.areDue) await slices.next();
    const { movement } = adjustment;
    const key = positionKey(movement);
    const before = decisions.changed.get(key) ?? positions.get(key);
    const balance = { onHand: before?.onHand ?? 0n, reserved: before?.reserved ?? 0n };
    const outcome = await decisions.decide({ actorId: actor.id, movements: [movement] }, slices);
    planned.push(show(index, adjustment, balance, outcome));
  }
  const refusals = planned.filter(({ refusal }) => refusal !== null).length;
  return { adjustments: planned, entries: refusals === 0 ? planned.length : 0, refusals };
}

function show(
  index: number,
  { item, location, movement }: CheckedAdjustment,
  before: { onHand: bigint; reserved: bigint },
  { entries, refusals }: Outcome,
): PlannedAdjustment {
  const names = new Map([item, location].map((one) => [one.id, one]));
  const error = refusals === null ? null : refuseMovements(refusals, names);
  const [after = null] = entries?.map(({ onHandAfter }) => onHandAfter) ?? [];
  return {
    index,
    ...showPlace(item, location),
    quantity: numberOf(movement.amount),
    onHand: numberOf(before.onHand),
    onHandAfter: after === null ? null : numberOf(after),
    availableAfter: after === null ? null : numberOf(after - before.reserved),
    refusal: error === null ? null : { code: error.code, message: error.message },
  };
}
