/** `partbook orders promise`: notes the days on which the supplier has promised lines of an order. */
import type { Command } from 'commander';
import type { OrderWithLines, StockLine } from '../../../typescript/generated/types.ts';
import { UsageError } from '../../exit-codes.ts';
import { meantLine } from '../../meant-lines.ts';
import { shown, tableText } from '../../output.ts';
import { readDayOf } from '../../read-time.ts';
import { openSession, orderId } from '../../session.ts';
import { quantityOf } from '../stock/stock-units.ts';

interface PromiseFlags {
  none?: boolean;
}

type Promised = { on: string; quantity: number | null }[];

export function addOrderPromise(orders: Command): void {
  const promise = orders
    .command('promise <order> <lines...>')
    .description(
      'note when the supplier has promised lines of a purchase order: LINE=DAY, or LINE=DAY=QUANTITY for each part. What was noted of these lines before is replaced',
    )
    .option('--none', 'remove what was promised: LINE')
    .action(async (reference: string, named: string[], { none }: PromiseFlags) => {
      const session = openSession(promise);
      const { partbook, output, signal } = session;
      const order = await partbook('GET /orders/{id}', { id: await orderId(session, reference) }, { signal });
      const parts = none === true ? withoutPromises(order, named) : partsOf(order, named);
      const changed: StockLine[] = [];
      for (const [line, promised] of parts) {
        const body = { promises: quantities(line, promised) };
        changed.push(await partbook('PATCH /stock/lines/{id}', { id: line.id, body }, { signal }));
      }
      output.answer(changed, () =>
        tableText(changed, {
          line: (one) => one.number,
          item: ({ itemNumber, itemName }) => itemNumber ?? itemName,
          quantity: (one) => one.quantity,
          'required by': (one) => one.requiredBy,
          promised: promisedText,
        }),
      );
    });
}

/** Services before promised dates send none. */
export function promisedText({ promises = [] }: Partial<Pick<StockLine, 'promises'>>): string | null {
  return promises.length === 0 ? null : promises.map(({ on, quantity }) => `${quantity} on ${on}`).join(', ');
}

function withoutPromises(order: OrderWithLines, named: readonly string[]): Map<StockLine, Promised> {
  return new Map(named.map((name) => [meantLine(order, name), []]));
}

function partsOf(order: OrderWithLines, named: readonly string[]): Map<StockLine, Promised> {
  const parts = new Map<StockLine, Promised>();
  for (const text of named) {
    const [name = '', day = '', quantity, ...rest] = text.split('=');
    if (day === '' || rest.length > 0)
      throw new UsageError(`"${text}" is neither LINE=DAY nor LINE=DAY=QUANTITY.`);
    const line = meantLine(order, name);
    const amount = quantity === undefined ? null : quantityOf(quantity);
    if (amount?.unit !== undefined)
      throw new UsageError(`"${text}": name the quantity in the base unit of the item, without a unit.`);
    const own = parts.get(line) ?? [];
    own.push({ on: readDayOf(text, day), quantity: amount?.quantity ?? null });
    parts.set(line, own);
  }
  return parts;
}

/** A part without a quantity is the rest of the line. */
function quantities(line: StockLine, promised: Promised): { on: string; quantity: number }[] {
  const named = promised.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
  const open = promised.filter(({ quantity }) => quantity === null);
  if (open.length > 1)
    throw new UsageError(
      `Two parts of ${shown(line.number ?? line.id)} have no quantity: name those of all but one.`,
    );
  const rest = Math.round((line.quantity - named) * 1e6) / 1e6;
  return promised.map(({ on, quantity }) => ({ on, quantity: quantity ?? rest }));
}
