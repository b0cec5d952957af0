/** `partbook promise`: by when a quantity of an item can be promised. */
import type { Command } from 'commander';
import type { PlanningPromise } from '../../../typescript/generated/types.ts';
import { UsageError } from '../../exit-codes.ts';
import { plain, tableText } from '../../output.ts';
import { entityId, openSession } from '../../session.ts';

type Order = PlanningPromise['orders'][number];

export function addPromise(program: Command): void {
  const promise = program
    .command('promise <item> <quantity>')
    .description('say by when a quantity of an item can be promised, from stock and with new orders')
    .action(async (item: string, given: string) => {
      const quantity = Number(given);
      if (!Number.isFinite(quantity))
        throw new UsageError(`"${given}" is no quantity. Write it with a point, such as 2.5.`);
      const session = openSession(promise);
      const id = await entityId(session, item, { role: 'item' });
      const found = await session.partbook(
        'GET /entities/{id}/promise',
        { id, query: { quantity } },
        session,
      );
      session.output.answer(found, () => promiseText(found));
    });
}

function promiseText(found: PlanningPromise): string {
  const { quantity, availableOn, capableOn, orders } = found;
  // A service of an earlier version names no run, and does not count items without a lead time.
  const { planningRun = null, withoutLeadTimeCount = 0, withoutLeadTime = [] } = found;
  const never = 'not within a year';
  const lines = [
    `${quantity} of ${plain(found.itemNumber ?? found.itemName)}`,
    `from stock and open orders: ${availableOn ?? never}`,
    `with new orders: ${capableOn ?? never}`,
  ];
  if (orders.length > 0)
    lines.push(
      tableText<Order>(orders, {
        action: (one) => one.action,
        item: (one) => one.itemNumber ?? 'without number',
        quantity: (one) => one.quantity,
        start: (one) => one.startsOn,
        needed: (one) => one.neededOn,
        exceptions: ({ exceptions }) => (exceptions.length === 0 ? null : exceptions.join(', ')),
      }),
    );
  if (planningRun !== null)
    lines.push(
      `It rests on the planning run of ${planningRun.day}, which planned until ${planningRun.horizonEndsOn}: the item, or a component, is part of very many others.`,
    );
  if (withoutLeadTimeCount > 0) {
    const named = withoutLeadTime.slice(0, 5).map(({ itemNumber }) => plain(itemNumber ?? 'without number'));
    const others = withoutLeadTimeCount - named.length;
    lines.push(
      `The day may be too early: no lead time is known of ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`,
    );
  }
  return lines.join('\n');
}
