/**
 * `npm run bench -- calls`: what is done with stock beside adjusting it (lines, reservations, requirements, orders,
 * receipts), each against adjustments by as many clients in the same round; and reading one entity, against a route
 * written by hand. Figures mean little on shared cores: the ratios are what counts, medians over rounds that go through all
 * cases; and calls of members, of whom the workspace has 10 000, against those of its key, by CPU time. `distinct`: every call is on a position of its own, among many; `hot`: all are on one.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { OPERATOR } from '../src/actor.ts';
import type { Db } from '../src/db/connect.ts';
import { connectMapped } from '../src/db/connect-mapped.ts';
import { newId } from '../src/db/ids.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { startEmbeddedRedis } from '../src/embedded/redis.ts';
import { mappedEntities } from '../src/mapped-entities.ts';
import { verifyLedger } from '../src/stock/ledger/verify-ledger.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { makeKeys, makeMembers } from './calls/members.ts';
import { cpuOf } from './stock/cpu-of.ts';
import { type LoadResult, load } from './stock/load.ts';
import { pick } from './stock/random-bodies.ts';
import { makeDatabase, median, request, startService } from './stock.ts';

export const name = 'calls';

const ITEMS = 1000;
const LOCATIONS = 4;
/** Existing lines and requirements that calls move stock of. */
const SUBJECTS = 500;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 1.5);
const CLIENTS = (process.env.BENCH_CLIENTS ?? '1,8,32').split(',').map(Number);
const WANTED = process.env.BENCH_CASES?.split(',') ?? null;
const RATIO_GOAL = 0.5;
const READ_GOAL = 0.7;
const READ_CLIENTS = [8, 32, 128];
/** CPU time of a member's call, of that of a key's. */
const MEMBER_GOAL = 1.1;
const MEMBER_CLIENTS = [8, 32];
const PLENTY = 100_000_000;
const log = pino({ level: 'error' });

export interface CallsBench {
  /** Medians; CPU times are those of a call. */
  figures: Record<string, { perSecond: number; p99Ms: number; serviceUs: number; databaseUs: number }>;
  ratios: Record<string, { value: number; goal: number; met: boolean }>;
  ok: boolean;
}

interface Place {
  slug: string;
  key: string;
  workspaceId: string;
  items: string[];
  locations: string[];
  project: string;
}

interface Measured extends LoadResult {
  serviceUs: number;
  databaseUs: number;
}

export async function run(): Promise<CallsBench> {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const databaseUrl = await makeDatabase(folder, stops);
    const redis = await startEmbeddedRedis({ dataDir: folder, cacheDir: '.cache', log });
    if (redis !== null) stops.push(() => redis.stop());
    const options = { url: databaseUrl, poolMax: 2, applicationName: 'partbook bench', log };
    const db = await connectMapped(options, mappedEntities);
    stops.push(() => db.close());
    const place = await fill(db);
    const service = await startService(databaseUrl, redis?.url ?? '', stops);
    const hand = await startService(databaseUrl, '', stops, './calls/hand-written-server.script.ts');
    return await measure(db, place, service, hand.port);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function fill(db: Db): Promise<Place> {
  const made = await inTransaction(db, 'instance', (tx) =>
    createWorkspace(tx, OPERATOR, { slug: 'bench', name: 'Bench', template: 'default' }),
  );
  const workspaceId = made.workspace.id;
  const ids = (count: number) => Array.from({ length: count }, newId);
  const entities = { part: ids(ITEMS), location: ids(LOCATIONS), project: ids(1) };
  await inTransaction(db, { workspaceId }, async (tx) => {
    for (const [category, members] of Object.entries(entities)) {
      await tx.query(
        `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
         select $1, id, id, upper($3) || '-' || row_number() over (), 'An entity', $3, 'In Work', $1
         from unnest($2::uuid[]) as given (id)`,
        [workspaceId, members, category],
      );
    }
  });
  return {
    slug: 'bench',
    key: made.apiKey.key,
    workspaceId,
    items: entities.part,
    locations: entities.location,
    project: entities.project[0] as string,
  };
}

/** The bodies and paths of every kind of call, on a position of its own or on one for all. */
type Kind = (hot: boolean) => { path: string; body: unknown };

async function kindsOf(place: Place, port: number): Promise<Record<string, Kind>> {
  const { items, locations, project } = place;
  const positionAt = (index: number) => ({
    itemEntityId: items[index % items.length],
    locationEntityId: locations[Math.floor(index / items.length) % locations.length],
  });
  const position = (hot: boolean) =>
    positionAt(hot ? 0 : Math.floor(Math.random() * items.length * locations.length));
  const make = async (path: string, bodyAt: (index: number) => unknown, idOf: (made: Made) => string) => {
    const found: string[] = [];
    for (let index = 0; index < SUBJECTS; index++) {
      const made = await post(place, port, path, bodyAt(index));
      found.push(idOf(made));
    }
    return found;
  };
  const lineId = (made: Made) => made.line?.id as string;
  const sales = await make(
    '/stock/lines',
    (index) => ({ type: 'salesOrder', ...positionAt(index), quantity: PLENTY, state: 'Draft' }),
    lineId,
  );
  // At work with a little, so that there is room to reserve.
  for (const id of sales) {
    await post(place, port, `/entities/${id}/transitions`, { toState: 'Reserved' }).catch(() => {});
    await post(place, port, `/stock/lines/${id}/releases`, { quantity: PLENTY - 1 });
  }
  const purchases = await make(
    '/stock/lines',
    (index) => ({ type: 'purchaseOrder', ...positionAt(index), quantity: PLENTY }),
    lineId,
  );
  const requirements = await make(
    '/requirements',
    (index) => ({ projectId: project, itemEntityId: positionAt(index).itemEntityId, requiredQty: PLENTY }),
    (made) => made.id as string,
  );
  const one = (ids: readonly string[], hot: boolean) => (hot ? (ids[0] as string) : pick(ids));
  return {
    adjustment: (hot) => ({ path: '/stock/adjustments', body: { ...position(hot), quantity: 1 } }),
    'new sales line': (hot) => ({
      path: '/stock/lines',
      body: { type: 'salesOrder', ...position(hot), quantity: 1 },
    }),
    'new purchase line': (hot) => ({
      path: '/stock/lines',
      body: { type: 'purchaseOrder', ...position(hot), quantity: 1 },
    }),
    'order of two lines': (hot) => ({
      path: '/orders',
      body: {
        type: 'salesOrder',
        lines: [
          { ...position(hot), quantity: 1 },
          { ...position(hot), quantity: 1 },
        ],
      },
    }),
    'reservation of a line': (hot) => ({
      path: `/stock/lines/${one(sales, hot)}/reservations`,
      body: { quantity: 1 },
    }),
    'receipt of a line': (hot) => ({
      path: `/stock/lines/${one(purchases, hot)}/receipts`,
      body: { quantity: 1 },
    }),
    requirement: (hot) => ({
      path: '/requirements',
      body: { projectId: project, itemEntityId: position(hot).itemEntityId, requiredQty: 1 },
    }),
    'reservation for a requirement': (hot) => ({
      path: `/requirements/${one(requirements, hot)}/reservations`,
      body: { locationEntityId: locations[0], quantity: 1 },
    }),
    'order for a requirement': (hot) => ({
      path: `/requirements/${one(requirements, hot)}/orders`,
      body: { locationEntityId: locations[0], quantity: 1 },
    }),
  };
}

interface Made {
  id?: string;
  line?: { id: string };
}

async function post(place: Place, port: number, path: string, body: unknown): Promise<Made> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/wid/${place.slug}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${place.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as Made;
}

async function measure(
  db: Db,
  place: Place,
  { port, pid }: { port: number; pid: number },
  handPort: number,
): Promise<CallsBench> {
  const { items, locations } = place;
  const opening = locations.flatMap((locationEntityId) =>
    items.map((itemEntityId) => ({ itemEntityId, locationEntityId, quantity: 2 * PLENTY })),
  );
  for (let i = 0; i < opening.length; i += 1000)
    await post(place, port, '/stock/adjustments/batch', { adjustments: opening.slice(i, i + 1000) });
  const kinds = await kindsOf(place, port);
  const tokens = await makeMembers(db, place.workspaceId);
  const keys = await makeKeys(db, place.workspaceId);

  const cases: Record<string, () => Promise<LoadResult>> = {};
  for (const connections of CLIENTS) {
    for (const hot of [false, true]) {
      for (const [title, kind] of Object.entries(kinds)) {
        if (WANTED !== null && title !== 'adjustment' && !WANTED.includes(title)) continue;
        cases[titleOf(title, connections, hot)] = () =>
          load({
            port,
            connections,
            seconds: SECONDS,
            next: () => {
              const { path, body } = kind(hot);
              return request(place, path, body);
            },
          });
      }
    }
  }
  if (WANTED === null || WANTED.includes('read')) {
    for (const connections of READ_CLIENTS) {
      const read = (to: number) => () =>
        load({ port: to, connections, seconds: SECONDS, next: () => getEntity(place, pick(items)) });
      cases[`read an entity, ${connections}`] = read(port);
      cases[`read by hand, ${connections}`] = read(handPort);
    }
  }

  if (WANTED === null || WANTED.includes('members')) {
    for (const connections of MEMBER_CLIENTS) {
      const read = (next: () => Buffer) => () => load({ port, connections, seconds: SECONDS, next });
      cases[`read with a key, ${connections}`] = read(() =>
        getEntity({ ...place, key: pick(keys) }, pick(items)),
      );
      cases[`read as a member, ${connections}`] = read(() =>
        byMember(getEntity(place, pick(items)), pick(tokens)),
      );
      const kind = kinds.adjustment as Kind;
      const adjust = () => request({ ...place, key: pick(keys) }, '/stock/adjustments', kind(false).body);
      cases[`adjust with a key, ${connections}`] = read(adjust);
      cases[`adjust as a member, ${connections}`] = read(() => byMember(adjust(), pick(tokens)));
    }
  }

  const results = new Map<string, Measured[]>(Object.keys(cases).map((title) => [title, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [title, measureCase] of Object.entries(cases)) {
      const before = await cpuOf(db, pid);
      const result = await measureCase();
      const after = await cpuOf(db, pid);
      const us = (ms: number) => (ms * 1000) / result.requests;
      const status = title.startsWith('read') && !title.startsWith('reservation') ? '200' : '201';
      if (Object.keys(result.statuses).join() !== status)
        throw new Error(`${title}: not all ${status}: ${JSON.stringify(result.statuses)}`);
      // The first round warms up.
      if (round === 0) continue;
      results.get(title)?.push({
        ...result,
        serviceUs: us(after.service - before.service),
        databaseUs: us(after.database - before.database),
      });
    }
  }
  const verification = await verifyLedger(db, place.workspaceId);
  if (!verification.ok)
    throw new Error(`The ledger does not verify: ${JSON.stringify(verification.problems[0])}`);
  return report(results);
}

function titleOf(title: string, connections: number, hot: boolean): string {
  return `${title}, ${connections} ${hot ? 'hot' : 'distinct'}`;
}

function getEntity({ slug, key }: Place, id: string): Buffer {
  return Buffer.from(
    `GET /api/wid/${slug}/entities/${id} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
}

/** The same request with the cookie of a person in place of the key, as the page of the service sends it. */
function byMember(bytes: Buffer, token: string): Buffer {
  const cookie = `Cookie: partbook_person=${token}\r\nOrigin: http://bench`;
  return Buffer.from(bytes.toString().replace(/Authorization: [^\r]+/, cookie));
}

function report(results: Map<string, Measured[]>): CallsBench {
  const of = (title: string) => results.get(title) ?? [];
  const middle = (title: string, value: (result: Measured) => number) => median(of(title).map(value));
  const ratio = (above: string, below: string) =>
    median(of(above).map(({ perSecond }, round) => perSecond / (of(below)[round]?.perSecond ?? Number.NaN)));
  const figures: CallsBench['figures'] = {};
  const ratios: CallsBench['ratios'] = {};
  const lines: string[] = [];
  for (const title of results.keys()) {
    const figure = {
      perSecond: middle(title, ({ perSecond }) => perSecond),
      p99Ms: middle(title, ({ p99Ms }) => p99Ms),
      serviceUs: middle(title, ({ serviceUs }) => serviceUs),
      databaseUs: middle(title, ({ databaseUs }) => databaseUs),
    };
    figures[title] = figure;
    const [kind = '', rest = ''] = title.split(', ');
    const goal = kind === 'read an entity' ? READ_GOAL : RATIO_GOAL;
    const below = kind === 'read an entity' ? `read by hand, ${rest}` : `adjustment, ${rest}`;
    let verdict = '';
    const byKey = /^(read|adjust) as a member$/.exec(kind)?.[1];
    if (byKey !== undefined) {
      const keyed = of(`${byKey} with a key, ${rest}`);
      const cpu = (one: Measured | undefined) =>
        one === undefined ? Number.NaN : one.serviceUs + one.databaseUs;
      const value = median(of(title).map((one, round) => cpu(one) / cpu(keyed[round])));
      const met = value <= MEMBER_GOAL;
      ratios[title] = { value, goal: MEMBER_GOAL, met };
      verdict = `   ${value.toFixed(2)} of the CPU time with a key (≤ ${MEMBER_GOAL}: ${met ? 'holds' : 'FAILS'})`;
    } else if (!['adjustment', 'read by hand', 'read with a key', 'adjust with a key'].includes(kind)) {
      const value = ratio(title, below);
      const met = value >= goal;
      ratios[title] = { value, goal, met };
      verdict = `   ${value.toFixed(2)} of ${kind === 'read an entity' ? 'by hand' : 'adjustments'} (≥ ${goal}: ${met ? 'holds' : 'FAILS'})`;
    }
    lines.push(
      `${title.padEnd(42)} ${Math.round(figure.perSecond).toString().padStart(6)}/s   p99 ${figure.p99Ms.toFixed(1).padStart(7)} ms   ` +
        `CPU: service ${figure.serviceUs.toFixed(0).padStart(5)} us, database ${figure.databaseUs.toFixed(0).padStart(5)} us${verdict}`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  return { figures, ratios, ok: Object.values(ratios).every(({ met }) => met) };
}
