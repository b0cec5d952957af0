/** `partbook stock move|transfers|arrive`: moves some of an item to another location, at once or in transit. */
import type { Command } from 'commander';
import type { StockTransit } from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { Ended, exitCodes, UsageError } from '../../exit-codes.ts';
import { shown } from '../../output.ts';
import { readDay } from '../../read-time.ts';
import { entityId, openSession } from '../../session.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';
import { quantityOf } from './stock-units.ts';

interface MoveFlags {
  note?: string;
  on?: string;
  lot?: string;
  plan?: boolean;
  inTransit?: boolean;
}

export function addMove(stock: Command): void {
  const move = stock
    .command('move <item> <from> <to> <quantity>')
    .description('move available stock of an item from one location to another, such as 12 or "3 reel"')
    .option('--note <text>', 'the reason')
    .option('--on <day>', 'the day on which it happened, by default today', readDay)
    .option('--lot <number>', 'the lot or serial number')
    .option('--in-transit', 'it arrives later: `stock arrive` receives it')
    .option('--plan', 'show the changes without making them')
    .action(async (item: string, from: string, to: string, quantity: string, flags: MoveFlags) => {
      const session = openSession(move);
      const amount = quantityOf(quantity);
      const body = {
        dryRun: flags.plan === true,
        inTransit: flags.inTransit === true,
        lines: [
          {
            itemEntityId: await entityId(session, item),
            fromLocationEntityId: await entityId(session, from),
            toLocationEntityId: await entityId(session, to),
            ...amount,
            ...(flags.lot === undefined ? {} : { lot: flags.lot }),
          },
        ],
        ...(flags.note === undefined ? {} : { note: flags.note }),
        ...(flags.on === undefined ? {} : { effectiveOn: flags.on }),
      };
      const made = await session.partbook('POST /stock/transfers', { body }, session);
      if ('positions' in made) {
        const [left, arrived] = made.positions;
        session.output.answer(made, () =>
          flags.inTransit === true
            ? `${shown(item)}: in transit to ${shown(to)} as ${made.entries[0]?.bookingId}`
            : `${shown(item)}: ${left?.onHand} at ${shown(from)}, ${arrived?.onHand} at ${shown(to)}`,
        );
        return;
      }
      const refusal = made.lines[0]?.refusal ?? null;
      const available = made.lines[0]?.available;
      session.output.answer(
        made,
        () => refusal?.message ?? `${shown(item)}: ${quantity} of ${available} available would move`,
      );
      throw new Ended(refusal === null ? exitCodes.planHasChanges : exitCodes.failed);
    });
}

export function addTransfers(stock: Command): void {
  const transfers = stock
    .command('transfers [item]')
    .description('list goods in transit between locations, newest first')
    .option('--arrived', 'also those that have arrived');
  limited(transfers, 50).action(
    async (item: string | undefined, flags: LimitFlags & { arrived?: boolean }) => {
      const session = openSession(transfers);
      if (item !== undefined && flags.arrived === true) throw new UsageError('Name an item or --arrived.');
      const query = {
        ...(item === undefined ? {} : { itemEntityId: await entityId(session, item) }),
        ...(flags.arrived === true ? { open: 'false' as const } : {}),
      };
      await listFirst<StockTransit>(
        session.output,
        listPages(session.partbook, 'GET /stock/transfers', { query }, session),
        flags,
        {
          transfer: (one) => one.id,
          item: (one) => one.itemNumber ?? one.itemName,
          lot: (one) => one.lot,
          from: (one) => one.fromLocationNumber ?? one.fromLocationName,
          to: (one) => one.toLocationNumber ?? one.toLocationName,
          'in transit': (one) => one.inTransitQty,
          sent: (one) => one.sentQty,
        },
        'Nothing is in transit.',
      );
    },
  );
}

interface ArriveFlags {
  last?: boolean;
  reason?: string;
  at?: string;
  note?: string;
  on?: string;
}

export function addArrive(stock: Command): void {
  const arrive = stock
    .command('arrive <transfer> <quantity>')
    .description('book goods in transit that have arrived, in the base unit of the item')
    .option('--last', 'nothing more arrives: what is missing is written off')
    .option('--reason <code>', 'the reason if less or more arrived')
    .option('--at <location>', 'where it arrived, by default the destination')
    .option('--note <text>', 'the note in the ledger')
    .option('--on <day>', 'the day on which it happened, by default today', readDay)
    .action(async (id: string, text: string, { last, reason, at, note, on }: ArriveFlags) => {
      const session = openSession(arrive);
      const quantity = Number(text);
      if (text.trim() === '' || Number.isNaN(quantity)) throw new UsageError(`"${text}" is no number.`);
      const body = {
        quantity,
        isLast: last === true,
        ...(at === undefined ? {} : { locationEntityId: await entityId(session, at) }),
        ...(reason === undefined ? {} : { reason }),
        ...(note === undefined ? {} : { note }),
        ...(on === undefined ? {} : { effectiveOn: on }),
      };
      const done = await session.partbook('POST /stock/transfers/{id}/receipts', { id, body }, session);
      const { itemNumber, itemName, receivedQty, sentQty, inTransitQty } = done.transfer;
      session.output.answer(
        done,
        () => `${itemNumber ?? itemName}: ${receivedQty} of ${sentQty} received, ${inTransitQty} in transit`,
      );
    });
}
