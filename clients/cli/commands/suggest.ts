/** `partbook suggest FILE`: a definition for a table, to be looked at and kept. */
import type { Command } from 'commander';
import { withProperties } from '../../readers/definition/new-properties.ts';
import { suggestForFile, tableUnclear } from '../../readers/definition/suggest-for-file.ts';
import type { WorkspaceHints } from '../../readers/definition/suggestion.ts';
import type { FileFormat } from '../../readers/detect-format.ts';
import { OfFile } from '../exit-codes.ts';
import { hintsOf } from '../files/choose-definition.ts';
import { createProperties } from '../files/create-properties.ts';
import { withSource } from '../files/with-source.ts';
import { connectTo, type GlobalFlags, interruption, openSession, outputOf } from '../session.ts';
import { findSettings } from '../settings.ts';
import { here } from '../surroundings.ts';

export function addSuggest(program: Command): void {
  const command = program
    .command('suggest <file>')
    .description('suggest a definition for a table by its first rows, as JSON')
    .option('--new-properties', 'create a property for each column that the workspace has none for')
    .action(async (file: string, flags: { newProperties?: boolean }) => {
      const output = outputOf(command);
      const known = await hints(command);
      const { format, suggestion, beginnings } = await withSource(file, (source) =>
        suggestForFile(source, known),
      );
      if (suggestion === null) {
        throw new OfFile(file, tableUnclear(beginnings));
      }
      const { unused } = suggestion;
      const created =
        flags.newProperties === true && unused.length > 0
          ? await createProperties(openSession(command).partbook, unused, interruption())
          : [];
      const definition = withProperties(suggestion.definition, created);
      here().stdout.write(
        `${JSON.stringify(created.length === 0 ? suggestion.definition : definition, null, 2)}\n`,
      );
      output.say(`${file} is ${formatWords(format, suggestion.definition.delimiter)}.`);
      if (suggestion.tool !== null) output.say(`It looks like a list of ${suggestion.tool}.`);
      for (const { message } of [...suggestion.problems, ...suggestion.warnings])
        output.say(`warning: ${file}: ${message}`, 'yellow');
      if (created.length > 0) output.say(`Properties created: ${unused.join(', ')}.`);
      else if (unused.length > 0)
        output.say(`Left out: ${unused.join(', ')}. --new-properties creates a property for each.`);
    });
}

const delimiterWords = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

const formats: Record<Exclude<FileFormat, 'csv'>, string> = {
  json: 'a sync payload in JSON',
  ndjson: 'elements in NDJSON, one a line',
  xlsx: 'an XLSX workbook',
  ods: 'an OpenDocument spreadsheet',
  netlist: 'a KiCad netlist',
  step: 'a STEP file',
  stpx: 'AP242 XML',
  pdm: 'an export of SOLIDWORKS PDM',
};

/** A text with columns is told by what stands between them: the ending of its name may be another. */
function formatWords(format: FileFormat, delimiter: keyof typeof delimiterWords = ','): string {
  return format === 'csv' ? `a table with ${delimiterWords[delimiter]} between its columns` : formats[format];
}

/** The categories and properties of the workspace; none if no workspace is known. */
async function hints(command: Command): Promise<WorkspaceHints> {
  const settings = findSettings(command.optsWithGlobals<GlobalFlags>(), here().env, here().cwd);
  if (settings.url === '' || settings.key === '' || settings.workspace === '') return {};
  return hintsOf(connectTo(settings), interruption());
}
