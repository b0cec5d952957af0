/** Redis as more than one server: masters that make a cluster, or a master with a replica that sentinels watch; or as one, by TLS. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { vi } from 'vitest';
import { findRedisBinary, type RedisBinary } from '../../src/embedded/redis-binary.ts';
import { freePort } from '../../src/embedded/server-process.ts';
import type { HouseCertificate } from './certificate.ts';
import { patience } from './patience.ts';

const HOST = '127.0.0.1';
const SLOTS = 16_384;
const PASSWORD = 'password-of-the-tests';
const GROUP = 'queue';

interface Node {
  port: number;
  child: ChildProcess;
}

export interface RedisGroup {
  url: string;
  /** kill -9 of the server that has the queues; in a cluster of the first. */
  killMaster(): Promise<void>;
  stop(): Promise<void>;
}

/** Three masters without replicas: what is tried is that keys lie where commands can take them. */
export async function startRedisCluster(tls: HouseCertificate | null = null): Promise<RedisGroup> {
  const place = await openPlace(tls);
  const asClient = place.asClient;
  const masters = await Promise.all(
    [1, 2, 3].map(() => place.start(['cluster-enabled yes', 'cluster-node-timeout 5000'], 10_000)),
  );
  for (const [at, { port }] of masters.entries()) {
    await asClient(port, async (client) => {
      const from = Math.floor((at * SLOTS) / masters.length);
      const to = Math.floor(((at + 1) * SLOTS) / masters.length) - 1;
      await client.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1);
      if (at > 0) await client.call('CLUSTER', 'MEET', HOST, masters[0]?.port ?? 0);
    });
  }
  for (const { port } of masters)
    await asClient(port, (client) =>
      vi.waitUntil(async () => {
        const info = String(await client.call('CLUSTER', 'INFO'));
        return /cluster_state:ok/.test(info) && /cluster_known_nodes:3/.test(info);
      }, patience),
    );
  const hosts = masters.map(({ port }) => `${HOST}:${port}`).join(',');
  return {
    url: `${schemeOf(tls)}+cluster://default:${PASSWORD}@${hosts}`,
    killMaster: () => kill(masters[0] as Node),
    stop: place.close,
  };
}

/** A master with a replica, and three sentinels of which two must agree. */
export async function startRedisWithSentinels(tls: HouseCertificate | null = null): Promise<RedisGroup> {
  const place = await openPlace(tls);
  const asClient = place.asClient;
  const master = await place.start([`masterauth ${PASSWORD}`]);
  const replica = await place.start([`masterauth ${PASSWORD}`, `replicaof ${HOST} ${master.port}`]);
  const sentinels = await Promise.all(
    [1, 2, 3].map(() =>
      place.start(
        [
          `sentinel monitor ${GROUP} ${HOST} ${master.port} 2`,
          `sentinel auth-pass ${GROUP} ${PASSWORD}`,
          `sentinel down-after-milliseconds ${GROUP} 1000`,
          `sentinel failover-timeout ${GROUP} 10000`,
        ],
        0,
        ['--sentinel'],
      ),
    ),
  );
  await asClient(replica.port, (client) =>
    vi.waitUntil(async () => /master_link_status:up/.test(await client.info('replication')), patience),
  );
  for (const { port } of sentinels)
    await asClient(port, (client) =>
      vi.waitUntil(async () => {
        const state = ((await client.call('SENTINEL', 'MASTER', GROUP)) as string[]).join(' ');
        return /num-slaves 1 /.test(state) && /num-other-sentinels 2 /.test(state);
      }, patience),
    );
  const hosts = sentinels.map(({ port }) => `${HOST}:${port}`).join(',');
  return {
    url: `${schemeOf(tls)}+sentinel://default:${PASSWORD}@${hosts}/${GROUP}?sentinelPassword=${PASSWORD}`,
    killMaster: () => kill(master),
    stop: place.close,
  };
}

/** One server that speaks nothing but TLS. */
export async function startRedisByTls(tls: HouseCertificate): Promise<RedisGroup> {
  const place = await openPlace(tls);
  const node = await place.start([]);
  return {
    url: `rediss://default:${PASSWORD}@${HOST}:${node.port}`,
    killMaster: () => kill(node),
    stop: place.close,
  };
}

const schemeOf = (tls: HouseCertificate | null) => (tls === null ? 'redis' : 'rediss');

async function openPlace(tls: HouseCertificate | null) {
  const binary = await findRedisBinary('.cache', pino({ level: 'silent' }));
  if (binary === null) throw new Error('There is no Redis');
  const folder = await mkdtemp(join(tmpdir(), 'partbook-redis-'));
  const nodes: Node[] = [];
  const asClient = clientsBy(tls === null ? null : await readFile(tls.authority, 'utf8'));
  return {
    asClient,
    /** `room`: a cluster's node listens on a second port, so much above the first. */
    start: async (lines: readonly string[], room = 0, args: readonly string[] = []): Promise<Node> => {
      const node = await startNode(binary, folder, { lines, room, args, tls });
      await asClient(node.port, (client) => client.ping());
      nodes.push(node);
      return node;
    },
    close: async () => {
      await Promise.all(nodes.map(kill));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startNode(
  binary: RedisBinary,
  parent: string,
  {
    lines,
    room,
    args,
    tls,
  }: { lines: readonly string[]; room: number; args: readonly string[]; tls: HouseCertificate | null },
): Promise<Node> {
  const port = await portWithRoom(room);
  const folder = join(parent, String(port));
  await mkdir(folder);
  const all = [
    ...portLines(port, tls),
    `bind ${HOST}`,
    `requirepass ${PASSWORD}`,
    `dir ${folder}`,
    ...(args.length > 0 ? [] : ['save ""', 'maxmemory-policy noeviction']),
    ...lines,
  ];
  await writeFile(join(folder, 'redis.conf'), `${all.join('\n')}\n`);
  const child = spawn(binary.path, [join(folder, 'redis.conf'), ...args], {
    env: binary.env,
    stdio: 'ignore',
  });
  return { port, child };
}

function portLines(port: number, tls: HouseCertificate | null): string[] {
  if (tls === null) return [`port ${port}`];
  return [
    'port 0',
    `tls-port ${port}`,
    `tls-cert-file ${tls.certificate}`,
    `tls-key-file ${tls.key}`,
    `tls-ca-cert-file ${tls.authority}`,
    'tls-auth-clients no',
    'tls-replication yes',
    'tls-cluster yes',
  ];
}

async function portWithRoom(room: number): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port + room < 65_536) return port;
  }
}

async function kill({ child }: Node): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

function clientsBy(authority: string | null) {
  return async <T>(port: number, work: (client: Redis) => Promise<T>): Promise<T> => {
    const client = new Redis({
      host: HOST,
      port,
      password: PASSWORD,
      maxRetriesPerRequest: null,
      retryStrategy: () => 50,
      ...(authority === null ? {} : { tls: { ca: authority } }),
    });
    client.on('error', () => {});
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  };
}
