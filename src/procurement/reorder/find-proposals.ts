/** Finds what is below its point, and proposes what to order: in lots of the item, and in packs of its supplier. */
import { today } from '../../calendar/days.ts';
import type { Tx } from '../../db/transaction.ts';
import { type Micro, microOfDecimal, numberOf } from '../../quantity.ts';
import { balancesOf, readLines, readRequirements, readStock } from '../demand/read-needs.ts';
import { isSupply, type Line } from '../records/line.ts';
import type { Requirement } from '../records/requirement.ts';
import { findParts, readParts, type UsablePart } from '../records/suppliers/find-offers.ts';
import { type Offer, offerOf } from '../records/suppliers/supplier-part.ts';
import type { PlanningRow } from './planning.sql.ts';

export interface Proposal {
  readonly row: PlanningRow;
  readonly available: Micro;
  readonly coming: Micro;
  readonly drafted: Micro;
  readonly demand: Micro;
  readonly projected: Micro;
  readonly point: Micro;
  readonly missing: Micro;
  readonly quantity: Micro;
  /** It is null for an item that is made, or that no supplier sells. */
  readonly offer: Offer | null;
  readonly leadTimeDays: number | null;
  readonly isPartial: boolean;
}

/** Returns the figures that lists and events show of a proposal. */
export function showFigures({ row, ...one }: Proposal) {
  return {
    policy: row.policy,
    makeOrBuy: row.make_or_buy,
    comingQty: numberOf(one.coming),
    draftQty: numberOf(one.drafted),
    demandQty: numberOf(one.demand),
    projectedQty: numberOf(one.projected),
    reorderPoint: numberOf(one.point),
    missingQty: numberOf(one.missing),
  };
}

/** Returns a proposal for each item that is below its point, in order. Every supply and every open need counts once (read-needs.ts). */
export async function findProposals(tx: Tx, planned: readonly PlanningRow[]): Promise<Proposal[]> {
  if (planned.length === 0) return [];
  const ids = planned.map((row) => row.item_id);
  const stock = await readStock(tx, ids);
  const lines = await readLines(tx, ids, { drafts: true });
  const requirements = await readRequirements(tx, 'item_id', ids);
  const short = planned.flatMap((row) => {
    const [own, needs] = [lines.get(row.item_id), requirements.get(row.item_id)];
    const figures = figuresOf(own?.rows ?? [], needs?.rows ?? []);
    const { available = 0n, inTransit = 0n } = stock.get(row.item_id) ?? {};
    figures.coming += inTransit;
    const isPartial = own?.partial === true || needs?.partial === true;
    const found = shortageOf(row, { available, ...figures });
    return found === null ? [] : [{ row, available, ...figures, ...found, isPartial }];
  });
  const parts = await partsOf(
    tx,
    short.map(({ row }) => row),
  );
  const day = today();
  return short.map((one, at) => {
    const part = parts[at] ?? null;
    const lot = lotOf(one.row, one.missing);
    const offer = part === null ? null : offerOf(part.part, part.factor, lot, day);
    const leadTimeDays = one.row.lead_time_days ?? offer?.leadTimeDays ?? null;
    return { ...one, quantity: offer?.quantity ?? lot, offer, leadTimeDays };
  });
}

/** Drafts of purchase and manufacturing lines count as supply: what was drafted from the list is not proposed again. */
function figuresOf(lines: readonly Line[], requirements: readonly Requirement[]) {
  const { ofLine, ofRequirement } = balancesOf(lines, requirements);
  const isDraft = ({ state }: Line) => state === 'Draft';
  const supply = lines.filter(({ type }) => isSupply(type));
  const sales = lines.filter((line) => !isSupply(line.type) && !isDraft(line));
  return {
    coming: sumOf(
      supply.filter((line) => !isDraft(line)),
      ofLine,
    ),
    drafted: sumOf(supply.filter(isDraft), ({ quantity }) => quantity),
    demand: -sumOf(requirements, ofRequirement) - sumOf(sales, ofLine),
  };
}

/** Returns null for an item that is not below its point. */
function shortageOf(
  row: PlanningRow,
  { available, coming, drafted, demand }: { available: Micro; coming: Micro; drafted: Micro; demand: Micro },
): Pick<Proposal, 'projected' | 'point' | 'missing'> | null {
  const projected = available + coming + drafted - demand - microOfDecimal(row.safety);
  const point = row.policy === 'demand' ? 0n : microOfDecimal(row.reorder_point);
  if (projected >= point) return null;
  const upTo = row.policy === 'minMax' && row.maximum !== null ? microOfDecimal(row.maximum) : point;
  return { projected, point, missing: upTo - projected };
}

/** A lot: at least the minimum, and a multiple. */
function lotOf({ minimum, multiple }: PlanningRow, missing: Micro): Micro {
  const least = minimum === null ? 0n : microOfDecimal(minimum);
  const wanted = missing > least ? missing : least;
  if (multiple === null) return wanted;
  const step = microOfDecimal(multiple);
  return ((wanted + step - 1n) / step) * step;
}

/** The supplier part of each item that is bought: the one that its planning names while it is active, or the first. */
async function partsOf(tx: Tx, rows: readonly PlanningRow[]): Promise<(UsablePart | null)[]> {
  const isBought = (row: PlanningRow) => row.make_or_buy === 'buy';
  const named = await readParts(
    tx,
    rows.flatMap((row) => (isBought(row) && row.supplier_part_id !== null ? [row.supplier_part_id] : [])),
  );
  const first = await findParts(
    tx,
    rows.map((row) => ({ itemId: row.item_id, supplier: null })),
  );
  return rows.map((row, at) => {
    if (!isBought(row)) return null;
    const chosen = named.get(row.supplier_part_id ?? '');
    const isUsable = chosen?.part.status === 'active' && chosen.part.isSupplierActive;
    return isUsable ? chosen : (first[at] ?? null);
  });
}

function sumOf<One>(all: readonly One[], figure: (one: One) => Micro): Micro {
  return all.reduce((sum, one) => sum + figure(one), 0n);
}
