// Events set off automations: once each, in order, all or nothing, and with a history that tells what happened.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AutomationRun, AutomationRunSummary } from '../../../web/client/operations.ts';
import { patience } from '../../setup/patience.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { element, syncCalls } from '../../sync/sync-calls.ts';
import { type AutomatedWorkspace, context, makeAutomatedWorkspace } from '../automated-workspace.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    environment: { AUTOMATION_CHAIN_MAX: '3', AUTOMATION_CHAIN_RUNS_MAX: '10' },
  });
});
afterAll(() => server.close());

const fresh = async (): Promise<AutomatedWorkspace> => {
  const workspace = await makeAutomatedWorkspace(server);
  for (const key of ['Mass', 'Count'])
    await workspace.ask('POST', '/property-definitions', { key, name: key, type: 'numeric' });
  return workspace;
};

describe('an event', () => {
  test('of each kind runs the automations of its context type with its context', async () => {
    const workspace = await fresh();
    const { ask } = workspace;
    const echo = 'return context';
    const created = await workspace.automate(context.created, echo);
    const updated = await workspace.automate(context.updated, echo);
    const moved = await workspace.automate(context.transition, echo);
    const disabled = await workspace.automate(context.created, echo, { enabled: false });
    const part = await workspace.create({ name: 'Block' });
    await ask('PATCH', `/entities/${part.id}`, { name: 'Block 2', properties: { Mass: 2 } });
    await ask('PATCH', `/entities/${part.id}`, { name: 'Block 2' });
    await ask('POST', `/entities/${part.id}/transitions`, { toState: 'In Review' });
    const workspaceSlug = workspace.slug;
    const subject = {
      entityId: part.id,
      entityNumber: part.number,
      entityGuid: null,
      categoryKey: 'part',
      workspaceSlug,
      batchId: null,
    };
    const [first] = await workspace.ended(created, 1);
    expect(first).toMatchObject({
      status: 'succeeded',
      scriptVersion: 1,
      attempt: 1,
      depth: 0,
      causeRunId: null,
      error: null,
      event: { contextTypeId: 3, contextType: 'entityCreated', index: 0 },
    });
    expect(first?.result).toEqual(subject);
    const changes = [
      { property: 'name', from: 'Block', to: 'Block 2' },
      { property: 'Mass', from: null, to: 2 },
    ];
    expect((await workspace.ended(updated, 1)).map((run) => run.result)).toEqual([{ ...subject, changes }]);
    expect((await workspace.ended(moved, 1)).map((run) => run.result)).toEqual([
      {
        entityId: part.versionId,
        entityNumber: part.number,
        fromState: 'In Work',
        toState: 'In Review',
        workspaceSlug,
      },
    ]);
    expect(await workspace.runsOf(disabled)).toEqual([]);
  });

  test('of a sync: every created entity once, and the import once', async () => {
    const workspace = await fresh();
    const one = await workspace.automate(context.created, 'return context.entityGuid');
    const two = await workspace.automate(context.created, 'return context.batchId');
    const imported = await workspace.automate(context.imported, 'return context');
    const entities = Array.from({ length: 40 }, () => element());
    const batch = await syncCalls(server, workspace).sync(entities);
    const guids = (await workspace.ended(one, 40)).map((run) => run.result);
    expect(guids.toSorted()).toEqual(entities.map((entity) => entity.guid).toSorted());
    expect(new Set((await workspace.ended(two, 40)).map((run) => run.result))).toEqual(
      new Set([batch.batchId]),
    );
    const [end] = await workspace.ended(imported, 1);
    expect(end?.result).toMatchObject({
      batchId: batch.batchId,
      insertCount: 40,
      updateCount: 0,
      errorCount: 0,
    });
  });

  test('from before an automation was enabled is not for it', async () => {
    const workspace = await fresh();
    const old = await workspace.automate(context.created, '1');
    await workspace.create();
    await workspace.ended(old, 1);
    const young = await workspace.automate(context.created, '2');
    await workspace.create();
    await workspace.ended(old, 2);
    expect(await workspace.ended(young, 1)).toHaveLength(1);
  });

  test('of one entity after another is handled in that order', async () => {
    const workspace = await fresh();
    const part = await workspace.create();
    const automation = await workspace.automate(context.updated, 'return context.changes[0].to');
    for (let n = 1; n <= 15; n++)
      await workspace.ask('PATCH', `/entities/${part.id}`, { properties: { Count: n } });
    const runs = await workspace.ended(automation, 15);
    expect(runs.map((run) => run.result)).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
  });
});

describe('a run', () => {
  test('writes as the automation, and shows what it changed', async () => {
    const workspace = await fresh();
    const automation = await workspace.automate(
      context.created,
      `await api.setProperties(context.entityId, { Mass: 7 });
       await api.transition(context.entityId, 'In Review', { note: 'by itself' });`,
    );
    const part = await workspace.create();
    const [run] = await workspace.ended(automation, 1);
    expect(run).toMatchObject({
      status: 'succeeded',
      changes: [
        { entityId: part.id, property: 'Mass', from: null, to: 7 },
        { entityId: part.id, property: 'state', from: 'In Work', to: 'In Review' },
      ],
    });
    const now = (await workspace.ask('GET', `/entities/${part.id}`)).body;
    expect(now).toMatchObject({ state: 'In Review', properties: { Mass: 7 } });
    const history = (await workspace.ask('GET', `/entities/${part.id}/transitions`)).body.items;
    expect(history[0].actor).toEqual({ type: 'automation', id: automation.id, name: 'A test' });
  });

  test('that fails leaves nothing but its row; its neighbours keep theirs', async () => {
    const workspace = await fresh();
    const bad = await workspace.automate(
      context.created,
      `api.log('begins');
await api.setProperties(context.entityId, { Mass: 1 });
await api.createEntity({ category: 'part', name: 'Left over', number: 'LEFT' });
throw new Error('on purpose');`,
    );
    const good = await workspace.automate(
      context.created,
      'await api.setProperties(context.entityId, { Count: 2 });',
    );
    const entities = Array.from({ length: 5 }, () => element());
    await syncCalls(server, workspace).sync(entities);
    for (const run of await workspace.ended(bad, 5)) {
      expect(run).toMatchObject({
        status: 'failed',
        changes: [],
        effects: [],
        error: { kind: 'runtime', message: 'on purpose', line: 4 },
        logs: [{ message: 'begins', line: 1 }],
      });
    }
    await workspace.ended(good, 5);
    for (const { guid } of entities) {
      const entity = (await workspace.ask('GET', `/entities/guid:${guid}`)).body;
      expect(entity.properties).toEqual({ Count: 2 });
    }
    expect((await workspace.ask('GET', '/entities?number=LEFT')).body.items).toEqual([]);
  });

  test('that sets itself off again and again is suppressed, and shows its chain', async () => {
    const workspace = await fresh();
    const automation = await workspace.automate(
      context.updated,
      'await api.setProperties(context.entityId, { Count: (context.changes[0].to ?? 0) + 1 });',
    );
    const part = await workspace.create();
    await workspace.ask('PATCH', `/entities/${part.id}`, { properties: { Count: 1 } });
    const runs = await workspace.ended(automation, 4);
    expect(runs.map((run) => [run.status, run.depth])).toEqual([
      ['succeeded', 0],
      ['succeeded', 1],
      ['succeeded', 2],
      ['suppressed', 3],
    ]);
    const last = runs[3] as AutomationRun;
    expect(last.error?.name).toBe('ChainLimitError');
    expect(last.chain.map((one) => one.id)).toEqual([runs[2]?.id, runs[1]?.id, runs[0]?.id]);
    expect(runs[0]?.effects).toEqual([expect.objectContaining({ id: runs[1]?.id, depth: 1 })]);
    expect((await workspace.ask('GET', `/entities/${part.id}`)).body.properties.Count).toBe(4);
  });

  test('that causes many events that cause many is suppressed after so many of one cause', async () => {
    const workspace = await fresh();
    const automation = await workspace.automate(
      context.created,
      "for (let n = 0; n < 4; n++) await api.createEntity({ category: 'part', name: 'More' });",
    );
    await workspace.create();
    // One, 4 of it, 6 of these; what those 10 have made sets off nothing more.
    const runs = await workspace.ended(automation, 1 + 4 + 16 + 24);
    const made = runs.filter((run) => run.status === 'succeeded');
    expect(made.map((run) => run.depth)).toEqual([0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
    const error = expect.objectContaining({ name: 'ChainLimitError' });
    for (const run of runs.slice(11)) expect(run).toMatchObject({ status: 'suppressed', error });
  });

  test('is retried by the present script, or by the same one', async () => {
    const workspace = await fresh();
    const automation = await workspace.automate(context.created, "throw new Error('v1')");
    await workspace.create();
    const [failed] = await workspace.ended(automation, 1);
    const script = "return 'v2 ' + Date.now() + Math.random()";
    await workspace.ask('PUT', `/automations/${automation.id}`, { ...automation, script });
    const current = await workspace.ask('POST', `/automation-runs/${failed?.id}/retry`, {});
    expect(current.status, current.text).toBe(202);
    expect(current.body).toMatchObject({
      status: 'queued',
      attempt: 2,
      retryOf: failed?.id,
      scriptVersion: 2,
    });
    const same = await workspace.ask('POST', `/automation-runs/${failed?.id}/retry`, { script: 'same' });
    const again = await workspace.ask('POST', `/automation-runs/${failed?.id}/retry`, { script: 'current' });
    const runs = await workspace.ended(automation, 4);
    expect(runs.map((run) => [run.id, run.status, run.attempt, run.scriptVersion])).toEqual([
      [failed?.id, 'failed', 1, 1],
      [current.body.id, 'succeeded', 2, 2],
      [same.body.id, 'failed', 3, 1],
      [again.body.id, 'succeeded', 4, 2],
    ]);
    expect(runs[3]?.result).toBe(runs[1]?.result);
    expect(runs[1]?.event).toEqual(failed?.event);
  });

  test('of a user action is fired by its call', async () => {
    const workspace = await fresh();
    const button = await workspace.automate(context.feature, 'return context', { name: 'Button' });
    const other = await workspace.automate(context.feature, 'return 1');
    const part = await workspace.create();
    const fired = await workspace.ask('POST', `/automations/${button.id}/trigger`, {
      entityId: part.id,
      context: { a: 1 },
    });
    expect(fired.status, fired.text).toBe(202);
    const [run] = await workspace.ended(button, 1);
    expect(run?.id).toBe(fired.body.id);
    expect(run?.result).toEqual({
      feature: 'Button',
      entityId: part.id,
      entityNumber: part.number,
      workspaceSlug: workspace.slug,
      parameters: { a: 1 },
      triggeredBy: run?.triggeredBy,
    });
    expect(run?.triggeredBy).toMatchObject({ type: 'apiKey' });
    expect(await workspace.runsOf(other)).toEqual([]);
    const wrong = await workspace.automate(context.created, '1');
    expect((await workspace.ask('POST', `/automations/${wrong.id}/trigger`, {})).body.code).toBe(
      'not_a_user_action',
    );
    await workspace.ask('PUT', `/automations/${button.id}`, { ...button, enabled: false });
    expect((await workspace.ask('POST', `/automations/${button.id}/trigger`, {})).body.code).toBe(
      'automation_disabled',
    );
  });

  test('of another workspace is not to be seen', async () => {
    const [mine, theirs] = [await fresh(), await fresh()];
    const automation = await mine.automate(context.created, '1');
    await mine.create();
    const [run] = await mine.ended(automation, 1);
    expect((await theirs.ask('GET', `/automation-runs/${run?.id}`)).status).toBe(404);
    expect((await theirs.ask('GET', `/automations/${automation.id}/runs`)).status).toBe(404);
  });
});

test('failed runs are retried by what they have in common, counted first, each once', async () => {
  const workspace = await fresh();
  const { ask } = workspace;
  const bad = await workspace.automate(context.created, "if (context.entityNumber) throw new Error('no')");
  const other = await workspace.automate(context.created, "throw new Error('off')");
  for (let n = 0; n < 3; n++) await workspace.create({ name: `Part ${n}` });
  const failed = await workspace.ended(bad, 3);
  await workspace.ended(other, 3);
  await ask('PUT', `/automations/${other.id}`, { ...other, enabled: false });
  const retry = async (body: object) => {
    const answer = await ask('POST', '/automation-runs/retries', body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  expect(await retry({ dryRun: true })).toEqual({
    dryRun: true,
    matching: 3,
    isPartial: false,
    disabled: 3,
    runs: [],
    left: 3,
  });
  expect(await retry({ dryRun: true, automationId: other.id })).toMatchObject({ matching: 0, disabled: 3 });
  expect(await retry({ dryRun: true, to: '2026-01-01T00:00:00Z' })).toMatchObject({ matching: 0 });
  expect(await workspace.runsOf(bad)).toHaveLength(3);
  const { items } = (await ask('GET', '/automations')).body;
  const listed = items.find(({ id }: { id: string }) => id === bad.id);
  expect(listed.recentRuns.map((run: { id: string; status: string }) => [run.id, run.status])).toEqual(
    failed.map((run) => [run.id, 'failed']).toReversed(),
  );

  await ask('PUT', `/automations/${bad.id}`, { ...bad, script: 'return 1' });
  // Whoever presses again meanwhile repeats nothing twice.
  const done = await Promise.all(Array.from({ length: 6 }, () => retry({ automationId: bad.id })));
  expect(done.map(({ matching }) => matching).toSorted()).toEqual([0, 0, 0, 0, 0, 3]);
  const made = done.flatMap(({ runs: retried }) => retried);
  expect(made.map((run: { retryOf: string }) => run.retryOf)).toEqual(failed.map((run) => run.id));
  const runs = await workspace.ended(bad, 6);
  expect(runs.slice(3).map((run) => [run.status, run.attempt])).toEqual(
    Array.from({ length: 3 }, () => ['succeeded', 2]),
  );
  expect(await retry({})).toMatchObject({ matching: 0, runs: [], disabled: 3 });
});

test('the outbox is read to its end, and the queues are empty then', async () => {
  await vi.waitUntil(async () => {
    const counts = await Promise.all(
      Object.values(server.ctx.queues.byName).map((queue) => queue.getJobCountByTypes('waiting', 'active')),
    );
    return counts.every((count) => count === 0);
  }, patience);
});

test('the runs of all automations are one list, by status, newest first, page by page', async () => {
  const workspace = await fresh();
  const { ask } = workspace;
  const good = await workspace.automate(context.created, 'return 1');
  const bad = await workspace.automate(context.created, 'throw new Error("no")');
  for (let n = 0; n < 3; n++) await workspace.create({ name: `Part ${n}` });
  await workspace.ended(good, 3);
  await workspace.ended(bad, 3);
  const listed = async (query: string): Promise<AutomationRunSummary[]> => {
    const found: AutomationRunSummary[] = [];
    let cursor = '';
    do {
      const { status, body, text } = await ask('GET', `/automation-runs?limit=2${query}${cursor}`);
      expect(status, text).toBe(200);
      found.push(...body.items);
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    return found;
  };
  const all = await listed('');
  const ids = all.map((run) => run.id);
  expect(ids).toEqual(ids.toSorted().reverse());
  expect(all).toHaveLength(6);
  const failed = await listed('&status=failed');
  expect(failed.map((run) => run.id)).toEqual(
    all.filter((run) => run.automationId === bad.id).map((run) => run.id),
  );
  expect(failed.every((run) => run.error?.message.includes('no'))).toBe(true);
});
