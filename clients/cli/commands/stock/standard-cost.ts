/** `partbook value standard` and `partbook value variances`: the standard cost of an item, and what was paid compared with it. */
import type { Command } from 'commander';
import { amountText } from '../../../typescript/amount-text.ts';
import type { CostVariance, Revalued, StandardCost } from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { shown } from '../../output.ts';
import { entityId, openSession } from '../../session.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';

interface StandardFlags extends LimitFlags {
  note?: string;
}

export function revaluedText({
  quantity,
  unknownBefore,
  valueBefore,
  valueAfter,
  currency,
}: Revalued): string {
  const before = valueBefore === null ? 'unknown' : amountText(valueBefore, currency);
  const unknown = unknownBefore === 0 ? '' : `; ${unknownBefore} had no known cost`;
  return `${quantity} on hand: ${before} before, ${amountText(valueAfter, currency)} now${unknown}`;
}

export function addStandardCost(value: Command): void {
  const standard = value
    .command('standard <item> [cost]')
    .description(
      'list the standard costs of an item, or set one: what is on hand is revalued, and what arrives is valued at it; none: remove it',
    )
    .option('--note <text>', 'the reason');
  limited(standard, 20).action(
    async (item: string, cost: string | undefined, { note, ...flags }: StandardFlags) => {
      const session = openSession(standard);
      const { partbook, output, signal } = session;
      const itemEntityId = await entityId(session, item);
      if (cost === undefined) {
        await listFirst<StandardCost>(
          output,
          listPages(partbook, 'GET /stock/value/{itemEntityId}/standards', { itemEntityId }, { signal }),
          flags,
          {
            from: (one) => one.from,
            cost: (one) => (one.cost === null ? 'none' : amountText(one.cost, one.currency)),
            note: (one) => (one.note === null ? null : shown(one.note)),
          },
          'The item has no standard cost.',
        );
        return;
      }
      const body = { cost: cost === 'none' ? null : cost, ...(note === undefined ? {} : { note }) };
      const set = await partbook(
        'POST /stock/value/{itemEntityId}/standards',
        { itemEntityId, body },
        session,
      );
      output.answer(set, () => {
        const { cost: now, currency, revalued } = set;
        const says =
          now === null ? 'no standard cost from now on' : `standard cost: ${amountText(now, currency)}`;
        return revalued === null ? says : `${says}\n${revaluedText(revalued)}`;
      });
    },
  );
  const variances = value
    .command('variances <item>')
    .description('list what arrived of an item at its standard cost, the newest first, with what was paid');
  limited(variances, 100).action(async (item: string, flags: LimitFlags) => {
    const session = openSession(variances);
    const { partbook, output, signal } = session;
    const itemEntityId = await entityId(session, item);
    const amount = (text: string | null, currency: string) =>
      text === null ? 'unknown' : amountText(text, currency);
    await listFirst<CostVariance>(
      output,
      listPages(partbook, 'GET /stock/value/{itemEntityId}/variances', { itemEntityId }, { signal }),
      flags,
      {
        recorded: (one) => one.recordedAt,
        location: (one) => shown(one.locationNumber ?? one.locationName),
        quantity: (one) => one.quantity,
        standard: (one) => amountText(one.cost, one.currency),
        paid: (one) => amount(one.paid, one.currency),
        variance: (one) => amount(one.variance, one.currency),
      },
      'Nothing arrived at a standard cost.',
    );
  });
}
