/**
 * A fault that nobody caught: a rejection that nobody waits for, or a throw in an event that nobody stands around. What the process
 * holds in memory is not known to be right from then on, so that it says what happened in its log and ends; whoever supervises it
 * starts another. It ends in order, since what others have begun is whole in PostgreSQL or not there: calls and jobs under
 * way get some seconds, and nothing new is taken.
 */
import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';

/** The process ends once, however many faults follow the first while it does. */
export function endAtFault(log: Logger, end: () => Promise<void>): void {
  // A rejection comes here too, with its origin: that is Node's default for one that nobody handles.
  process.on('uncaughtException', (error: unknown, origin) => {
    try {
      log.fatal({ err: asError(error), origin, ...whatIs() }, 'a fault that nobody caught: the process ends');
    } catch (failure) {
      // The last resort: a log that cannot be written must not keep the reason.
      process.stderr.write(`${String(error)}\n${String(failure)}\n`);
    }
    void end();
  });
  // A thread has a heap of its own, and its end takes its connections and transactions along: what the process holds is untouched.
  // Its tasks are rejected, the next task gets another thread, and what it left undone is refused to its caller or taken again.
  process.on('worker', (thread: Worker) => {
    const { threadId } = thread;
    thread.on('error', (error: unknown) =>
      log.error({ err: asError(error), threadId }, 'a thread ended at a fault that nobody caught'),
    );
  });
}

function whatIs(): { uptimeSeconds: number; rssMib: number } {
  return {
    uptimeSeconds: Math.round(process.uptime()),
    rssMib: Math.round(process.memoryUsage.rss() / 2 ** 20),
  };
}

/** Anything can be thrown. */
function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(`not an Error was thrown: ${String(error)}`);
}
