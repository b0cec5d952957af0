// A workspace with many events, or with scripts that never end, does not keep the others' waiting, nor flood the queue.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { announceTurn } from '../../../src/automation/runs/take-turn.ts';
import { PATIENCE_MS, patience } from '../../setup/patience.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type AutomatedWorkspace, context, makeAutomatedWorkspace } from '../automated-workspace.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
});
afterAll(() => server.close());

const waitingJobs = async () => {
  const { automation, 'automation-slow': slow } = server.ctx.queues.byName;
  const counts = await Promise.all(
    [automation, slow].map((queue) => queue.getJobCountByTypes('waiting', 'delayed')),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

/** Makes an entity and waits for its run, which is one more than there were. */
async function serveOne(workspace: AutomatedWorkspace, automation: { id: string }, before: number) {
  await workspace.create();
  await vi.waitUntil(async () => (await workspace.runsOf(automation)).length > before, patience);
}

/** EVENT_ENTITIES=100000 for the long way. */
const SYNCED = Number(process.env.EVENT_ENTITIES ?? 2000);

test(`${SYNCED} synced entities with two automations: all run, while another workspace is served at once`, async () => {
  const many = await makeAutomatedWorkspace(server);
  const few = await makeAutomatedWorkspace(server);
  const one = await many.automate(context.created, 'return context.entityNumber');
  const two = await many.automate(
    context.created,
    "if (context.entityNumber.endsWith('7')) api.log('seven')",
  );
  const quick = await few.automate(context.created, 'return 1');
  await serveOne(few, quick, 0);
  const entities = Array.from({ length: SYNCED }, (_, n) => ({
    guid: randomUUID(),
    number: `M-${n}`,
    name: `Part ${n}`,
    categoryKey: 'part',
  }));
  const sync = await many.ask('POST', '/pdm/sync', { entities });
  expect(sync.status, sync.text).toBeLessThan(300);
  const counts = async () => {
    const rows = await many.transact((tx) =>
      tx.query<{ id: string; runs: number }>(
        `select automation_id as id, count(distinct event_id || ' ' || event_index)::int as runs
         from automation_run where workspace_id = $1 and status = 'succeeded' group by 1`,
        [many.id],
      ),
    );
    return new Map(rows.map((row) => [row.id, row.runs]));
  };
  let served = 0;
  let jobsMax = 0;
  await vi.waitUntil(
    async () => {
      await serveOne(few, quick, ++served);
      jobsMax = Math.max(jobsMax, await waitingJobs());
      const now = await counts();
      return now.get(one.id) === SYNCED && now.get(two.id) === SYNCED;
    },
    { ...patience, timeout: PATIENCE_MS + 20 * SYNCED },
  );
  expect(jobsMax).toBeLessThanOrEqual(10);
  // Behind all of the others' runs there would be one.
  expect(served).toBeGreaterThan(2);
});

test('scripts that are quick but for a few that loop for ever hold up nobody', async () => {
  const mixed = await makeAutomatedWorkspace(server);
  const few = await makeAutomatedWorkspace(server);
  const loops = await mixed.automate(context.created, "if (context.entityNumber.endsWith('00')) for (;;);");
  const quick = await few.automate(context.created, 'return 1');
  await serveOne(few, quick, 0);
  const entities = Array.from({ length: 600 }, (_, n) => ({
    guid: randomUUID(),
    number: `X-${n}`,
    name: `Part ${n}`,
    categoryKey: 'part',
  }));
  await mixed.ask('POST', '/pdm/sync', { entities });
  let served = 0;
  let runs: { status: string }[] = [];
  await vi.waitUntil(async () => {
    await serveOne(few, quick, ++served);
    runs = await mixed.runsOf(loops);
    return runs.length === 600;
  }, patience);
  expect(runs.filter((run) => run.status === 'failed')).toHaveLength(5);
  expect(served).toBeGreaterThan(2);
});

test('what the scripts of a workspace compute is on its account, and its next turn waits for as long as it pauses', async () => {
  const { costs, queues } = server.ctx;
  const busy = await makeAutomatedWorkspace(server);
  const counting = 'let sum = 0; for (let at = 0; at < 1e5; at++) sum += at; return sum;';
  const automation = await busy.automate(context.created, counting);
  const charged = vi.spyOn(costs, 'charge');
  await serveOne(busy, automation, 0);
  const isCharged = () => charged.mock.calls.some(([id, ms]) => id === busy.id && ms > 0);
  await vi.waitUntil(isCharged, patience);
  const ref = { workspaceId: busy.id, turn: '0' };
  await announceTurn(queues, ref, true, 3_600_000);
  const delayed = await queues.byName['automation-slow'].getDelayed();
  expect(delayed.map(({ data, delay }) => ({ data, delay }))).toEqual([{ data: ref, delay: 3_600_000 }]);
});

/** Of each of them: more than are through while a few others' are served. */
const LOOPS = 10;

test('while ten workspaces loop for ever, the runs of another end soon', async () => {
  const innocent = await makeAutomatedWorkspace(server);
  const quick = await innocent.automate(context.created, 'return 1');
  await serveOne(innocent, quick, 0);
  const hostile = await Promise.all(Array.from({ length: 10 }, () => makeAutomatedWorkspace(server)));
  const loops = await Promise.all(
    hostile.map((workspace) => workspace.automate(context.created, 'for (;;);')),
  );
  for (const workspace of hostile) for (let n = 0; n < LOOPS; n++) await workspace.create();
  for (let n = 1; n <= 10; n++) await serveOne(innocent, quick, n);
  const ended = await Promise.all(hostile.map((one, at) => one.runsOf(loops[at] as { id: string })));
  expect(ended.flat().filter((run) => run.status !== 'queued').length).toBeLessThan(10 * LOOPS);
});
