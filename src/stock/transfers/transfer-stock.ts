/**
 * Moves stock from one location to another: all lines of a request or none, several requests in one transaction. Two round trips: all
 * locks and reads, then all that is written with the commit.
 */
import type { Actor } from '../../actor.ts';
import { shareConfiguration } from '../../configuration/lock-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { isEntityId } from '../../entities/resolve-entity.ts';
import { readItemUnits } from '../../entities/units/item-units.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import type { CombinedCall, CombinedWork } from '../../group-commit/combined-calls.ts';
import { type Gathering, type Outcome, orRefusal } from '../../group-commit/gathering.ts';
import { decimalOf, numberOf } from '../../quantity.ts';
import { showEntry, showPositionAfter } from '../entries/show-stock.ts';
import type { StockLedgerEntry, StockPosition } from '../entries/stock.schema.ts';
import { itemsWithUnits } from '../movements/check-places.ts';
import { MovementDecisions, positionKey, type Outcome as Recorded } from '../movements/decide-movements.ts';
import { dayCheck, requireDay } from '../movements/effective-day.ts';
import { findStockEntities, type StockEntity } from '../movements/find-stock-entities.ts';
import { openPositions, readPositions, recordRequests } from '../movements/record-requests.ts';
import { refuseMovements } from '../movements/refuse-movements.ts';
import {
  type CheckedTransfer,
  checkTransfers,
  HeldTaken,
  movementsOf,
  type PlannedMovements,
  readHeld,
  refsOf,
} from './check-transfers.ts';
import { lockRequirements } from './held.sql.ts';
import type {
  PlannedTransfer,
  StockTransferPlanned,
  StockTransferred,
  TransferLine,
} from './transfer.schema.ts';
import { insertTransits } from './transit.sql.ts';

/** A request with more lines has its own transaction: others would wait for its positions. */
const GROUP_LINES_MAX = 20;

/** A request that moves reservations has its own transaction, too: two requests of a group could move the same reservation. */
function fitsGroup({ lines }: TransferWork): boolean {
  return lines.length <= GROUP_LINES_MAX && lines.every(({ requirementId }) => requirementId == null);
}

export interface TransferWork {
  actor: Actor;
  lines: readonly TransferLine[];
  note: string | null;
  /** The day on which it happened; null: that of recording. */
  effectiveOn: string | null;
  /** Whether the goods arrive later. */
  inTransit: boolean;
}
export type TransferRequest = TransferWork & CombinedCall<StockTransferred>;

interface Open extends PlannedMovements {
  index: number;
  transfers: CheckedTransfer[];
}

async function transferGroup(
  tx: Tx,
  requests: readonly TransferWork[],
  { answered, isSingle }: Gathering,
): Promise<Outcome<StockTransferred>[]> {
  const slices = new Slices(tx.gone);
  const fits = (request: TransferWork) => isSingle || fitsGroup(request);
  const lines = requests.filter(fits).flatMap((request) => request.lines);
  const requirements = [...new Set(lines.flatMap(({ requirementId }) => requirementId ?? []))].toSorted();
  const [isAnswered, , , found, early] = await Promise.all([
    answered,
    shareConfiguration(tx),
    requirements.length === 0 ? [] : tx.query(lockRequirements, [tx.workspaceId, requirements]),
    findStockEntities(tx, refsOf(lines)),
    refsOf(lines).every(isEntityId) ? openPositions(tx, lines.flatMap(placesNamed)) : undefined,
  ]);
  const fitting = requests.filter(fits);
  const [units, days] = await Promise.all([
    readItemUnits(tx, itemsWithUnits(lines, found)),
    dayCheck(tx, fitting),
  ]);
  const outcomes: Outcome<StockTransferred>[] = requests.map((request) =>
    fits(request) ? null : 'separately',
  );
  const checked: { index: number; transfers: CheckedTransfer[] }[] = [];
  for (const [index, request] of requests.entries()) {
    if (isAnswered[index] === true) outcomes[index] = null;
    else if (fits(request)) {
      if (slices.areDue) await slices.next();
      const transfers = orRefusal(() => {
        requireDay(days, request.effectiveOn);
        return checkTransfers(request.lines, { found, units });
      });
      if (transfers instanceof AppError) outcomes[index] = transfers;
      else checked.push({ index, transfers });
    }
  }
  const all = checked.flatMap(({ transfers }) => transfers);
  const locked = early ?? (await openPositions(tx, all.flatMap(placesOf)));
  const held = await readHeld(tx, all);
  const open: Open[] = [];
  for (const { index, transfers } of checked) {
    const taken = new HeldTaken(held);
    const refusal = orRefusal(() => {
      for (const [line, transfer] of transfers.entries()) taken.take(transfer, line);
    });
    if (refusal instanceof AppError) outcomes[index] = refusal;
    else open.push({ index, transfers, ...movementsOf(transfers, held, requestAt(requests, index)) });
  }
  const recorded = await recordRequests(
    tx,
    open.map(({ index, movements }) => {
      const { actor, effectiveOn } = requestAt(requests, index);
      return { actor, movements, effectiveOn: days(effectiveOn, '') as string | null };
    }),
    locked,
  );
  for (const [at, one] of open.entries()) {
    const request = requestAt(requests, one.index);
    const { actor } = request;
    outcomes[one.index] = await outcomeOf(recorded[at], one, actor, slices);
    if (request.inTransit && recorded[at]?.refusals === null) insertInTransit(tx, one, request.note);
  }
  return outcomes;
}

/** Lines that one statement writes. */
const AT_ONCE = 1000;

/** Keeps what left as goods in transit, with the booking of its entries as its id. */
function insertInTransit(tx: Tx, { transfers, movements }: Open, note: string | null): void {
  const sent = movements.filter(({ type }) => type === 'TransferOut');
  for (let from = 0; from < sent.length; from += AT_ONCE) {
    const some = sent.slice(from, from + AT_ONCE);
    tx.withCommit(
      tx.query(insertTransits, [
        tx.workspaceId,
        some.map(({ bookingId }) => bookingId),
        some.map(({ itemId }) => itemId),
        some.map(({ locationId }) => locationId),
        some.map((_, at) => transfers[from + at]?.to.id),
        some.map(({ lot }) => lot ?? null),
        some.map(({ amount }) => decimalOf(amount)),
        note,
      ]),
    );
  }
}

export const transferring: CombinedWork<TransferRequest, StockTransferred> = {
  what: 'transfers',
  run: transferGroup,
};

function requestAt(requests: readonly TransferWork[], index: number): TransferWork {
  const request = requests[index];
  if (request === undefined) throw new Error('A transfer without a request');
  return request;
}

function placesNamed({ itemEntityId, fromLocationEntityId, toLocationEntityId }: TransferLine) {
  return [fromLocationEntityId, toLocationEntityId].map((locationId) => ({
    itemId: itemEntityId,
    locationId,
  }));
}

function placesOf({ item, from, to }: CheckedTransfer) {
  return [from, to].map(({ id }) => ({ itemId: item.id, locationId: id }));
}

async function outcomeOf(
  recorded: Recorded | undefined,
  { transfers, lineOf }: Omit<Open, 'index'>,
  actor: Actor,
  slices: Slices,
): Promise<Outcome<StockTransferred>> {
  if (recorded === undefined) throw new Error('A transfer without an outcome');
  if (recorded.refusals !== null) return refusalOf(recorded.refusals, transfers, lineOf);
  const entries: StockLedgerEntry[] = [];
  const positions = new Map<string, StockPosition>();
  for (const [at, entry] of recorded.entries.entries()) {
    if (slices.areDue) await slices.next();
    const { item, from, to } = transfers[lineOf[at] as number] as CheckedTransfer;
    const location = entry.locationId === from.id ? from : to;
    entries.push(showEntry(entry, item.number, location.number, actor));
    positions.set(positionKey(entry), showPositionAfter(item, location, entry));
  }
  return { done: { entries, positions: [...positions.values()] } };
}

/** The error names the lines, not the movements that they are made of. */
function refusalOf(
  refusals: NonNullable<Recorded['refusals']>,
  transfers: readonly CheckedTransfer[],
  lineOf: readonly number[],
): AppError {
  const lines = refusals.map((refusal) => ({ ...refusal, index: lineOf[refusal.index] as number }));
  return refuseMovements(lines, namesOf(lines.map(({ index }) => transfers[index] as CheckedTransfer)));
}

function namesOf(transfers: readonly CheckedTransfer[]): Map<string, StockEntity> {
  return new Map(
    transfers.flatMap(({ item, from, to }) => [item, from, to].map((one) => [one.id, one] as const)),
  );
}

/**
 * Reports what a transfer would change, line after line, with the positions as they are now. A line that would be refused is shown as
 * refused, and does not count for the lines after it. Nothing is locked or written. Throws the errors of the request itself.
 */
export async function planTransfer(
  tx: Tx,
  { actor, lines, note, effectiveOn, inTransit }: TransferWork,
): Promise<StockTransferPlanned> {
  const slices = new Slices(tx.gone);
  const found = await findStockEntities(tx, refsOf(lines));
  requireDay(await dayCheck(tx, [{ effectiveOn }]), effectiveOn);
  const units = await readItemUnits(tx, itemsWithUnits(lines, found));
  const transfers = checkTransfers(lines, { found, units });
  const { positions, nowUs, archived } = await readPositions(tx, transfers.flatMap(placesOf));
  const held = await readHeld(tx, transfers);
  const taken = new HeldTaken(held);
  const decisions = new MovementDecisions(tx.workspaceId, positions, nowUs, archived);
  const planned: PlannedTransfer[] = [];
  let entries = 0;
  for (const [index, transfer] of transfers.entries()) {
    if (slices.areDue) await slices.next();
    const key = positionKey({ itemId: transfer.item.id, locationId: transfer.from.id });
    const before = decisions.changed.get(key) ?? positions.get(key);
    const { movements, lineOf } = movementsOf([transfer], held, { note, inTransit });
    await decisions.load(tx, movements);
    let refusal = orRefusal(() => taken.take(transfer, index));
    if (!(refusal instanceof AppError)) {
      const { refusals } = await decisions.decide({ actorId: actor.id, movements }, slices);
      if (refusals !== null) refusal = refusalOf(refusals, [transfer], lineOf);
      else entries += movements.length;
    }
    planned.push(show(index, transfer, before, refusal instanceof AppError ? refusal : null));
  }
  const refusals = planned.filter(({ refusal }) => refusal !== null).length;
  return { lines: planned, entries: refusals === 0 ? entries : 0, refusals };
}

function show(
  index: number,
  { item, from, to, amount }: CheckedTransfer,
  before: { onHand: bigint; reserved: bigint } | undefined,
  refusal: AppError | null,
): PlannedTransfer {
  const { onHand, reserved } = before ?? { onHand: 0n, reserved: 0n };
  return {
    index,
    itemEntityId: item.id,
    itemNumber: item.number,
    itemName: item.name,
    fromLocationEntityId: from.id,
    fromLocationNumber: from.number,
    fromLocationName: from.name,
    toLocationEntityId: to.id,
    toLocationNumber: to.number,
    toLocationName: to.name,
    quantity: numberOf(amount),
    onHand: numberOf(onHand),
    available: numberOf(onHand - reserved),
    refusal: refusal === null ? null : { code: refusal.code, message: refusal.message },
  };
}
