/** `partbook orders`, `requirements`, `shortages`: what is to come, what is needed, what is missing. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { MaterialRequirement, Order, Shortage } from '../../typescript/generated/types.ts';
import { listItems } from '../../typescript/list-items.ts';
import { shown } from '../output.ts';
import { entityId, openSession } from '../session.ts';
import { takeItems } from '../take-items.ts';

interface OrderFlags {
  supplier?: string;
  type?: Order['type'];
  state?: string;
  requiredFrom?: string;
  requiredBefore?: string;
  limit: string;
}

export function addProcurement(program: Command): void {
  const orders = program
    .command('orders')
    .description('orders with their totals')
    .option('--supplier <name>', 'only those from this supplier')
    .addOption(
      new Option('--type <type>', 'only those of this type').choices([
        'purchaseOrder',
        'salesOrder',
        'manufacturingOrder',
      ]),
    )
    .option('--state <state>', 'only those in this state, such as Open or Closed')
    .option(
      '--required-from <day>',
      'only those of which something open is required on this day or later',
      readDay,
    )
    .option(
      '--required-before <day>',
      'only those of which something open is required before this day',
      readDay,
    )
    .option('-n, --limit <count>', 'how many', '50')
    .action(async ({ limit, ...query }: OrderFlags) => {
      const { partbook, output, signal } = openSession(orders);
      const found = listItems(partbook, 'GET /orders', { query }, { signal });
      await output.list<Order>(
        takeItems(found, limit),
        {
          number: (one) => one.number,
          type: (one) => one.type,
          supplier: (one) => one.supplier,
          state: (one) => one.state,
          lines: ({ totals }) => totals.lines,
          quantity: ({ totals }) => totals.quantity,
          open: ({ totals }) => totals.openQty,
        },
        Object.keys(query).length === 0
          ? 'The workspace has no orders.'
          : 'No order is like that. Without these options there may be some.',
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

/** A day of the calendar: 2026-02-30 is none. */
function readDay(text: string): string {
  const at = new Date(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) && text.length === 10;
  if (!isDay) throw new InvalidArgumentError('It is no day: write it as 2026-11-24.');
  return text;
}
