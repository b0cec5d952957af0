/** Reads what goods cost that come back, arrive from another location, were made, or have a price. */
import { dayOf } from '../../calendar/days.ts';
import type { Costing } from '../../configuration/stock-settings/stock-settings.ts';
import { msOfId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { amountAt, type Money, moneyOf } from '../../money/money.ts';
import { converted, type Rates, readRates } from '../../money/read-rates.ts';
import { microOfDecimal } from '../../quantity.ts';
import { LOWEST_ID } from '../entries/ledger-entry.ts';
import type { UnitCost } from '../entries/movement.ts';
import { type CostedEntry, type CostSources, type InWork, isTransfer } from './cost-sources.ts';
import { selectBrought, selectInWork, selectOnTheWay, selectShipped, selectTaken } from './costs.sql.ts';
import { takeFront } from './pieces.ts';
import type { Piece } from './position-costs.ts';
import { placesOf } from './read-costs.ts';

interface PieceRow {
  key: string;
  origin_id: string;
  quantity: string;
  cost: string | null;
  /** How much of all pieces of the key has come back or arrived. */
  gone: string;
}

interface SumRow {
  key: string;
  quantity: string;
  cost: string | null;
}

interface WorkRow {
  key: string;
  cost: string | null;
  open: string;
}

export async function readSources(
  tx: Tx,
  { method, currency }: Costing,
  entries: readonly CostedEntry[],
  stated: ReadonlyMap<string, UnitCost>,
): Promise<CostSources> {
  const arriving = entries.filter(({ onHandDelta }) => onHandDelta > 0n);
  const returning = arriving.filter((entry) => entry.reversesId !== null && !isTransfer(entry));
  const sent = new Set(
    entries.filter((entry) => isTransfer(entry) && entry.onHandDelta < 0n).map(({ bookingId }) => bookingId),
  );
  const bookings = arriving
    .filter((entry) => isTransfer(entry) && !sent.has(entry.bookingId))
    .flatMap(({ bookingId }) => bookingId ?? []);
  const unmade =
    method === 'average'
      ? entries.filter(({ onHandDelta, reversesId }) => onHandDelta < 0n && reversesId !== null)
      : [];
  const linesOf = (type: string) =>
    arriving
      .filter(({ movementType, reversesId }) => movementType === type && reversesId === null)
      .flatMap(({ lineId }) => lineId ?? []);
  const read = <Row>(sql: string, keys: readonly string[]): Promise<Row[]> | [] =>
    keys.length === 0 ? [] : tx.query<Row>(sql, [tx.workspaceId, [...new Set(keys)]]);
  const [taken, way, brought, work, shipped, rates] = await Promise.all([
    readOf<PieceRow>(tx, selectTaken, returning),
    read<PieceRow>(selectOnTheWay, bookings),
    readOf<SumRow>(tx, selectBrought, unmade),
    read<WorkRow>(selectInWork, linesOf('MOReceipt')),
    read<SumRow>(selectShipped, linesOf('SOReturn')),
    ratesOf(tx, currency, arriving, stated),
  ]);
  const [takenBy, onTheWay] = [piecesOf(taken), piecesOf(way)];
  const broughtBy = new Map(brought.map((row) => [row.key, sumOf(row)]));
  const inWork = new Map(work.map((row) => [row.key, workOf(row)]));
  const shippedBy = new Map(shipped.map((row) => [row.key, sumOf(row)]));
  return {
    statedOf: (entry) => {
      const given = entry.reversesId === null ? stated.get(entry.id) : undefined;
      if (given === undefined) return null;
      const { price, currency: its, factor } = given;
      const amount = amountAt(price, entry.onHandDelta, factor);
      return {
        cost: inCurrency(amount, its, rates.get(effectiveDayOf(entry))),
        price: { price, currency: its },
      };
    },
    takenBy: (id) => takenBy.get(id) ?? [],
    onTheWay: (id) => onTheWay.get(id) ?? [],
    broughtBy: (id) => broughtBy.get(id) ?? null,
    inWork: (id) => inWork.get(id) ?? null,
    shippedBy: (id) => shippedBy.get(id) ?? null,
  };
}

/** Reads about the entries that these take back. */
function readOf<Row>(tx: Tx, sql: string, entries: readonly CostedEntry[]): Promise<Row[]> | Row[] {
  const of = [...new Map(entries.map((entry) => [entry.reversesId, entry])).values()];
  if (of.length === 0) return [];
  return tx.query<Row>(sql, [tx.workspaceId, ...placesOf(of), of.map(({ reversesId }) => reversesId)]);
}

/** Reads the rates of each day on which something arrives whose price is in another currency. */
async function ratesOf(
  tx: Tx,
  into: string,
  arriving: readonly CostedEntry[],
  stated: ReadonlyMap<string, UnitCost>,
): Promise<Map<string, Rates>> {
  const currencies = new Map<string, Set<string>>();
  for (const entry of arriving) {
    const given = stated.get(entry.id);
    if (given === undefined) continue;
    const day = effectiveDayOf(entry);
    const own = currencies.get(day) ?? new Set();
    currencies.set(day, own.add(given.currency));
  }
  const days = [...currencies].map(
    async ([day, own]) => [day, await readRates(tx, { currencies: [...own], into, day })] as const,
  );
  return new Map(await Promise.all(days));
}

function inCurrency(amount: Money, currency: string, rates: Rates | undefined): Money | null {
  if (rates === undefined || currency === rates.into) return amount;
  const rate = rates.of.get(currency);
  return rate === undefined ? null : converted(amount, rate.factor);
}

/** The day on which it happened: that of recording, which its id has, unless it states another. */
function effectiveDayOf({ id, effectiveOn }: CostedEntry): string {
  return effectiveOn ?? dayOf(msOfId(id));
}

/** Returns the pieces of each key without the first of them, which are gone. */
function piecesOf(rows: readonly PieceRow[]): Map<string, Piece[]> {
  const found = new Map<string, Piece[]>();
  for (const [key, own] of Map.groupBy(rows, (row) => row.key)) {
    const pieces = own.map((row) => ({ originId: row.origin_id, ...amountsOf(row) }));
    takeFront(pieces, microOfDecimal(own[0]?.gone ?? '0.000000'));
    found.set(key, pieces);
  }
  return found;
}

function sumOf(row: SumRow): Piece {
  return { originId: LOWEST_ID, ...amountsOf(row) };
}

function amountsOf({ quantity, cost }: Pick<SumRow, 'quantity' | 'cost'>) {
  return { quantity: microOfDecimal(quantity), cost: cost === null ? null : moneyOf(cost) };
}

function workOf({ cost, open }: WorkRow): InWork {
  return { cost: cost === null ? null : moneyOf(cost), open: microOfDecimal(open) };
}
