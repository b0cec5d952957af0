/** Pages of the reorder list, and orders of what is chosen from it. */
import { z } from 'zod';
import { dateOf, today } from '../../calendar/days.ts';
import { calendarOf } from '../../calendar/working-calendar.ts';
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import { numbersOf } from '../../configuration/number-blocks.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, resolveEntityIds } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { singleCall, singleDone } from '../../group-commit/gathering.ts';
import { decodeCursor, encodeCursor } from '../../http/list.ts';
import { type Rates, readRates } from '../../money/read-rates.ts';
import { MICRO_MAX, type Micro, numberOf } from '../../quantity.ts';
import { LOWEST_ID } from '../../stock/entries/ledger-entry.ts';
import { createLines } from '../lines/create-lines.ts';
import type { CreatedLines, WantedLine } from '../lines/drafts.ts';
import { convertedAmount } from '../rates/convert-amounts.ts';
import { amountsOf } from '../records/suppliers/purchase-terms.ts';
import { keysOfSupplier, supplierKey } from '../records/suppliers/supplier-key.ts';
import { showOffer } from '../supplier-parts/offer-items.ts';
import { findProposals, type Proposal, showFigures } from './find-proposals.ts';
import type { ReorderProposal, ReorderQuery, ReorderTotal } from './planning.schema.ts';
import {
  lockReorder,
  type PlanningRow,
  selectPlanned,
  selectPlannedEnd,
  selectPlannedItems,
} from './planning.sql.ts';

/** Items with a policy that one page looks at. */
const LOOKED_MAX = 200;

export interface ReorderPage {
  items: ReorderProposal[];
  totals: ReorderTotal[];
  nextCursor: string | null;
}

/** Lists proposals in the order of the ids of the items. Throws `invalid_cursor`. */
export async function listReorder(
  tx: Tx,
  { limit, cursor, supplier, currency }: ReorderQuery,
): Promise<ReorderPage> {
  const after = decodeCursor('reorder', cursor, z.uuid()) ?? LOWEST_ID;
  const looked = Math.min(limit, LOOKED_MAX);
  const rows = await tx.query<PlanningRow>(selectPlanned, [tx.workspaceId, after, looked]);
  const [end, next] = await tx.query<{ id: string }>(selectPlannedEnd, [tx.workspaceId, after, looked]);
  const keys = await keysOfSupplier(tx, supplier);
  const received = await receivedAfter(tx);
  const found = (await findProposals(tx, rows)).filter(
    ({ offer }) => keys === null || (offer !== null && keys.includes(supplierKey(offer.part.supplier))),
  );
  return {
    items: found.map((one) => show(one, received(one.leadTimeDays))),
    totals: totalsOf(found, await ratesFor(tx, found, currency)),
    nextCursor: end === undefined || next === undefined ? null : encodeCursor('reorder', end.id),
  };
}

/** Returns the rates of today into the currency; null without one. */
async function ratesFor(tx: Tx, found: readonly Proposal[], into: string | undefined): Promise<Rates | null> {
  if (into === undefined) return null;
  const currencies = found.flatMap(({ offer }) => offer?.price?.currency ?? []);
  return readRates(tx, { currencies, into, day: today() });
}

function totalsOf(found: readonly Proposal[], rates: Rates | null): ReorderTotal[] {
  const bySupplier = Map.groupBy(found, ({ offer }) => offer?.part.supplier ?? null);
  return [...bySupplier]
    .toSorted(([a], [b]) => ((a ?? '\u{10ffff}') < (b ?? '\u{10ffff}') ? -1 : 1))
    .map(([supplier, own]) => {
      const costs = own.flatMap(({ offer }) =>
        offer?.price == null || offer.amount === null
          ? []
          : [{ currency: offer.price.currency, amount: offer.amount }],
      );
      return {
        supplier,
        items: own.length,
        amounts: amountsOf(costs),
        converted: rates === null ? null : convertedAmount(rates, costs),
        // A made item has no offer, and needs no price.
        unpricedItems: own.filter(({ row }) => row.make_or_buy === 'buy').length - costs.length,
      };
    });
}

function show(one: Proposal, receivedOn: string | null): ReorderProposal {
  const { row, offer, quantity, leadTimeDays } = one;
  return {
    itemEntityId: row.item_id,
    itemNumber: row.item_number,
    itemName: row.item_name,
    availableQty: numberOf(one.available),
    ...showFigures(one),
    ...showOffer(offer, quantity),
    leadTimeDays,
    receivedOn,
    locationEntityId: row.location_id,
    isPartial: one.isPartial,
  };
}

/** Returns what tells the day on which something arrives that is ordered today, by its lead time in working days. */
async function receivedAfter(tx: Tx): Promise<(leadDays: number | null) => string | null> {
  const { workingDays } = (await loadConfiguration(tx)).stock;
  const day = today();
  const calendar = calendarOf(workingDays, day, 0);
  return (leadDays) => (leadDays === null ? null : dateOf(day, calendar.earliestReceipt(leadDays)));
}

export interface WantedReorder {
  /** Quantities in base units; null: what is proposed. */
  lines: readonly { item: EntityRef; amount: Micro | null }[];
  /** The location of items whose planning names none. */
  location: EntityRef | null;
  state: 'Draft' | 'Ordered';
  /** The required date; null: the day on which each would be received. */
  requiredBy: string | null;
  note: string | null;
}

/**
 * Creates one purchase order for each supplier, and one manufacturing order, all or nothing. One caller at a time does so in a workspace:
 * an item that is no longer below its point is refused as `plan_stale`, so that nothing is ordered twice. Throws as `createLines` does, and
 * `validation_failed` for an item that is named twice or has no location.
 */
export async function orderProposals(tx: Tx, by: Mover, wanted: WantedReorder): Promise<CreatedLines[]> {
  await tx.query(lockReorder, [tx.workspaceId]);
  const ids = await resolveEntityIds(
    tx,
    wanted.lines.map(({ item }) => item),
  );
  const rows = await tx.query<PlanningRow>(selectPlannedItems, [tx.workspaceId, [...new Set(ids.values())]]);
  const proposals = new Map((await findProposals(tx, rows)).map((one) => [one.row.item_id, one]));
  const seen = new Set<string>();
  const received = await receivedAfter(tx);
  const lines = wanted.lines.map(({ item, amount }, index) => {
    const id = ids.get(item) ?? '';
    if (seen.has(id)) throw refused('validation_failed', index, `Item ${item} is named twice.`);
    seen.add(id);
    const proposal = proposals.get(id);
    if (proposal === undefined) {
      const message = `Item ${item} is no longer below its reorder point. Read the list again.`;
      throw refused('plan_stale', index, message);
    }
    return lineOf(wanted, proposal, { amount, index, receivedOn: received(proposal.leadTimeDays) });
  });
  const orders: CreatedLines[] = [];
  for (const own of Map.groupBy(lines, ({ key }) => key).values()) {
    const [{ type, supplier }] = own as [ChosenLine];
    const request = { by, type, order: null, supplier, lines: own.map(({ line }) => line), isList: false };
    orders.push(singleDone(await createLines(tx, numbersOf(tx), [request], singleCall())));
  }
  return orders;
}

interface ChosenLine {
  /** Lines with the same key are of one order. */
  key: string;
  type: 'purchaseOrder' | 'manufacturingOrder';
  supplier: string | null;
  line: WantedLine;
}

function lineOf(
  { location, state, requiredBy, note }: WantedReorder,
  { row, offer, quantity }: Proposal,
  { amount: given, index, receivedOn }: { amount: Micro | null; index: number; receivedOn: string | null },
): ChosenLine {
  const place = row.location_id ?? location;
  if (place === null) {
    const message = `The planning of ${row.item_number ?? row.item_id} names no location. Say where it is received (\`locationEntityId\`; \`--at\` on the command line).`;
    throw refused('validation_failed', index, message, '/locationEntityId');
  }
  const amount = given ?? quantity;
  if (amount > MICRO_MAX)
    throw refused(
      'quantity_out_of_range',
      index,
      `${row.item_number ?? row.item_id} is short by more than a quantity can be.`,
    );
  const unit = offer?.part.unit ?? null;
  const entered =
    offer === null || unit === null || amount !== offer.quantity
      ? null
      : { quantity: offer.unitQuantity, unit, factor: offer.factor, amount };
  const supplier = offer?.part.supplier ?? null;
  const type = row.make_or_buy === 'make' ? 'manufacturingOrder' : 'purchaseOrder';
  return {
    key: `${type} ${supplier === null ? '' : supplierKey(supplier)}`,
    type,
    supplier,
    line: {
      item: row.item_id,
      location: place,
      amount,
      entered,
      supplierPartId: offer?.part.id,
      requiredBy: requiredBy ?? receivedOn,
      state,
      note,
    },
  };
}

function refused(
  code: 'validation_failed' | 'plan_stale' | 'quantity_out_of_range',
  index: number,
  message: string,
  field = '/itemEntityId',
): AppError {
  const errors = [{ pointer: `/lines/${index}${field}`, code, message }];
  return new AppError(code, { detail: message, errors });
}
