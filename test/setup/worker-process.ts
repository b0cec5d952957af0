/** A worker in a process of its own, to be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { serviceUrl } from './global.ts';
import type { TestServer } from './server.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface WorkerProcess {
  readonly process: ChildProcess;
  /** SIGKILL, and the process is gone when it resolves. */
  kill(): Promise<void>;
}

/** Starts it on the server's database and queue; it takes up work as soon as it is ready. */
export function startWorkerProcess(server: TestServer): WorkerProcess {
  const { config, databaseUrl, queues } = server.ctx;
  if (queues.server.kind !== 'redis') throw new Error('This test needs Redis');
  const child = spawn(process.execPath, [main, 'worker'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: serviceUrl(databaseUrl),
      REDIS_URL: queues.server.url,
      QUEUE_PREFIX: config.QUEUE_PREFIX,
      SYNC_CHUNK_ELEMENTS: String(config.SYNC_CHUNK_ELEMENTS),
      OPERATOR_TOKEN: server.ctx.operatorToken,
      LOG_LEVEL: 'error',
      VITEST: '',
    },
  });
  return {
    process: child,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
