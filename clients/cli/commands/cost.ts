/** `partbook cost`: what an item costs by the prices of what is purchased for it. */
import type { Command } from 'commander';
import type { CostItem, UnpricedItem } from '../../typescript/generated/types.ts';
import { shown, tableText } from '../output.ts';
import { readDay } from '../read-time.ts';
import { entityId, openSession } from '../session.ts';

interface CostFlags {
  quantity?: string;
  at?: string;
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
    .action(async (item: string, { quantity, at }: CostFlags) => {
      const session = openSession(cost);
      const id = await entityId(session, item, { role: 'item' });
      const query = {
        ...(quantity === undefined ? {} : { quantity: Number(quantity) }),
        ...(at === undefined ? {} : { at }),
      };
      const found = await session.partbook('GET /entities/{id}/cost', { id, query }, session);
      session.output.answer(found, () => {
        const lines = [tableText<CostItem | UnpricedItem>([...found.items, ...found.unknown], columns)];
        for (const { currency, amount, perUnit, orderAmount } of found.totals)
          lines.push(
            `${amount} ${currency}, ${perUnit} ${currency} for one; in whole packs ${orderAmount} ${currency}`,
          );
        if (found.unknownCount > 0) lines.push(`without a price, and in no total: ${found.unknownCount}`);
        const left = found.itemCount + found.unknownCount - found.items.length - found.unknown.length;
        if (left > 0) lines.push(`not shown: ${left} items`);
        return lines.join('\n');
      });
    });
}

const columns = {
  item: ({ itemNumber, itemName }: CostItem | UnpricedItem) => itemNumber ?? itemName,
  needed: (one: CostItem | UnpricedItem) => one.quantity,
  supplier: (one: CostItem | UnpricedItem) => ('reason' in one ? `(${reasons[one.reason]})` : one.supplier),
  price: (one: CostItem | UnpricedItem) => ('reason' in one ? null : priceText(one)),
  cost: (one: CostItem | UnpricedItem) => ('reason' in one ? null : `${one.amount} ${one.currency}`),
  order: (one: CostItem | UnpricedItem) => ('reason' in one ? null : one.orderQuantity),
  'order cost': (one: CostItem | UnpricedItem) =>
    'reason' in one ? null : `${one.orderAmount} ${one.currency}`,
};

function priceText({ price, currency, priceUnit }: CostItem): string {
  return `${price} ${currency}${priceUnit === null ? '' : ` per ${shown(priceUnit)}`}`;
}
