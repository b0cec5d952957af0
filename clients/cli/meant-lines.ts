/** Reads the lines of an order, and their lots, as commands name them. */
import type { OrderWithLines, StockLine } from '../typescript/generated/types.ts';
import { quantityOf } from './commands/stock/stock-units.ts';
import { UsageError } from './exit-codes.ts';
import { shown } from './output.ts';
import { readCost, type UnitCost } from './read-cost.ts';

interface Amount {
  quantity: number;
  unit?: string;
}

export type MovedLine = Amount & { line: StockLine };

/** Returns the lines that a command names; null: all that is open, which the service finds by itself. */
export function linesOf(
  order: OrderWithLines,
  named: readonly string[],
  isEach: boolean,
): MovedLine[] | null {
  if (named.length > 0)
    return named.map((text) => {
      const { line, amount } = lineOf(order, text);
      return { line, ...(amount ?? openOf(line)) };
    });
  if (!isEach) return null;
  const open = order.lines.filter(({ openQty, state }) => openQty > 0 && state !== 'Draft');
  if (open.length === 0) throw new UsageError(`Nothing of ${shown(order.number ?? order.id)} is open.`);
  return open.map((line) => ({ line, ...openOf(line) }));
}

function openOf({ openQty, enteredOpenQty, enteredUnit }: StockLine): Amount {
  if (enteredOpenQty === null || enteredUnit === null) return { quantity: openQty };
  return { quantity: enteredOpenQty, unit: enteredUnit };
}

/** Reads LINE and LINE=QUANTITY. */
export function lineOf(order: OrderWithLines, text: string): { line: StockLine; amount: Amount | null } {
  const at = text.lastIndexOf('=');
  const name = at < 0 ? text : text.slice(0, at);
  return { line: meantLine(order, name), amount: at < 0 ? null : quantityOf(text.slice(at + 1)) };
}

export function meantLine({ id, number, lines }: OrderWithLines, name: string): StockLine {
  const order = shown(number ?? id);
  const own = lines.find((one) => one.number === name || one.id === name.toLowerCase());
  if (own !== undefined) return own;
  const [line, ...others] = lines.filter((one) => one.itemNumber === name);
  if (line === undefined) throw new UsageError(`${order} has no line "${name}", and none of such an item.`);
  if (others.length > 0)
    throw new UsageError(
      `${order} has several lines of ${shown(name)}: name one by its number, such as ${shown(line.number ?? line.id)}.`,
    );
  return line;
}

type Share = { lot: string; quantity?: number; unit?: string } | { serials: string };

/** Reads LINE=LOT, LINE=LOT=QUANTITY and LINE=FIRST..LAST, by the ids of lines. With a quantity it is one lot, also with `..` in its number. */
export function lotsOf(order: OrderWithLines, texts: readonly string[] = []): Map<string, Share[]> {
  const lots = new Map<string, Share[]>();
  for (const text of texts) {
    const [name = '', lot = '', quantity, ...rest] = text.split('=');
    if (lot === '' || rest.length > 0)
      throw new UsageError(`"${text}" is neither LINE=LOT nor LINE=LOT=QUANTITY.`);
    const { id } = meantLine(order, name);
    const share: Share =
      quantity === undefined && lot.includes('..')
        ? { serials: lot }
        : { lot, ...(quantity === undefined ? {} : quantityOf(quantity)) };
    lots.set(id, [...(lots.get(id) ?? []), share]);
  }
  return lots;
}

export function lotsNamed(lots: ReadonlyMap<string, Share[]>, { id }: StockLine): { lots?: Share[] } {
  const own = lots.get(id);
  return own === undefined ? {} : { lots: own };
}

/** Reads LINE=PRICE and "LINE=PRICE CURRENCY", by the ids of lines. */
export function costsOf(order: OrderWithLines, texts: readonly string[] = []): Map<string, UnitCost> {
  const costs = new Map<string, UnitCost>();
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    if (at < 0) throw new UsageError(`"${text}" is not LINE=PRICE.`);
    const { id } = meantLine(order, text.slice(0, at));
    if (costs.has(id)) throw new UsageError(`--cost names ${shown(text.slice(0, at))} twice.`);
    costs.set(id, readCost(text.slice(at + 1)));
  }
  return costs;
}

export function costNamed(costs: ReadonlyMap<string, UnitCost>, { id }: StockLine): { unitCost?: UnitCost } {
  const unitCost = costs.get(id);
  return unitCost === undefined ? {} : { unitCost };
}

/** Refuses what an option says of lines that the command does not move. */
export function requireUsed(
  option: string,
  named: ReadonlyMap<string, unknown>,
  lines: readonly MovedLine[] | null,
): void {
  for (const id of named.keys())
    if (!lines?.some(({ line }) => line.id === id))
      throw new UsageError(`${option} names a line that is not among the lines of the command.`);
}
