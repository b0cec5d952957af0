/** `partbook suggest FILE`: a definition for a table, to be looked at and kept. */
import type { Command } from 'commander';
import { suggestForFile, tableUnclear } from '../../readers/definition/suggest-for-file.ts';
import type { WorkspaceHints } from '../../readers/definition/suggestion.ts';
import type { FileFormat } from '../../readers/detect-format.ts';
import { OfFile } from '../exit-codes.ts';
import { hintsOf } from '../files/choose-definition.ts';
import { withSource } from '../files/with-source.ts';
import { connectTo, type GlobalFlags, interruption, outputOf } from '../session.ts';
import { findSettings } from '../settings.ts';
import { here } from '../surroundings.ts';

export function addSuggest(program: Command): void {
  const command = program
    .command('suggest <file>')
    .description('suggest a definition for a table by its first rows, as JSON')
    .action(async (file: string) => {
      const output = outputOf(command);
      const known = await hints(command);
      const { format, suggestion, beginnings } = await withSource(file, (source) =>
        suggestForFile(source, known),
      );
      if (suggestion === null) {
        throw new OfFile(file, tableUnclear(beginnings));
      }
      here().stdout.write(`${JSON.stringify(suggestion.definition, null, 2)}\n`);
      output.say(`${file} is ${formatWords(format, suggestion.definition.delimiter)}.`);
      if (suggestion.tool !== null) output.say(`It looks like a list of ${suggestion.tool}.`);
      for (const { message } of [...suggestion.problems, ...suggestion.warnings])
        output.say(`warning: ${file}: ${message}`, 'yellow');
      if (suggestion.unused.length > 0) output.say(`Left out: ${suggestion.unused.join(', ')}.`);
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
