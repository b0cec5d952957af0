/** `partbook sync FILE…`: files to batches; with `--plan` a look at what would change first. */

import { type Command, Option } from 'commander';
import type { ImportDefinition } from '../../readers/definition/import-definition.schema.ts';
import { withProperties } from '../../readers/definition/new-properties.ts';
import type { FileSource } from '../../readers/file-source.ts';
import { matchesText } from '../../readers/match-numbers.ts';
import { totalsInWords } from '../../readers/reading-totals.ts';
import { confirm } from '../confirm.ts';
import { Ended, type ExitCode, exitCodeOf, exitCodes, OfFile, ofFile, UsageError } from '../exit-codes.ts';
import { askDecimal } from '../files/ask-decimal.ts';
import { type Chosen, chooseDefinition, type DefinitionFlags } from '../files/choose-definition.ts';
import { createProperties } from '../files/create-properties.ts';
import { planFile } from '../files/plan-file.ts';
import { prepareMatched } from '../files/prepare-matched.ts';
import { tellFindings } from '../files/tell-findings.ts';
import { requireFile, shownName, withSource } from '../files/with-source.ts';
import { finish } from '../finish-batch.ts';
import { openSession, type Session } from '../session.ts';
import { readProject } from '../settings.ts';
import { here } from '../surroundings.ts';
import { tellError } from '../tell-error.ts';

interface SyncFlags extends DefinitionFlags {
  plan?: boolean;
  dryRun?: boolean;
  exact?: boolean;
  yes?: boolean;
  leaveOutFaulty?: boolean;
  wait: boolean;
  read?: boolean;
  newProperties?: boolean;
}

export function addDefinitionOptions(command: Command): Command {
  return command
    .option(
      '-d, --definition <file or name>',
      'how to read the file: a JSON file, or an import definition of the workspace',
    )
    .option('--root <number>', 'number of the assembly that the topmost lines are in')
    .option('--root-name <name>', 'name of that assembly')
    .option('--key <choice>', 'key of the products of a STEP file: id, name or id+name')
    .option('--sheet <name>', 'sheet of a workbook')
    .option(
      '--encoding <name>',
      'encoding of a text or STEP file that is not UTF-8, such as windows-1252 or gbk',
    )
    .option('--decimal <sign>', 'decimal sign of numbers: . or ,')
    .option('--variant <name>', 'variant of the board in a netlist')
    .option('--match <how>', 'find parts of the workspace by number or by guid, or ask')
    .option(
      '--category <value=key>',
      'category key for a value in the category column; can be repeated',
      (text: string, known: string[] = []) => [...known, text],
    );
}

const EXAMPLES = `
Examples:
  partbook sync parts.csv --plan                  show what would change, apply nothing
  partbook sync parts.csv --yes --root BOARD-1    everything in the file is in BOARD-1
  partbook sync parts.csv -d parts.json           read the file by a definition
  partbook sync board.xml --variant production    one variant of a KiCad board
  partbook sync arm.stp --encoding gbk            names that are not UTF-8`;

export function addSync(program: Command): void {
  const command = program
    .command('sync <file...>')
    .description(
      'send files, or - for standard input: JSON, NDJSON, CSV, TSV, XLSX, ODS, STEP, AP242 XML, KiCad netlists, SOLIDWORKS PDM XML',
    )
    .option('--plan', 'show the changes without applying them; on a terminal, ask whether to apply them')
    .addOption(new Option('--dry-run').hideHelp())
    .option('--exact', 'remove children that are not in the file from the assemblies in it')
    .option('-y, --yes', 'accept suggested definitions and matches, and apply plans, without asking')
    .option('--leave-out-faulty', 'send the lines that can be read and leave out the others')
    .option('--new-properties', 'create a property for each column that the workspace has none for')
    .option('--no-wait', 'do not wait for the end of the batch')
    .option('--read', 'only read: print the elements as NDJSON, send nothing')
    .addHelpText('after', EXAMPLES);
  addDefinitionOptions(command).action(async (files: string[], flags: SyncFlags) => {
    if (flags.key !== undefined && !['id', 'name', 'id+name'].includes(flags.key)) {
      throw new UsageError('--key is id, name or id+name.');
    }
    if (flags.dryRun === true)
      throw new UsageError(
        'sync has no --dry-run: --plan shows the changes, and on a terminal asks whether to apply them.',
      );
    for (const file of files) requireFile(file);
    if (flags.read === true) return readOnly(command, files, flags);
    const session = openSession(command);
    let worst: ExitCode = exitCodes.done;
    for (const file of files) {
      const code = await syncFile(session, file, flags);
      if (worst === exitCodes.done) worst = code;
    }
    if (worst !== exitCodes.done) throw new Ended(worst);
  });
}

/** Neither key nor service is needed, unless a definition of the workspace is named. */
async function readOnly(command: Command, files: string[], flags: SyncFlags): Promise<void> {
  const { outputOf } = await import('../session.ts');
  const output = outputOf(command);
  let faulty = false;
  const { openReading } = await import('../../readers/read-elements.ts');
  for (const file of files) {
    await withSource(file, async (source) => {
      const chosen = await chooseDefinition(source, flags, readProject(here().cwd), null);
      const { definition } = chosen;
      for (const note of chosen.notes) output.say(`${shownName(file)}: ${note}`, 'yellow');
      const reading = await openReading(source, definition);
      for await (const element of reading.elements()) here().stdout.write(`${JSON.stringify(element)}\n`);
      tellFindings(output, shownName(file), reading.findings);
      for (const line of totalsInWords(reading.totals)) output.say(`${shownName(file)}: ${line}.`);
      faulty ||= reading.findings.errors > 0;
    });
  }
  if (faulty) throw new Ended(exitCodes.elementErrors);
}

async function syncFile(session: Session, file: string, flags: SyncFlags): Promise<ExitCode> {
  try {
    const name = shownName(file);
    return await ofFile(name, () => withSource(file, (source) => syncSource(session, name, source, flags)));
  } catch (error) {
    // An error of one file does not affect the others.
    if (!(error instanceof OfFile)) throw error;
    tellError(error);
    return exitCodeOf(error);
  }
}

async function syncSource(
  session: Session,
  file: string,
  source: FileSource,
  flags: SyncFlags,
): Promise<ExitCode> {
  const { output, partbook, signal } = session;
  const chosen = await chooseDefinition(source, flags, readProject(here().cwd), partbook);
  tellChosen(session, file, chosen, flags);
  if (chosen.categories !== null && flags.yes === true && flags.plan !== true) {
    throw new UsageError(
      'Nothing was sent, since nobody was asked about these categories. Map the values with --category, or save a definition and name it with --definition.',
    );
  }
  const definition = await withNewProperties(session, file, chosen, flags);
  // A plan writes nothing, so without a terminal it shows what the suggestion would do.
  if (chosen.suggested !== null && flags.yes !== true && (flags.plan !== true || output.isAttended)) {
    await confirm(
      session,
      'Is this mapping right?',
      `Save it as a file and name it with --definition, or add --yes.`,
    );
  }
  const prepare = (of: ImportDefinition) =>
    prepareMatched(source, of, partbook, {
      signal,
      onMatches: (numbers) => isSame(session, file, numbers, { ...flags, match: of.match }),
    });
  let prepared = await prepare(definition);
  const decimal = await askDecimal(session, file, prepared);
  if (decimal !== null) {
    prepared.remove();
    prepared = await prepare({ ...definition, decimal });
  }
  try {
    if (prepared.reading !== null) {
      tellFindings(output, file, prepared.reading.findings);
      for (const line of totalsInWords(prepared.reading.totals)) output.say(`${file}: ${line}.`);
      if (prepared.reading.findings.errors > 0 && flags.leaveOutFaulty !== true) {
        output.say(`${file}: nothing was sent. Fix it, or send the rest with --leave-out-faulty.`, 'red');
        return exitCodes.elementErrors;
      }
    }
    if (flags.plan === true) {
      const { exact, yes } = flags;
      return await planFile(session, file, prepared, { profile: chosen.profile, exact, yes });
    }
    const batch = await prepared.send(partbook, { profile: chosen.profile, exact: flags.exact, signal });
    return await finish(session, file, batch, flags.wait);
  } finally {
    prepared.remove();
  }
}

/** Whether parts that have the numbers of parts of the workspace are those parts. Throws where nobody says so. */
async function isSame(
  session: Session,
  file: string,
  numbers: readonly string[],
  { match, yes, plan }: SyncFlags,
): Promise<true> {
  session.output.say(`${file}: ${matchesText(numbers)}.`);
  if (match === 'number' || yes === true || plan === true) return true;
  await confirm(
    session,
    'Are these the same parts?',
    '--match number updates those parts, --match guid creates others beside them.',
  );
  return true;
}

function tellChosen({ output }: Session, file: string, chosen: Chosen, flags: SyncFlags): void {
  if (chosen.suggested !== null && flags.yes !== true)
    output.say(`${file}: suggested mapping:\n${JSON.stringify(chosen.suggested, null, 2)}`);
  for (const note of chosen.notes) output.say(`${file}: ${note}`, 'yellow');
  if (chosen.leftOut.length > 0 && flags.newProperties !== true)
    output.say(`${file}: columns left out: ${chosen.leftOut.join(', ')}.`, 'yellow');
  if (chosen.categories !== null) {
    const { column, values } = chosen.categories;
    const [first = ''] = values;
    output.say(
      `${file}: values of "${column}" that are no categories: ${values.slice(0, 10).join(', ')}. Their parts get the category "${chosen.definition.categories.default}". Map each, such as --category "${column}:${first}=KEY".`,
      'yellow',
    );
  }
}

/** Columns that the workspace has no property for become properties, of texts, in one step. */
async function withNewProperties(
  { partbook, output, signal }: Session,
  file: string,
  { definition, leftOut }: Chosen,
  { newProperties, plan: isPlan }: SyncFlags,
): Promise<ImportDefinition> {
  if (newProperties !== true || leftOut.length === 0) return definition;
  const names = leftOut.join(', ');
  if (isPlan === true) {
    output.say(`${file}: properties that would be created: ${names}.`);
    return definition;
  }
  const created = await createProperties(partbook, leftOut, signal);
  output.say(`${file}: properties created: ${names}.`);
  return withProperties(definition, created);
}
