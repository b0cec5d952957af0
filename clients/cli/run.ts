/** Runs one command line: every command, the messages of errors, and the exit code. It can be called in any process. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { addAdministration } from './commands/administration.ts';
import { addAutomations } from './commands/automations/automations.ts';
import { addWebhooks } from './commands/automations/webhooks.ts';
import { addBatches } from './commands/batches.ts';
import { addComments } from './commands/comments.ts';
import { addDoctor } from './commands/doctor.ts';
import { addInbox } from './commands/inbox.ts';
import { addLogin } from './commands/login.ts';
import { addArchive } from './commands/parts/archive.ts';
import { addBulkEdit } from './commands/parts/bulk-edit.ts';
import { addDefinitions } from './commands/parts/definitions.ts';
import { addEntities } from './commands/parts/entities.ts';
import { addMerge } from './commands/parts/merge.ts';
import { addPicture } from './commands/parts/picture.ts';
import { addReplace } from './commands/parts/replace.ts';
import { addPendingLinks } from './commands/pending-links.ts';
import { addPeople } from './commands/people.ts';
import { addBuilds } from './commands/procurement/builds.ts';
import { addCost } from './commands/procurement/cost.ts';
import { addPlan } from './commands/procurement/plan.ts';
import { addProcurement } from './commands/procurement/procurement.ts';
import { addPromise } from './commands/procurement/promise.ts';
import { addRates } from './commands/procurement/rates.ts';
import { addReorder } from './commands/procurement/reorder.ts';
import { addRollup } from './commands/procurement/rollup.ts';
import { addShortages } from './commands/procurement/shortages.ts';
import { addSuppliers } from './commands/procurement/suppliers.ts';
import { addStock } from './commands/stock/stock.ts';
import { addValue } from './commands/stock/value.ts';
import { addSuggest } from './commands/suggest.ts';
import { addSync } from './commands/sync.ts';
import { addWatch } from './commands/watch.ts';
import { addWork } from './commands/work.ts';
import { addWorkspace } from './commands/workspace.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { type Environment, here, type Io, within } from './surroundings.ts';
import { tellError } from './tell-error.ts';

export function buildProgram(): Command {
  const program = new Command('partbook')
    .description('The system of record for parts and their stock, on the command line.')
    .version(versionOf())
    .option('--url <address>', 'where the service is (PARTBOOK_URL)')
    .option('--workspace <slug>', 'which workspace (PARTBOOK_WORKSPACE)')
    .option('--profile <name>', 'which kept login (PARTBOOK_PROFILE)')
    .addOption(new Option('--json', 'answers as JSON').conflicts('ndjson'))
    .option('--ndjson', 'answers as JSON, one a line')
    .showHelpAfterError('(partbook --help says more)')
    .configureOutput({
      writeOut: (text) => void here().stdout.write(text),
      writeErr: (text) => void here().stderr.write(text),
      outputError: (text, write) => write(withPlural(text, program)),
    })
    .exitOverride();
  addSync(program);
  addWatch(program);
  addSuggest(program);
  addDefinitions(program);
  addBatches(program);
  addEntities(program);
  addArchive(program);
  addReplace(program);
  addMerge(program);
  addBulkEdit(program);
  addPicture(program);
  addComments(program);
  addInbox(program);
  addWork(program);
  addPendingLinks(program);
  addStock(program);
  addProcurement(program);
  addShortages(program);
  addSuppliers(program);
  addReorder(program);
  addPlan(program);
  addPromise(program);
  addCost(program);
  addRollup(program);
  addRates(program);
  addValue(program);
  addBuilds(program);
  addAutomations(program);
  addWebhooks(program);
  addPeople(program);
  addAdministration(program);
  addWorkspace(program);
  addLogin(program);
  addDoctor(program);
  const mcp = program
    .command('mcp')
    .description('serve agents over standard input and output (Model Context Protocol)')
    .option('--allow-writes', 'let agents propose changes and apply them, with a key that may write')
    // Its library is larger than all else: loaded when it is wanted.
    .action(async (flags: { allowWrites?: boolean }) =>
      (await import('./commands/mcp.ts')).serveAgents(mcp, flags),
    );
  program.hook('preAction', (_, command) => takeOwnOptions(command));
  for (const command of allOf(program))
    command.copyInheritedSettings(program).exitOverride().showHelpAfterError('(--help says more)');
  return program;
}

/** A command above takes options of the same name, wherever they stand: `--at` of `partbook value total --at …` is of the total. */
function takeOwnOptions(command: Command): void {
  for (let above = command.parent; above !== null; above = above.parent)
    for (const option of command.options) {
      const name = option.attributeName();
      if (above.getOptionValueSource(name) === 'cli' && command.getOptionValueSource(name) !== 'cli')
        command.setOptionValueWithSource(name, above.getOptionValue(name), 'cli');
    }
}

/** People who write `batch` mean `batches`, and not the nearest word, which is `watch`. */
function withPlural(text: string, program: Command): string {
  const typed = /unknown command '([^']+)'/.exec(text)?.[1];
  const meant =
    typed === undefined ? undefined : program.commands.find((one) => one.name().startsWith(typed));
  if (meant === undefined) return text;
  return `${text.replace(/\n\(Did you mean [^)]*\)\s*$/, '').trimEnd()}\n(Did you mean ${meant.name()}?)\n`;
}

export function* allOf(command: Command): Generator<Command> {
  for (const sub of command.commands) {
    yield sub;
    yield* allOf(sub);
  }
}

function versionOf(): string {
  // Beside the sources, and one folder further up where it is built.
  for (const place of ['./package.json', '../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'));
      if (name === 'partbook') return version;
    } catch {
      // The other place.
    }
  }
  return 'unknown';
}

/**
 * Runs a command line, such as `['sync', 'parts.csv']`, and answers the exit code. Streams and environment are the process's own where
 * the caller passes none. Never throws, and never ends the process.
 */
export async function run(
  argv: readonly string[],
  io: Io = process,
  env: Environment = process.env,
  cwd: string = process.cwd(),
  signal?: AbortSignal,
): Promise<number> {
  const { stdin, stdout, stderr } = io;
  return within({ stdin, stdout, stderr, env, cwd, signal }, async () => {
    const program = buildProgram();
    let command: Command | null = null;
    program.hook('preAction', (_, acting) => {
      command = acting;
    });
    try {
      if (argv[0] === 'complete') {
        const { default: complete } = await import('@bomb.sh/tab/commander');
        complete(program);
      }
      await program.parseAsync(argv, { from: 'user' });
      return exitCodes.done;
    } catch (error) {
      tellError(error, command);
      if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
      return exitCodeOf(error);
    }
  });
}
