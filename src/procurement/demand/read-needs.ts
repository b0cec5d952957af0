/**
 * Reads the stock, order lines and requirements of many items at once, and says what each line and requirement adds or takes. The demand of
 * an item, its summary and the reorder list rest on this one definition.
 */
import type { Tx } from '../../db/transaction.ts';
import { type Micro, microOfDecimal } from '../../quantity.ts';
import { atLeastZero, least } from '../records/amounts.ts';
import { isSupply, type Line, type LineRow, lineOfRow } from '../records/line.ts';
import { type Requirement, requirementOfRow } from '../records/requirement.ts';
import type { RequirementRow } from '../records/requirements.sql.ts';
import { COUNTED_MAX, LOOKED_MAX } from './demand.schema.ts';
import { countLooked, selectLinesOfItems, selectRequirementsAtWork, sumPositions } from './demand.sql.ts';

/** Positions of an item that are summed up. */
export const POSITIONS_MAX = COUNTED_MAX * 10;

export interface StockSums {
  locations: number;
  stocked: number;
  onHand: Micro;
  reserved: Micro;
  onOrder: Micro;
  available: Micro;
  /** The part of On Order that was sent from one location to another. */
  inTransit: Micro;
}

/** Returns the sums over all locations; every item has some. */
export async function readStock(tx: Tx, ids: readonly string[]): Promise<Map<string, StockSums>> {
  const rows = await tx.query<{
    id: string;
    locations: number;
    stocked: number;
    on_hand: string;
    reserved: string;
    on_order: string;
    in_transit: string;
  }>(sumPositions, [tx.workspaceId, ids, POSITIONS_MAX]);
  return new Map(
    rows.map(({ id, locations, stocked, ...row }) => {
      const figures = [row.on_hand, row.reserved, row.on_order, row.in_transit].map(microOfDecimal);
      const [onHand, reserved, onOrder, inTransit] = figures as [Micro, Micro, Micro, Micro];
      const available = onHand - reserved;
      return [id, { locations, stocked, onHand, reserved, onOrder, available, inTransit }];
    }),
  );
}

export interface Looked<Row> {
  rows: Row[];
  /** Whether there are older ones that were not read. */
  partial: boolean;
}

/** Reads the newest lines of each item, to a bound. Reads drafts only if `drafts` says so. */
export async function readLines(
  tx: Tx,
  ids: readonly string[],
  { drafts = false } = {},
): Promise<Map<string, Looked<Line>>> {
  const wanted = [tx.workspaceId, ids, LOOKED_MAX];
  const rows = await tx.query<LineRow>(selectLinesOfItems(drafts), wanted);
  return lookedBy(tx, ids, rows.map(lineOfRow), ({ itemId }) => itemId, countLooked('stock_line', 'item_id'));
}

/** Requirements that are not cancelled, by item or project. */
export async function readRequirements(
  tx: Tx,
  of: 'item_id' | 'project_id',
  ids: readonly string[],
): Promise<Map<string, Looked<Requirement>>> {
  const wanted = [tx.workspaceId, ids, LOOKED_MAX];
  const rows = await tx.query<RequirementRow>(selectRequirementsAtWork(of), wanted);
  const ownerOf = (one: Requirement) => (of === 'item_id' ? one.itemId : (one.projectId ?? ''));
  return lookedBy(tx, ids, rows.map(requirementOfRow), ownerOf, countLooked('material_requirement', of));
}

async function lookedBy<Row>(
  tx: Tx,
  ids: readonly string[],
  rows: readonly Row[],
  ownerOf: (row: Row) => string,
  counting: string,
): Promise<Map<string, Looked<Row>>> {
  const counts = await tx.query<{ id: string; count: number }>(counting, [tx.workspaceId, ids, LOOKED_MAX]);
  const countOf = new Map(counts.map(({ id, count }) => [id, count]));
  const own = Map.groupBy(rows, ownerOf);
  return new Map(
    ids.map((id) => [id, { rows: own.get(id) ?? [], partial: (countOf.get(id) ?? 0) > LOOKED_MAX }]),
  );
}

/** Tells what each line and requirement of an item adds to what is available, or takes from it (negative). */
export interface Balances {
  ofLine(line: Line): Micro;
  ofRequirement(requirement: Requirement): Micro;
}

/**
 * Rests on the open need of requirements as shortages know it (`needed`, records/requirement.ts): supply that is on order for a requirement
 * is for nobody else, so that it adds no more than the requirement still takes. What is reserved for a sales line or requirement is not
 * available already. Lines of a requirement that is not among the given ones, such as a cancelled one, are free supply.
 */
export function balancesOf(lines: readonly Line[], requirements: readonly Requirement[]): Balances {
  /** How much of the supply for a requirement it still takes. */
  const taken = new Map(requirements.map((one) => [one.id, takenBy(one) - one.needed]));
  const surplus = new Map<string, Micro>();
  for (const line of lines.toSorted(byDate)) {
    const left = line.requirementId === null ? undefined : taken.get(line.requirementId);
    if (line.requirementId === null || left === undefined) continue;
    const promised = promisedIn(line);
    const used = least(promised, left);
    taken.set(line.requirementId, left - used);
    surplus.set(line.id, promised - used);
  }
  return {
    ofLine: (line) =>
      isSupply(line.type) ? line.open - (surplus.get(line.id) ?? 0n) : line.reserved - line.open,
    ofRequirement: (one) => -takenBy(one),
  };
}

/** The quantity that a requirement still takes, ordered or not. */
function takenBy({ reserved, required }: Requirement): Micro {
  return reserved > required ? 0n : required - reserved;
}

/** The part of what a line still brings that is for its requirement. */
function promisedIn({ open, orderedFor, receivedFor }: Line): Micro {
  const promised = orderedFor - receivedFor;
  return atLeastZero(least(promised, open));
}

function byDate(one: Line, other: Line): number {
  const [a, b] = [one, other].map(({ requiredBy, id }) => `${requiredBy ?? '~'} ${id}`) as [string, string];
  return a < b ? -1 : 1;
}
