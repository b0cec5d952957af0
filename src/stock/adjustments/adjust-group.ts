/**
 * Makes the single adjustments of several callers in one transaction. Each has its own outcome: a refusal of one
 * takes nothing from the others.
 */
import type { Actor } from '../../actor.ts';
import { shareConfiguration } from '../../configuration/lock-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { isEntityId } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import type { CombinedCall, CombinedWork } from '../../group-commit/combined-calls.ts';
import type { Gathering, Outcome } from '../../group-commit/gathering.ts';
import { showEntry, showPositionAfter } from '../entries/show-stock.ts';
import type { StockAdjustment, StockLedgerEntry, StockPosition } from '../entries/stock.schema.ts';
import type { Outcome as Recorded } from '../movements/decide-movements.ts';
import { findStockEntities } from '../movements/find-stock-entities.ts';
import { openPositions, recordRequests } from '../movements/record-requests.ts';
import { refuseMovements } from '../movements/refuse-movements.ts';
import {
  type CheckedAdjustment,
  checkAdjustments,
  type KnownToCheck,
  readToCheck,
} from './check-adjustments.ts';

export interface Adjusted {
  entry: StockLedgerEntry;
  position: StockPosition;
}

export interface AdjustmentRequest extends CombinedCall<Adjusted> {
  actor: Actor;
  adjustment: StockAdjustment;
}

/**
 * The outcomes in the order of the requests. Two round trips, whatever the group: all that is to be read, and all that is to
 * be written with the commit.
 */
async function adjustGroup(
  tx: Tx,
  requests: readonly AdjustmentRequest[],
  { answered }: Gathering,
): Promise<Outcome<Adjusted>[]> {
  const named = requests.map(({ adjustment }) => adjustment);
  const [isAnswered, , found, locked] = await Promise.all([
    answered,
    shareConfiguration(tx),
    findStockEntities(
      tx,
      named.flatMap(({ itemEntityId, locationEntityId }) => [itemEntityId, locationEntityId]),
    ),
    namedById(named) ? openPositions(tx, named.map(positionNamed)) : undefined,
  ]);
  const outcomes: Outcome<Adjusted>[] = requests.map(() => null);
  const open = [...requests.keys()].filter((index) => isAnswered[index] !== true);
  const known = await readToCheck(tx, named, found);
  const checked = check(requests, known, open, outcomes);
  const recorded = await recordRequests(
    tx,
    checked.map(({ index, movement }) => ({ actor: actorOf(requests, index), movements: [movement] })),
    locked,
  );
  for (const [at, adjustment] of checked.entries()) {
    outcomes[adjustment.index] = outcomeOf(recorded[at], adjustment, actorOf(requests, adjustment.index));
  }
  return outcomes;
}

export const adjusting: CombinedWork<AdjustmentRequest, Adjusted> = { what: 'adjustments', run: adjustGroup };

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
  known: KnownToCheck,
  open: readonly number[],
  outcomes: Outcome<Adjusted>[],
): Indexed[] {
  return open.flatMap((index) => {
    const { adjustment } = requests[index] as AdjustmentRequest;
    try {
      return checkAdjustments([adjustment], known, () => '').map((checked) => ({
        ...checked,
        index,
      }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      outcomes[index] = error;
      return [];
    }
  });
}

function outcomeOf(
  recorded: Recorded | undefined,
  { item, location }: CheckedAdjustment,
  actor: Actor,
): Outcome<Adjusted> {
  if (recorded?.refusals) {
    return refuseMovements(recorded.refusals, new Map([item, location].map((one) => [one.id, one])));
  }
  const entry = recorded?.entries[0];
  if (entry === undefined) throw new Error('An adjustment without an entry');
  return {
    done: {
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
