/**
 * Reads the stock, order lines and requirements of many items at once, and says what each line and requirement adds or takes. The demand of
 * an item, its summary and the reorder list rest on this one definition.
 */
import type { Tx } from '../../db/transaction.ts';
import { type Micro, microOfDecimal } from '../../quantity.ts';
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
  /** Whether there are older ones that were not looked at. */
  partial: boolean;
}

/** Lines by item, the newest of each to a bound. Drafts are read only where they are asked for. */
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

/**
 * Returns the quantity that a line adds to what is available, or takes from it (negative). What is reserved for a sales line is not
 * available already.
 */
export function balanceOfLine(line: Line): Micro {
  return isSupply(line.type) ? line.open : line.reserved - line.open;
}

/** Returns the quantity that a requirement takes (negative): what is not reserved for it, ordered or not. */
export function balanceOfRequirement({ reserved, required }: Requirement): Micro {
  return reserved > required ? 0n : reserved - required;
}
