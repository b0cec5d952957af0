/** The command line: every command, how errors are said, and what the process ends with. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { addAdministration } from './commands/administration.ts';
import { addAutomations } from './commands/automations.ts';
import { addBatches } from './commands/batches.ts';
import { addDefinitions } from './commands/definitions.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEntities } from './commands/entities.ts';
import { addLogin } from './commands/login.ts';
import { addPendingLinks } from './commands/pending-links.ts';
import { addProcurement } from './commands/procurement.ts';
import { addStock } from './commands/stock.ts';
import { addSuggest } from './commands/suggest.ts';
import { addSync } from './commands/sync.ts';
import { addWatch } from './commands/watch.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { addWorkspace } from './commands/workspace.ts';
import { exitCodeOf, exitCodes, Interrupted } from './exit-codes.ts';
import { interrupt } from './session.ts';
import { tellError } from './tell-error.ts';

function buildProgram(): Command {
  const program = new Command('partbook')
    .description('The book of record for parts and their stock, on the command line.')
    .version(versionOf())
    .option('--url <address>', 'where the service is (PARTBOOK_URL)')
    .option('--workspace <slug>', 'which workspace (PARTBOOK_WORKSPACE)')
    .option('--profile <name>', 'which kept login (PARTBOOK_PROFILE)')
    .addOption(new Option('--json', 'answers as JSON').conflicts('ndjson'))
    .option('--ndjson', 'answers as JSON, one a line')
    .showHelpAfterError('(partbook --help says more)')
    .exitOverride();
  addSync(program);
  addWatch(program);
  addSuggest(program);
  addDefinitions(program);
  addBatches(program);
  addEntities(program);
  addPendingLinks(program);
  addStock(program);
  addProcurement(program);
  addAutomations(program);
  addWebhooks(program);
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
  for (const command of allOf(program)) command.exitOverride().showHelpAfterError('(--help says more)');
  return program;
}

function* allOf(command: Command): Generator<Command> {
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

async function run(): Promise<number> {
  const program = buildProgram();
  if (process.argv[2] === 'complete') {
    const { default: complete } = await import('@bomb.sh/tab/commander');
    complete(program);
  }
  try {
    await program.parseAsync();
    return exitCodes.done;
  } catch (error) {
    tellError(error);
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    return exitCodeOf(error);
  }
}

/** Ctrl-C reaches all of a terminal's processes, and npx passes its own on: what comes so soon is the same key. */
const SAME_KEY_MS = 1000;
let interruptedAt: number | null = null;
// They stay: a second one that finds no listener would end the program before it has said what goes on without it.
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (interruptedAt === null) interrupt(new Interrupted());
    else if (performance.now() - interruptedAt > SAME_KEY_MS) process.exit(exitCodes.interrupted);
    interruptedAt ??= performance.now();
  });
}
// Whoever reads the output may have had enough of it (`partbook entities | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  // Half an output must not pass for a whole one.
  process.stderr.write(
    `Standard output cannot be written: ${error.message}. What stands there is cut off.\n`,
  );
  process.exit(exitCodes.failed);
});
process.exitCode = await run();
