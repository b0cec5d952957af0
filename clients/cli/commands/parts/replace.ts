/** `partbook replace`: another part instead of one, in the assemblies that use it. */
import type { Command } from 'commander';
import { countOf } from '../../count-of.ts';
import { UsageError } from '../../exit-codes.ts';
import { entityId, openSession } from '../../session.ts';

interface ReplaceFlags {
  in?: string[];
  reason?: string;
  apply?: boolean;
}

export function addReplace(program: Command): void {
  const replace = program
    .command('replace <part> <by>')
    .description('show what using another part instead would change; with --apply change it')
    .option('--reason <text>', 'the reason for the history of each assembly; required with --apply')
    .option('--in <assembly...>', 'only in these assemblies (number, guid:… or id)')
    .option('--apply', 'change it; otherwise only show what would change');
  replace.action(async (part: string, by: string, flags: ReplaceFlags) => {
    if (flags.apply === true && flags.reason === undefined)
      throw new UsageError('A replacement needs a reason: --reason "…".');
    const session = openSession(replace);
    const parents: string[] = [];
    for (const assembly of flags.in ?? []) parents.push(await entityId(session, assembly));
    const body = {
      by: await entityId(session, by),
      // A preview records no reason.
      reason: flags.reason ?? 'Preview',
      dryRun: flags.apply !== true,
      ...(flags.in === undefined ? {} : { parents }),
    };
    const id = await entityId(session, part);
    const answer = await session.partbook('POST /entities/{id}/replace', { id, body }, session);
    session.output.answer(answer, () =>
      [
        ...answer.parents.map(
          ({ number, entityId: parent, name, quantity, quantityAfter, revised, revision, problem }) =>
            `${number ?? parent} ${name}: ${problem ?? `${quantity}${quantity === quantityAfter ? '' : ` (${quantityAfter} with those it uses already)`}${revised ? `, revision ${revision}` : ''}`}`,
        ),
        `${countOf(answer.parents.length, 'assembly', 'assemblies')} ${answer.dryRun ? 'would change. Add --apply to change them' : 'changed'}.`,
      ].join('\n'),
    );
  });
}
