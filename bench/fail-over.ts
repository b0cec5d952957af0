/**
 * The primary of three PostgreSQL under Patroni with a synchronous standby is killed under load, with everything of it: how long until
 * calls are taken again, what callers get meanwhile, and whether anything that was acknowledged is lost. BENCH_KILLS sets how often, of
 * which BENCH_MINUTES may leave some out. Everything runs from a temporary folder and the cache; nothing is installed.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { pino } from 'pino';
import { admitLogin } from '../src/db/check-login.ts';
import { migrate } from '../src/db/migrate.ts';
import { DatabaseHosts, onWritableHost } from '../src/db/wire/database-hosts.ts';
import { startEmbeddedRedis } from '../src/embedded/redis.ts';
import { type PatroniGroup, type PatroniMember, startPatroniGroup } from './fail-over/patroni-group.ts';
import { type Load, startCallers } from './move/callers.ts';
import { lostOf } from './move/lost-of.ts';
import { type Member, startMember } from './soak/restarts/fleet.ts';
import { clientOf } from './system.ts';

export const name = 'fail-over';

const KILLS = Number(process.env.BENCH_KILLS ?? 3);
const MINUTES_MAX = Number(process.env.BENCH_MINUTES ?? 6);
const MEMBERS = 3;
const ADJUSTERS = 4;
const SENDERS = 2;
/** Load before a kill, and behind what it led to. */
const LOAD_MS = 5000;
const WAIT_MS_MAX = 180_000;
/** The death of a primary is noticed within the ttl; what comes then is the machine's. */
const HEALED_SECONDS_BEHIND_TTL = 15;
const log = pino({ level: 'warn' }, pino.destination(2));

interface Killed {
  /** From the kill to the moment in which Patroni has another primary. */
  promotedSeconds: number;
  /** From the kill to the first adjustment that was sent behind it and taken. */
  healedSeconds: number;
  refusals: number;
}

export async function run(): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-fail-over-'));
  const closes: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const redis = await startEmbeddedRedis({ dataDir: folder, cacheDir: '.cache', log });
    if (redis === null) throw new Error('The bench needs a Redis');
    closes.push(() => redis.stop());
    const group = await startPatroniGroup(MEMBERS);
    closes.push(() => group.stop());
    const urls = await makeDatabase(group.superuserUrl);
    const environment = {
      DATABASE_URL: urls.service,
      REDIS_URL: redis.url,
      OPERATOR_TOKEN: 'operator-token-of-the-bench',
      RATE_LIMIT_REQUESTS: '10000000',
      DRAIN_SECONDS: '0',
    };
    const members: Member[] = [];
    closes.push(async () => {
      for (const member of members) await member.end();
    });
    for (const role of ['web', 'worker'] as const) members.push(await startMember(role, environment));
    const baseUrl = `http://127.0.0.1:${members[0]?.port}`;
    const workspace = await clientOf({ baseUrl, databaseUrl: urls.owner }).createWorkspace();
    const make = async (category: string) => {
      const answer = await fetch(`${workspace.path}/entities`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${workspace.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ category, name: category }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return ((await answer.json()) as { id: string }).id;
    };
    const items: string[] = [];
    for (let at = 0; at < ADJUSTERS; at++) items.push(await make('part'));
    const { slug, key } = workspace;
    const load = startCallers({ url: baseUrl, slug, key, items, location: await make('location') }, SENDERS);

    const kills: Killed[] = [];
    const deadline = performance.now() + MINUTES_MAX * 60_000;
    while (kills.length < KILLS && performance.now() < deadline) {
      const killed = await killPrimary(group, load);
      kills.push(killed);
      console.log(
        `  the primary killed: another after ${killed.promotedSeconds.toFixed(1)} s, calls taken again after ${killed.healedSeconds.toFixed(1)} s, ${killed.refusals} answers of 503 with Retry-After meanwhile`,
      );
    }
    await load.stop();
    const lost = await onWritableHost(new DatabaseHosts(urls.owner), {}, (owner) =>
      lostOf({ serviceUrl: urls.service, owner }, workspace.id, items, load),
    );
    return conclude(kills, lost, load, group.ttl);
  } finally {
    for (const close of closes.toReversed()) await close();
  }
}

/** An owner who is no superuser, and the service's login. */
async function makeDatabase(superuserUrl: string): Promise<{ owner: string; service: string }> {
  const [owner, service] = ['partbook', 'partbook_service'].map((login) =>
    superuserUrl
      .replace(/\/\/[^@]+@/, `//${login}:${randomBytes(12).toString('hex')}@`)
      .replace(/\/postgres$/, '/partbook'),
  ) as [string, string];
  const password = new URL(owner.replace(/,[^/]*/, '')).password;
  await onWritableHost(new DatabaseHosts(superuserUrl), {}, async (client: Client) => {
    await client.query(`create role partbook login createrole password ${client.escapeLiteral(password)}`);
    await client.query('create database partbook owner partbook');
  });
  await migrate(owner, log);
  await admitLogin(owner, service);
  return { owner, service };
}

async function killPrimary(group: PatroniGroup, load: Load): Promise<Killed> {
  await group.untilSynchronous();
  await delay(LOAD_MS);
  const before = await untilPrimary(group, () => true);
  const refusalsBefore = load.refusals();
  const killedAt = performance.now();
  await before.kill();
  await untilPrimary(group, ({ name }) => name !== before.name);
  const promotedSeconds = (performance.now() - killedAt) / 1000;
  // One that was sent before may have been answered behind the kill.
  const healed = await untilTaken(load, killedAt);
  before.start();
  await delay(LOAD_MS);
  return {
    promotedSeconds,
    healedSeconds: (healed - killedAt) / 1000,
    refusals: load.refusals() - refusalsBefore,
  };
}

function untilPrimary(group: PatroniGroup, isIt: (member: PatroniMember) => boolean): Promise<PatroniMember> {
  return untilFound('another primary', async () => {
    const member = await group.primary();
    return member !== null && isIt(member) ? member : null;
  });
}

/** When the first adjustment was taken that had been refused since the kill. */
function untilTaken(load: Load, killedAt: number): Promise<number> {
  return untilFound('a call that is taken', async () => {
    const taken = load.waits.filter(({ until, attempts }) => until > killedAt && attempts > 1);
    return taken.length > 0 ? Math.min(...taken.map(({ until }) => until)) : null;
  });
}

async function untilFound<T>(what: string, find: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + WAIT_MS_MAX;
  while (performance.now() < deadline) {
    const found = await find();
    if (found !== null) return found;
    await delay(50);
  }
  throw new Error(`There was no ${what} within ${WAIT_MS_MAX / 1000} s`);
}

function conclude(kills: readonly Killed[], lost: readonly string[], load: Load, ttl: number) {
  const worst = Math.max(...kills.map(({ healedSeconds }) => healedSeconds));
  const failed = load.failures.length;
  const inTime = worst < ttl + HEALED_SECONDS_BEHIND_TTL;
  const ok = kills.length > 0 && failed === 0 && lost.length === 0 && inTime;
  console.log(
    `${kills.length} primaries killed (ttl ${ttl} s): healed within ${worst.toFixed(1)} s; ${load.entries.length} adjustments, ${load.batches.length} batches, ${load.reads()} reads taken; ${load.refusals()} answers of 503 with Retry-After, ${failed} others, the slowest ${(load.slowestMs() / 1000).toFixed(1)} s; lost: ${lost.length === 0 ? 'nothing' : lost.join('; ')}: ${ok ? 'holds' : 'FAILS'}`,
  );
  for (const failure of load.failures.slice(0, 5)) console.log(`  ${failure}`);
  const counts = {
    adjustments: load.entries.length,
    batches: load.batches.length,
    reads: load.reads(),
    refusals: load.refusals(),
    slowestMs: Math.round(load.slowestMs()),
  };
  return { ttl, kills, counts, failures: load.failures.slice(0, 20), lost, ok };
}
