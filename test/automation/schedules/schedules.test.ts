// Automations by the clock: each time once, missed times as one run, daylight saving as it was decided.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextRun } from '../../../src/automation/next-run.ts';
import { fireSchedules } from '../../../src/automation/schedules/fire-schedules.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import type { AutomationRun } from '../../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type AutomatedWorkspace, context, makeAutomatedWorkspace } from '../automated-workspace.ts';

describe('the next time', () => {
  const times = (cron: string, timeZone: string, after: string, count: number) => {
    const found: string[] = [];
    for (let at: Date | null = new Date(after); found.length < count; ) {
      at = nextRun({ cron, timeZone }, at as Date);
      if (at === null) break;
      found.push(at.toISOString().slice(0, 16));
    }
    return found;
  };

  test('that daylight saving skips is when the clock has been set forward', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
  });

  test('that comes twice is once, the first', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });

  test('of an hourly schedule is in every hour that passes', () => {
    expect(times('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
    ]);
  });

  test('of 29 February is in a leap year', () => {
    expect(times('0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual(['2028-02-29T00:00']);
  });
});

describe('a schedule', () => {
  let server: TestServer;
  let workspace: AutomatedWorkspace;
  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    workspace = await makeAutomatedWorkspace(server);
  });
  afterAll(() => server.close());

  const yearly = { cron: '0 0 1 1 *', timeZone: 'UTC' };
  const scheduled = (schedule: object, more = {}) =>
    workspace.automate(context.schedule, 'return context', { schedule, ...more });
  /** As if the clock had gone on since its next run. */
  const setBack = (id: string, interval: string) =>
    workspace.transact((tx) =>
      tx.query(
        `update automation set next_run_at = date_trunc('minute', now()) - $3::interval where workspace_id = $1 and id = $2`,
        [workspace.id, id, interval],
      ),
    );

  test('runs when its time has come, once, however many workers look', async () => {
    const made = await scheduled(yearly);
    expect(made.nextRunAt).toMatch(/^\d{4}-01-01T00:00:00.000Z$/);
    await setBack(made.id, '1 minute');
    const { signal } = new AbortController();
    await Promise.all([1, 2, 3].map(() => fireSchedules(server.ctx, signal)));
    const [run] = await workspace.ended(made, 1);
    expect(run).toMatchObject({
      status: 'succeeded',
      event: { contextTypeId: 8 },
      result: { schedule: 'A test', timeZone: 'UTC', missed: 0, workspaceSlug: workspace.slug },
    });
    expect(await workspace.runsOf(made)).toHaveLength(1);
    expect((await workspace.ask('GET', `/automations/${made.id}`)).body.nextRunAt).toBe(made.nextRunAt);
  });

  test('that was missed runs once and says how often it was', async () => {
    const made = await scheduled({ cron: '*/10 * * * *' });
    await setBack(made.id, '1 hour');
    await fireSchedules(server.ctx, new AbortController().signal);
    const [run] = await workspace.ended(made, 1);
    const { missed, scheduledAt } = (run as AutomationRun).result as { missed: number; scheduledAt: string };
    expect(missed).toBeGreaterThanOrEqual(5);
    expect(missed).toBeLessThanOrEqual(6);
    // It is the last time that has passed.
    const { nextRunAt } = (await workspace.ask('GET', `/automations/${made.id}`)).body;
    expect(Date.parse(nextRunAt) - Date.parse(scheduledAt)).toBe(10 * 60_000);
    expect((await workspace.runsOf(made)).length).toBeLessThan(3);
  });

  test('of a year of minutes counts what it missed to 1000', async () => {
    const made = await scheduled({ cron: '* * * * *' });
    await setBack(made.id, '365 days');
    await fireSchedules(server.ctx, new AbortController().signal);
    const [run] = await workspace.ended(made, 1);
    expect(run?.result).toMatchObject({ missed: 1000 });
    // A minute that begins meanwhile has a run of its own.
    expect((await workspace.runsOf(made)).length).toBeLessThan(10);
    await workspace.ask('DELETE', `/automations/${made.id}`);
  });

  test('does not run while the operator has paused the workspace, nor while it is disabled', async () => {
    const made = await scheduled(yearly);
    await setBack(made.id, '1 minute');
    const pause = (sql: string) =>
      inTransaction(server.ctx.db, 'instance', (tx) => tx.query(sql, [workspace.id]));
    await pause(`insert into operator_pause (workspace_id, work, reason) values ($1, 'automation', 'test')`);
    await fireSchedules(server.ctx, new AbortController().signal);
    expect(await workspace.runsOf(made)).toEqual([]);
    await pause(`delete from operator_pause where workspace_id = $1`);
    await fireSchedules(server.ctx, new AbortController().signal);
    await workspace.ended(made, 1);
    const stopped = await scheduled(yearly);
    await workspace.transact((tx) =>
      tx.query('update automation set next_run_at = null where workspace_id = $1 and id = $2', [
        workspace.id,
        stopped.id,
      ]),
    );
    const late = (await workspace.ask('GET', '/overview')).body.lateSchedules;
    await workspace.ask('DELETE', `/automations/${stopped.id}`);
    expect(late).toMatchObject({
      count: 1,
      items: [{ automationId: stopped.id, name: 'A test', nextRunAt: null }],
    });
    const disabled = await workspace.ask('PUT', `/automations/${made.id}`, {
      name: 'A test',
      contextTypeId: 8,
      script: '1',
      schedule: yearly,
      enabled: false,
    });
    expect(disabled.body).toMatchObject({ nextRunAt: null, enabled: false });
    const again = await workspace.ask('PUT', `/automations/${made.id}`, { ...disabled.body, enabled: true });
    expect(again.body.nextRunAt).toBe(made.nextRunAt);
  });

  test.each([
    ['every second', { cron: '* * * * * *' }, '/schedule/cron'],
    ['a single date', { cron: '2030-01-01T00:00:00' }, '/schedule/cron'],
    ['a nickname', { cron: '@daily' }, '/schedule/cron'],
    ['a day that there is not', { cron: '0 0 30 2 *' }, '/schedule/cron'],
    ['words', { cron: 'a b c d e' }, '/schedule/cron'],
    ['an unknown time zone', { cron: '0 0 * * *', timeZone: 'Mars/Olympus' }, '/schedule/timeZone'],
    ['nothing', null, '/schedule'],
  ])('of %s is refused', async (_, schedule, pointer) => {
    const answer = await workspace.ask('POST', '/automations', {
      name: 'A test',
      contextTypeId: 8,
      script: '1',
      schedule,
    });
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });
});
