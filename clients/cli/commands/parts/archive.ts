/** `partbook archive` and `partbook unarchive`. */
import type { Command } from 'commander';
import type { Entity } from '../../../typescript/generated/types.ts';
import { entityId, openSession } from '../../session.ts';

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
    try {
      for (const reference of references) {
        const id = await entityId(session, reference, name === 'archive' ? undefined : { archived: 'only' });
        const call = name === 'archive' ? 'POST /entities/{id}/archive' : 'POST /entities/{id}/unarchive';
        done.push(await session.partbook(call, { id }, session));
      }
    } finally {
      // A refusal of a later one does not hide what was done.
      if (done.length > 0) {
        session.output.answer(done, () =>
          done.map((one) => `${one.number ?? one.id} ${one.name}: ${name}d`).join('\n'),
        );
      }
    }
  });
}
