/**
 * Node may hang where it ends: a thread of V8 that compiles waits for the main thread to collect garbage, and the main thread
 * waits for it to end (nodejs/node#54918). Then no signal but SIGKILL helps, and whoever replaces processes waits for as
 * long as they allow. So a shell waits beside: for the end of its input, which comes with the end of this process,
 * or for some seconds, and then it kills.
 */
import { spawn } from 'node:child_process';

const script = (seconds: number) =>
  `exec 3<&0; sleep ${seconds} & time=$!; (cat <&3 >/dev/null; kill $time 2>/dev/null) & wait $time && kill -9 $PPID`;

/** Starts the process that waits; call it last. Without a shell there is no such process. */
export function guardEnd(seconds = 5): number | undefined {
  // In a group of its own: what a terminal sends to this one is not meant for it.
  const guard = spawn('sh', ['-c', script(seconds)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.on('error', () => {});
  guard.unref();
  return guard.pid;
}
