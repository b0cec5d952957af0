/** Stock, lines and requirements of an item that is merged into another: read, judged and moved. */
import type { Actor } from '../actor.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { type Micro, microOfDecimal } from '../quantity.ts';
import { lineRules } from '../stock/entries/line-rules.ts';
import type { Movement } from '../stock/entries/movement.ts';
import { byShares, type LotShare } from '../stock/movements/by-shares.ts';
import { recordMovements } from '../stock/movements/record-movements.ts';
import { MERGED_MAX, type MergeReason } from './merge.schema.ts';
import {
  addUnits,
  type HeldByLine,
  type HeldByRequirement,
  type HoldOfLot,
  type LotRow,
  lockForMove,
  moveLines,
  moveRequirements,
  type OpenLineRow,
  type PositionRow,
  selectHeldByLines,
  selectHeldByRequirements,
  selectHolds,
  selectLots,
  selectOpenLines,
  selectOpenRequirements,
  selectPositions,
  selectSubstituteHolders,
} from './merge.sql.ts';

interface HoldingRequirement {
  id: string;
  order_id: string | null;
}

export interface MergedStock {
  positions: readonly PositionRow[];
  lots: readonly LotRow[];
  holds: readonly HoldOfLot[];
  lines: readonly OpenLineRow[];
  requirements: readonly HoldingRequirement[];
  /** Requirements of other items that hold the merged one as a substitute. */
  substituteHolders: readonly HoldingRequirement[];
  /** Movements of the merged item that give back what lines and requirements hold, and those of the other that take it again. */
  releases: readonly Movement[];
  takes: readonly Movement[];
  /** Movements that bring the stock over. */
  transfers: readonly Movement[];
}

/** Reads the stock and everything that holds some of it. With `isLocked` lines and requirements stay as they are until the transaction ends. */
export async function readMergedStock(
  tx: Tx,
  from: string,
  into: string,
  { isLocked, note }: { isLocked: boolean; note: string },
): Promise<MergedStock> {
  const of = [tx.workspaceId, from];
  const rows = MERGED_MAX + 1;
  const lines = await tx.query<OpenLineRow>(selectOpenLines, [...of, rows]);
  const requirements = await tx.query<HoldingRequirement>(selectOpenRequirements, [...of, rows]);
  const substituteHolders = await tx.query<HoldingRequirement>(selectSubstituteHolders, [...of, rows]);
  const holders = [...requirements, ...substituteHolders];
  const [lineIds, requirementIds] = [lines.map(({ id }) => id), holders.map(({ id }) => id)];
  // All calls that move a line or a requirement lock it before positions.
  if (isLocked && lineIds.length + requirementIds.length > 0)
    await tx.query(lockForMove, [tx.workspaceId, [...lineIds.toSorted(), ...requirementIds.toSorted()]]);
  const [positions, lots, holds, ofLines, ofRequirements] = await Promise.all([
    tx.query<PositionRow>(selectPositions, [...of, rows]),
    tx.query<LotRow>(selectLots, [...of, into, rows]),
    tx.query<HoldOfLot>(selectHolds, [...of, rows]),
    tx.query<HeldByLine>(selectHeldByLines, [...of, lineIds]),
    tx.query<HeldByRequirement>(selectHeldByRequirements, [...of, requirementIds]),
  ]);
  const bookingId = newId();
  const common = { note, bookingId };
  const releases: Movement[] = [];
  const heldBy = Map.groupBy(
    holds.map((hold) => ({ ...hold, left: microOfDecimal(hold.quantity) })),
    (hold) => hold.holder_id + hold.location_id,
  );
  /** Releases by themselves what is held of each lot, so that the reservation of the other item holds the lot again. */
  const release = (movement: Movement, holder: string) => {
    const shares: LotShare[] = [];
    let left = movement.amount;
    for (const held of heldBy.get(holder + movement.locationId) ?? []) {
      // The holder may hold lots of the item itself beside its substitutes: each lot is released once.
      const some = held.left < left ? held.left : left;
      if (some <= 0n) continue;
      held.left -= some;
      left -= some;
      shares.push({ lot: held.lot, amount: some });
    }
    const own = byShares(movement, shares).map(({ lot, newLot, ...one }) => ({ ...one, holdLot: lot }));
    const covered = own.reduce((sum, { coveredQuantity }) => sum + (coveredQuantity ?? 0n), 0n);
    const { coveredQuantity } = movement;
    const rest = coveredQuantity == null ? {} : { coveredQuantity: coveredQuantity - covered };
    releases.push(...own, ...(left > 0n ? [{ ...movement, ...rest, amount: left }] : []));
  };
  const lineOf = new Map(lines.map((line) => [line.id, line]));
  for (const held of ofLines) {
    const line = lineOf.get(held.line_id) as OpenLineRow;
    const { release: type, holds: figure } = lineRules[line.type];
    const [total, forRequirement] =
      figure === 'reserved' ? [held.reserved, '0'] : [held.on_order, held.for_requirement];
    const own = microOfDecimal(forRequirement);
    for (const [amount, requirementId] of [
      [own, line.requirement_id],
      [microOfDecimal(total) - own, null],
    ] as const) {
      if (amount <= 0n) continue;
      release(
        {
          ...common,
          type,
          itemId: from,
          locationId: held.location_id,
          amount,
          lineId: line.id,
          orderId: line.order_id,
          requirementId,
        },
        line.id,
      );
    }
  }
  const orderOf = new Map(holders.map(({ id, order_id: orderId }) => [id, orderId]));
  for (const held of ofRequirements) {
    const { requirement_id: requirementId, location_id: locationId } = held;
    release(
      {
        ...common,
        type: 'MRRelease',
        itemId: from,
        locationId,
        amount: microOfDecimal(held.held),
        ...(held.covers === null ? {} : { coveredQuantity: microOfDecimal(held.covers) }),
        orderId: orderOf.get(requirementId) ?? null,
        requirementId,
      },
      requirementId,
    );
  }
  const begins = {
    SORelease: 'SOReservation',
    OnOrderRelease: 'OnOrderAdd',
    MRRelease: 'MRReservation',
  } as const;
  const takes = releases.map((movement) => ({
    ...movement,
    type: begins[movement.type as keyof typeof begins],
    itemId: into,
  }));
  return {
    positions,
    lots,
    holds,
    lines,
    requirements,
    substituteHolders,
    releases,
    takes,
    transfers: transfersOf({ positions, lots }, from, into, common),
  };
}

function transfersOf(
  { positions, lots }: Pick<MergedStock, 'positions' | 'lots'>,
  from: string,
  into: string,
  common: Pick<Movement, 'note' | 'bookingId'>,
): Movement[] {
  const lotsAt = Map.groupBy(lots, (lot) => lot.location_id);
  return positions.flatMap(({ location_id: locationId, on_hand: onHand }) => {
    const own = lotsAt.get(locationId) ?? [];
    const moving = own.map((lot) => ({ amount: microOfDecimal(lot.on_hand), lot }));
    const rest = microOfDecimal(onHand) - moving.reduce((sum, { amount }) => sum + amount, 0n);
    return [...moving, { amount: rest, lot: null }].flatMap(({ amount, lot }): Movement[] => {
      if (amount <= 0n) return [];
      const place = { ...common, locationId, amount, ...(lot === null ? {} : { lot: lot.lot }) };
      return [
        { ...place, type: 'TransferOut', itemId: from },
        { ...place, type: 'TransferIn', itemId: into, ...(lot === null ? {} : { newLot: factsOf(lot) }) },
      ];
    });
  });
}

function factsOf({ expires_on, supplier_lot, properties }: LotRow): NonNullable<Movement['newLot']> {
  return {
    ...(expires_on === null ? {} : { expiresOn: expires_on }),
    ...(supplier_lot === null ? {} : { supplierLot: supplier_lot }),
    properties,
  };
}

/** Returns the reasons that stock, lines and requirements give against the merge. */
export function stockReasons(stock: MergedStock, name: string, isTracked: boolean): MergeReason[] {
  const reasons: MergeReason[] = [];
  const add = (code: MergeReason['code'], message: string) => reasons.push({ code, message });
  for (const [what, rows, way] of [
    ['positions with stock', stock.positions, 'Transfer some of the stock together first.'],
    ['lots in stock', stock.lots, 'Use up or write off some of them first.'],
    ['lots held for reservations', stock.holds, 'End some of these holds first.'],
    ['open order lines', stock.lines, 'End some of them first.'],
    ['open requirements', stock.requirements, 'End some of them first.'],
    [
      'requirements that hold it as a substitute',
      stock.substituteHolders,
      'Release some of these reservations first.',
    ],
  ] as const)
    if (rows.length > MERGED_MAX) add('tooMuch', `${name} has more than ${MERGED_MAX} ${what}. ${way}`);
  if (reasons.length > 0) return reasons;
  const pinned = stock.lines.filter(({ item_revision: revision }) => revision !== null).length;
  if (pinned > 0)
    add('revisionOfLine', `${pinned} of its open order lines are for one of its revisions. End them first.`);
  const standing = stock.lots.filter(({ stands }) => stands).map(({ lot }) => lot);
  if (standing.length > 0)
    add(
      'lots',
      `${standing.length} of its lots cannot move, such as ${standing.slice(0, 3).join(', ')}: they are kept from use, or the entity that stays has a lot of the same number with other facts or a status. Settle them first.`,
    );
  const held = heldAt(stock.releases);
  const lotsAt = Map.groupBy(stock.lots, ({ location_id: id }) => id);
  for (const { location_id: id, ...position } of stock.positions) {
    const { reserved = 0n, onOrder = 0n } = held.get(id) ?? {};
    const [onHand, ofReserved, ofOnOrder] = [position.on_hand, position.reserved, position.on_order].map(
      microOfDecimal,
    ) as [Micro, Micro, Micro];
    if (ofReserved !== reserved || ofOnOrder !== onOrder) {
      add(
        'stock',
        'Some of its stock is reserved or on order for something that has ended, in transit, or kept from use by the status of a lot. Release or receive it first.',
      );
      break;
    }
    if (onHand < ofReserved) {
      add('stock', 'At a location more of it is reserved than on hand. Correct the stock first.');
      break;
    }
    const inLots = (lotsAt.get(id) ?? []).reduce((sum, lot) => sum + microOfDecimal(lot.on_hand), 0n);
    if (isTracked && inLots < onHand) {
      add('lots', 'Some of its stock is in no lot. Assign it to lots first.');
      break;
    }
  }
  return reasons;
}

function heldAt(releases: readonly Movement[]): Map<string, { reserved: Micro; onOrder: Micro }> {
  const held = new Map<string, { reserved: Micro; onOrder: Micro }>();
  for (const { type, locationId, amount } of releases) {
    const at = held.get(locationId) ?? { reserved: 0n, onOrder: 0n };
    if (type === 'OnOrderRelease') at.onOrder += amount;
    else at.reserved += amount;
    held.set(locationId, at);
  }
  return held;
}

/** Moves everything that was read. Throws `insufficient_stock`, `lot_refused`, `quantity_out_of_range`. */
export async function moveMergedStock(
  tx: Tx,
  actor: Actor,
  from: string,
  into: string,
  stock: MergedStock,
): Promise<void> {
  await recordMovements(tx, actor, [...stock.releases, ...stock.transfers, ...stock.takes]);
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  if (stock.lines.length > 0) await tx.query(moveLines, [tx.workspaceId, idsOf(stock.lines), into]);
  if (stock.requirements.length > 0)
    await tx.query(moveRequirements, [tx.workspaceId, idsOf(stock.requirements), into]);
  await tx.query(addUnits, [tx.workspaceId, from, into]);
}
