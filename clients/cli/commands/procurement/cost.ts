/** `partbook cost`: what an item costs by the prices of what is purchased for it. */
import type { Command } from 'commander';
import { amountText } from '../../../typescript/amount-text.ts';
import type { Cost, CostItem, UnpricedItem } from '../../../typescript/generated/types.ts';
import { listItems } from '../../../typescript/list-items.ts';
import { countOf } from '../../count-of.ts';
import { UsageError } from '../../exit-codes.ts';
import { shown, tableText } from '../../output.ts';
import { readDay } from '../../read-time.ts';
import { entityId, openSession, type Session } from '../../session.ts';

interface CostFlags {
  quantity?: string;
  at?: string;
  currency?: string;
  revision?: string;
  against?: string;
}

const reasons = { noSupplierPart: 'no supplier part', noPrice: 'no price' } as const;

export function addCost(program: Command): void {
  const cost = program
    .command('cost <item>')
    .description('calculate what an item costs, from the prices of everything that is purchased for it')
    .option(
      '--quantity <number>',
      'the quantity to make; price breaks apply to what it needs in total (default: 1)',
    )
    .option('--at <day>', 'at the prices of this day (default: today)', readDay)
    .option('--currency <code>', 'also in this currency, by the exchange rates of the workspace')
    .option(
      '--revision <revision>',
      'the structure of this revision: its number or its label (default: the present one)',
    )
    .option('--against <revision>', 'beside it the cost of this revision')
    .action(async (item: string, flags: CostFlags) => {
      const session = openSession(cost);
      const id = await entityId(session, item, { role: 'item' });
      const costOf = async (named: string | undefined) => {
        const revision = named === undefined ? undefined : await revisionNumber(session, id, named);
        return session.partbook(
          'GET /entities/{id}/cost',
          { id, query: queryOf({ ...flags, revision }) },
          session,
        );
      };
      const found = await costOf(flags.revision);
      if (flags.against === undefined) return session.output.answer(found, () => costText(found));
      const other = await costOf(flags.against);
      session.output.answer({ cost: found, against: other }, () => comparisonText(found, other));
    });
}

/** Number of revisions that are looked through for a label, the newest first. */
const REVISIONS_MAX = 1000;

/** Returns the number of a revision that is named by its number or its label. Of several with one label it is the newest. */
export async function revisionNumber(
  { partbook, signal }: Session,
  id: string,
  named: string,
): Promise<number> {
  if (/^\d+$/.test(named)) return Number(named);
  const labels = new Set<string>();
  let looked = 0;
  for await (const { revision, revisionNumber: number } of listItems(
    partbook,
    'GET /entities/{id}/revisions',
    { id },
    { signal },
  )) {
    if (revision.toLowerCase() === named.toLowerCase()) return number;
    labels.add(revision);
    if (++looked >= REVISIONS_MAX) break;
  }
  const known = [...labels].slice(0, 20).map((label) => shown(label));
  throw new UsageError(
    `The item has no revision "${shown(named)}". ${known.length === 0 ? 'It has none yet.' : `It has ${known.join(', ')}.`}`,
  );
}

function queryOf({
  quantity,
  at,
  currency,
  revision,
}: Omit<CostFlags, 'revision'> & { revision: number | undefined }) {
  return {
    ...(quantity === undefined ? {} : { quantity: Number(quantity) }),
    ...(at === undefined ? {} : { at }),
    ...(currency === undefined ? {} : { currency }),
    ...(revision === undefined ? {} : { revision }),
  };
}

function costText(found: Cost): string {
  return [
    tableText<CostItem | UnpricedItem>([...found.items, ...found.unknown], columns),
    ...totalLines(found),
  ].join('\n');
}

function totalLines(found: Cost): string[] {
  const { totals, converted, unknownCount } = found;
  const lines = totals.map(
    ({ currency, amount, perUnit, orderAmount }) =>
      `${amountText(amount, currency)}, ${amountText(perUnit, currency)} for one; in whole packs ${amountText(orderAmount, currency)}`,
  );
  if (converted !== null) {
    const { currency, amount, perUnit, orderAmount, missing } = converted;
    // There is no sum if nothing is known in the currency.
    const isSum = amount !== null && perUnit !== null && orderAmount !== null;
    if (isSum)
      lines.push(
        `in ${currency}: ${amountText(amount, currency)}, ${amountText(perUnit, currency)} for one; in whole packs ${amountText(orderAmount, currency)}`,
      );
    if (missing.length > 0)
      lines.push(
        `without an exchange rate to ${currency}${isSum ? ', and not in that sum' : ''}: ${missing.join(', ')}`,
      );
  }
  if (unknownCount > 0) lines.push(`without a price, and in no total: ${unknownCount}`);
  const left = found.itemCount + unknownCount - found.items.length - found.unknown.length;
  if (left > 0) lines.push(`not shown: ${countOf(left, 'item')}`);
  return lines;
}

interface Compared {
  item: string;
  here: CostItem | UnpricedItem | undefined;
  there: CostItem | UnpricedItem | undefined;
}

/** The items of both, those of the first in its order, and the totals of both. */
function comparisonText(found: Cost, other: Cost): string {
  const [here, there] = [itemsOf(found), itemsOf(other)];
  const rows = [...new Set([...here.keys(), ...there.keys()])].map((id): Compared => {
    const one = here.get(id) ?? there.get(id);
    return { item: one?.itemNumber ?? one?.itemName ?? id, here: here.get(id), there: there.get(id) };
  });
  const name = ({ revision }: Cost) => (revision === null ? 'now' : `revision ${revision}`);
  const table = tableText<Compared>(rows, {
    item: (row) => row.item,
    [`needed ${name(found)}`]: (row) => row.here?.quantity ?? null,
    [`cost ${name(found)}`]: (row) => costOfItem(row.here),
    [`needed ${name(other)}`]: (row) => row.there?.quantity ?? null,
    [`cost ${name(other)}`]: (row) => costOfItem(row.there),
  });
  return [table, ...[found, other].flatMap((one) => [`${name(one)}:`, ...totalLines(one)])].join('\n');
}

function itemsOf({ items, unknown }: Cost): Map<string, CostItem | UnpricedItem> {
  return new Map([...items, ...unknown].map((one) => [one.itemEntityId, one]));
}

function costOfItem(one: CostItem | UnpricedItem | undefined): string | null {
  if (one === undefined) return null;
  return 'reason' in one ? `(${reasons[one.reason]})` : amountText(one.amount, one.currency);
}

const columns = {
  item: ({ itemNumber, itemName }: CostItem | UnpricedItem) => itemNumber ?? itemName,
  needed: (one: CostItem | UnpricedItem) => one.quantity,
  supplier: (one: CostItem | UnpricedItem) => ('reason' in one ? `(${reasons[one.reason]})` : one.supplier),
  price: (one: CostItem | UnpricedItem) => ('reason' in one ? null : priceText(one)),
  cost: (one: CostItem | UnpricedItem) => ('reason' in one ? null : amountText(one.amount, one.currency)),
  order: (one: CostItem | UnpricedItem) => ('reason' in one ? null : one.orderQuantity),
  'order cost': (one: CostItem | UnpricedItem) =>
    'reason' in one ? null : amountText(one.orderAmount, one.currency),
};

function priceText({ price, currency, priceUnit }: CostItem): string {
  return `${amountText(price, currency)}${priceUnit === null ? '' : ` per ${shown(priceUnit)}`}`;
}
