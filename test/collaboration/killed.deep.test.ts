// Worker processes that are killed (SIGKILL) within a turn of the inbox, at its commit, and between turns: each member is told of each event once.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../src/db/ids.ts';
import { recordEvents } from '../../src/events/record-events.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { startWorkerProcess, type WorkerProcess } from '../setup/worker-process.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { follow, join } from './people-here.ts';

/** More than two steps of one row, and more rows than one turn takes. */
const MEMBERS = 450;
const ROWS = 60;
const EVENTS_OF_ROW = 10;
const EVENTS = ROWS * EVENTS_OF_ROW;
/** Two gates, at which transactions of workers wait while the test holds them. */
const AT_WORK = 4711;
const AT_COMMIT = 4712;

let server: TestServer;
let workspace: DefaultWorkspace;
let owner: Client;
const workers: WorkerProcess[] = [];
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  owner = new Client({ connectionString: server.ctx.databaseUrl });
  await owner.connect();
  await owner.query(`
    create function pass_gate() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint);
        return null;
      end $$;
    create trigger gate_at_work after insert or update on inbox_line for each statement execute function pass_gate('${AT_WORK}');
    create constraint trigger gate_at_commit after update on event_lane deferrable initially deferred
      for each row when (new.reader = 'inbox' and new.turn > old.turn) execute function pass_gate('${AT_COMMIT}')`);
});
afterAll(async () => {
  for (const worker of workers) await worker.kill();
  await owner.end();
  await server.close();
});

function startWorker(): WorkerProcess {
  const worker = startWorkerProcess(server);
  workers.push(worker);
  return worker;
}

const toldOf = async (members: readonly string[]) => {
  const { rows } = await owner.query<{ members: number; least: number; most: number; total: number }>(
    `select count(*)::int as members, min(events)::int as least, max(events)::int as most, coalesce(sum(events), 0)::int as total from (
       select member_id, sum(events) as events from inbox_line where member_id = any ($1::uuid[]) group by member_id) told`,
    [members],
  );
  return rows[0];
};
const unread = async () => {
  const { rows } = await owner.query<{ count: number }>(
    'select count(*)::int as count from outbox where workspace_id = $1 and not inbox_done',
    [workspace.id],
  );
  return rows[0]?.count ?? 0;
};
const waitsAt = async (gate: number) => {
  const { rows } = await owner.query<{ waits: boolean }>(
    `select exists (select from pg_locks where locktype = 'advisory' and objid = $1 and not granted) as waits`,
    [gate],
  );
  return rows[0]?.waits === true;
};

/** Kills a worker whose transaction waits at the gate, and opens the gate again. */
async function killAt(gate: number): Promise<void> {
  await owner.query('select pg_advisory_lock($1)', [gate]);
  const worker = startWorker();
  await vi.waitUntil(() => waitsAt(gate), patience);
  await worker.kill();
  await owner.query('select pg_advisory_unlock($1)', [gate]);
  await vi.waitUntil(async () => !(await waitsAt(gate)), patience);
}

test('each member is told of each event once, wherever a worker is killed', async () => {
  const bo = await join(server, workspace, 'Bo Kills');
  const [part = ''] = await workspace.addEntities(1);
  await follow(bo, { entity: part });
  const members = Array.from({ length: MEMBERS }, newId);
  await workspace.transact(async (tx) => {
    await tx.query(
      `insert into member (workspace_id, id, name, areas, managed)
       select $1, id, 'Many ' || id, '{read}', 'hand' from unnest($2::uuid[]) as id`,
      [workspace.id, members],
    );
    await tx.query(
      `insert into subscription (workspace_id, id, member_id, subject_type, subject_key, below, stock, muted, automatic)
       select $1, gen_random_uuid(), id, 'entity', $3, false, false, false, false from unnest($2::uuid[]) as id`,
      [workspace.id, members, part],
    );
  });
  const event = { entityId: part, changes: [{ property: 'Mass', from: 1, to: 2 }] };
  for (let row = 0; row < ROWS; row++)
    await workspace.transact((tx) =>
      recordEvents(tx, 'entityUpdated', Array(EVENTS_OF_ROW).fill(event), { actorId: bo.memberId }),
    );

  await killAt(AT_WORK);
  expect((await toldOf(members))?.total).toBe(0);
  await killAt(AT_COMMIT);
  // Between turns: some are told of some events, and nobody of all.
  const worker = startWorker();
  const before = (await toldOf(members))?.total ?? 0;
  await vi.waitUntil(async () => ((await toldOf(members))?.total ?? 0) > before, {
    ...patience,
    interval: 5,
  });
  await worker.kill();
  const between = (await toldOf(members))?.total ?? 0;
  expect(between).toBeGreaterThan(0);
  expect(between).toBeLessThan(MEMBERS * EVENTS);
  await killAt(AT_WORK);
  await killAt(AT_COMMIT);

  const last = startWorker();
  await vi.waitUntil(async () => (await unread()) === 0, patience);
  expect(await toldOf(members)).toEqual({
    members: MEMBERS,
    least: EVENTS,
    most: EVENTS,
    total: MEMBERS * EVENTS,
  });
  await last.kill();
});
