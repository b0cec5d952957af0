/** `partbook stock track|lots|lot-status|hold|trace|disassemble`: items that are tracked, their lots, and what became of a lot. */
import { type Command, Option } from 'commander';
import type { StockLot } from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { UsageError } from '../../exit-codes.ts';
import { plain, shown } from '../../output.ts';
import { entityId, openSession, type Session } from '../../session.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';
import { quantityOf } from './stock-units.ts';

export function addLots(stock: Command): void {
  addTrack(stock);
  addList(stock);
  addStatus(stock);
  addHold(stock);
  addTrace(stock);
  addDisassemble(stock);
}

function addTrack(stock: Command): void {
  const track = stock
    .command('track <item> [tracking]')
    .description('show or set how an item is tracked: lot, serial or none')
    .action(async (item: string, tracking?: string) => {
      const session = openSession(track);
      const itemEntityId = await entityId(session, item);
      const path = '/stock/tracking/{itemEntityId}';
      const found =
        tracking === undefined
          ? await session.partbook(`GET ${path}`, { itemEntityId }, session)
          : await session.partbook(
              `PUT ${path}`,
              { itemEntityId, body: { tracking: trackingOf(tracking) } },
              session,
            );
      session.output.answer(found, () => {
        const rest =
          found.unassignedQty > 0 ? `; ${found.unassignedQty} on hand are in no lot: count them` : '';
        return `${shown(item)}: ${found.tracking === 'none' ? 'not tracked' : `tracked by ${found.tracking}`}${rest}`;
      });
    });
}

function trackingOf(text: string): 'none' | 'lot' | 'serial' {
  if (text === 'none' || text === 'lot' || text === 'serial') return text;
  throw new UsageError(`"${text}" is no tracking: write lot, serial or none.`);
}

const lotStatuses = ['available', 'quarantine', 'rejected'] as const;

interface LotsFlags extends LimitFlags {
  expiresBefore?: string;
  status?: (typeof lotStatuses)[number];
  inStock?: boolean;
}

function addList(stock: Command): void {
  const lots = stock
    .command('lots [item]')
    .description('list lots and serial numbers of an item, or of all items, first expiry first')
    .addOption(new Option('--expires-before <day>', 'only lots that expire before this day'))
    .addOption(new Option('--status <status>', 'only lots of this status').choices(lotStatuses))
    .option('--in-stock', 'only lots with something on hand');
  limited(lots, 50).action(async (item: string | undefined, flags: LotsFlags) => {
    const session = openSession(lots);
    if (item !== undefined && flags.expiresBefore !== undefined)
      throw new UsageError('Name an item or --expires-before.');
    const query = {
      ...(item === undefined ? {} : { itemEntityId: await entityId(session, item) }),
      ...(flags.expiresBefore === undefined ? {} : { expiresBefore: flags.expiresBefore }),
      ...(flags.status === undefined ? {} : { status: flags.status }),
      ...(flags.inStock === true ? { inStock: 'true' as const } : {}),
    };
    await listFirst<StockLot>(
      session.output,
      listPages(session.partbook, 'GET /stock/lots', { query }, session),
      flags,
      {
        item: (one) => one.itemNumber ?? one.itemName,
        lot: (one) => one.number,
        'on hand': (one) => one.onHand,
        expires: (one) => one.expiresOn,
        status: (one) => one.status,
        supplier: (one) => one.supplierLot,
      },
      'There is no such lot.',
    );
  });
}

function addStatus(stock: Command): void {
  const command = stock
    .command('lot-status <item> <lot> [status]')
    .description('show the status of a lot, or change it: available, quarantine or rejected')
    .option('--note <text>', 'the reason')
    .action(async (item: string, lot: string, wanted: string | undefined, { note }: { note?: string }) => {
      const session = openSession(command);
      const status = lotStatuses.find((one) => one === wanted);
      if (wanted !== undefined && status === undefined)
        throw new UsageError(`"${wanted}" is no status: write available, quarantine or rejected.`);
      const id = await lotId(session, item, lot);
      const body = { status: status ?? 'available', ...(note === undefined ? {} : { note }) };
      const found =
        status === undefined
          ? await session.partbook('GET /stock/lots/{id}', { id }, session)
          : await session.partbook('POST /stock/lots/{id}/status', { id, body }, session);
      session.output.answer(
        found,
        () => `${shown(item)} ${shown(lot)}: ${found.status}, ${found.onHand} on hand`,
      );
    });
}

interface HoldFlags {
  line?: string;
  requirement?: string;
  at?: string;
  note?: string;
  end?: boolean;
}

function addHold(stock: Command): void {
  const hold = stock
    .command('hold <item> <lot> [quantity]')
    .description(
      'hold a lot for what a sales line or requirement has reserved; without a quantity, show what holds the lot',
    )
    .option('--line <number>', 'the sales line')
    .option('--requirement <number>', 'the requirement')
    .option('--at <location>', 'where the stock is reserved')
    .option('--end', 'end the hold; the stock stays reserved')
    .option('--note <text>', 'the reason')
    .action(async (item: string, lot: string, quantity: string | undefined, flags: HoldFlags) => {
      const session = openSession(hold);
      const id = await lotId(session, item, lot);
      const of = `${shown(item)} ${shown(lot)}`;
      const found =
        quantity === undefined
          ? await session.partbook('GET /stock/holds', { query: { lotId: id } }, session)
          : await session.partbook(
              flags.end === true ? 'POST /stock/lots/{id}/holds/releases' : 'POST /stock/lots/{id}/holds',
              { id, body: await holdOf(session, quantity, flags) },
              session,
            );
      session.output.answer(found, () =>
        found.holds.length === 0
          ? quantity === undefined
            ? `${of}: no reservation holds it`
            : `${shown(flags.line ?? flags.requirement ?? '')} holds no lot`
          : found.holds
              .map(
                (one) =>
                  `${plain(one.holderNumber ?? '')} holds ${one.quantity} of ${plain(one.lot)} at ${plain(one.locationNumber ?? one.locationName)}`,
              )
              .join('\n'),
      );
    });
}

async function holdOf(session: Session, quantity: string, { line, requirement, at, note }: HoldFlags) {
  if ((line === undefined) === (requirement === undefined))
    throw new UsageError('Name either --line or --requirement.');
  if (at === undefined) throw new UsageError('Name the location with --at.');
  const amount = quantityOf(quantity);
  if (amount.quantity <= 0) throw new UsageError(`"${quantity}" is no quantity above 0.`);
  return {
    ...(line === undefined ? {} : { lineId: await entityId(session, line) }),
    ...(requirement === undefined ? {} : { requirementId: await entityId(session, requirement) }),
    locationEntityId: await entityId(session, at),
    ...amount,
    ...(note === undefined ? {} : { note }),
  };
}

function addTrace(stock: Command): void {
  const trace = stock
    .command('trace <item> <lot>')
    .description('trace where a lot went, to shipments; with --down, what it was made of')
    .option('--down', 'show what it was made of, down to receipts')
    .action(async (item: string, lot: string, { down }: { down?: boolean }) => {
      const session = openSession(trace);
      const id = await lotId(session, item, lot);
      const query = { direction: down === true ? ('down' as const) : ('up' as const) };
      const found = await session.partbook('GET /stock/lots/{id}/trace', { id, query }, session);
      session.output.answer(found, () =>
        found.items.length === 0
          ? down === true
            ? `${shown(lot)} was made of nothing, and received on no order.`
            : `Nothing of ${shown(lot)} was used or shipped.`
          : found.items
              .map(({ level, quantity, movementType, itemNumber, itemName, lot: of, orderNumber }) => {
                const what = `${plain(itemNumber ?? itemName)}${of === null ? '' : ` ${plain(of)}`}`;
                const how = movementType === null ? 'used' : movementType;
                const order = orderNumber === null ? '' : ` (${plain(orderNumber)})`;
                return `${'  '.repeat(level - 1)}${what}: ${Math.abs(quantity)} ${how}${order}`;
              })
              .join('\n'),
      );
    });
}

interface ApartFlags {
  at?: string;
  note?: string;
}

function addDisassemble(stock: Command): void {
  const apart = stock
    .command('disassemble <item> <lot> [quantity]')
    .description(
      'take a built unit apart by its serial number, or units of a lot: what it really consumed comes back into stock',
    )
    .option('--at <location>', 'where it is; by default the one location at which it is in stock')
    .option('--note <text>', 'the reason')
    .action(async (item: string, lot: string, quantity: string | undefined, { at, note }: ApartFlags) => {
      const session = openSession(apart);
      const body = {
        ...(quantity === undefined ? {} : quantityOf(quantity)),
        ...(at === undefined ? {} : { locationEntityId: await entityId(session, at) }),
        ...(note === undefined ? {} : { note }),
      };
      const id = await lotId(session, item, lot);
      const done = await session.partbook('POST /stock/lots/{id}/disassemblies', { id, body }, session);
      session.output.answer(done, () => {
        const back = done.returned.map(
          ({ quantity: some, itemNumber, itemName, locationNumber, locationName }) =>
            `${some} × ${plain(itemNumber ?? itemName)} to ${plain(locationNumber ?? locationName)}`,
        );
        return `${shown(lot)} taken apart; ${back.length === 0 ? 'no components' : back.join(', ')} came back`;
      });
    });
}

async function lotId(session: Session, item: string, number: string): Promise<string> {
  const query = { itemEntityId: await entityId(session, item), number };
  const { items } = await session.partbook('GET /stock/lots', { query }, session);
  const [found] = items;
  if (found === undefined) throw new UsageError(`${shown(item)} has no lot ${shown(number)}.`);
  return found.id;
}
