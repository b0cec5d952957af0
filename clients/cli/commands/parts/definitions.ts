/** `partbook definitions`: import definitions of the workspace, as files and back. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { ImportDefinitionInput } from '../../../readers/definition/import-definition.schema.ts';
import { ApiError } from '../../../typescript/errors.ts';
import type { ImportDefinition, ImportMapping } from '../../../typescript/generated/types.ts';
import { listItems } from '../../../typescript/list-items.ts';
import { UsageError } from '../../exit-codes.ts';
import { parse } from '../../files/choose-definition.ts';
import { openSession } from '../../session.ts';
import { here, pathHere } from '../../surroundings.ts';

export function addDefinitions(program: Command): void {
  const definitions = program.command('definitions').description('list, show and store import definitions');
  const list = definitions
    .command('list', { isDefault: true })
    .description('list the definitions')
    .action(async () => {
      const { partbook, output, signal } = openSession(list);
      await output.list<ImportDefinition>(
        listItems(partbook, 'GET /import-definitions', {}, { signal }),
        {
          name: (one) => one.name,
          version: (one) => one.version,
          updated: (one) => one.updatedAt,
        },
        'The workspace has no import definitions: "partbook suggest FILE" makes one, "partbook definitions push" keeps it.',
      );
    });
  const show = definitions
    .command('show <name>')
    .description('print one definition, as a file that --definition takes')
    .action(async (name: string) => {
      const { partbook, signal } = openSession(show);
      const { mapping } = await partbook('GET /import-definitions/{name}', { name }, { signal });
      here().stdout.write(`${JSON.stringify(mapping, null, 2)}\n`);
    });
  const push = definitions
    .command('push <name> <file>')
    .description('store a file as the definition of that name')
    .action(async (name: string, file: string) => {
      const { partbook, output, signal } = openSession(push);
      const mapping = readMapping(file);
      const body = { mapping };
      try {
        await partbook('PUT /import-definitions/{name}', { name, body }, { signal });
        output.say(`${name} is replaced.`);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        await partbook('POST /import-definitions', { body: { name, mapping } }, { signal });
        output.say(`${name} is new.`);
      }
    });
}

/** Looked at here, so that what is wrong is said by field; sent as it was written. */
function readMapping(file: string): ImportMapping {
  let input: ImportDefinitionInput;
  try {
    input = JSON.parse(readFileSync(pathHere(file), 'utf8')) as ImportDefinitionInput;
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
  return JSON.parse(JSON.stringify(parse(input))) as ImportMapping;
}
