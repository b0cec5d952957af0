/** `partbook archive` and `partbook unarchive`. */
import type { Command } from 'commander';
import { ApiError } from '../../../typescript/errors.ts';
import type { Entity } from '../../../typescript/generated/types.ts';
import { Ended, type ExitCode, exitCodeOf, exitCodes, UsageError } from '../../exit-codes.ts';
import { entityId, openSession } from '../../session.ts';
import { tellError } from '../../tell-error.ts';

export function addArchive(program: Command): void {
  add(
    program,
    'archive',
    'leave parts out of lists and pickers; refused with the reasons while they are in use',
  );
  add(program, 'unarchive', 'show archived parts in lists again');
}

function add(program: Command, name: 'archive' | 'unarchive', description: string): void {
  const command = program.command(`${name} <entity...>`).description(`${description} (number, guid:… or id)`);
  command.action(async (references: string[]) => {
    const session = openSession(command);
    const done: Entity[] = [];
    const refused: ExitCode[] = [];
    try {
      for (const reference of references) {
        try {
          const id = await entityId(
            session,
            reference,
            name === 'archive' ? undefined : { archived: 'only' },
          );
          const call = name === 'archive' ? 'POST /entities/{id}/archive' : 'POST /entities/{id}/unarchive';
          done.push(await session.partbook(call, { id }, session));
        } catch (error) {
          // A refusal of one part says nothing of the others; a refused key or an absent service does.
          if (!isOfOne(error)) throw error;
          tellError(error);
          refused.push(exitCodeOf(error));
        }
      }
    } finally {
      // An error does not hide what was done.
      if (done.length > 0) {
        session.output.answer(done, () =>
          done.map((one) => `${one.number ?? one.id} ${one.name}: ${name}d`).join('\n'),
        );
      }
    }
    const [code, ...others] = new Set(refused);
    if (code !== undefined) throw new Ended(others.length === 0 ? code : exitCodes.failed);
  });
}

function isOfOne(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof ApiError && [404, 409, 422].includes(error.status));
}
