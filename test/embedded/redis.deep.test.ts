// The embedded Redis against real processes: what an operator does to them, and what crashes do.

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EmbeddedRedis, startEmbeddedRedis } from '../../src/embedded/redis.ts';
import { findRedisBinary } from '../../src/embedded/redis-binary.ts';
import { patience } from '../setup/patience.ts';
import { type OtherProcess, portIsClosed, serverHasEnded, startInOtherProcess } from './other-process.ts';
import { recordedLog } from './recorded-log.ts';

const onLinux = process.platform === 'linux';
// The project's own, so that the packages are fetched once and not by every run.
const cacheDir = fileURLToPath(new URL('../../.cache', import.meta.url));
const available = (await findRedisBinary(cacheDir, recordedLog())) !== null;

// Starts under the load of other test files take longer than they do alone.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let dataDir: string;
let log: ReturnType<typeof recordedLog>;
const started: EmbeddedRedis[] = [];
const others: OtherProcess[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'partbook-redis-'));
  log = recordedLog();
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
  await Promise.all(others.splice(0).map((other) => other.kill()));
  await serverHasEnded(join(dataDir, 'redis', 'redis.server.json'));
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedRedis> {
  const server = await startEmbeddedRedis({ dataDir, cacheDir, log });
  if (server === null) throw new Error('there was a Redis a moment ago');
  started.push(server);
  return server;
}

async function startElsewhere(): Promise<OtherProcess> {
  const other = await startInOtherProcess('redis', dataDir, { cacheDir });
  others.push(other);
  return other;
}

async function using<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

function serverPid(): number {
  const { server } = JSON.parse(readFileSync(join(dataDir, 'redis', 'redis.server.json'), 'utf8'));
  return Number.parseInt(server, 10);
}

describe.runIf(available)('embedded Redis', () => {
  it('starts from an empty folder, with the settings that BullMQ needs', async () => {
    const { url, reused } = await start();
    expect(reused).toBe(false);
    const settings = await using(url, (redis) =>
      redis.config('GET', 'maxmemory-policy', 'appendonly', 'bind', 'save'),
    );
    expect(Object.fromEntries(pairs(settings as string[]))).toEqual({
      'maxmemory-policy': 'noeviction',
      appendonly: 'yes',
      bind: '127.0.0.1',
      save: '',
    });
    expect(statSync(join(dataDir, 'redis', 'password')).mode & 0o777).toBe(0o600);
  });

  it('refuses a client without the password', async () => {
    const url = new URL((await start()).url);
    url.username = '';
    url.password = '';
    await expect(using(url.href, (redis) => redis.ping())).rejects.toThrow();
  });

  it('keeps data over a restart', async () => {
    const first = await start();
    await using(first.url, (redis) => redis.set('answer', '42'));
    await first.stop();
    await portIsClosed(first.url);
    const second = await start();
    expect(second.reused).toBe(false);
    expect(await using(second.url, (redis) => redis.get('answer'))).toBe('42');
  });

  it('is joined while it runs, and only its owner stops it', async () => {
    const owner = await start();
    const joined = await startElsewhere();
    expect(joined).toMatchObject({ url: owner.url, reused: true });
    await joined.end();
    const again = await start();
    expect(again.reused).toBe(true);
    await again.stop();
    expect(await using(owner.url, (redis) => redis.ping())).toBe('PONG');
    await owner.stop();
    await portIsClosed(owner.url);
  });

  it('is one server after concurrent first starts', async () => {
    const all = await Promise.all([startElsewhere(), startElsewhere(), startElsewhere()]);
    expect(new Set(all.map((other) => other.url)).size).toBe(1);
    expect(all.filter((other) => !other.reused)).toHaveLength(1);
  });

  it.runIf(onLinux)('leaves no orphan when its owner is killed, and starts again with its data', async () => {
    const killed = await startElsewhere();
    await using(killed.url, (redis) => redis.set('answer', '42'));
    await killed.kill();
    const next = await start();
    expect(next.reused).toBe(false);
    await portIsClosed(killed.url);
    expect(await using(next.url, (redis) => redis.get('answer'))).toBe('42');
  });

  it.runIf(onLinux)('ends by itself when its owner is killed', async () => {
    const killed = await startElsewhere();
    await killed.kill();
    await portIsClosed(killed.url);
  });

  it('is not joined while it stops', async () => {
    const first = await start();
    const stopped = first.stop();
    const second = await start();
    await stopped;
    expect(second.reused).toBe(false);
    expect(await using(second.url, (redis) => redis.ping())).toBe('PONG');
  });

  it('starts again after the server itself was killed, and says that it ended', async () => {
    const first = await start();
    process.kill(serverPid(), 'SIGKILL');
    await vi.waitFor(
      () => expect(log.entries).toContainEqual(expect.objectContaining({ level: 'error' })),
      patience,
    );
    const second = await start();
    expect(second.reused).toBe(false);
    expect(second.url).not.toBe(first.url);
  });
});

describe('a machine without Redis', () => {
  it('is told by null', async () => {
    vi.stubEnv('PATH', dataDir);
    try {
      expect(await startEmbeddedRedis({ dataDir, cacheDir: join(dataDir, 'cache'), log })).toBeNull();
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

function pairs(flat: string[]): [string, string][] {
  return flat.flatMap((key, index) =>
    index % 2 === 0 ? [[key, flat[index + 1] ?? ''] as [string, string]] : [],
  );
}
