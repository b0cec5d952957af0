/**
 * What our own bursts gain over `pg`'s pipeline: short transactions of a scope, a read, a write and their commit, sent by
 * src/db/wire/statement-burst.ts and by `pg` itself, in turn. `pg` asks for an answer after each statement, also in a
 * pipeline, and corked it still does; both are called for within one turn of the event loop.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool, type PoolClient, types } from 'pg';
import { pino } from 'pino';
import { prepared, type Statement } from '../src/db/wire/statement.ts';
import { runInBurst } from '../src/db/wire/statement-burst.ts';
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts';

export const name = 'bursts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
/** The size of a process's pool. */
const CONNECTIONS = 10;
const TRANSACTIONS = 600;
const ROWS = 1000;
const TICK_MS = 10;

type Send = (client: PoolClient, statements: readonly Statement[]) => Promise<unknown[]>;

interface Cost {
  /** Milliseconds for all transactions. */
  wallMs: number;
  serviceMs: number;
  databaseMs: number;
}

const byBurst: Send = (client, statements) =>
  Promise.all(statements.map((statement) => runInBurst(client, types.getTypeParser, statement)));

const byPg: Send = (client, statements) =>
  Promise.all(statements.map(({ name, text, values }) => client.query({ name, text, values: [...values] })));

/** One packet there, too. */
const byPgCorked: Send = (client, statements) => {
  const { stream } = (client as unknown as { connection: { stream: { cork(): void; uncork(): void } } })
    .connection;
  stream.cork();
  try {
    return byPg(client, statements);
  } finally {
    stream.uncork();
  }
};

const ways = { bursts: byBurst, pg: byPg, 'pg corked': byPgCorked };
type Way = keyof typeof ways;

const begin: Statement = { text: 'begin', values: [] };
const commit: Statement = { text: 'commit', values: [] };
const scope = `select set_config('partbook.workspace_id', $1, true), set_config('lock_timeout', '5s', true)`;
const read = 'select id, quantity, note from position where id = $1';
const write = 'update position set quantity = quantity + 1 where id = $1';

export async function run(): Promise<unknown> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const log = pino({ level: 'warn' }, pino.destination(2));
  // What both share, the disk's flush, would only dilute the difference.
  const server = await startEmbeddedPostgres({ dataDir, log, settings: { synchronous_commit: 'off' } });
  const pool = new Pool({ connectionString: server.adminUrl, max: CONNECTIONS, pipeline: true });
  // A connection that is on its way out when the server stops says so, and nobody needs it any more.
  pool.on('error', () => {});
  try {
    await pool.query(
      `create table position (id int primary key, quantity numeric not null, note text not null)`,
    );
    await pool.query(
      `insert into position select n, 0, repeat('note', 20) from generate_series(0, $1) as n`,
      [ROWS],
    );
    const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()));
    const costs: Record<Way, Cost[]> = { bursts: [], pg: [], 'pg corked': [] };
    const names = Object.keys(ways) as Way[];
    for (const way of names) await measure(clients, ways[way]);
    for (let round = 0; round < ROUNDS; round++) {
      // In turn, and each first as often: what the machine does meanwhile falls on all.
      const order = [...names.slice(round % 3), ...names.slice(0, round % 3)];
      for (const way of order) costs[way].push(await measure(clients, ways[way]));
    }
    for (const client of clients) client.release();
    const result = Object.fromEntries(names.map((way) => [way, summary(costs[way], costs.pg)]));
    console.log(
      `${CONNECTIONS * TRANSACTIONS} transactions of five statements in two trips, ${CONNECTIONS} at a time, median of ${ROUNDS} rounds, of pg's own pipeline`,
    );
    console.table(result);
    return result;
  } finally {
    await pool.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(clients: readonly PoolClient[], send: Send): Promise<Cost> {
  const pids = await Promise.all(
    clients.map(
      async (client) => (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number,
    ),
  );
  const database = () => pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * TICK_MS;
  const databaseBefore = database();
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(clients.map((client, place) => transact(client, send, place)));
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  return { wallMs, serviceMs: (user + system) / 1000, databaseMs: database() - databaseBefore };
}

async function transact(client: PoolClient, send: Send, place: number): Promise<void> {
  for (let n = 0; n < TRANSACTIONS; n++) {
    // Rows of its own for each connection: nobody waits for a lock.
    const id = (n * CONNECTIONS + place) % ROWS;
    await send(client, [
      begin,
      prepared(scope, ['01a1f9f5-0000-7000-8000-000000000000']),
      prepared(read, [id]),
    ]);
    await send(client, [prepared(write, [id]), commit]);
  }
}

function summary(costs: readonly Cost[], ofPg: readonly Cost[]) {
  const ratio = (cost: (one: Cost) => number) =>
    Number(median(costs.map((one, round) => cost(one) / cost(ofPg[round] as Cost))).toFixed(3));
  return {
    'transactions/s': Math.round(
      (CONNECTIONS * TRANSACTIONS * 1000) / median(costs.map((one) => one.wallMs)),
    ),
    rate: Number((1 / ratio((one) => one.wallMs)).toFixed(3)),
    'cpu, service': ratio((one) => one.serviceMs),
    'cpu, database': ratio((one) => one.databaseMs),
    'cpu, both': ratio((one) => one.serviceMs + one.databaseMs),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
