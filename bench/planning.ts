/**
 * `npm run bench -- planning`: a planning run of 100 000 items with 1 000 000 links, against a raw COPY of the same tables in the same run. The
 * figures to quote are the ratios of processor time of both processes: of reading the input, and of the whole run to the stored plan.
 * `BENCH_TIMES=10` plans ten times as much.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { to } from 'pg-copy-streams';
import { pino } from 'pino';
import { calendarOf } from '../src/calendar/working-calendar.ts';
import { connectDb, type Db } from '../src/db/connect.ts';
import { newId } from '../src/db/ids.ts';
import { inTransaction, type Tx } from '../src/db/transaction.ts';
import { everything } from '../src/planning/input/input-choice.ts';
import { wholeWorkspace } from '../src/planning/input/input-source.ts';
import { readInput } from '../src/planning/input/read-input.ts';
import { standardOptions } from '../src/planning/options/planning-options.schema.ts';
import { planWorkspace } from '../src/planning/runs/plan-workspace.ts';
import { fillPlanning, type Size } from './planning/fill-planning.ts';
import { peakMib } from './stock/peak-memory.ts';
import { makeDatabase, median } from './stock.ts';

export const name = 'planning';

const TIMES = Number(process.env.BENCH_TIMES ?? 1);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const GOALS = { read: 2.5, run: 7, memoryMib: TIMES === 1 ? 600 : 2560 };
const size: Size = {
  items: 100_000 * TIMES,
  assemblies: 30_000 * TIMES,
  linksEach: 33,
  demands: 50_000 * TIMES,
  supplies: 30_000 * TIMES,
};
const limits = { itemsMax: 10_000_000, linksMax: 100_000_000, actionsMax: 50_000, retentionDays: 30 };
const log = pino({ level: 'error' });

/** One of a hundred items that are bought has other stock. */
const changeStock = `
  update stock_position set on_hand = on_hand + 1
  where item_id in (
    select id from (
      select e.id, row_number() over (order by e.id) as n from entity e
      where e.category = 'part' and not exists (select from entity_link where parent_id = e.id)) b
    where n % 100 = 1)`;

/** What a run reads, as the tables have it. */
const tables = {
  entity: 'id, category, state, archived_at',
  entity_link: 'parent_id, child_id, quantity, line',
  stock_position: 'item_id, on_hand, reserved',
  item_planning:
    'item_id, policy, reorder_point, maximum, safety, minimum, multiple, make_or_buy, lead_time_days, supplier_part_id, location_id',
  supplier_part:
    'id, item_id, supplier_id, status, rank, lead_time_days, pack_quantity, minimum, multiple, unit',
  stock_line: 'id, item_id, type, location_id, quantity, required_by',
  material_requirement: 'id, item_id, line_id, project_id, quantity, required_by',
};

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const databaseUrl = await makeDatabase(folder, stops);
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    stops.push(() => client.end());
    const db = await connectDb({ url: databaseUrl, poolMax: 1, applicationName: 'partbook bench', log });
    stops.push(() => db.close());
    return await measure(db, client);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function measure(db: Db, client: Client) {
  const workspaceId = newId();
  await fillPlanning(client, workspaceId, size);
  const { rows } = await client.query<{ links: number; pid: number }>(
    'select count(*)::int as links, pg_backend_pid() as pid from entity_link',
  );
  const links = rows[0]?.links ?? 0;
  const copying = rows[0]?.pid ?? 0;
  const planning = await inTransaction(db, { workspaceId }, async (tx) => {
    const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    return row?.pid ?? 0;
  });
  const used = { copy: [] as number[], read: [] as number[], run: [] as number[] };
  let found: Measured | null = null;
  let unchanged: Measured | null = null;
  let changed: Measured | null = null;
  for (let round = 0; round <= ROUNDS; round++) {
    const copy = await cpuOf(copying, () => copyAll(client));
    const read = await cpuOf(planning, () =>
      inTransaction(db, { workspaceId }, readAll, { readOnly: true, snapshot: true }),
    );
    // The plan of the round before is deleted, so that each round writes all of its actions.
    await client.query('truncate planning_run, planning_action');
    const id = await addRun(client, workspaceId);
    const planned = (id: string) =>
      measured(client, planning, id, () => planWorkspace(db, { workspaceId, id }, limits));
    found = await planned(id);
    const ran = found.cpuMs;
    if (round === ROUNDS) {
      unchanged = await planned(await addRun(client, workspaceId));
      await client.query(changeStock);
      changed = await planned(await addRun(client, workspaceId));
      const told = JSON.stringify({ found, unchanged, changed }, null, 2);
      console.error(`all written; nothing changed; one of 100 bought items changed: ${told}`);
    }
    console.error(`round ${round}: copy ${copy}, read ${read}, run ${ran} ms of CPU`);
    // The first round warms up.
    if (round === 0) continue;
    used.copy.push(copy);
    used.read.push(read);
    used.run.push(ran);
  }
  const [copyMs, readMs, runMs] = [median(used.copy), median(used.read), median(used.run)];
  const memoryMib = Math.round(peakMib(process.pid));
  const ratios = { read: round1(readMs / copyMs), run: round1(runMs / copyMs) };
  const met = ratios.read <= GOALS.read && ratios.run <= GOALS.run && memoryMib <= GOALS.memoryMib;
  const load = (await readFile('/proc/loadavg', 'utf8').catch(() => '')).split(' ').slice(0, 3).join(' ');
  console.log(
    `${size.items} items, ${links} links: raw COPY ${copyMs} ms of CPU; reading ${ratios.read} times it (goal ${GOALS.read}), ` +
      `the whole run ${ratios.run} times (goal ${GOALS.run}); ${memoryMib} MiB (goal ${GOALS.memoryMib}): ${met ? 'holds' : 'FAILS'}; load ${load}`,
  );
  return { ...size, links, copyMs, readMs, runMs, ratios, memoryMib, found, unchanged, changed, load, met };
}

const round1 = (ratio: number) => Math.round(ratio * 10) / 10;

/** Milliseconds that this process and one connection's process use for the work. */
async function cpuOf(backend: number, work: () => Promise<unknown>): Promise<number> {
  const [own, other] = [process.cpuUsage(), await ticksOf(backend)];
  await work();
  const { user, system } = process.cpuUsage(own);
  return Math.round((user + system) / 1000) + ((await ticksOf(backend)) - other) * 10;
}

async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

async function copyAll(client: Client): Promise<void> {
  for (const [table, columns] of Object.entries(tables))
    await pipeline(
      client.query(to(`copy (select ${columns} from ${table}) to stdout (format binary)`)),
      new Writable({ write: (_chunk, _encoding, done) => done() }),
    );
}

async function readAll(tx: Tx): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const calendar = calendarOf(standardOptions, day, standardOptions.horizonDays);
  const read = await readInput(await wholeWorkspace(tx, day, everything), {
    day,
    options: standardOptions,
    limits,
    calendar,
  });
  if (read.items.ids.length !== size.items) throw new Error(`${read.items.ids.length} items were read`);
}

async function addRun(client: Client, workspaceId: string): Promise<string> {
  const id = newId();
  await client.query(
    `insert into planning_run (workspace_id, id, status, options, is_what_if, actor_type, actor_id, actor_name)
     values ($1, $2, 'running', $3, false, 'system', $1, 'Bench')`,
    [workspaceId, id, JSON.stringify(standardOptions)],
  );
  return id;
}

interface Measured {
  cpuMs: number;
  walMib: number;
  result: object;
}

/** Runs the work of a planning run, and returns what it costs and what it has written. */
async function measured(
  client: Client,
  backend: number,
  id: string,
  work: () => Promise<unknown>,
): Promise<Measured> {
  const written = async () => {
    const { rows } = await client.query<{ mib: number }>(
      "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 / 1048576 as mib",
    );
    return rows[0]?.mib ?? 0;
  };
  const before = await written();
  const cpuMs = await cpuOf(backend, work);
  return { cpuMs, walMib: round1((await written()) - before), result: await resultOf(client, id) };
}

async function resultOf(client: Client, id: string): Promise<object> {
  const { rows } = await client.query(
    `select status, counts, failure, stored_run_id is not null as is_shared, series_id <> id as is_difference,
            (select count(*)::int from planning_action where run_id = r.series_id and from_generation = r.generation) as written,
            (select count(*)::int from planning_action where run_id = r.series_id and until_generation = r.generation) as ended,
            (select count(*)::int from planning_action
             where run_id = r.series_id and from_generation <= r.generation and until_generation > r.generation) as actions
     from planning_run r where id = $1`,
    [id],
  );
  if (rows[0]?.status !== 'completed') throw new Error(JSON.stringify(rows[0]));
  return rows[0];
}
