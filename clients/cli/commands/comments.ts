/** `partbook comments` and `partbook comment`: what people say about an entity or an import. */
import type { Command } from 'commander';
import type { Comment } from '../../typescript/generated/types.ts';
import { listPages } from '../../typescript/list-items.ts';
import { UsageError } from '../exit-codes.ts';
import { entityId, openSession, type Session } from '../session.ts';
import { type LimitFlags, limited, listFirst } from '../take-items.ts';

interface SubjectFlags {
  import?: string;
}

export function addComments(program: Command): void {
  const list = program
    .command('comments [entity]')
    .description(
      'list the comments on an entity, order or requirement (number, guid:… or id), or on an import; long ones are cut, --json prints them whole',
    )
    .option('--import <id>', 'on this import, in place of an entity');
  limited(list, 50).action(async (reference: string | undefined, flags: LimitFlags & SubjectFlags) => {
    const session = openSession(list);
    const { partbook, output, signal } = session;
    const query = await subjectOf(session, reference, flags);
    await listFirst<Comment>(
      output,
      listPages(partbook, 'GET /comments', { query }, { signal }),
      flags,
      {
        written: (one) => one.createdAt,
        by: (one) => one.author.name,
        text: (one) => (one.deletedAt === null ? inShort(one.text) : '(deleted)'),
        id: (one) => one.id,
      },
      'There are no comments.',
    );
  });

  const write = program
    .command('comment <text> [entity]')
    .description('write a comment; @[Name] mentions a member, #[Number] links to an entity')
    .option('--import <id>', 'on this import, in place of an entity')
    .action(async (text: string, reference: string | undefined, flags: SubjectFlags) => {
      const session = openSession(write);
      const body = { ...(await subjectOf(session, reference, flags)), text };
      const made = await session.partbook('POST /comments', { body }, session);
      session.output.answer(made, () => {
        const mentioned = made.mentions.map(({ name }) => name);
        return mentioned.length === 0 ? 'Written.' : `Written; it mentions ${mentioned.join(', ')}.`;
      });
    });
}

/** Characters of a comment in a table; --json prints it whole. */
const SHORT_CHARS = 80;

function inShort(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const chars = [...line];
  return chars.length <= SHORT_CHARS ? line : `${chars.slice(0, SHORT_CHARS - 1).join('')}…`;
}

async function subjectOf(
  session: Session,
  reference: string | undefined,
  { import: id }: SubjectFlags,
): Promise<{ entity: string } | { import: string }> {
  if ((reference === undefined) === (id === undefined))
    throw new UsageError('Name an entity, or an import (--import).');
  if (id !== undefined) return { import: id };
  return { entity: await entityId(session, reference ?? '', { archived: 'true' }) };
}
