/** `partbook people`: the members of a workspace and the links that let them in. A link is written to standard output, once. */
import type { Command } from 'commander';
import type { Invitation, Member } from '../../typescript/generated/types.ts';
import { listItems } from '../../typescript/list-items.ts';
import { areas, readAreas } from '../areas-option.ts';
import { confirm } from '../confirm.ts';
import { UsageError } from '../exit-codes.ts';
import { shown } from '../output.ts';
import { readLater } from '../read-time.ts';
import { openSession, requireUuid, type Session } from '../session.ts';

const areasWords = `what the person may do, with commas between: ${areas.join(', ')}`;

export function addPeople(program: Command): void {
  const people = program.command('people').description('list, invite, change and end members');
  const list = people
    .command('list', { isDefault: true })
    .description('list the members, those who have ended too')
    .action(async () => {
      const { partbook, output, signal } = openSession(list);
      await output.list<Member>(
        listItems(partbook, 'GET /members', {}, { signal }),
        {
          name: (one) => one.name,
          areas: (one) => one.areas.join(', '),
          'managed by': (one) => one.managed,
          'last seen': (one) => one.lastSeenAt,
          ended: (one) => one.endedAt,
          id: (one) => one.id,
        },
        'The workspace has no members: partbook people invite NAME --areas read makes a link for one.',
      );
    });
  addLinks(people);
  const change = people
    .command('change <person>')
    .description('change the areas or the name of a member')
    .option('--areas <areas>', areasWords)
    .option('--name <name>', 'the name in ledger and history from now on')
    .action(async (person: string, { areas: wanted, name }: { areas?: string; name?: string }) => {
      if (wanted === undefined && name === undefined)
        throw new UsageError('Say what to change: --areas or --name.');
      const given = wanted === undefined ? null : readAreas(wanted);
      const session = openSession(change);
      const member = await memberMeant(session, person);
      const body = {
        name: name ?? member.name,
        areas: given ?? member.areas,
        managed: given === null ? member.managed : ('hand' as const),
      };
      const changed = await session.partbook('PUT /members/{id}', { id: member.id, body }, session);
      session.output.answer(changed, () => `${shown(changed.name)} may: ${changed.areas.join(', ')}.`);
    });
  const rename = people
    .command('rename-me <name>')
    .description('change your own name in ledger and history; takes a key of your own')
    .action(async (name: string) => {
      const { partbook, output, signal } = openSession(rename);
      const changed = await partbook('PATCH /me', { body: { name } }, { signal });
      output.answer(changed, () => `Your name is ${shown(changed.name)}.`);
    });
  const end = people
    .command('end <person>')
    .description('end a member, whose keys are revoked; needs confirmation')
    .option('--yes', 'do not ask')
    .action(async (person: string, { yes }: { yes?: boolean }) => {
      const session = openSession(end);
      const { id, name } = await memberMeant(session, person);
      const question = `End ${shown(name)}? Entries keep naming the person.`;
      if (yes !== true) await confirm(session, question, 'Add --yes to end without a question.');
      await session.partbook('DELETE /members/{id}', { id }, session);
      session.output.say(`${shown(name)} has ended.`);
    });
}

function addLinks(people: Command): void {
  const invite = people
    .command('invite <name>')
    .description('invite a person: prints a link, which is shown only once and works once')
    .requiredOption('--areas <areas>', areasWords)
    .option(
      '--expires <time>',
      'when the link ends: a day, a time, or 3d for three days from now (7d if unset)',
    )
    .action(async (name: string, { areas: wanted, expires }: { areas: string; expires?: string }) => {
      const expiresAt = expires === undefined ? {} : { expiresAt: readLater('--expires', expires) };
      const body = { name, areas: readAreas(wanted), ...expiresAt };
      const { partbook, output, signal } = openSession(invite);
      const made = await partbook('POST /invitations', { body }, { signal });
      output.answer(made, () => made.url);
    });
  const link = people
    .command('link <person>')
    .description('make a sign-in link for a member who is locked out: it works once, for 15 minutes')
    .action(async (person: string) => {
      const session = openSession(link);
      const { id } = await memberMeant(session, person);
      const made = await session.partbook('POST /members/{id}/sign-in-links', { id }, session);
      session.output.answer(made, () => made.url);
    });
  const open = people
    .command('invitations')
    .description('list invitations and sign-in links that still work')
    .action(async () => {
      const { partbook, output, signal } = openSession(open);
      await output.list<Invitation>(
        listItems(partbook, 'GET /invitations', {}, { signal }),
        {
          for: (one) => one.name,
          kind: ({ memberId }) => (memberId === null ? 'invitation' : 'sign-in link'),
          areas: (one) => one.areas.join(', '),
          expires: (one) => one.expiresAt,
          id: (one) => one.id,
        },
        'No link is open.',
      );
    });
  const withdraw = people
    .command('withdraw <id>')
    .description('withdraw an invitation or a sign-in link')
    .action(async (id: string) => {
      requireUuid('invitation', id);
      const { partbook, output, signal } = openSession(withdraw);
      await partbook('DELETE /invitations/{id}', { id }, { signal });
      output.say(`${id} is withdrawn.`);
    });
}

/** Returns the active member with that name, whatever its case, or with that id. Throws `UsageError` where there is none. */
async function memberMeant({ partbook, signal }: Session, meant: string): Promise<Member> {
  for await (const member of listItems(partbook, 'GET /members', {}, { signal })) {
    const isMeant = member.id === meant || member.name.toLowerCase() === meant.trim().toLowerCase();
    if (isMeant && member.endedAt === null) return member;
  }
  throw new UsageError(`No member is named "${shown(meant)}". partbook people lists them.`);
}
