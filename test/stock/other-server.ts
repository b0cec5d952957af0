/** Starts further processes of the service on a test's database. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestServer } from '../setup/server.ts';

const script = fileURLToPath(new URL('./run-server.script.ts', import.meta.url));

export interface OtherServer {
  baseUrl: string;
  pid: number;
  /** kill -9. */
  kill(): Promise<void>;
  end(): Promise<void>;
}

export interface OtherServerOptions {
  /** Configuration variables over those of the test's own server. */
  environment?: Record<string, string>;
  /** A module that the process loads first. */
  preload?: string;
}

export async function startOtherServer(
  server: TestServer,
  { environment = {}, preload }: OtherServerOptions = {},
): Promise<OtherServer> {
  const { config, queues } = server.ctx;
  const child = spawn(process.execPath, [...(preload === undefined ? [] : ['--import', preload]), script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: config.DATABASE_URL,
      REDIS_URL: queues.server.kind === 'redis' ? queues.server.url : '',
      QUEUE_PREFIX: config.QUEUE_PREFIX,
      OPERATOR_TOKEN: server.ctx.operatorToken,
      DATABASE_POOL_MAX: '4',
      RATE_LIMIT_REQUESTS: '1000000',
      LOG_LEVEL: 'fatal',
      ...environment,
    },
  });
  const exited = once(child, 'exit');
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), exited.then(() => null)]);
  if (line === null) throw new Error('The other server ended before it began');
  const { port } = JSON.parse(String(line[0])) as { port: number };
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    end: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
