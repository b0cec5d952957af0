/** `partbook inbox`, `follow`, `unfollow` and `following`: what a member is told of. They take a key that a member made for itself. */
import type { Command } from 'commander';
import type { FollowedSubject, InboxLine, Subscription } from '../../typescript/generated/types.ts';
import { listPages, type Page } from '../../typescript/list-items.ts';
import { UsageError } from '../exit-codes.ts';
import { viewMeant } from '../meant-names.ts';
import { entityId, openSession, type Session } from '../session.ts';
import { type LimitFlags, limited, listFirst } from '../take-items.ts';

interface SubjectFlags {
  import?: string;
  importProfile?: string;
  view?: string;
}

const happened: Readonly<Record<InboxLine['kind'], string>> = {
  mentioned: 'you were mentioned',
  commented: 'comment',
  created: 'new',
  moved: 'new state',
  changed: 'changed',
  order: 'order changed',
  stock: 'stock moved',
  importEnded: 'import ended',
  importProblem: 'import with errors',
};

export function addInbox(program: Command): void {
  const inbox = program
    .command('inbox')
    .description('show what others did with the things that you follow, and where you were mentioned')
    .option('--unread', 'only what is unread')
    .option('--read', 'mark what is shown as read');
  limited(inbox, 50).action(async (flags: LimitFlags & { unread?: boolean; read?: boolean }) => {
    const session = openSession(inbox);
    const { partbook, output, signal } = session;
    const query = { unread: flags.unread === true ? ('true' as const) : ('false' as const) };
    const unread: string[] = [];
    await listFirst<InboxLine>(
      output,
      notingShown(listPages(partbook, 'GET /me/inbox', { query }, { signal }), flags, unread),
      flags,
      {
        at: (one) => one.lastAt,
        what: (one) => `${happened[one.kind]}${one.count === 1 ? '' : ` (${one.count})`}`,
        followed: (one) => nameOf(one.subject),
        detail: (one) => one.comment?.text.replaceAll(/\s+/g, ' ') ?? one.detail ?? '',
        by: (one) => one.actor?.name ?? '',
        unread: (one) => (one.readAt === null ? 'unread' : ''),
      },
      'There is nothing in your inbox.',
    );
    if (flags.read !== true) return;
    for (let from = 0; from < unread.length; from += 1000)
      await partbook('POST /me/inbox/read', { body: { ids: unread.slice(from, from + 1000) } }, session);
  });

  const follow = subject(program.command('follow [entity]'))
    .description('follow an entity (number, guid:… or id), an import, an import profile or a saved view')
    .option('--below', 'with what is below it in structures, or lies in the location')
    .option('--stock', 'with movements of stock')
    .option('--mute', 'tell of nothing but mentions')
    .action(
      async (
        reference: string | undefined,
        flags: SubjectFlags & { below?: boolean; stock?: boolean; mute?: boolean },
      ) => {
        const session = openSession(follow);
        const body = {
          ...(await subjectOf(session, reference, flags)),
          below: flags.below === true,
          muted: flags.mute === true,
          ...(flags.stock === true ? { stock: true } : {}),
        };
        const made = await session.partbook('POST /me/subscriptions', { body }, session);
        const verb = made.muted ? 'You muted' : 'You follow';
        session.output.answer(made, () => `${verb} ${nameOf(made.subject)}.`);
      },
    );

  const unfollow = subject(program.command('unfollow [entity]'))
    .description('stop following an entity, an import, an import profile or a saved view')
    .action(async (reference: string | undefined, flags: SubjectFlags) => {
      const session = openSession(unfollow);
      const query = await subjectOf(session, reference, flags);
      const { items } = await session.partbook('GET /me/subscriptions', { query }, session);
      const [found] = items;
      if (found === undefined) throw new UsageError('You do not follow that.');
      await session.partbook('DELETE /me/subscriptions/{id}', { id: found.id }, session);
      session.output.answer(found, () => `You no longer follow ${nameOf(found.subject)}.`);
    });

  const following = program.command('following').description('list what you follow');
  limited(following, 50).action(async (flags: LimitFlags) => {
    const { partbook, output, signal } = openSession(following);
    await listFirst<Subscription>(
      output,
      listPages(partbook, 'GET /me/subscriptions', {}, { signal }),
      flags,
      {
        followed: (one) => nameOf(one.subject),
        below: (one) => (one.below ? 'below' : ''),
        stock: (one) => (one.stock ? 'stock' : ''),
        muted: (one) => (one.muted ? 'muted' : ''),
        automatic: (one) => (one.automatic ? 'took part' : ''),
        id: (one) => one.id,
      },
      'You follow nothing.',
    );
  });
}

/** Passes pages on, and notes the unread lines among those that are shown. */
async function* notingShown(
  pages: AsyncIterable<Page<InboxLine>>,
  { limit, all }: LimitFlags,
  unread: string[],
): AsyncGenerator<Page<InboxLine>> {
  let left = all === true ? Number.POSITIVE_INFINITY : Number(limit);
  for await (const page of pages) {
    for (const { id, readAt } of page.items.slice(0, left)) if (readAt === null) unread.push(id);
    left = Math.max(0, left - page.items.length);
    yield page;
  }
}

const subject = (command: Command) =>
  command
    .option('--import <id>', 'this import')
    .option('--import-profile <name>', 'imports by this import profile')
    .option('--view <view>', 'what this saved view shows (id or name)');

async function subjectOf(
  session: Session,
  reference: string | undefined,
  { import: id, importProfile, view }: SubjectFlags,
): Promise<{ entity: string } | { import: string } | { importProfile: string } | { view: string }> {
  if ([reference, id, importProfile, view].filter((one) => one !== undefined).length !== 1)
    throw new UsageError(
      'Name an entity, an import (--import), an import profile (--import-profile) or a saved view (--view).',
    );
  if (view !== undefined) return { view: await viewMeant(session, view) };
  if (id !== undefined) return { import: id };
  if (importProfile !== undefined) return { importProfile };
  return { entity: await entityId(session, reference ?? '', { archived: 'true' }) };
}

function nameOf({ type, id, number, name }: FollowedSubject): string {
  if (type === 'importProfile') return `imports of ${name}`;
  if (type === 'import') return `import ${id}`;
  if (type === 'view') return `view ${name ?? id}`;
  return [number, name].filter((one) => one !== null).join(' ') || (id ?? '');
}
