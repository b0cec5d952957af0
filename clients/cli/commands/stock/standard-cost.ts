/** `partbook value standard` and `partbook value variances`: the standard cost of an item, and what was paid compared with it. */
import type { Command } from 'commander';
import { amountText } from '../../../typescript/amount-text.ts';
import type {
  CostVariance,
  Revalued,
  StandardCost,
  VarianceTotal,
} from '../../../typescript/generated/types.ts';
import { listPages, type Page } from '../../../typescript/list-items.ts';
import { sumVariances } from '../../../typescript/variance-totals.ts';
import { countOf } from '../../count-of.ts';
import { shown } from '../../output.ts';
import { entityId, openSession, type Session } from '../../session.ts';
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
      if (cost === 'none') {
        const last = await lastStandard(session, itemEntityId);
        if ((last?.cost ?? null) === null)
          return output.answer(last ?? null, () => 'The item has no standard cost: there is none to remove.');
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
    const totals = new Totals();
    const pages = listPages(
      partbook,
      'GET /stock/value/{itemEntityId}/variances',
      { itemEntityId },
      { signal },
    );
    const never = output.form === 'text' && (await lastStandard(session, itemEntityId)) === undefined;
    await listFirst<CostVariance>(
      output,
      totals.over(pages),
      flags,
      {
        recorded: (one) => one.recordedAt,
        location: (one) => shown(one.locationNumber ?? one.locationName),
        quantity: (one) => one.quantity,
        standard: (one) => amountText(one.cost, one.currency),
        paid: (one) => amount(one.paid, one.currency),
        variance: (one) => amount(one.variance, one.currency),
      },
      never
        ? 'The item never had a standard cost, so there is nothing to compare with.'
        : 'Nothing arrived at a standard cost.',
    );
    if (output.form === 'text') for (const line of totals.lines()) output.say(line);
  });
}

function amount(text: string | null, currency: string): string {
  return text === null ? 'unknown' : amountText(text, currency);
}

/** Returns the standard cost that was set or removed last; undefined: the item never had one. */
async function lastStandard(session: Session, itemEntityId: string): Promise<StandardCost | undefined> {
  const call = { itemEntityId, query: { limit: 1 } };
  const { items } = await session.partbook('GET /stock/value/{itemEntityId}/standards', call, session);
  return items[0];
}

const kinds = {
  priced: 'at a price',
  unpriced: 'without a price',
  returned: 'returned',
  built: 'built',
} as const;

/** Totals of the pages that were read. */
class Totals {
  readonly #totals: VarianceTotal[] = [];
  #currency = '';
  #isWhole = false;

  /** Returns the pages as they come. An older service sends no totals. */
  async *over(pages: AsyncIterable<Page<CostVariance>>): AsyncGenerator<Page<CostVariance>> {
    for await (const page of pages) {
      this.#totals.push(...((page as { totals?: VarianceTotal[] }).totals ?? []));
      this.#currency = page.items[0]?.currency ?? this.#currency;
      this.#isWhole = page.nextCursor === null;
      yield page;
    }
  }

  /** Returns nothing where not all pages were read. */
  lines(): string[] {
    if (!this.#isWhole) return [];
    return sumVariances(this.#totals).map(({ kind, arrivals, variance, unknownArrivals }) => {
      const unknown = unknownArrivals === 0 ? '' : `, ${unknownArrivals} of unknown variance`;
      return `Total ${kinds[kind]}: ${amount(variance, this.#currency)} (${countOf(arrivals, 'arrival')}${unknown}).`;
    });
  }
}
