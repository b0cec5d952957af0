/** Starts what troubles the quiet workspace: a neighbour, or nothing but work for the processors. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Client } from '../system.ts';
import type { NeighbourName } from './neighbours.ts';

export interface Trouble {
  begin(): void;
  end(): Promise<void>;
}

/** Returns when the neighbour has prepared what it needs. */
export async function startNeighbour(name: NeighbourName, system: Client): Promise<Trouble> {
  const child = fork(
    fileURLToPath(new URL('neighbour-process.ts', import.meta.url)),
    [name, system.baseUrl, system.databaseUrl],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const ended = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => Promise.reject(new Error(`the neighbour ended with ${code}`))),
  ]);
  return {
    begin: () => child.send('begin'),
    end: async () => {
      if (child.connected) child.send('leave');
      await ended;
    },
  };
}

/**
 * A process for each processor that only counts. Beside them the service waits for nothing but a processor: what it then
 * loses is the machine's share of what it loses beside a neighbour that keeps it as busy.
 */
export function busyProcessors(): Trouble {
  const children: ChildProcess[] = [];
  return {
    begin: () => {
      for (let at = 0; at < availableParallelism(); at++)
        children.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    },
    end: async () => {
      for (const child of children) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
}
