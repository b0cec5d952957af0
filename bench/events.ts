/**
 * `npm run bench -- events`: compares the cost of an event in bulk, from its row in the outbox to its committed run, with that of a
 * bare engine in the same process, by CPU time of the script thread, the main thread and garbage collection; and once more with the CPU
 * time of PostgreSQL, which a bare engine does not need. It does the same for events of stock, each of which is a row of its own, as calls
 * that move stock write them. Each round measures all of these; the ratio is the median of the rounds' ratios. Then it compares
 * adjustments while an automation listens with those without a listener (builds.ts).
 *
 * BENCH_ROUNDS, BENCH_EVENTS, BENCH_STOCK_EVENTS and BENCH_SECONDS make a run smaller: with 2, 2500, 500 and 1 it takes less than a minute.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { OPERATOR } from '../src/actor.ts';
import { createAutomation } from '../src/automation/change-automation.ts';
import { readConfig } from '../src/config.ts';
import { openResources } from '../src/context.ts';
import { admitLogin } from '../src/db/check-login.ts';
import type { Db } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { startEmbedded } from '../src/embedded/start-embedded.ts';
import { contextTypes, recordEvents } from '../src/events/record-events.ts';
import { startWorker } from '../src/work.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { run as measureCalls } from './builds.ts';
import { openEngineThread } from './scripts.ts';

export const name = 'events';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000);
const EVENTS_PER_ROW = 2500;
const SHARED_RATIO_MIN = 0.25;
const FRESH_RATIO_MIN = 1;
const STOCK_EVENTS = Number(process.env.BENCH_STOCK_EVENTS ?? 2000);
const STOCK_ROWS_TOGETHER = 100;
const STOCK_RATIO_MIN = 0.25;

export async function run() {
  const dataDir = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const log = pino({ level: 'error' }, pino.destination(2));
  const config = readConfig({ DATA_DIR: dataDir, OPERATOR_TOKEN: 'operator-token-of-the-bench' });
  const servers = await startEmbedded(config, log);
  const ownerUrl = servers.migrationUrl ?? servers.databaseUrl;
  await migrate(ownerUrl, log);
  await admitLogin(ownerUrl, servers.databaseUrl);
  const resources = await openResources(config, log, servers);
  const worker = startWorker(resources);
  const engine = openEngineThread();
  const { db } = resources;
  const { workspace } = await inTransaction(db, 'instance', (tx) =>
    createWorkspace(tx, OPERATOR, { slug: 'bench', name: 'Bench', template: 'default' }),
  );
  const scope = { workspaceId: workspace.id };
  const values = { name: 'Bench', description: '', enabled: true, script: 'return 1 + 1' };
  const settings = { actions: null, button: null, filter: null, schedule: null, threshold: null };
  for (const contextTypeId of [contextTypes.entityCreated, contextTypes.stockMoved])
    await inTransaction(db, scope, (tx) =>
      createAutomation(tx, OPERATOR, { ...values, ...settings, contextTypeId }, config),
    );

  const countRuns = async () => {
    const [row] = await inTransaction(db, scope, (tx) =>
      tx.query<{ runs: number }>(
        `select count(*)::int as runs from automation_run where workspace_id = $1 and result = '2'`,
        [workspace.id],
      ),
    );
    return row?.runs ?? 0;
  };
  const ended = async (target: number) => {
    while ((await countRuns()) < target) await delay(50);
  };
  const bulk = async (events: number) => {
    const target = (await countRuns()) + events;
    for (let first = 0; first < events; first += EVENTS_PER_ROW) {
      const some = Array.from({ length: Math.min(EVENTS_PER_ROW, events - first) }, (_, n) =>
        eventOf(first + n),
      );
      await inTransaction(db, scope, (tx) => recordEvents(tx, 'entityCreated', some));
    }
    await ended(target);
  };
  const stock = async (events: number) => {
    const target = (await countRuns()) + events;
    for (let first = 0; first < events; first += STOCK_ROWS_TOGETHER)
      await inTransaction(db, scope, async (tx) => {
        for (let n = first; n < Math.min(first + STOCK_ROWS_TOGETHER, events); n++)
          await recordEvents(tx, 'stockMoved', [stockEventOf(n)]);
      });
    await ended(target);
  };
  const postgres = await postgresCpu(resources.db);
  const parts = {
    a: { runs: 150, make: (n: number) => engine.make('bareFresh', n) },
    b: { runs: 1500, make: (n: number) => engine.make('bareShared', n) },
    e: { runs: EVENTS, make: bulk },
    s: { runs: STOCK_EVENTS, make: stock },
  };
  const rounds: Round[] = [];
  try {
    await parts.a.make(50);
    await parts.b.make(500);
    await parts.e.make(Math.min(EVENTS, EVENTS_PER_ROW));
    await parts.s.make(Math.min(STOCK_EVENTS, 500));
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b, e] = [await measure(parts.a), await measure(parts.b), await measure(parts.e, postgres)];
      const s = await measure(parts.s, postgres);
      rounds.push({
        a: a.perCpu,
        b: b.perCpu,
        e: e.perCpu,
        eWithPostgres: e.perCpuOfAll,
        eWall: e.perSecond,
        s: s.perCpu,
        sWithPostgres: s.perCpuOfAll,
      });
    }
  } finally {
    await engine.close();
    await worker.close();
    await resources.close();
    await servers.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  const adjustments = await measureCalls(['adjustment', 'heard']);
  return { ...report(rounds), adjustments };
}

interface Round {
  a: number;
  b: number;
  e: number;
  eWithPostgres: number;
  eWall: number;
  s: number;
  sWithPostgres: number;
}

/** An adjustment of an item at one location. */
function stockEventOf(n: number): object {
  const place = '0199d0f0-0000-7000-8000-000000000001';
  const figures = { onHand: n, reserved: 0, available: n, onOrder: 0 };
  return {
    entityId: `0199d0f0-0000-7000-8000-${String(n).padStart(12, '0')}`,
    entityNumber: `PRT-${n}`,
    categoryKey: 'part',
    ...figures,
    entryCount: 1,
    movements: [
      { movementType: 'Adjustment', locationEntityId: place, quantity: 1, lineId: null, requirementId: null },
    ],
    positions: [{ locationEntityId: place, ...figures }],
    isPartial: false,
    actorId: place,
    workspaceSlug: 'bench',
  };
}

function eventOf(n: number): object {
  return {
    entityId: `0199d0f0-0000-7000-8000-${String(n).padStart(12, '0')}`,
    entityNumber: `PRT-${n}`,
    entityGuid: null,
    categoryKey: 'part',
    workspaceSlug: 'bench',
    batchId: null,
  };
}

async function measure(
  part: { runs: number; make(runs: number): Promise<void> },
  postgres: () => number = () => 0,
) {
  const cpuBefore = process.cpuUsage();
  const postgresBefore = postgres();
  const startedAt = performance.now();
  await part.make(part.runs);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const own = (user + system) / 1e6;
  return {
    perCpu: part.runs / own,
    perCpuOfAll: part.runs / (own + postgres() - postgresBefore),
    perSecond: part.runs / seconds,
  };
}

/** Seconds of CPU that the server's processes that live now have used. */
async function postgresCpu(db: Db): Promise<() => number> {
  const tick = Number(execFileSync('getconf', ['CLK_TCK']).toString());
  const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${row?.pid}/status`, 'utf8'))?.[1] ?? '';
  return () => {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ');
    return [parent, ...children].reduce((sum, pid) => sum + cpuTicks(pid) / tick, 0);
  };
}

function cpuTicks(pid: string): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

function report(rounds: readonly Round[]) {
  const mid = (of: (round: Round) => number) => {
    const values = rounds.map(of).toSorted((x, y) => x - y);
    return values[Math.floor(values.length / 2)] ?? Number.NaN;
  };
  const ratios = {
    bulkToSharedInstance: Number(mid((r) => r.e / r.b).toFixed(2)),
    bulkToFreshInstance: Number(mid((r) => r.e / r.a).toFixed(2)),
    bulkWithPostgresToSharedInstance: Number(mid((r) => r.eWithPostgres / r.b).toFixed(2)),
    bulkWithPostgresToFreshInstance: Number(mid((r) => r.eWithPostgres / r.a).toFixed(2)),
    stockToFreshInstance: Number(mid((r) => r.s / r.a).toFixed(2)),
    stockWithPostgresToFreshInstance: Number(mid((r) => r.sWithPostgres / r.a).toFixed(2)),
  };
  const isBulkOk =
    ratios.bulkToSharedInstance >= SHARED_RATIO_MIN && ratios.bulkToFreshInstance > FRESH_RATIO_MIN;
  const isStockOk = ratios.stockToFreshInstance >= STOCK_RATIO_MIN;
  const rates = {
    'a: bare, fresh instance': Math.round(mid((r) => r.a)),
    'b: bare, shared instance': Math.round(mid((r) => r.b)),
    'e: events to committed runs': Math.round(mid((r) => r.e)),
    'e: with the CPU of PostgreSQL': Math.round(mid((r) => r.eWithPostgres)),
    's: stock events to committed runs': Math.round(mid((r) => r.s)),
    's: with the CPU of PostgreSQL': Math.round(mid((r) => r.sWithPostgres)),
  };
  for (const [label, rate] of Object.entries(rates)) {
    console.log(`${label.padEnd(36)} ${String(rate).padStart(7)} a CPU second`);
  }
  console.log(`e: ${Math.round(mid((r) => r.eWall))} events a second in one worker process`);
  console.log(
    `e to b ${ratios.bulkToSharedInstance} (at least ${SHARED_RATIO_MIN}), e to a ${ratios.bulkToFreshInstance} (above ${FRESH_RATIO_MIN}): ${isBulkOk ? 'holds' : 'FAILS'}; with PostgreSQL ${ratios.bulkWithPostgresToSharedInstance} and ${ratios.bulkWithPostgresToFreshInstance}`,
  );
  console.log(
    `s to a ${ratios.stockToFreshInstance} (at least ${STOCK_RATIO_MIN}): ${isStockOk ? 'holds' : 'FAILS'}; with PostgreSQL ${ratios.stockWithPostgresToFreshInstance}`,
  );
  return {
    perCpuSecond: rates,
    eventsPerSecond: Math.round(mid((r) => r.eWall)),
    ratios,
    limits: {
      bulkToSharedInstance: SHARED_RATIO_MIN,
      bulkToFreshInstance: FRESH_RATIO_MIN,
      stockToFreshInstance: STOCK_RATIO_MIN,
    },
    ok: isBulkOk && isStockOk,
  };
}
