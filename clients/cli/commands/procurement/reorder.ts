/** `partbook reorder`: what is below its reorder point, and orders of it. */
import type { Command } from 'commander';
import { amountText } from '../../../typescript/amount-text.ts';
import type { ReorderProposal } from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { supplierMeant } from '../../meant-names.ts';
import { plain } from '../../output.ts';
import { ReorderTotals } from '../../reorder-totals.ts';
import { entityId, openSession, type Session } from '../../session.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';

interface ReorderFlags extends LimitFlags {
  supplier?: string;
  currency?: string;
}

/** Items that the service orders in one call. */
const ORDERED_MAX = 500;

export function addReorder(program: Command): void {
  const reorder = program
    .command('reorder')
    .description('list what is below its reorder point, with what to order')
    .option(
      '--supplier <name>',
      'only what is proposed from this supplier: its name, or a part that no other has',
    )
    .option(
      '--currency <code>',
      'totals also in this currency, by the exchange rates of the workspace (default: that of its stock)',
    );
  limited(reorder, 200).action(async ({ supplier, currency, ...flags }: ReorderFlags) => {
    const session = openSession(reorder);
    const { partbook, output, signal } = session;
    const into = currency ?? (output.form === 'text' ? await ownCurrency(session) : undefined);
    const query = {
      ...(supplier === undefined ? {} : { supplier: await supplierMeant(session, supplier) }),
      ...(into === undefined ? {} : { currency: into }),
    };
    const totals = new ReorderTotals();
    await listFirst<ReorderProposal>(
      output,
      totals.over(listPages(partbook, 'GET /planning/reorder', { query }, { signal })),
      flags,
      {
        item: ({ itemNumber, itemName }) => itemNumber ?? itemName,
        projected: (one) => one.projectedQty,
        point: (one) => one.reorderPoint,
        order: (one) => one.quantity,
        supplier: ({ supplier: name, makeOrBuy }) => (makeOrBuy === 'make' ? '(made)' : name),
        sku: (one) => one.sku,
        packs: (one) => one.packs,
        price: ({ price, currency }) => (price === null ? null : amountText(price, currency)),
        amount: ({ amount, currency }) => (amount === null ? null : amountText(amount, currency)),
        'received on': (one) => one.receivedOn,
      },
      'Nothing is below its reorder point.',
    );
    if (output.form === 'text') for (const line of totals.lines()) output.say(line);
  });
  addOrder(reorder);
}

function addOrder(reorder: Command): void {
  const order = reorder
    .command('order [item...]')
    .description('draft orders of these items, or of the whole list: one for each supplier')
    .option('--at <location>', 'where items are received whose planning names no location')
    .option('--now', 'order at once instead of drafting')
    .action(async (items: string[], { at, now }: { at?: string; now?: boolean }) => {
      const session = openSession(order);
      const ids =
        items.length > 0
          ? await Promise.all(items.map((item) => entityId(session, item, { role: 'item' })))
          : await wholeList(session);
      if (ids.length === 0) {
        session.output.answer({ orders: [] }, () => 'Nothing is below its reorder point.');
        return;
      }
      const body = {
        lines: ids.map((itemEntityId) => ({ itemEntityId })),
        ...(at === undefined ? {} : { locationEntityId: await entityId(session, at, { role: 'location' }) }),
        state: now === true ? ('Ordered' as const) : ('Draft' as const),
      };
      const made = await session.partbook('POST /planning/reorder/orders', { body }, session);
      session.output.answer(made, () =>
        made.orders
          .map(({ number, supplier, lines, totals }) => {
            const cost = totals.amounts
              .map(({ amount, currency }) => `, ${amountText(amount, currency)}`)
              .join('');
            const from = supplier === null ? '' : ` from ${plain(supplier)}`;
            return `${number}${from}: ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}${cost}`;
          })
          .join('\n'),
      );
    });
}

/** The currency in which the workspace values its stock; undefined where it does not. */
async function ownCurrency(session: Session): Promise<string | undefined> {
  const { costing } = await session.partbook('GET /stock/settings', {}, session);
  return costing?.currency;
}

async function wholeList(session: ReturnType<typeof openSession>): Promise<string[]> {
  const ids: string[] = [];
  const { partbook, signal } = session;
  for await (const { items } of listPages(partbook, 'GET /planning/reorder', { query: {} }, { signal })) {
    ids.push(...items.map(({ itemEntityId }) => itemEntityId));
    if (ids.length >= ORDERED_MAX) break;
  }
  return ids.slice(0, ORDERED_MAX);
}
