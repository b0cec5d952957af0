/** Takes built units apart: they leave stock, and what was really consumed for them comes back, by its entries. */
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { decimalOf, type Micro, numberOf } from '../../quantity.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import type { Entered, Movement } from '../../stock/entries/movement.ts';
import { gatherProcured } from '../../stock/events/gather-changes.ts';
import { byShares, type LotShare } from '../../stock/movements/by-shares.ts';
import { positionKey } from '../../stock/movements/decide-movements.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import type { LockedPositions } from '../../stock/movements/record-requests.ts';
import { findLine, lockLine } from '../records/find-procured.ts';
import { followState } from '../records/follow-state.ts';
import { isFinal, type Line } from '../records/line.ts';
import { requirementStates } from '../records/requirement.ts';
import type { ComponentsPreview } from './builds.schema.ts';
import { updateRequirements } from './builds.sql.ts';
import type { Take } from './component-stock.ts';
import { type Build, type Component, divideUp, shareOf, unitsBuilt, unitsInAll } from './components.ts';
import { type Consumed, consumedByLots } from './consumed-by-lots.ts';
import { locationsOf, requireBuildable } from './move-components.ts';
import { lockBuilds } from './open-builds.ts';
import { showTakes } from './show-components.ts';
import { type Back, sumsOf, takeBack } from './take-back.ts';

export interface Disassembly {
  line: EntityRef;
  amount: Micro;
  /** The amount as it was entered in another unit. */
  entered: Entered | null;
  /** Location of the units; null: that of the line. */
  location: EntityRef | null;
  lots: readonly LotShare[] | null;
  note: string | null;
}

export interface Disassembled {
  line: Line;
  /** Entries of the output. */
  entries: LedgerEntry[];
  returned: Omit<ComponentsPreview['taken'][number], 'wasReserved'>[];
}

/**
 * Throws `line_not_found`, `line_not_open`, `over_disassembly`, `entity_not_found`, `not_a_location`, `insufficient_stock` where the
 * units are not available any more.
 */
export async function disassemble(
  tx: Tx,
  by: Mover,
  { line: ref, amount, entered, location, lots, note }: Disassembly,
): Promise<Disassembled> {
  const line = await lockLine(tx, ref);
  requireBuildable(line);
  const [locationId = line.locationId] = (await locationsOf(tx, location === null ? null : [location])) ?? [];
  const opened = await lockBuilds(tx, [line], { from: null, isEnded: true });
  const build = opened.builds.get(line.id) as Build;
  requireBuilt(build, amount);
  const { backs, bookings } = await backOf(tx, build, amount, lots);
  const sums = sumsOf(backs);
  const isLess = ([{ requirement }, back]: [Component, Micro]) =>
    requirement.status !== 'cancelled' && back < requirement.required;
  const required = new Map([...sums].filter(isLess));
  const output: Movement = {
    type: 'Adjustment',
    itemId: line.itemId,
    locationId,
    amount: -amount,
    lineId: line.id,
    orderId: line.orderId,
    reason: 'disassembly',
    entered,
    itemRevision: line.itemRevision,
  };
  const facts = { note, bookingId: newId() };
  const leaving = { ...output, ...facts };
  const before = lots === null ? [leaving] : byShares(leaving, lots);
  const { requirements } = opened;
  const check = (positions: LockedPositions) => requireThere(positions, line, output, amount);
  const back = {
    backs,
    otherBookings: bookings,
    requirements,
    facts,
    isScrap: false,
    before,
    required,
    check,
  };
  const entries = await takeBack(tx, by, back);
  const less = [...required].map(([{ requirement }, back]) => ({
    id: requirement.id,
    required: requirement.required - back,
  }));
  gatherProcured(
    tx,
    less.map(({ id }) => id),
  );
  await tx.query(updateRequirements, [
    tx.workspaceId,
    less.map(({ id }) => id),
    less.map((one) => decimalOf(one.required)),
  ]);
  // A requirement of which nothing is left is cancelled: none stays open.
  for (const [{ requirement }] of [...sums].filter((one) => !isLess(one))) {
    const { id, status } = requirement;
    if (status !== 'cancelled')
      await followState(tx, by, { entity: id, toState: requirementStates.cancelled, note });
  }
  const returned = await showTakes(tx, await takesOf(tx, backs, entries));
  return {
    line: await findLine(tx, line.id),
    entries: entries.filter(({ lineId }) => lineId === line.id),
    returned: returned.map(({ wasReserved, ...one }) => one),
  };
}

/** Returns what came back: components, and what had been issued in their place. */
async function takesOf(tx: Tx, backs: readonly Back[], entries: readonly LedgerEntry[]): Promise<Take[]> {
  const components = new Map(backs.map(({ component }) => [component.requirement.id, component]));
  const issues = entries.filter(({ movementType }) => movementType === 'MRIssue');
  const items = new Set(issues.filter((one) => one.coveredQuantity !== null).map(({ itemId }) => itemId));
  const names = items.size === 0 ? new Map() : await findStockEntities(tx, items);
  return issues.flatMap(({ itemId, requirementId, locationId, quantity, coveredQuantity }): Take[] => {
    const component = components.get(requirementId ?? '');
    if (component === undefined) return [];
    const covered = coveredQuantity === null ? quantity : -coveredQuantity;
    const substitute = coveredQuantity === null ? null : (names.get(itemId) ?? null);
    return [{ component, substitute, locationId, amount: quantity, covered, isHeld: true }];
  });
}

/**
 * Returns what comes back for so many units: what their lots consumed, or their share of what all units of the line consumed, rounded
 * down.
 */
async function backOf(
  tx: Tx,
  build: Build,
  amount: Micro,
  lots: readonly LotShare[] | null,
): Promise<Consumed> {
  const [built, inAll] = [unitsBuilt(build), unitsInAll(build)];
  const consumedOf = ({ requirement: { required, issued } }: Component) => {
    // An open line may have components issued for units that are yet to be built.
    const share = shareOf(required, built, inAll);
    return isFinal(build.line.state) || issued < share ? issued : share;
  };
  if (lots !== null) return consumedByLots(tx, build, lots, consumedOf, { amount, built });
  const backs = build.components.map((component) => {
    const consumed = consumedOf(component);
    return { component, amount: consumed - divideUp(consumed * (built - amount), built) };
  });
  return { backs: backs.filter((back) => back.amount > 0n), bookings: [] };
}

function requireBuilt({ line, disassembled }: Build, amount: Micro): void {
  const built = line.received - disassembled;
  if (amount <= built) return;
  throw new AppError('over_disassembly', {
    detail: `Line ${line.number ?? line.id} has ${numberOf(built)} built units that were not taken apart, not ${numberOf(amount)}.`,
    extensions: { builtQty: numberOf(built), disassembledQty: numberOf(disassembled) },
  });
}

/** An adjustment may take what is reserved, because a count is a fact; taking a unit apart may not. */
function requireThere({ positions }: LockedPositions, line: Line, output: Movement, amount: Micro): void {
  const position = positions.get(positionKey(output));
  const available = position === undefined ? 0n : position.onHand - position.reserved;
  if (amount <= available) return;
  throw new AppError('insufficient_stock', {
    detail: `${numberOf(available)} of ${line.itemNumber ?? line.itemName} are available at the location, not ${numberOf(amount)}.`,
    extensions: { available: numberOf(available) },
  });
}
