/**
 * Makes the single adjustments of several callers in one transaction. Each gets its own verdict; a refusal
 * is a verdict like another and takes nothing from anybody else.
 */
import type { Actor } from '../actor.ts';
import type { Tx } from '../db/transaction.ts';
import { type EntityRef, isEntityId } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import type { Answer } from '../http/answer.ts';
import { encodeAnswer } from '../http/answers/send-answer.ts';
import {
  claimIdempotencyKeys,
  type IdempotentRequest,
  recordAnswers,
} from '../idempotency/idempotency-key.ts';
import { type CheckedAdjustment, checkAdjustments } from './check-adjustments.ts';
import type { Outcome } from './decide-movements.ts';
import { findStockEntities, type StockEntity } from './find-stock-entities.ts';
import { openPositions, recordRequests } from './record-requests.ts';
import { refuseMovements } from './refuse-movements.ts';
import { showEntry, showPositionAfter } from './show-stock.ts';
import type { StockAdjustment } from './stock.schema.ts';

export interface AdjustmentRequest {
  workspaceId: string;
  actor: Actor;
  adjustment: StockAdjustment;
  idempotency: IdempotentRequest | null;
}

export type Verdict = Answer | AppError;

/**
 * The verdicts in order of the requests; the answers' idempotency records are written with their effects. Two
 * round trips, whatever the group: all that is to be read, and all that is to be written with the commit.
 */
export async function adjustGroup(tx: Tx, requests: readonly AdjustmentRequest[]): Promise<Verdict[]> {
  const named = requests.map(({ adjustment }) => adjustment);
  const [verdicts, found, locked] = await Promise.all([
    claims(tx, requests),
    findStockEntities(
      tx,
      named.flatMap(({ itemEntityId, locationEntityId }) => [itemEntityId, locationEntityId]),
    ),
    namedById(named) ? openPositions(tx, named.map(positionNamed)) : undefined,
  ]);
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
  keep(tx, requests, open, verdicts);
  return verdicts.map((verdict) => {
    if (verdict === null) throw new Error('An adjustment without a verdict');
    return verdict;
  });
}

/** Whether the positions are known before the entities are: not where one is named by its GUID. */
function namedById(adjustments: readonly StockAdjustment[]): boolean {
  return adjustments.every(
    ({ itemEntityId, locationEntityId }) => isEntityId(itemEntityId) && isEntityId(locationEntityId),
  );
}

function positionNamed({ itemEntityId, locationEntityId }: StockAdjustment) {
  return { itemId: itemEntityId, locationId: locationEntityId };
}

/** What the keys say already; null where the work is still to be done. */
async function claims(tx: Tx, requests: readonly AdjustmentRequest[]): Promise<(Verdict | null)[]> {
  const verdicts: (Verdict | null)[] = requests.map(() => null);
  const keyed = requests.flatMap(({ idempotency }, index) =>
    idempotency === null ? [] : [{ index, idempotency }],
  );
  const found = await claimIdempotencyKeys(
    tx,
    keyed.map(({ idempotency }) => idempotency),
  );
  for (const [at, { index }] of keyed.entries()) {
    const claim = found[at];
    if (claim?.kind === 'replay') verdicts[index] = claim.answer;
    else if (claim?.kind === 'refused') verdicts[index] = claim.error;
  }
  return verdicts;
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

function keep(
  tx: Tx,
  requests: readonly AdjustmentRequest[],
  open: readonly number[],
  verdicts: readonly (Verdict | null)[],
): void {
  const answers = open.flatMap((index) => {
    const request = requests[index]?.idempotency ?? null;
    const answer = verdicts[index] ?? null;
    return request === null || answer === null || answer instanceof AppError
      ? []
      : [{ request, answer: encodeAnswer(answer) }];
  });
  recordAnswers(tx, answers);
}

function actorOf(requests: readonly AdjustmentRequest[], index: number): Actor {
  const actor = requests[index]?.actor;
  if (actor === undefined) throw new Error('An adjustment without an actor');
  return actor;
}
