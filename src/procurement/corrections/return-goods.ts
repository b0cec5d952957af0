/**
 * Returns goods of an order: to the supplier, or from the customer. What was delivered stays delivered; a return is a fact of its own.
 * Locks are taken in the order of transition-effect.ts.
 */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { type Micro, numberOf } from '../../quantity.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import { lineRules } from '../../stock/entries/line-rules.ts';
import type { Entered, Movement } from '../../stock/entries/movement.ts';
import type { LotShare } from '../../stock/movements/by-shares.ts';
import { positionKey } from '../../stock/movements/decide-movements.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import { byLots } from '../../stock/movements/lot-shares.ts';
import { recordMovements } from '../../stock/movements/record-movements.ts';
import { openPositions } from '../../stock/movements/record-requests.ts';
import { atLeastZero, least } from '../records/amounts.ts';
import { AvailableStock } from '../records/available-stock.ts';
import { findLine } from '../records/find-procured.ts';
import { refreshRequirement } from '../records/follow-state.ts';
import { isSupply, type Line, shareOfRequirement } from '../records/line.ts';
import { type LockedEntity, lockEntities, lockOrdersOfLines } from '../records/procured-entities.sql.ts';
import { atLine, refuseLocation, refuseType } from '../records/refusals.ts';
import { followLine } from './follow-line.ts';
import { HeldLeft } from './held-left.ts';

export interface WantedReturn {
  lineId: string;
  amount: Micro;
  /** The amount as it was entered in another unit. */
  entered: Entered | null;
  reason: string | null;
  /** The location that the goods leave or arrive at; null: the location of the line. */
  location: EntityRef | null;
  lots: readonly LotShare[] | null;
}

interface WantedReturns {
  lines: readonly WantedReturn[];
  replace: boolean;
  note: string | null;
  effectiveOn: string | null;
}

const nothing = { onHand: 0n, reserved: 0n, onOrder: 0n };

/** Throws `line_not_open`, `over_return`, `entity_not_found`, `not_a_location`, `insufficient_stock`, `transition_not_allowed`. */
export async function returnGoods(
  tx: Tx,
  by: Mover,
  { lines: wanted, replace, note, effectiveOn }: WantedReturns,
): Promise<LedgerEntry[]> {
  await configurationForWriting(tx);
  const lineIds = [...new Set(wanted.map(({ lineId }) => lineId))].toSorted();
  await tx.queryPrepared<LockedEntity>(lockOrdersOfLines.single, [tx.workspaceId, lineIds]);
  await tx.queryPrepared<LockedEntity>(lockEntities.single, [tx.workspaceId, lineIds]);
  const lines = new Map<string, Line>();
  for (const id of lineIds) lines.set(id, await findLine(tx, id));
  const requirementIds = [...new Set([...lines.values()].map(({ requirementId }) => requirementId))]
    .filter((id) => id !== null)
    .toSorted();
  await tx.queryPrepared<LockedEntity>(lockEntities.single, [tx.workspaceId, requirementIds]);
  const places = await findStockEntities(tx, new Set(wanted.flatMap(({ location }) => location ?? [])));

  const placeOf = ({ lineId, location }: WantedReturn) => {
    const { itemId, locationId } = lines.get(lineId) as Line;
    return { itemId, locationId: (location === null ? undefined : places.get(location)?.id) ?? locationId };
  };
  const { positions } = await openPositions(tx, [...lines.values(), ...wanted.map(placeOf)]);
  const available = new AvailableStock((place) => positions.get(positionKey(place)) ?? nothing);

  const returning = { available, held: new HeldLeft(tx), facts: { note, bookingId: newId() }, replace };
  const movements: Movement[] = [];
  for (const [index, one] of wanted.entries()) {
    const line = lines.get(one.lineId) as Line;
    atLine(index, () => requireReturnable(line, one.amount, replace));
    const place = one.location === null ? undefined : places.get(one.location);
    if (one.location !== null && place?.isLocation !== true)
      throw atLine(index, () => refuseLocation(one.location as EntityRef, place));
    const { own, movements: ofLine } = await returnOf(returning, line, one, place?.id ?? line.locationId);
    movements.push(...ofLine);
    lines.set(line.id, {
      ...line,
      returned: line.returned + one.amount,
      returnedFor: line.returnedFor + own,
    });
  }
  const entries = await recordMovements(tx, by.actor, movements, effectiveOn);
  if (replace) for (const id of lineIds) await followLine(tx, by, id, note);
  for (const id of requirementIds) await refreshRequirement(tx, by, id);
  return entries;
}

interface Returning {
  available: AvailableStock;
  held: HeldLeft;
  facts: Pick<Movement, 'note' | 'bookingId'>;
  replace: boolean;
}

/** Returns the movements of one return, and how much of it was for the requirement of the line. */
async function returnOf(
  { available, held, facts, replace }: Returning,
  line: Line,
  { amount, reason, entered, lots }: WantedReturn,
  locationId: string,
): Promise<{ own: Micro; movements: Movement[] }> {
  const { giveBack, begin } = lineRules[line.type];
  if (giveBack === null) throw new Error('A line that cannot be returned was accepted');
  const { id: lineId, itemId, orderId, requirementId } = line;
  const common = { itemId, lineId, orderId, requirementId, ...facts };
  const isForSupply = isSupply(line.type);
  const movements: Movement[] = [];
  let own = isForSupply ? shareOfRequirement(line, 'giveBack', amount, 0n) : 0n;
  if (requirementId !== null && isForSupply) {
    // The surplus of a purchase may lie elsewhere. In that case the goods that the requirement holds here go back.
    const lacking = amount - own - available.take({ ...common, locationId }, amount - own);
    const heldBeside = (await held.at(requirementId, locationId)) - own;
    own += least(lacking, atLeastZero(least(heldBeside, line.receivedFor - line.returnedFor - own)));
  }
  if (requirementId !== null && own > 0n) {
    const released = await held.take(requirementId, locationId, own);
    if (released > 0n)
      movements.push({ ...common, type: 'MRRelease', lineId: null, locationId, amount: released });
  }
  const parts = isForSupply
    ? [
        { ...common, amount: own },
        { ...common, amount: amount - own, requirementId: null },
      ].filter((part) => part.amount > 0n)
    : [{ ...common, amount }];
  const backs = parts.map((part): Movement => ({ ...part, type: giveBack, locationId, reason, entered }));
  movements.push(...byLots(backs, lots, null));
  // On Order stays with the location of the line.
  if (replace)
    for (const part of parts) movements.push({ ...part, type: begin, locationId: line.locationId });
  return { own, movements };
}

function requireReturnable(line: Line, amount: Micro, replace: boolean): void {
  const { giveBack } = lineRules[line.type];
  if (giveBack === null) throw refuseType(line, 'returned');
  if (replace && giveBack !== 'POReturn') {
    const message = 'A replacement is ordered from a supplier. Add a line to the sales order instead.';
    throw new AppError('line_not_open', { detail: message, extensions: { lineType: line.type } });
  }
  const delivered = line.received + line.shipped;
  const returnable = delivered - line.returned;
  if (amount <= returnable) return;
  const done = giveBack === 'POReturn' ? 'received' : 'shipped';
  throw new AppError('over_return', {
    detail: `Of line ${line.number ?? line.id}, ${numberOf(delivered)} were ${done} and ${numberOf(line.returned)} returned: ${numberOf(amount)} is more than the ${numberOf(returnable)} that can be returned.`,
    extensions: {
      receivedQty: numberOf(line.received),
      shippedQty: numberOf(line.shipped),
      returnedQty: numberOf(line.returned),
      returnableQty: numberOf(returnable),
    },
  });
}
