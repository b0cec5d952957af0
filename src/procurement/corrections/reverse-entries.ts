/**
 * Takes back entries of the ledger, in full or in part. Lines, orders and requirements follow in the same transaction. Locks are taken in
 * the order of transition-effect.ts: configuration, orders, lines, requirements, positions. What is left of an entry is decided under the
 * lock of its position.
 */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { type Micro, microOfDecimal, numberOf } from '../../quantity.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import { type Movement, movementTypes } from '../../stock/entries/movement.ts';
import { type EntryRow, entryOfRow } from '../../stock/ledger/ledger.sql.ts';
import { type ReversedRow, selectReversed } from '../../stock/ledger/reversals.sql.ts';
import { openPositions, recordRequests } from '../../stock/movements/record-requests.ts';
import { selectTransitsOfBookings } from '../../stock/transfers/transit.sql.ts';
import { type BuiltRow, selectBuilt } from '../builds/builds.sql.ts';
import { type Build, unitsBuilt } from '../builds/components.ts';
import { followUnits } from '../builds/follow-units.ts';
import { moveOrder } from '../lines/other-locations.ts';
import { least } from '../records/amounts.ts';
import { findLine } from '../records/find-procured.ts';
import { refreshRequirement } from '../records/follow-state.ts';
import type { GivenAmount } from '../records/given-amounts.ts';
import { isSupply, type Line } from '../records/line.ts';
import { type LockedEntity, lockEntities, lockOrdersOfLines } from '../records/procured-entities.sql.ts';
import { releaseRequirement } from '../requirements/move-requirement.ts';
import { bookingsOf, companionsOf, distinct, isBuild, isOutput, readBookings, unitsOf } from './bookings.ts';
import { selectEntries } from './corrections.sql.ts';
import { followLine } from './follow-line.ts';
import { HeldLeft } from './held-left.ts';
import { refuseReversal } from './refuse-reversal.ts';
import {
  abs,
  isScrap,
  nothingTakenBack,
  overReversal,
  remainingOf,
  requireRemaining,
  requireReversible,
  reversalOf,
  shareOf,
  type TakenBack,
} from './reversal.ts';

export interface Reversed {
  /** The entries in the order in which they were written. */
  entries: LedgerEntry[];
  lines: Line[];
}

/** Throws `entry_not_found`, `not_reversible`, `over_reversal`, `insufficient_stock`, `transition_not_allowed`, `tree_too_large`. */
export async function reverseEntry(
  tx: Tx,
  by: Mover,
  wanted: {
    entryId: string;
    /** Returns how much of the entry is taken back; null: all that is left. */
    give: (entry: LedgerEntry) => Promise<GivenAmount | null>;
    note: string | null;
  },
): Promise<Reversed> {
  const [row] = await tx.query<EntryRow>(selectEntries, [tx.workspaceId, [wanted.entryId], movementTypes]);
  if (row === undefined)
    throw new AppError('entry_not_found', `There is no ledger entry ${wanted.entryId} in this workspace.`);
  const entry = entryOfRow(row);
  return reverse(tx, by, [entry], { given: await wanted.give(entry), note: wanted.note });
}

/** Takes back all that is left of a delivery of an order. Throws `booking_not_found`, and as `reverseEntry` does. */
export async function reverseDelivery(
  tx: Tx,
  by: Mover,
  wanted: { orderId: string; bookingId: string; isReceipt: boolean; note: string | null },
): Promise<Reversed> {
  const types = wanted.isReceipt ? ['POReceipt', 'MOReceipt'] : ['SOShipment'];
  const delivered = (await readBookings(tx, [wanted.bookingId])).filter(
    ({ orderId, movementType, reversesId }) =>
      orderId === wanted.orderId && reversesId === null && types.includes(movementType),
  );
  if (delivered.length === 0) {
    throw new AppError(
      'booking_not_found',
      `The order has no ${wanted.isReceipt ? 'receipt' : 'shipment'} ${wanted.bookingId}.`,
    );
  }
  return reverse(tx, by, delivered, { given: null, note: wanted.note });
}

function sumOf(amounts: readonly Micro[]): Micro {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

async function reverse(
  tx: Tx,
  by: Mover,
  originals: readonly LedgerEntry[],
  { given, note }: { given: GivenAmount | null; note: string | null },
): Promise<Reversed> {
  const amount = given?.amount ?? null;
  for (const entry of originals) requireReversible(entry);
  await configurationForWriting(tx);
  await requireArrived(tx, originals);
  const booked = await readBookings(tx, bookingsOf(originals));
  const companions = new Map(originals.map((entry) => [entry, companionsOf(entry, booked)]));
  const units = new Map(originals.map((entry) => [entry, isBuild(entry) ? unitsOf(entry, booked) : []]));
  const named = [...originals, ...[...companions.values()].flat(), ...[...units.values()].flat()];
  const all = [...new Map(named.map((entry) => [entry.id, entry])).values()];
  const lineIds = distinct(all.map(({ lineId }) => lineId));
  const requirementIds = distinct(all.map(({ requirementId }) => requirementId));
  await tx.queryPrepared<LockedEntity>(lockOrdersOfLines.single, [tx.workspaceId, lineIds]);
  await tx.queryPrepared<LockedEntity>(lockEntities.single, [tx.workspaceId, lineIds]);
  await tx.queryPrepared<LockedEntity>(lockEntities.single, [tx.workspaceId, requirementIds]);
  const lines = new Map(await Promise.all(lineIds.map(async (id) => [id, await findLine(tx, id)] as const)));
  const locked = await openPositions(tx, [...all, ...lines.values()]);
  const taken = await readTaken(tx, all);
  const figures = await readBuilt(tx, [...lines.values()]);
  const undelivered = new Map<string, Micro>();
  const unbuilt = new Map<string, Micro>();
  const unscrapped = new Map<Line, Micro>();

  const held = new HeldLeft(tx);
  const bookingId = newId();
  const movements: Movement[] = [];
  const takenBack: LedgerEntry[] = [];
  const add = (entry: LedgerEntry, quantity: Micro) => {
    if (quantity === 0n) return;
    const before = takenOf(taken, entry);
    // Only the entry that the call names states what was entered.
    const entered = originals.includes(entry) ? given?.entered : null;
    const movement = { ...reversalOf(entry, before, quantity, { note, bookingId }), entered };
    movements.push(movement);
    takenBack.push(entry);
    taken.set(entry.id, {
      quantity: before.quantity + quantity,
      reserved: before.reserved + (movement.reservedAmount ?? 0n),
      covered: before.covered + (movement.coveredQuantity ?? 0n),
    });
  };
  for (const entry of originals) {
    const remaining = remainingOf(entry, takenOf(taken, entry));
    // A delivery may be taken back after one of its lines was.
    if (amount === null && remaining === 0n && originals.length > 1) continue;
    const quantity = requireRemaining(entry, takenOf(taken, entry), amount);
    const line = lines.get(entry.lineId ?? '');
    if (line !== undefined && isDelivery(entry)) {
      const sum = (undelivered.get(line.id) ?? 0n) + quantity;
      undelivered.set(line.id, sum);
      requireNotReturned(line, figures.get(line.id)?.disassembled ?? 0n, sum);
    }
    const ofBooking = sumOf((units.get(entry) ?? []).map((one) => remainingOf(one, takenOf(taken, one))));
    // Units that were taken apart have given their components back.
    const built = line === undefined ? 0n : builtOf(line, figures) - (unbuilt.get(line.id) ?? 0n);
    const unitsLeft = least(ofBooking, built);
    if (isBuild(entry) && line !== undefined) unbuilt.set(line.id, (unbuilt.get(line.id) ?? 0n) + quantity);
    // Scrap was made and written off: it is written on again before it is unmade. A serial number leaves before it arrives.
    const isFirst = isScrap(entry) || entry.movementType === 'TransferIn';
    if (isFirst) add(entry, quantity);
    for (const companion of companions.get(entry) ?? []) {
      const left = remainingOf(companion, takenOf(taken, companion));
      add(companion, companion.movementType === 'MRIssue' ? shareOf(left, quantity, unitsLeft) : quantity);
    }
    if (isReceipt(entry) && entry.requirementId !== null) {
      const { itemId, locationId, orderId, requirementId } = entry;
      const amount = await held.takeArrived(requirementId, locationId, quantity);
      if (amount > 0n) {
        movements.push({
          type: 'MRRelease',
          itemId,
          locationId,
          amount,
          orderId,
          requirementId,
          note,
          bookingId,
        });
        takenBack.push(entry);
      }
    }
    if (!isFirst) add(entry, quantity);
    const tookComponents = (companions.get(entry) ?? []).some(
      ({ movementType }) => movementType === 'MRIssue',
    );
    // Scrap that took components had raised what is required of them.
    if (line !== undefined && isOutput(entry) && tookComponents) unscrapped.set(line, quantity);
    if (line === undefined || !isReceipt(entry) || entry.locationId === line.locationId) continue;
    // What arrived elsewhere is on order at the location of the line again.
    const there = { ...line, locationId: entry.locationId };
    const back = [{ amount: quantity, requirementId: entry.requirementId }];
    for (const movement of moveOrder(there, line.locationId, back, { note, bookingId })) {
      movements.push(movement);
      takenBack.push(entry);
    }
  }
  if (movements.length === 0) {
    const quantity = originals.reduce((sum, entry) => sum + abs(entry.quantity), 0n);
    throw overReversal('The delivery was taken back in full.', {
      quantity,
      reversed: quantity,
      remaining: 0n,
    });
  }
  const [outcome] = await recordRequests(tx, [{ actor: by.actor, movements }], locked);
  if (outcome === undefined) throw new Error('A request without an outcome');
  if (outcome.refusals !== null) throw await refuseReversal(tx, outcome.refusals, takenBack);

  for (const [line, quantity] of unscrapped)
    await followUnits(tx, by, line, { formerly: quantity, afterwards: 0n, note });
  const after: Line[] = [];
  for (const id of lineIds) after.push(await followLine(tx, by, id, note));
  for (const id of requirementIds) {
    const requirement = await refreshRequirement(tx, by, id);
    if (requirement.status === 'cancelled') await releaseRequirement(tx, by.actor, requirement, note);
  }
  return { entries: outcome.entries, lines: after };
}

function isDelivery({ movementType }: LedgerEntry): boolean {
  return movementType === 'POReceipt' || movementType === 'MOReceipt' || movementType === 'SOShipment';
}

function isReceipt({ movementType }: LedgerEntry): boolean {
  return movementType === 'POReceipt' || movementType === 'MOReceipt';
}

/** Goods in transit come back by their receipt at the location that they left. Throws `not_reversible`. */
async function requireArrived(tx: Tx, originals: readonly LedgerEntry[]): Promise<void> {
  const bookings = originals.flatMap(({ movementType, bookingId }) =>
    movementType === 'TransferOut' || movementType === 'TransferIn' ? (bookingId ?? []) : [],
  );
  if (bookings.length === 0) return;
  const [transit] = await tx.query<{ id: string }>(selectTransitsOfBookings, [tx.workspaceId, bookings]);
  if (transit === undefined) return;
  throw new AppError('not_reversible', {
    detail: `The entry is of transfer ${transit.id}, which is or was in transit. Receive it where it came from, or transfer it back.`,
    extensions: { transferId: transit.id },
  });
}

async function readTaken(tx: Tx, entries: readonly LedgerEntry[]): Promise<Map<string, TakenBack>> {
  const rows = await tx.query<ReversedRow>(selectReversed, [tx.workspaceId, entries.map(({ id }) => id)]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        quantity: abs(microOfDecimal(row.quantity)),
        reserved: abs(microOfDecimal(row.reserved)),
        covered: abs(microOfDecimal(row.covered)),
      },
    ]),
  );
}

function takenOf(taken: ReadonlyMap<string, TakenBack>, { id }: LedgerEntry): TakenBack {
  return taken.get(id) ?? nothingTakenBack;
}

type Built = Pick<Build, 'scrapped' | 'disassembled'>;

/** Returns how many units of each manufacturing line failed, and how many were taken apart. */
async function readBuilt(tx: Tx, lines: readonly Line[]): Promise<Map<string, Built>> {
  const ids = lines.filter(({ type }) => type === 'manufacturingOrder').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await tx.query<BuiltRow>(selectBuilt, [tx.workspaceId, ids]);
  return new Map(
    rows.map(({ id, scrapped, disassembled }) => [
      id,
      { scrapped: microOfDecimal(scrapped), disassembled: microOfDecimal(disassembled) },
    ]),
  );
}

function builtOf(line: Line, figures: ReadonlyMap<string, Built>): Micro {
  const { scrapped, disassembled } = figures.get(line.id) ?? { scrapped: 0n, disassembled: 0n };
  return unitsBuilt({ line, scrapped, disassembled });
}

/** Goods that went back to the supplier, came back from the customer or were taken apart cannot be taken back as never delivered. */
function requireNotReturned(line: Line, disassembled: Micro, amount: Micro): void {
  const delivered = line.received + line.shipped;
  const returned = line.returned + disassembled;
  const remaining = delivered - returned;
  if (amount <= remaining) return;
  const [done, undone] =
    line.type === 'manufacturingOrder'
      ? ['built', 'taken apart']
      : [isSupply(line.type) ? 'received' : 'shipped', 'returned'];
  const hint = undone === 'returned' ? ' Take back the return first.' : '';
  throw overReversal(
    `Of the ${numberOf(delivered)} that line ${line.number ?? line.id} ${done}, ${numberOf(returned)} were ${undone}: ${numberOf(remaining)} can be taken back.${hint}`,
    { quantity: delivered, reversed: returned, remaining },
  );
}
