/**
 * `npm run bench -- builds`: movements that consist of several, against single adjustments of the same run: a transfer, a receipt of
 * a built item that consumes its components, and adjustments while an automation listens to them. No worker runs, so that the
 * figures are those of the calls alone. The figures to quote are the ratios, medians over rounds that go through all cases.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { connectDb, type Db } from '../src/db/connect.ts';
import { startEmbeddedRedis } from '../src/embedded/redis.ts';
import { verifyLedger } from '../src/stock/ledger/verify-ledger.ts';
import { cpuOf } from './stock/cpu-of.ts';
import { type LoadResult, load } from './stock/load.ts';
import { randomAdjustment, randomMove } from './stock/random-bodies.ts';
import { makeDatabase, median, OPERATOR_TOKEN, request, startService } from './stock.ts';

export const name = 'builds';

const CLIENTS = 8;
const COMPONENTS = 50;
const LOCATIONS = 4;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const PLENTY = 1_000_000;
const slug = 'bench';
const log = pino({ level: 'error' });

const goals = { transfer: 0.45, receipt: 0.2, heard: 0.7 };

interface Prepared {
  slug: string;
  key: string;
  items: string[];
  locations: string[];
  /** A manufacturing line of each client. */
  lines: string[];
  /** Turns the automation that listens to movements on or off. */
  listen(enabled: boolean): Promise<void>;
}

type Case = keyof typeof goals | 'adjustment';
const allCases: readonly Case[] = ['adjustment', 'heard', 'transfer', 'receipt'];

/** `names` are the cases that are measured; `adjustment` is what the others are compared with. */
export async function run(names: readonly Case[] = allCases) {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const databaseUrl = await makeDatabase(folder, stops);
    const redis = await startEmbeddedRedis({ dataDir: folder, cacheDir: '.cache', log });
    if (redis !== null) stops.push(() => redis.stop());
    const db = await connectDb({ url: databaseUrl, poolMax: 2, applicationName: 'partbook bench', log });
    stops.push(() => db.close());
    return await measure(db, await startService(databaseUrl, redis?.url ?? '', stops), names);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function measure(db: Db, { port, pid }: { port: number; pid: number }, names: readonly Case[]) {
  const { workspace, apiKey } = await send(port, OPERATOR_TOKEN, 'POST', '/workspaces', {
    slug,
    name: 'Bench',
    template: 'default',
  });
  const prepared = await prepare(port, apiKey.key);
  const at = (path: string, body: () => unknown) => () => request(prepared, path, body());
  const receipts = prepared.lines.map((line) =>
    request(prepared, `/stock/lines/${line}/receipts`, { quantity: 1 }),
  );
  const adjusting = at('/stock/adjustments', () => randomAdjustment(prepared, Math.random() < 0.5 ? 1 : -1));
  const cases: Record<Case, () => Promise<LoadResult>> = {
    adjustment: () => calls(adjusting),
    heard: async () => {
      await prepared.listen(true);
      const result = await calls(adjusting);
      await prepared.listen(false);
      return result;
    },
    transfer: () => calls(at('/stock/transfers', () => ({ lines: [randomMove(prepared)] }))),
    receipt: () => calls((connection) => receipts[connection] as Buffer),
  };
  const calls = (next: (connection: number) => Buffer) =>
    load({ port, connections: CLIENTS, seconds: SECONDS, next });

  const rounds = Object.fromEntries(names.map((one) => [one, [] as (LoadResult & { cpuUs: number })[]]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const one of names) {
      const before = await cpuOf(db, pid);
      const result = await cases[one]();
      const after = await cpuOf(db, pid);
      if (Object.keys(result.statuses).join() !== '201')
        throw new Error(`${one}: not all 201: ${JSON.stringify(result.statuses)}`);
      const cpuMs = after.service + after.database - before.service - before.database;
      // The first round warms up.
      if (round > 0) rounds[one]?.push({ ...result, cpuUs: (cpuMs * 1000) / result.requests });
    }
  }
  const { ok, problems } = await verifyLedger(db, workspace.id);
  if (!ok) throw new Error(`The ledger does not verify: ${JSON.stringify(problems[0])}`);
  return report(rounds);
}

async function send(port: number, key: string, method: string, path: string, body: unknown) {
  const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
  return JSON.parse(answer);
}

/** Assemblies of 50 components each, so that no two clients wait for the same positions, with plenty of stock. */
async function prepare(port: number, key: string): Promise<Prepared> {
  const ask = (method: string, path: string, body: unknown) =>
    send(port, key, method, `/wid/${slug}${path}`, body);
  const add = async (category: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++)
      ids.push((await ask('POST', '/entities', { category, name: `${category} ${n}` })).id);
    return ids;
  };
  const locations = await add('location', LOCATIONS);
  const items = await add('part', CLIENTS * COMPONENTS);
  const assemblies = await add('assembly', CLIENTS);
  const adjustments = items.flatMap((itemEntityId) =>
    locations.map((locationEntityId) => ({ itemEntityId, locationEntityId, quantity: PLENTY })),
  );
  await ask('POST', '/stock/adjustments/batch', { adjustments });
  const lines: string[] = [];
  for (const [client, itemEntityId] of assemblies.entries()) {
    for (const component of items.slice(client * COMPONENTS, (client + 1) * COMPONENTS))
      await ask('PUT', `/entities/${itemEntityId}/uses/${component}`, { quantity: 1 });
    const order = { type: 'manufacturingOrder', itemEntityId, locationEntityId: locations[0] };
    lines.push((await ask('POST', '/stock/lines', { ...order, quantity: PLENTY })).line.id);
  }
  const automation = { name: 'Listens', description: '', contextTypeId: 6, script: 'return 1' };
  const { id } = await ask('POST', '/automations', { ...automation, enabled: false });
  const listen = (enabled: boolean) => ask('PUT', `/automations/${id}`, { ...automation, enabled });
  return { slug, key, items, locations, lines, listen };
}

function report(rounds: Record<string, (LoadResult & { cpuUs: number })[]>) {
  const rate = (one: string) => (rounds[one] ?? []).map(({ perSecond }) => perSecond);
  const figures = Object.fromEntries(
    Object.keys(rounds).map((one) => [
      one,
      { perSecond: median(rate(one)), cpuUs: median((rounds[one] ?? []).map(({ cpuUs }) => cpuUs)) },
    ]),
  );
  for (const [one, { perSecond, cpuUs }] of Object.entries(figures))
    console.log(`${one.padEnd(12)} ${Math.round(perSecond)}/s, ${Math.round(cpuUs)} us of CPU a call`);
  const measured = Object.entries(goals).filter(([one]) => one in rounds);
  const ratios = measured.map(([one, goal]) => {
    const value = median(
      rate(one).map((perSecond, round) => perSecond / (rate('adjustment')[round] as number)),
    );
    console.log(
      `${one} to adjustment ${value.toFixed(2)} (at least ${goal}): ${value >= goal ? 'holds' : 'FAILS'}`,
    );
    return { of: one, value, goal, met: value >= goal };
  });
  return { figures, ratios };
}
