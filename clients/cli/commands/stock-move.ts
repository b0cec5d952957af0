/** `partbook stock move`: takes some of an item from one location to another. */
import type { Command } from 'commander';
import { Ended, exitCodes } from '../exit-codes.ts';
import { shown } from '../output.ts';
import { readDay } from '../read-time.ts';
import { entityId, openSession } from '../session.ts';
import { quantityOf } from './stock-units.ts';

interface MoveFlags {
  note?: string;
  on?: string;
  lot?: string;
  plan?: boolean;
}

export function addMove(stock: Command): void {
  const move = stock
    .command('move <item> <from> <to> <quantity>')
    .description('move available stock of an item from one location to another, such as 12 or "3 reel"')
    .option('--note <text>', 'the reason')
    .option('--on <day>', 'the day on which it happened, by default today', readDay)
    .option('--lot <number>', 'the lot or serial number')
    .option('--plan', 'show the changes without making them')
    .action(async (item: string, from: string, to: string, quantity: string, flags: MoveFlags) => {
      const session = openSession(move);
      const amount = quantityOf(quantity);
      const body = {
        dryRun: flags.plan === true,
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
        session.output.answer(
          made,
          () => `${shown(item)}: ${left?.onHand} at ${shown(from)}, ${arrived?.onHand} at ${shown(to)}`,
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
