/** `partbook value`: what stock is worth, and other costs that it gets later. */
import { type Command, Option } from 'commander';
import { amountText } from '../../../typescript/amount-text.ts';
import type { StockValue } from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { countOf } from '../../count-of.ts';
import { shown } from '../../output.ts';
import { entityId, openSession } from '../../session.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';
import { addStandardCost, revaluedText } from './standard-cost.ts';

interface ValueFlags extends LimitFlags {
  at?: string;
  below?: string;
  item?: string;
}

interface SetFlags {
  location?: string;
  currency?: string;
  note?: string;
}

export function addValue(program: Command): void {
  const value = program
    .command('value')
    .description('list what stock is worth, by item; stock without a known cost is in no value')
    .option('--at <time>', 'at the end of this moment, such as 2026-11-01T00:00:00Z (default: now)')
    .addOption(
      new Option('--below <location>', 'only stock at this location and at all that lie in it').conflicts(
        'item',
      ),
    )
    .option('--item <item>', 'only this item');
  limited(value, 100).action(async ({ at, below, item, ...flags }: ValueFlags) => {
    const session = openSession(value);
    const { partbook, output, signal } = session;
    const place = below === undefined ? {} : { below: await entityId(session, below) };
    const only = item === undefined ? {} : { item: await entityId(session, item, { role: 'item' }) };
    const query = { ...place, ...only, ...(at === undefined ? {} : { at }) };
    await listFirst<StockValue>(
      output,
      listPages(partbook, 'GET /stock/value', { query }, { signal }),
      flags,
      {
        item: (one) => shown(one.itemNumber ?? one.itemName),
        'on hand': (one) => one.onHand,
        'without cost': (one) => one.unknownQuantity,
        'for one': ({ unitValue, currency }) => (unitValue === null ? null : amountText(unitValue, currency)),
        value: (one) => (one.value === null ? 'unknown' : amountText(one.value, one.currency)),
      },
      item === undefined ? 'Nothing is in stock.' : 'Nothing of the item is in stock.',
    );
  });
  addStandardCost(value);
  const total = value
    .command('total')
    .description('add up what all stock is worth')
    .option('--at <time>', 'at the end of this moment (default: now)')
    .option('--below <location>', 'only stock at this location and at all that lie in it')
    .action(async ({ at, below }: Pick<ValueFlags, 'at' | 'below'>) => {
      const session = openSession(total);
      const place = below === undefined ? {} : { below: await entityId(session, below) };
      const query = { ...place, ...(at === undefined ? {} : { at }) };
      const found = await session.partbook('GET /stock/value/total', { query }, session);
      session.output.answer(found, () => {
        const amount = found.value === null ? 'unknown' : amountText(found.value, found.currency);
        const sum = `${amount} for ${countOf(found.items, 'item')} (${found.method})`;
        return found.unknownItems === 0
          ? sum
          : `${sum}\nwithout a known cost, at least in part: ${countOf(found.unknownItems, 'item')}`;
      });
    });
  const set = value
    .command('set <item> <price>')
    .description('give what is on hand of an item another cost; what was used before keeps its cost')
    .option('--location <location>', 'only the stock at this location (default: all)')
    .option('--currency <code>', 'the currency of the price (default: that of the workspace)')
    .option('--note <text>', 'the reason, such as the number of an invoice')
    .action(async (item: string, price: string, { location, currency, note }: SetFlags) => {
      const session = openSession(set);
      const body = {
        unitCost: { price, ...(currency === undefined ? {} : { currency }) },
        ...(location === undefined ? {} : { locationEntityId: await entityId(session, location) }),
        ...(note === undefined ? {} : { note }),
      };
      const call = { itemEntityId: await entityId(session, item), body };
      const found = await session.partbook('POST /stock/value/{itemEntityId}/revaluations', call, session);
      session.output.answer(found, () => revaluedText(found));
    });
}
