/** A Redis that is frozen, killed and started on one port, with its data on disk as the embedded default has them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findRedisBinary } from '../../../src/embedded/redis-binary.ts';
import { freePort, type LaunchLog } from '../../../src/embedded/server-process.ts';

const PASSWORD = 'password-of-the-faults';

export interface RedisServer {
  readonly url: string;
  freeze(): void;
  thaw(): void;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  start(): Promise<void>;
  command(...words: [string, ...(string | number)[]]): Promise<unknown>;
  stop(): Promise<void>;
}

/** Null where no Redis can be had. */
export async function makeRedisServer(folder: string, log: LaunchLog): Promise<RedisServer | null> {
  const binary = await findRedisBinary('.cache', log);
  if (binary === null) return null;
  const port = await freePort();
  await mkdir(folder, { recursive: true });
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${PASSWORD}`,
    `dir ${JSON.stringify(folder)}`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
  ];
  await writeFile(join(folder, 'redis.conf'), `${lines.join('\n')}\n`);
  let child: ChildProcess | null = null;
  const command: RedisServer['command'] = async (name, ...words) => {
    const client = new Redis({
      host: '127.0.0.1',
      port,
      password: PASSWORD,
      maxRetriesPerRequest: null,
      retryStrategy: () => 20,
    });
    client.on('error', () => {});
    try {
      return await client.call(name, ...words);
    } finally {
      client.disconnect();
    }
  };
  const kill = async () => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const server: RedisServer = {
    url: `redis://default:${PASSWORD}@127.0.0.1:${port}`,
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    kill,
    start: async () => {
      child = spawn(binary.path, [join(folder, 'redis.conf')], { env: binary.env, stdio: 'ignore' });
      await command('PING');
    },
    command,
    stop: kill,
  };
  await server.start();
  return server;
}
