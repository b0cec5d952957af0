/** `partbook orders`, `lines`, `requirements`: what is to come, and what is needed. */
import { type Command, Option } from 'commander';
import type { Category, MaterialRequirement, Order, StockLine } from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { stateMeant, supplierMeant } from '../../meant-names.ts';
import { readDay } from '../../read-time.ts';
import { entityId, openSession, orderId, type Session } from '../../session.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';
import { addOrderDocument } from './order-document.ts';
import { addOrderMovements } from './order-movements.ts';
import { addOrderPromise, promisedText } from './order-promise.ts';
import { addRequirementChange } from './requirement-change.ts';

const orderTypes: readonly Order['type'][] = ['purchaseOrder', 'salesOrder', 'manufacturingOrder'];

interface OrderFlags extends LimitFlags {
  supplier?: string;
  customer?: string;
  type?: Order['type'];
  state?: string;
  requiredFrom?: string;
  requiredBefore?: string;
  open?: boolean;
  overdue?: boolean;
}

interface LineFlags extends OrderFlags {
  order?: string;
  item?: string;
  byDay?: boolean;
}

interface RequirementFlags extends LimitFlags {
  status?: MaterialRequirement['status'];
}

/** Adds the options that narrow orders and their lines. */
function narrowed(command: Command, days: string): Command {
  return limited(
    command
      .option('--supplier <name>', 'only those from this supplier: its name, or a part that no other has')
      .addOption(new Option('--type <type>', 'only those of this type').choices(orderTypes))
      .option('--required-from <day>', `only those ${days} on this day or later`, readDay)
      .option('--required-before <day>', `only those ${days} before this day`, readDay),
    50,
  );
}

/** The names among the flags, as the workspace writes them; of categories whose behaviour ends so. */
async function namesMeant(
  session: Session,
  { state, supplier, type }: Pick<OrderFlags, 'state' | 'supplier' | 'type'>,
  what: 'order' | 'line',
  ending: '' | 'Line',
): Promise<{ state?: string; supplier?: string }> {
  const behaviours: string[] = (type === undefined ? orderTypes : [type]).map((one) => `${one}${ending}`);
  const isOf = ({ behaviour }: Category) => behaviours.includes(behaviour);
  return {
    ...(state === undefined ? {} : { state: await stateMeant(session, state, what, isOf) }),
    ...(supplier === undefined ? {} : { supplier: await supplierMeant(session, supplier) }),
  };
}

/** The two words among the flags that are no text. */
function openness(flags: { open?: boolean | undefined; overdue?: boolean | undefined }): {
  open?: 'true';
  overdue?: 'true';
} {
  const { open, overdue } = flags;
  return { ...(open === true ? { open: 'true' } : {}), ...(overdue === true ? { overdue: 'true' } : {}) };
}

/** Explains an empty list. */
function noneOf(
  what: 'order' | 'line',
  { open, overdue, ...others }: { open?: 'true'; overdue?: 'true' },
  none: string,
): string {
  if (Object.keys(others).length > 0) return `No ${what} matches these options.`;
  if (overdue === 'true') return `No ${what} is overdue.`;
  return open === 'true' ? `No ${what} is open.` : none;
}

/** The required day, with what was promised instead. */
function dayOf(line: StockLine): string | null {
  const promised = promisedText(line);
  if (promised === null) return line.requiredBy;
  return `${line.requiredBy === null ? '' : `${line.requiredBy}, `}promised ${promised}`;
}

export function addProcurement(program: Command): void {
  const orders = program
    .command('orders')
    .description('list orders with their totals; receive, ship, return');
  addOrderMovements(orders);
  addOrderDocument(orders);
  addOrderPromise(orders);
  narrowed(orders, 'of which something open is required')
    .option('--customer <name>', 'only sales orders of this customer: the whole name, in upper or lower case')
    .option('--state <state>', 'only those in this state: open, closed')
    .option('--open', 'only orders with something to receive or ship, drafts included')
    .option('--overdue', 'only orders with an overdue line')
    .action(async ({ limit, all, open, overdue, ...flags }: OrderFlags) => {
      const session = openSession(orders);
      const { partbook, output, signal } = session;
      const query = {
        ...flags,
        ...(await namesMeant(session, flags, 'order', '')),
        ...openness({ open, overdue }),
      };
      const found = listPages(partbook, 'GET /orders', { query }, { signal });
      await listFirst<Order>(
        output,
        found,
        { limit, all },
        {
          number: (one) => one.number,
          type: (one) => one.type,
          'supplier, customer': (one) => one.supplier ?? one.customer,
          state: (one) => one.state,
          lines: ({ totals }) => totals.lines,
          // Not how much: its lines are of different items.
          'lines open': ({ totals }) => totals.openLines,
        },
        noneOf('order', query, 'The workspace has no orders.'),
      );
    });

  const lines = program
    .command('lines')
    .description('list the lines of all orders, newest first, with their open quantities');
  narrowed(lines, 'that are required')
    .option('--order <reference>', 'only those of this order: its number, id or guid:…')
    .option('--item <reference>', 'only those of this item: its number, id or guid:…')
    .option('--state <state>', 'only those in this state: ordered, received')
    .option('--open', 'only lines with something to receive or ship, drafts included')
    .option('--overdue', 'only overdue lines, the longest overdue first')
    .option('--by-day', 'sort by required date, lines without one last')
    .action(async ({ limit, all, order, item, byDay, open, overdue, ...flags }: LineFlags) => {
      const session = openSession(lines);
      const { partbook, output, signal } = session;
      const only = {
        ...flags,
        ...(await namesMeant(session, flags, 'line', 'Line')),
        ...openness({ open, overdue }),
        ...(order === undefined ? {} : { orderId: await orderId(session, order) }),
        ...(item === undefined ? {} : { itemEntityId: await entityId(session, item, { role: 'item' }) }),
      };
      const inOrder =
        byDay === true || overdue === true
          ? ({ sort: 'requiredBy', order: 'asc' } as const)
          : ({ sort: 'created', order: 'desc' } as const);
      const found = listPages(partbook, 'GET /stock/lines', { query: { ...only, ...inOrder } }, { signal });
      await listFirst<StockLine>(
        output,
        found,
        { limit, all },
        {
          line: (one) => one.number,
          order: (one) => one.orderNumber,
          type: (one) => one.type,
          item: (one) => one.itemNumber,
          revision: (one) => one.itemRevisionLabel,
          name: (one) => one.itemName,
          quantity: (one) => one.quantity,
          open: (one) => one.openQty,
          unit: (one) => one.unit,
          'required by': dayOf,
          supplier: (one) => one.supplier,
          state: (one) => one.state,
        },
        noneOf('line', only, 'The workspace has no lines of orders.'),
      );
    });

  const requirements = program
    .command('requirements')
    .description('list material requirements')
    .addOption(
      new Option('--status <status>', 'only of this status').choices(['open', 'covered', 'cancelled']),
    );
  addRequirementChange(requirements);
  limited(requirements, 50).action(async ({ status, ...flags }: RequirementFlags) => {
    const { partbook, output, signal } = openSession(requirements);
    const query = status === undefined ? {} : { status };
    await listFirst<MaterialRequirement>(
      output,
      listPages(partbook, 'GET /requirements', { query }, { signal }),
      flags,
      {
        number: (one) => one.number,
        item: ({ itemNumber, itemName }) => itemNumber ?? itemName,
        revision: (one) => one.itemRevision,
        project: ({ projectNumber, projectName }) => projectNumber ?? projectName,
        required: (one) => one.requiredQty,
        reserved: (one) => one.reservedQty,
        ordered: (one) => one.orderedQty,
        open: (one) => one.openQty,
        unit: (one) => one.unit,
        by: (one) => one.requiredBy,
        status: (one) => one.status,
      },
      status === undefined
        ? 'The workspace has no material requirements.'
        : `No material requirement is ${status}.`,
    );
  });
}
