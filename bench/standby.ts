/**
 * What reads from a standby take off the primary: processor time of both PostgreSQLs for each of some reads, asked with `Prefer: stale-ok`
 * and without, in turns. On one machine nothing becomes faster; what matters is how much of a read the primary still has to do.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { admitLogin } from '../src/db/check-login.ts';
import { migrate } from '../src/db/migrate.ts';
import { startEmbeddedRedis } from '../src/embedded/redis.ts';
import { serviceUrl } from '../test/setup/global.ts';
import { type PostgresPair, startPostgresPair } from '../test/setup/standby.ts';
import { secondsBelow } from './cpu-of-system.ts';
import { compressLines, defineProperties, generateEntities, sendBatch, untilEnded } from './entities.ts';
import { type Member, startMember } from './soak/restarts/fleet.ts';
import { clientOf } from './system.ts';

export const name = 'standby';

const ENTITIES = Number(process.env.BENCH_ENTITIES ?? 10_000);
const CALLS = Number(process.env.BENCH_CALLS ?? 400);
const ROUNDS = 3;
const CALLERS = 4;
const OPERATOR_TOKEN = 'operator-token-of-the-bench';
const log = pino({ level: 'silent' });

interface Spent {
  calls: number;
  stale: number;
  primary: number;
  standby: number;
}

export async function run(): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-standby-'));
  const members: Member[] = [];
  const pair = await startPostgresPair(folder, async (superuserUrl) => {
    await migrate(superuserUrl, log);
    await admitLogin(superuserUrl, serviceUrl(superuserUrl));
  });
  const redis = await startEmbeddedRedis({ dataDir: folder, cacheDir: '.cache', log });
  try {
    if (redis === null) throw new Error('The bench needs a Redis');
    const environment = {
      DATABASE_URL: serviceUrl(pair.first),
      DATABASE_STANDBY_URL: serviceUrl(pair.second),
      REDIS_URL: redis.url,
      OPERATOR_TOKEN,
      RATE_LIMIT_REQUESTS: '10000000',
      DRAIN_SECONDS: '0',
    };
    for (const role of ['web', 'worker'] as const) members.push(await startMember(role, environment));
    const baseUrl = `http://127.0.0.1:${members[0]?.port}`;
    const workspace = await clientOf({ baseUrl, databaseUrl: pair.first }).createWorkspace();
    await defineProperties(workspace);
    await untilEnded(workspace, await sendBatch(workspace, compressLines(generateEntities(ENTITIES)), 0));
    return await compare(pair, workspace);
  } finally {
    for (const member of members) await member.end();
    await redis?.stop();
    await pair.stop();
  }
}

async function compare(pair: PostgresPair, { path, key }: { path: string; key: string }): Promise<unknown> {
  const get = async (below: string, stale: boolean) => {
    const headers: Record<string, string> = { Authorization: `Bearer ${key}`, 'X-Request-Id': randomUUID() };
    if (stale) headers.Prefer = 'stale-ok';
    const answer = await fetch(`${path}${below}`, { headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${below}: ${answer.status} ${text}`);
    return { text, isStale: answer.headers.get('preference-applied') === 'stale-ok' };
  };
  const { items } = JSON.parse((await get('/entities?limit=100', false)).text) as { items: { id: string }[] };
  const reads: Record<string, (at: number) => string> = {
    'one entity': (at) => `/entities/${items[at % items.length]?.id}`,
    'a page of 50 entities': (at) => `/entities?limit=50&q=M${(at % 12) + 3}`,
    'a page of 50, sorted by name': () => '/entities?limit=50&sort=name',
    'the overview': () => '/overview',
  };
  const results: Record<string, { plain: Spent; stale: Spent }> = {};
  for (const [what, pathOf] of Object.entries(reads)) {
    const spent = { plain: none(), stale: none() };
    // Who has not been asked yet knows nothing: the first round is not counted.
    for (let round = 0; round <= ROUNDS; round++)
      for (const kind of ['plain', 'stale'] as const) {
        const before = secondsOf(pair);
        let stale = 0;
        const caller = async (first: number) => {
          for (let at = first; at < CALLS; at += CALLERS)
            if ((await get(pathOf(at), kind === 'stale')).isStale) stale++;
        };
        await Promise.all(Array.from({ length: CALLERS }, (_, first) => caller(first)));
        const after = secondsOf(pair);
        if (round === 0) continue;
        spent[kind].calls += CALLS;
        spent[kind].stale += stale;
        spent[kind].primary += after.primary - before.primary;
        spent[kind].standby += after.standby - before.standby;
      }
    results[what] = spent;
    const each = (seconds: number, { calls }: Spent) => `${Math.round((seconds * 1e6) / calls)} µs`;
    const { plain, stale } = spent;
    console.log(
      `${what}: the primary ${each(plain.primary, plain)} a read, with stale-ok ${each(stale.primary, stale)} (${(stale.primary / plain.primary).toFixed(2)}) and the standby ${each(stale.standby, stale)}; ${stale.stale} of ${stale.calls} were answered there`,
    );
  }
  return results;
}

const none = (): Spent => ({ calls: 0, stale: 0, primary: 0, standby: 0 });

/** Seconds of all processes of each. */
const secondsOf = ({ firstPid, secondPid }: PostgresPair) => ({
  primary: secondsBelow(firstPid()),
  standby: secondsBelow(secondPid()),
});
