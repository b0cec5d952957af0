/** The program `partbook`: runs its arguments, and handles signals and broken pipes for the process. */
import { exitCodes, Interrupted } from './exit-codes.ts';
import { run } from './run.ts';
import { interrupt } from './session.ts';

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
// The reader of the output may stop reading (`partbook entities | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  // Half an output must not pass for a whole one.
  process.stderr.write(
    `Standard output cannot be written: ${error.message}. What stands there is cut off.\n`,
  );
  process.exit(exitCodes.failed);
});
process.exitCode = await run(process.argv.slice(2));
