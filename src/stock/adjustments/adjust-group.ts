/**
 * Makes the single adjustments of several callers in one transaction. Each gets its own verdict; a refusal
 * is a verdict like another and takes nothing from anybody else.
 */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, isEntityId } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import type { CombinedCall, CombinedWork, Verdict } from '../../group-commit/combined-calls.ts';
import { showEntry, showPositionAfter } from '../entries/show-stock.ts';
import type { StockAdjustment } from '../entries/stock.schema.ts';
import type { Outcome } from '../movements/decide-movements.ts';
import { findStockEntities, type StockEntity } from '../movements/find-stock-entities.ts';
import { openPositions, recordRequests } from '../movements/record-requests.ts';
import { refuseMovements } from '../movements/refuse-movements.ts';
import { type CheckedAdjustment, checkAdjustments } from './check-adjustments.ts';

export interface AdjustmentRequest extends CombinedCall {
  actor: Actor;
  adjustment: StockAdjustment;
}

/**
 * The verdicts in order of the requests. Two round trips, whatever the group: all that is to be read, and all that is to
 * be written with the commit.
 */
async function adjustGroup(
  tx: Tx,
  requests: readonly AdjustmentRequest[],
  claimed: Promise<readonly (Verdict | null)[]>,
): Promise<Verdict[]> {
  const named = requests.map(({ adjustment }) => adjustment);
  const [known, found, locked] = await Promise.all([
    claimed,
    findStockEntities(
      tx,
      named.flatMap(({ itemEntityId, locationEntityId }) => [itemEntityId, locationEntityId]),
    ),
    namedById(named) ? openPositions(tx, named.map(positionNamed)) : undefined,
  ]);
  const verdicts = [...known];
  const open = [...requests.keys()].filter((index) => verdicts[index] === null);
  const checked = check(requests, open, found, verdicts);
  const outcomes = await recordRequests(
    tx,
    checked.map(({ index, movement }) => ({ actor: actorOf(requests, index), movements: [movement] })),
    locked,
  );
  for (const [at, adjustment] of checked.entries()) {
    verdicts[adjustment.index] = verdictOf(outcomes[at], adjustment, actorOf(requests, adjustment.index));
  }
  return verdicts.map((verdict) => {
    if (verdict === null) throw new Error('An adjustment without a verdict');
    return verdict;
  });
}

export const adjusting: CombinedWork<AdjustmentRequest> = { what: 'adjustments', together: adjustGroup };

/** Whether the positions are known before the entities are: not where one is named by its GUID. */
function namedById(adjustments: readonly StockAdjustment[]): boolean {
  return adjustments.every(
    ({ itemEntityId, locationEntityId }) => isEntityId(itemEntityId) && isEntityId(locationEntityId),
  );
}

function positionNamed({ itemEntityId, locationEntityId }: StockAdjustment) {
  return { itemId: itemEntityId, locationId: locationEntityId };
}

interface Indexed extends CheckedAdjustment {
  index: number;
}

function check(
  requests: readonly AdjustmentRequest[],
  open: readonly number[],
  found: ReadonlyMap<EntityRef, StockEntity>,
  verdicts: (Verdict | null)[],
): Indexed[] {
  return open.flatMap((index) => {
    const { adjustment } = requests[index] as AdjustmentRequest;
    try {
      return checkAdjustments([adjustment], found, () => '').map((checked) => ({ ...checked, index }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      verdicts[index] = error;
      return [];
    }
  });
}

function verdictOf(
  outcome: Outcome | undefined,
  { item, location }: CheckedAdjustment,
  actor: Actor,
): Verdict {
  if (outcome?.refusals) {
    return refuseMovements(outcome.refusals, new Map([item, location].map((one) => [one.id, one])));
  }
  const entry = outcome?.entries[0];
  if (entry === undefined) throw new Error('An adjustment without an entry');
  return {
    status: 201,
    body: {
      entry: showEntry(entry, item.number, location.number, actor),
      position: showPositionAfter(item, location, entry),
    },
  };
}

function actorOf(requests: readonly AdjustmentRequest[], index: number): Actor {
  const actor = requests[index]?.actor;
  if (actor === undefined) throw new Error('An adjustment without an actor');
  return actor;
}
