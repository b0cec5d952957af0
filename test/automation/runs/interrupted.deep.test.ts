// Exactly once in effect: a worker killed in the middle of runs, an emptied queue, a run that the service cannot make.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { patience } from '../../setup/patience.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { startWorkerProcess, type WorkerProcess } from '../../setup/worker-process.ts';
import { element } from '../../sync/sync-calls.ts';
import { type AutomatedWorkspace, context, makeAutomatedWorkspace } from '../automated-workspace.ts';

let server: TestServer;
const workers: WorkerProcess[] = [];
beforeAll(async () => {
  server = await startTestServer({ environment: { SYNC_CHUNK_ELEMENTS: '200' } });
});
afterAll(async () => {
  for (const worker of workers) await worker.kill();
  await server.close();
});

function startWorker(): WorkerProcess {
  const worker = startWorkerProcess(server);
  workers.push(worker);
  return worker;
}

async function submit(workspace: AutomatedWorkspace, count: number): Promise<string[]> {
  const entities = Array.from({ length: count }, () => element());
  const answer = await workspace.ask('POST', '/pdm/sync', { entities }, { Prefer: 'respond-async' });
  expect(answer.status, answer.text).toBe(202);
  return entities.map((entity) => entity.guid);
}

interface Numbers {
  runs: number;
  succeeded: number;
  made: number;
  distinct_made: number;
  set_once: number;
  unread: number;
}

const numbers = async (workspace: AutomatedWorkspace): Promise<Numbers> => {
  const [row] = await workspace.transact((tx) =>
    tx.query<Numbers>(
      `select (select count(*)::int from automation_run where workspace_id = $1) as runs,
         (select count(*)::int from automation_run where workspace_id = $1 and status = 'succeeded') as succeeded,
         (select count(*)::int from entity where workspace_id = $1 and name = 'Made') as made,
         (select count(distinct properties->>'For')::int from entity
          where workspace_id = $1 and name = 'Made') as distinct_made,
         (select count(*)::int from entity where workspace_id = $1 and properties->>'Count' = '1') as set_once,
         (select count(*)::int from outbox where workspace_id = $1 and not automation_done) as unread`,
      [workspace.id],
    ),
  );
  return row as Numbers;
};

describe('a worker that is killed while runs are made', () => {
  test('again and again: no event is lost, no write is made twice', async () => {
    const workspace = await makeAutomatedWorkspace(server);
    await workspace.ask('POST', '/property-definitions', { key: 'Count', name: 'Count', type: 'numeric' });
    await workspace.ask('POST', '/property-definitions', { key: 'For', name: 'For', type: 'text' });
    await workspace.automate(
      context.created,
      `if (context.batchId === null) return 'made';
       await api.createEntity({ category: 'location', name: 'Made', properties: { For: context.entityGuid } });`,
    );
    await workspace.automate(
      context.created,
      `if (context.batchId === null) return 'made';
       const { properties } = await api.getEntity(context.entityId);
       await api.setProperties(context.entityId, { Count: (properties.Count ?? 0) + 1 });`,
    );
    const count = 200;
    await submit(workspace, count);
    // Runs for what is synced and for what is made of it, by both automations.
    const total = 4 * count;
    for (const share of [0.02, 0.3, 0.6]) {
      const worker = startWorker();
      await vi.waitUntil(async () => (await numbers(workspace)).runs >= share * total, patience);
      await worker.kill();
    }
    const last = startWorker();
    await vi.waitUntil(async () => {
      const now = await numbers(workspace);
      return now.runs >= total && now.unread === 0;
    }, patience);
    expect(await numbers(workspace)).toEqual({
      runs: total,
      succeeded: total,
      made: count,
      distinct_made: count,
      set_once: count,
      unread: 0,
    });
    await last.kill();
  });
});

describe('a queue that loses everything', () => {
  test('costs no event: the outbox is looked into', async () => {
    const workspace = await makeAutomatedWorkspace(server);
    const automation = await workspace.automate(context.created, '1');
    for (let n = 0; n < 5; n++) await workspace.create();
    for (const queue of Object.values(server.ctx.queues.byName)) await queue.obliterate({ force: true });
    const worker = startWorker();
    expect(await workspace.ended(automation, 5)).toHaveLength(5);
    await worker.kill();
  });
});

describe('a run that the service cannot make', () => {
  test('ends as failed by itself, and the runs before and behind it are made', async () => {
    const workspace = await makeAutomatedWorkspace(server);
    // A row that no script can bring about: the unique index refuses what the run would be kept as.
    const automation = await workspace.automate(context.created, 'return context.entityNumber');
    const parts = [
      await workspace.create(),
      await workspace.create({ number: 'POISON' }),
      await workspace.create(),
    ];
    await workspace.transact((tx) =>
      tx.query(
        `insert into automation_run (workspace_id, id, automation_id, script_version, event_id, event_index,
           context_type, context, event_at, status, depth)
         select $1, gen_random_uuid(), $2, 1, id, 0, 3, '{}', now(), 'failed', 0
         from outbox where workspace_id = $1 order by id offset 1 limit 1`,
        [workspace.id, automation.id],
      ),
    );
    const worker = startWorker();
    await vi.waitUntil(async () => (await numbers(workspace)).unread === 0, patience);
    const runs = await workspace.ended(automation, 3);
    expect(runs.flatMap((run) => run.result ?? []).toSorted()).toEqual(
      [parts[0]?.number, parts[2]?.number].toSorted(),
    );
    await worker.kill();
  });
});
