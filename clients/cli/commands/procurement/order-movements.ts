/** `partbook orders receive|ship|return|reverse`: goods of an order arrive, leave, or go back. */
import { type Command, Option } from 'commander';
import type { OrderWithLines, StockLine } from '../../../typescript/generated/types.ts';
import { listItems } from '../../../typescript/list-items.ts';
import { Ended, exitCodes, UsageError } from '../../exit-codes.ts';
import {
  costNamed,
  costsOf,
  lineOf,
  linesOf,
  lotsNamed,
  lotsOf,
  type MovedLine,
  requireUsed,
} from '../../meant-lines.ts';
import { type Columns, shown, tableText } from '../../output.ts';
import { readDay } from '../../read-time.ts';
import { entityId, openSession, orderId, type Session } from '../../session.ts';

interface MoveFlags {
  at?: string;
  lot?: string[];
  cost?: string[];
  firstExpired?: boolean;
  consume?: 'proportional' | 'none';
  reason?: string;
  replace?: boolean;
  note?: string;
  on?: string;
  plan?: boolean;
}

const columns: Columns<StockLine> = {
  line: (one) => one.number,
  item: ({ itemNumber, itemName }) => itemNumber ?? itemName,
  quantity: (one) => one.quantity,
  received: (one) => one.receivedQty,
  shipped: (one) => one.shippedQty,
  returned: (one) => one.returnedQty,
  open: (one) => one.openQty,
  state: (one) => one.state,
};

const linesHelp =
  'Lines are named by their number or id, or by the number of an item that one line only has: POL-000017, POL-000017=4, "BOLT=2 box".';

export function addOrderMovements(orders: Command): void {
  addReceive(orders);
  addShip(orders);
  addReturn(orders);
  addReverse(orders);
}

/** Adds the options that all of these commands have. */
function moving(command: Command): Command {
  return command
    .option('--note <text>', 'the note in the ledger')
    .option('--plan', 'show the order as it would be, without moving anything');
}

const lotOption = (description: string) => new Option('--lot <line=lot...>', description);

function addReceive(orders: Command): void {
  const receive = orders
    .command('receive <order> [lines...]')
    .description(`receive lines of an order, by default everything that is open. ${linesHelp}`)
    .option('--at <location>', 'where the goods are put, by default the location of each line')
    .addOption(
      lotOption('the lots or serial numbers that arrived: LINE=LOT, LINE=LOT=QUANTITY or LINE=SN-01..20'),
    )
    .addOption(
      new Option('--consume <how>', 'how a manufacturing order takes its components').choices([
        'proportional',
        'none',
      ]),
    )
    .option(
      '--cost <line=price...>',
      'what one unit of a line costs, where the workspace keeps costs: LINE=1.25 or "LINE=1.25 USD"; by default what the line was ordered at',
    )
    .option('--on <day>', 'the day on which it happened, by default today', readDay);
  moving(receive).action(async (reference: string, named: string[], flags: MoveFlags) => {
    const session = openSession(receive);
    const order = await readOrder(session, reference);
    const location = flags.at === undefined ? null : await entityId(session, flags.at);
    const lots = lotsOf(order, flags.lot);
    const costs = costsOf(order, flags.cost);
    const lines = linesOf(order, named, location !== null || lots.size > 0 || costs.size > 0);
    const body = {
      ...common(flags),
      ...(flags.consume === undefined ? {} : { consume: flags.consume }),
      ...movedLines(lines, (line) => ({
        ...(location === null ? {} : { locationEntityId: location }),
        ...lotsNamed(lots, line),
        ...costNamed(costs, line),
      })),
    };
    requireUsed('--lot', lots, lines);
    requireUsed('--cost', costs, lines);
    tell(
      session,
      await session.partbook('POST /orders/{id}/receipts', { id: order.id, body }, session),
      flags,
    );
  });
}

function addShip(orders: Command): void {
  const ship = orders
    .command('ship <order> [lines...]')
    .description(`ship lines of a sales order, by default everything that is open. ${linesHelp}`)
    .addOption(
      lotOption('the lots or serial numbers that are taken: LINE=LOT, LINE=LOT=QUANTITY or LINE=SN-01..20'),
    )
    .addOption(
      new Option('--first-expired', 'take the lots that expire first and have not expired').conflicts('lot'),
    )
    .option('--on <day>', 'the day on which it happened, by default today', readDay);
  moving(ship).action(async (reference: string, named: string[], flags: MoveFlags) => {
    const session = openSession(ship);
    const order = await readOrder(session, reference);
    const lots = lotsOf(order, flags.lot);
    const isFirst = flags.firstExpired === true;
    const lines = linesOf(order, named, isFirst || lots.size > 0);
    const body = {
      ...common(flags),
      ...movedLines(lines, (line) => (isFirst ? { lots: 'firstExpired' as const } : lotsNamed(lots, line))),
    };
    requireUsed('--lot', lots, lines);
    tell(
      session,
      await session.partbook('POST /orders/{id}/shipments', { id: order.id, body }, session),
      flags,
    );
  });
}

function addReturn(orders: Command): void {
  const back = orders
    .command('return <order> <lines...>')
    .description(`return goods to the supplier, or take them back from the customer. ${linesHelp}`)
    .option('--reason <text>', 'a code or a few words, such as damaged')
    .option('--replace', 'the supplier sends the goods again')
    .option('--at <location>', 'where the goods are taken from, or put, by default the location of each line')
    .addOption(
      lotOption('the lots or serial numbers that go back: LINE=LOT, LINE=LOT=QUANTITY or LINE=SN-01..20'),
    )
    .option('--on <day>', 'the day on which it happened, by default today', readDay);
  moving(back).action(async (reference: string, named: string[], flags: MoveFlags) => {
    const session = openSession(back);
    const order = await readOrder(session, reference);
    const location = flags.at === undefined ? null : await entityId(session, flags.at);
    const lots = lotsOf(order, flags.lot);
    const lines = named.map((text) => {
      const { line, amount } = lineOf(order, text);
      if (amount === null) throw new UsageError(`Say how much of ${text} is returned: ${text}=QUANTITY.`);
      return { line, ...amount };
    });
    const body = {
      ...common(flags),
      replace: flags.replace === true,
      lines: movedOf(lines, (line) => ({
        ...(flags.reason === undefined ? {} : { reason: flags.reason }),
        ...(location === null ? {} : { locationEntityId: location }),
        ...lotsNamed(lots, line),
      })),
    };
    requireUsed('--lot', lots, lines);
    const done = await session.partbook('POST /orders/{id}/returns', { id: order.id, body }, session);
    tell(session, done.order, flags, done);
  });
}

function addReverse(orders: Command): void {
  const reverse = orders
    .command('reverse <order> [delivery]')
    .description(
      'take back a whole delivery of an order: the last one, or the one with this bookingId of its ledger entries',
    )
    .requiredOption('--note <text>', 'the reason (needed)')
    .option('--plan', 'show the order as it would be, without moving anything')
    .action(async (reference: string, delivery: string | undefined, flags: MoveFlags & { note: string }) => {
      const session = openSession(reverse);
      const order = await readOrder(session, reference);
      const name = order.type === 'salesOrder' ? 'shipments' : 'receipts';
      const bookingId = delivery ?? (await lastDelivery(session, order));
      const body = { note: flags.note, dryRun: flags.plan === true };
      const done = await session.partbook(
        `POST /orders/{id}/${name}/{bookingId}/reversals`,
        { id: order.id, bookingId, body },
        session,
      );
      tell(session, done.order, flags, done);
    });
}

/** Returns the last delivery of an order that has not been taken back. */
async function lastDelivery(session: Session, { id, number, type }: OrderWithLines): Promise<string> {
  const movementType = (
    { purchaseOrder: 'POReceipt', manufacturingOrder: 'MOReceipt', salesOrder: 'SOShipment' } as const
  )[type];
  const query = { orderId: id, movementType };
  const reversed = new Map<string, number>();
  for await (const one of listItems(session.partbook, 'GET /stock/ledger', { query }, session)) {
    if (one.reversesId !== null) {
      reversed.set(one.reversesId, (reversed.get(one.reversesId) ?? 0) + Math.abs(one.quantity));
    } else if (one.bookingId !== null && (reversed.get(one.id) ?? 0) < one.quantity) return one.bookingId;
  }
  throw new UsageError(`${shown(number ?? id)} has no delivery that can be taken back.`);
}

async function readOrder(session: Session, reference: string): Promise<OrderWithLines> {
  const id = await orderId(session, reference);
  return session.partbook('GET /orders/{id}', { id }, session);
}

function common({ note, on, plan }: MoveFlags) {
  return {
    dryRun: plan === true,
    ...(note === undefined ? {} : { note }),
    ...(on === undefined ? {} : { effectiveOn: on }),
  };
}

/** Returns the lines of a body, each with its amount and with what else is said of it. */
function movedOf<Facts extends object>(lines: readonly MovedLine[], factsOf: (line: StockLine) => Facts) {
  return lines.map(({ line, ...amount }) => ({ lineId: line.id, ...amount, ...factsOf(line) }));
}

/** Names no lines where all that is open moves. */
function movedLines<Facts extends object>(
  lines: readonly MovedLine[] | null,
  factsOf: (line: StockLine) => Facts,
) {
  return lines === null ? {} : { lines: movedOf(lines, factsOf) };
}

/** Shows the order as it is, or ends as a plan does. */
function tell(
  { output }: Session,
  order: OrderWithLines,
  { plan }: MoveFlags,
  answer: unknown = order,
): void {
  const text = tableText(order.lines, columns);
  output.answer(answer, () => (plan === true ? `Would become:\n${text}` : text));
  if (plan === true) throw new Ended(exitCodes.planHasChanges);
}
