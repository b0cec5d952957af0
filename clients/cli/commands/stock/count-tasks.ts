/** `partbook stock counts` and `stock ask-count`: locations that are to be counted, and by whom. */
import type { Command } from 'commander';
import type { CountTask } from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { UsageError } from '../../exit-codes.ts';
import { readDay } from '../../read-time.ts';
import { entityId, openSession, type Session } from '../../session.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';

interface AskFlags {
  to?: string;
  until?: string;
  note?: string;
  below?: boolean;
}

export function addCountTasks(stock: Command): void {
  const counts = stock
    .command('counts')
    .description('list the counts that are asked for')
    .option('--any', 'also those that have ended');
  limited(counts, 50).action(async (flags: LimitFlags & { any?: boolean }) => {
    const { partbook, output, signal } = openSession(counts);
    const query = { status: flags.any === true ? ('any' as const) : ('open' as const) };
    await listFirst<CountTask>(
      output,
      listPages(partbook, 'GET /stock/count-tasks', { query }, { signal }),
      flags,
      {
        location: ({ location }) => location.number ?? location.name,
        below: ({ below }) => (below ? 'with all inside' : ''),
        'counted by': ({ assignedTo }) => assignedTo?.name ?? '',
        until: ({ dueOn }) => dueOn ?? '',
        status: ({ status }) => status,
        note: ({ note }) => note ?? '',
        id: ({ id }) => id,
      },
      'No count is asked for.',
    );
  });

  const askCount = stock
    .command('ask-count <location>')
    .description('ask for a count of a location; the member finds it under My work')
    .option('--to <name>', 'the member who counts')
    .option('--until <day>', 'the day until which it is counted', readDay)
    .option('--note <text>', 'what to take care of')
    .option('--below', 'also the locations inside')
    .action(async (reference: string, { to, until, note, below }: AskFlags) => {
      const session = openSession(askCount);
      const body = {
        location: await entityId(session, reference),
        below: below === true,
        assignedTo: to === undefined ? null : await memberId(session, to),
        dueOn: until ?? null,
        note: note ?? null,
      };
      const made = await session.partbook('POST /stock/count-tasks', { body }, session);
      const by = made.assignedTo === null ? '' : ` by ${made.assignedTo.name}`;
      session.output.answer(made, () => `A count of ${reference}${by} is asked for: ${made.id}`);
    });
}

async function memberId(session: Session, name: string): Promise<string> {
  const { items } = await session.partbook('GET /people', { query: { q: name } }, session);
  const exact = items.filter((one) => one.name.toLowerCase() === name.toLowerCase());
  const [found, ...others] = exact.length > 0 ? exact : items;
  if (found === undefined) throw new UsageError(`There is no active member "${name}".`);
  if (others.length > 0)
    throw new UsageError(
      `Several members contain "${name}": ${items.map((one) => one.name).join(', ')}. Write the whole name.`,
    );
  return found.id;
}
