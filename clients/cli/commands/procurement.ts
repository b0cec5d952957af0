/** `partbook orders`, `requirements`, `shortages`: what is to come, what is needed, what is missing. */
import { type Command, Option } from 'commander';
import type { MaterialRequirement, Order, Shortage } from '../../typescript/generated/types.ts';
import { listItems } from '../../typescript/list-items.ts';
import { shown } from '../output.ts';
import { entityId, openSession } from '../session.ts';
import { takeItems } from '../take-items.ts';

export function addProcurement(program: Command): void {
  const orders = program
    .command('orders')
    .description('orders with their totals')
    .option('-n, --limit <count>', 'how many', '50')
    .action(async ({ limit }: { limit: string }) => {
      const { partbook, output, signal } = openSession(orders);
      await output.list<Order>(
        takeItems(listItems(partbook, 'GET /orders', {}, { signal }), limit),
        {
          number: (one) => one.number,
          type: (one) => one.type,
          state: (one) => one.state,
          lines: ({ totals }) => totals.lines,
          quantity: ({ totals }) => totals.quantity,
          open: ({ totals }) => totals.openQty,
        },
        'The workspace has no orders.',
      );
    });

  const requirements = program
    .command('requirements')
    .description('material requirements')
    .addOption(
      new Option('--status <status>', 'only of this status').choices(['open', 'covered', 'cancelled']),
    )
    .option('-n, --limit <count>', 'how many', '50')
    .action(async ({ status, limit }: { status?: MaterialRequirement['status']; limit: string }) => {
      const { partbook, output, signal } = openSession(requirements);
      const query = status === undefined ? {} : { status };
      await output.list<MaterialRequirement>(
        takeItems(listItems(partbook, 'GET /requirements', { query }, { signal }), limit),
        {
          item: ({ itemNumber, itemName }) => itemNumber ?? itemName,
          project: ({ projectNumber, projectName }) => projectNumber ?? projectName,
          required: (one) => one.requiredQty,
          reserved: (one) => one.reservedQty,
          ordered: (one) => one.orderedQty,
          open: (one) => one.openQty,
          by: (one) => one.requiredBy,
          status: (one) => one.status,
        },
        status === undefined
          ? 'The workspace has no material requirements.'
          : `No material requirement is ${status}.`,
      );
    });

  const shortages = program
    .command('shortages <project>')
    .description('what a project is short of')
    .action(async (project: string) => {
      const session = openSession(shortages);
      const id = await entityId(session, project);
      const { items } = await session.partbook('GET /projects/{id}/shortages', { id }, session);
      await session.output.list<Shortage>(
        items,
        {
          item: ({ itemNumber, itemName }) => itemNumber ?? itemName,
          required: (one) => one.requiredQty,
          available: (one) => one.availableQty,
          'on order': (one) => one.onOrderQty,
          short: (one) => one.shortageQty,
        },
        `${shown(project)} is short of nothing that is required for it.`,
      );
    });
}
