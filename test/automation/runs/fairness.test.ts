// A workspace with many events, or with scripts that never end, does not keep the others' waiting, nor flood the queue.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { until } from '../../setup/worker-process.ts';
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

/** How long it takes from an entity made to its run ended, in milliseconds. */
async function timeOfOne(
  workspace: AutomatedWorkspace,
  automation: { id: string },
  before: number,
): Promise<number> {
  const startedAt = performance.now();
  await workspace.create();
  await until('its run ends', async () => (await workspace.runsOf(automation)).length > before, 30_000);
  return performance.now() - startedAt;
}

/** EVENT_ENTITIES=100000 for the long way. */
const SYNCED = Number(process.env.EVENT_ENTITIES ?? 5000);

test(
  `${SYNCED} synced entities with two automations: all run, while another workspace is served at once`,
  async () => {
    const many = await makeAutomatedWorkspace(server);
    const few = await makeAutomatedWorkspace(server);
    const one = await many.automate(context.created, 'return context.entityNumber');
    const two = await many.automate(
      context.created,
      "if (context.entityNumber.endsWith('7')) api.log('seven')",
    );
    const quick = await few.automate(context.created, 'return 1');
    await timeOfOne(few, quick, 0);
    const entities = Array.from({ length: SYNCED }, (_, n) => ({
      guid: randomUUID(),
      number: `M-${n}`,
      name: `Part ${n}`,
      categoryKey: 'part',
    }));
    const startedAt = performance.now();
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
    const times: number[] = [];
    let jobsMax = 0;
    await until(
      'all have run',
      async () => {
        times.push(await timeOfOne(few, quick, times.length + 1));
        jobsMax = Math.max(jobsMax, await waitingJobs());
        const now = await counts();
        return now.get(one.id) === SYNCED && now.get(two.id) === SYNCED;
      },
      60_000 + 10 * SYNCED,
    );
    const tookMs = performance.now() - startedAt;
    const sorted = times.toSorted((a, b) => a - b);
    console.log(
      `${2 * SYNCED} runs in ${Math.round(tookMs)} ms; the other workspace's ${sorted.length}: median ${Math.round(sorted[sorted.length >> 1] ?? 0)}, longest ${Math.round(sorted.at(-1) ?? 0)} ms; jobs waiting at most ${jobsMax}`,
    );
    expect(jobsMax).toBeLessThanOrEqual(10);
    expect(Math.max(...times)).toBeLessThan(2000);
  },
  120_000 + 10 * SYNCED,
);

test('scripts that are quick but for a few that loop for ever hold up nobody', async () => {
  const mixed = await makeAutomatedWorkspace(server);
  const few = await makeAutomatedWorkspace(server);
  const loops = await mixed.automate(context.created, "if (context.entityNumber.endsWith('00')) for (;;);");
  const quick = await few.automate(context.created, 'return 1');
  await timeOfOne(few, quick, 0);
  const entities = Array.from({ length: 600 }, (_, n) => ({
    guid: randomUUID(),
    number: `X-${n}`,
    name: `Part ${n}`,
    categoryKey: 'part',
  }));
  await mixed.ask('POST', '/pdm/sync', { entities });
  const times: number[] = [];
  let runs: { status: string }[] = [];
  await until(
    'all have run',
    async () => {
      times.push(await timeOfOne(few, quick, times.length + 1));
      runs = await mixed.runsOf(loops);
      return runs.length === 600;
    },
    60_000,
  );
  expect(runs.filter((run) => run.status === 'failed')).toHaveLength(5);
  expect(Math.max(...times)).toBeLessThan(3000);
}, 90_000);

test('while ten workspaces loop for ever, the runs of another end soon', async () => {
  const innocent = await makeAutomatedWorkspace(server);
  const quick = await innocent.automate(context.created, 'return 1');
  await timeOfOne(innocent, quick, 0);
  const hostile = await Promise.all(Array.from({ length: 10 }, () => makeAutomatedWorkspace(server)));
  for (const workspace of hostile) await workspace.automate(context.created, 'for (;;);');
  for (const workspace of hostile) for (let n = 0; n < 3; n++) await workspace.create();
  const times: number[] = [];
  for (let n = 1; n <= 20; n++) times.push(await timeOfOne(innocent, quick, n));
  console.log(`beside looping scripts: ${times.map(Math.round)} ms`);
  expect(Math.max(...times)).toBeLessThan(3000);
}, 90_000);
