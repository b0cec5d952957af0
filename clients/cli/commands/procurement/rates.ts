/** `partbook rates`: the exchange rates of the workspace, each from a day on. */
import type { Command } from 'commander';
import type { ExchangeRate } from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { openSession } from '../../session.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';

interface RatesFlags extends LimitFlags {
  from?: string;
  to?: string;
}

export function addRates(program: Command): void {
  const rates = program
    .command('rates')
    .description('list the exchange rates of the workspace, or set and delete them')
    .option('--from <currency>', 'only rates of this currency, such as USD')
    .option('--to <currency>', 'only rates into this currency');
  limited(rates, 200).action(async ({ from, to, ...flags }: RatesFlags) => {
    const { partbook, output, signal } = openSession(rates);
    const query = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    await listFirst<ExchangeRate>(
      output,
      listPages(partbook, 'GET /exchange-rates', { query }, { signal }),
      flags,
      {
        from: (one) => one.from,
        to: (one) => one.to,
        rate: (one) => one.rate,
        'valid from': (one) => one.validFrom,
      },
      'There are no exchange rates. "partbook rates set USD EUR 0.92" sets one.',
    );
  });
  const set = rates
    .command('set <from> <to> <rate>')
    .description('set how much of the second currency one unit of the first is worth, from a day on')
    .option('--on <day>', 'the first day of the rate (default: today)')
    .action(async (from: string, to: string, rate: string, { on }: { on?: string }) => {
      const session = openSession(set);
      const validFrom = on ?? new Date().toISOString().slice(0, 10);
      const call = { from, to, validFrom, body: { rate } };
      const found = await session.partbook('PUT /exchange-rates/{from}/{to}/{validFrom}', call, session);
      session.output.answer(found, () => `1 ${from} = ${found.rate} ${to} from ${found.validFrom} on`);
    });
  const remove = rates
    .command('delete <from> <to> <day>')
    .description('delete the rate that begins on this day: the one before it applies again')
    .action(async (from: string, to: string, validFrom: string) => {
      const session = openSession(remove);
      const key = { from, to, validFrom };
      await session.partbook('DELETE /exchange-rates/{from}/{to}/{validFrom}', key, session);
      session.output.answer(key, () => `deleted: ${from} to ${to} from ${validFrom} on`);
    });
}
