/**
 * What an event costs end to end in bulk, from its row in the outbox to its committed run, beside the bare
 * engine in the same process: per second of CPU, the script thread, the main thread and garbage collection
 * included; and once more with PostgreSQL's share, which the bare engine does without. In turns, round after
 * round; the ratio is the median of the rounds' ratios.
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
import { openEngineThread } from './scripts.ts';

export const name = 'events';

const ROUNDS = 5;
const EVENTS = 10_000;
const EVENTS_PER_ROW = 2500;
const SHARED_RATIO_MIN = 0.25;
const FRESH_RATIO_MIN = 1;

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
  const values = { name: 'Bench', description: '', contextTypeId: contextTypes.entityCreated, enabled: true };
  const settings = { actions: null, button: null, filter: null, schedule: null, threshold: null };
  await inTransaction(db, scope, (tx) =>
    createAutomation(tx, OPERATOR, { ...values, ...settings, script: 'return 1 + 1' }, config),
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
  const bulk = async (events: number) => {
    const target = (await countRuns()) + events;
    for (let first = 0; first < events; first += EVENTS_PER_ROW) {
      const some = Array.from({ length: Math.min(EVENTS_PER_ROW, events - first) }, (_, n) =>
        eventOf(first + n),
      );
      await inTransaction(db, scope, (tx) => recordEvents(tx, 'entityCreated', some));
    }
    while ((await countRuns()) < target) await delay(50);
  };
  const postgres = await postgresCpu(resources.db);
  const parts = {
    a: { runs: 150, make: (n: number) => engine.make('bareFresh', n) },
    b: { runs: 1500, make: (n: number) => engine.make('bareShared', n) },
    e: { runs: EVENTS, make: bulk },
  };
  try {
    await parts.a.make(50);
    await parts.b.make(500);
    await parts.e.make(2500);
    const rounds: { a: number; b: number; e: number; eWithPostgres: number; eWall: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b, e] = [await measure(parts.a), await measure(parts.b), await measure(parts.e, postgres)];
      rounds.push({
        a: a.perCpu,
        b: b.perCpu,
        e: e.perCpu,
        eWithPostgres: e.perCpuOfAll,
        eWall: e.perSecond,
      });
    }
    return report(rounds);
  } finally {
    await engine.close();
    await worker.close();
    await resources.close();
    await servers.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
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

function report(rounds: { a: number; b: number; e: number; eWithPostgres: number; eWall: number }[]) {
  const mid = (of: (round: (typeof rounds)[number]) => number) => {
    const values = rounds.map(of).toSorted((x, y) => x - y);
    return values[Math.floor(values.length / 2)] ?? Number.NaN;
  };
  const ratios = {
    bulkToSharedInstance: Number(mid((r) => r.e / r.b).toFixed(2)),
    bulkToFreshInstance: Number(mid((r) => r.e / r.a).toFixed(2)),
    bulkWithPostgresToSharedInstance: Number(mid((r) => r.eWithPostgres / r.b).toFixed(2)),
    bulkWithPostgresToFreshInstance: Number(mid((r) => r.eWithPostgres / r.a).toFixed(2)),
  };
  const ok = ratios.bulkToSharedInstance >= SHARED_RATIO_MIN && ratios.bulkToFreshInstance > FRESH_RATIO_MIN;
  const rates = {
    'a: bare, fresh instance': Math.round(mid((r) => r.a)),
    'b: bare, shared instance': Math.round(mid((r) => r.b)),
    'e: events to committed runs': Math.round(mid((r) => r.e)),
    'e: with the CPU of PostgreSQL': Math.round(mid((r) => r.eWithPostgres)),
  };
  for (const [label, rate] of Object.entries(rates)) {
    console.log(`${label.padEnd(36)} ${String(rate).padStart(7)} a CPU second`);
  }
  console.log(`e: ${Math.round(mid((r) => r.eWall))} events a second in one worker process`);
  console.log(
    `e to b ${ratios.bulkToSharedInstance} (at least ${SHARED_RATIO_MIN}), e to a ${ratios.bulkToFreshInstance} (above ${FRESH_RATIO_MIN}): ${ok ? 'holds' : 'FAILS'}; with PostgreSQL ${ratios.bulkWithPostgresToSharedInstance} and ${ratios.bulkWithPostgresToFreshInstance}`,
  );
  return {
    perCpuSecond: rates,
    eventsPerSecond: Math.round(mid((r) => r.eWall)),
    ratios,
    limits: { bulkToSharedInstance: SHARED_RATIO_MIN, bulkToFreshInstance: FRESH_RATIO_MIN },
    ok,
  };
}
