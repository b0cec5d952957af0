// A threshold runs its automation when stock falls below it, once, and again only when it has risen far enough.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CountingTime } from '../../src/automation/schedules/count-views.ts';
import { recordGathered } from '../../src/stock/events/gather-changes.ts';
import { recordMovements } from '../../src/stock/movements/record-movements.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type AutomatedWorkspace, context, makeAutomatedWorkspace } from './automated-workspace.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
});
afterAll(() => server.close());

interface Watched {
  workspace: AutomatedWorkspace;
  items: string[];
  /** Sets the stock of the first item, or of another, one after the other, each when the event before has been handled. */
  stock(quantities: readonly number[], item?: number): Promise<void>;
  /** Sets it and does not wait. */
  set(quantity: number, item?: number): Promise<void>;
}

async function watched(): Promise<Watched> {
  const workspace = await makeAutomatedWorkspace(server);
  const items = await workspace.addEntities(2);
  const [locationEntityId] = await workspace.addEntities(1, { category: 'location', state: 'Active' });
  const onHand = [0, 0];
  const set = async (wanted: number, item = 0) => {
    const quantity = wanted - (onHand[item] ?? 0);
    const answer = await workspace.ask('POST', '/stock/adjustments', {
      itemEntityId: items[item],
      locationEntityId,
      quantity,
    });
    expect(answer.status, answer.text).toBe(201);
    onHand[item] = wanted;
  };
  return {
    workspace,
    items,
    set,
    stock: async (quantities, item = 0) => {
      for (const wanted of quantities) {
        await set(wanted, item);
        // A threshold is decided by the figures of the time at which the event is handled.
        await vi.waitUntil(async () => (await unread(workspace)) === 0, patience);
      }
    },
  };
}

async function unread(workspace: AutomatedWorkspace): Promise<number> {
  const [row] = await workspace.transact((tx) =>
    tx.query<{ count: number }>(
      'select count(*)::int as count from outbox where workspace_id = $1 and not automation_done',
      [workspace.id],
    ),
  );
  return row?.count ?? 0;
}

const valuesOf = async ({ workspace }: Watched, automation: { id: string }, count: number) =>
  (await workspace.ended(automation, count)).map(({ result }) => result);

test('crossing is one run, also while stock stays below, and flapping is damped by the distance', async () => {
  const place = await watched();
  const { workspace, items, stock } = place;
  const moved = await workspace.automate(context.stockMoved, '1');
  const threshold = { figure: 'available', below: 5, rearm: 10 };
  const low = await workspace.automate(context.thresholdCrossed, 'return context.value', { threshold });
  await stock([20, 4, 3, 6, 4, 9, 2, 10, 4.5]);
  await stock([20, 1], 1);
  await workspace.ended(moved, 11);
  expect(await valuesOf(place, low, 3)).toEqual([4, 4.5, 1]);
  const [run] = await workspace.ended(low, 3);
  expect(run).toMatchObject({
    event: { contextTypeId: 9, contextType: 'thresholdCrossed' },
    context: { entityId: items[0], figure: 'available', below: 5, automationId: low.id, onHand: 4 },
  });
});

test('a threshold without a distance runs at every crossing, and a changed one anew', async () => {
  const place = await watched();
  const { workspace, stock } = place;
  const moved = await workspace.automate(context.stockMoved, '1');
  const threshold = { figure: 'onHand', below: 5 };
  const low = await workspace.automate(context.thresholdCrossed, 'return context.value', { threshold });
  await stock([9, 4, 5, 3]);
  expect(await valuesOf(place, low, 2)).toEqual([4, 3]);
  const read = (await workspace.ask('GET', `/automations/${low.id}`)).body;
  const changed = await workspace.ask('PUT', `/automations/${low.id}`, {
    ...read,
    threshold: { figure: 'onHand', below: 4 },
  });
  expect(changed.status, changed.text).toBe(200);
  await stock([2]);
  await workspace.ended(moved, 5);
  expect(await valuesOf(place, low, 3)).toEqual([4, 3, 2]);
});

test('movements at several locations at once that do not see each other cross it together', async () => {
  const { workspace, items, stock, set } = await watched();
  const [there] = await workspace.addEntities(1, { category: 'location', state: 'Active' });
  const [itemId] = items as [string];
  const actor = { type: 'apiKey', id: workspace.id, name: 'A test' } as const;
  const adjustment = (locationId: string, amount: bigint) => ({
    type: 'Adjustment' as const,
    itemId,
    locationId,
    amount,
  });
  await stock([5]);
  await workspace.transact((tx) => recordMovements(tx, actor, [adjustment(there as string, 5_000_000n)]));
  const moved = await workspace.automate(context.stockMoved, 'return context.onHand');
  const threshold = { figure: 'onHand', below: 4 };
  const low = await workspace.automate(context.thresholdCrossed, 'return context', { threshold });
  await workspace.transact(async (tx) => {
    await recordMovements(tx, actor, [adjustment(there as string, -4_000_000n)]);
    await recordGathered(tx);
    await set(1);
  });
  expect((await workspace.ended(moved, 2)).map(({ result }) => result)).toEqual([6, 6]);
  const [run] = await workspace.ended(low, 1);
  expect(run?.result).toMatchObject({ entityId: itemId, value: 2, onHand: 2 });
});

test('the views of a workspace are counted for a twentieth of the time, in short bursts', () => {
  let now = 0;
  const time = new CountingTime(() => now);
  time.charge('busy', 90);
  expect(time.waiting(), 'a workspace may use the share of two seconds at once').toEqual([]);
  time.charge('busy', 110);
  time.charge('other', 10);
  expect(time.waiting()).toEqual(['busy']);
  now = 1999;
  expect(time.waiting()).toEqual(['busy']);
  now = 2000;
  expect(time.waiting()).toEqual([]);
  let counts = 0;
  for (const end = now + 600_000; now < end; now += 1000)
    for (; !time.waiting().includes('busy'); counts++) time.charge('busy', 50);
  expect(counts * 50).toBeLessThanOrEqual(600_000 / 20 + 200);
});

describe('a threshold on the count of a view', () => {
  const where = { category: ['part'], where: ['Mass:gt:5'] };

  async function counted(threshold: object, filters: object = where) {
    const workspace = await makeAutomatedWorkspace(server);
    const { ask } = workspace;
    await ask('POST', '/property-definitions', { key: 'Mass', name: 'Mass', type: 'numeric' });
    const saved = await ask('POST', '/views', { name: 'Heavy', list: 'entities', filters });
    expect(saved.status, saved.text).toBe(201);
    const view = saved.body.id as string;
    const own = { threshold: { view, ...threshold } };
    const heavy = await workspace.automate(context.thresholdCrossed, 'return context', own);
    const read = async () => (await ask('GET', `/automations/${heavy.id}`)).body;
    return {
      workspace,
      view,
      heavy,
      read,
      add: (mass: number) => workspace.create({ properties: { Mass: mass } }),
      /** Waits until the view has been counted after this call. */
      count: async () => {
        const [row] = await workspace.transact((tx) =>
          tx.query<{ at: Date }>(
            `update automation set next_run_at = now(), threshold_status = null
             where workspace_id = $1 and id = $2 returning next_run_at as at`,
            [workspace.id, heavy.id],
          ),
        );
        expect(row).toBeDefined();
        return vi.waitUntil(async () => (await read()).thresholdStatus, patience);
      },
    };
  }

  test('is one run when the count crosses it, again only behind the distance, and follows the view', async () => {
    const { workspace, view, heavy, add, count, read } = await counted({ above: 1, rearm: 0 });
    const { ask } = workspace;
    expect(await count()).toMatchObject({ count: 0, isCrossed: false, error: null });
    const parts = [await add(6), await add(7)];
    expect(await count()).toMatchObject({ count: 2, isCrossed: true });
    await ask('PATCH', `/entities/${parts[0]?.id}`, { properties: { Mass: 1 } });
    expect(await count(), 'it stays crossed until the count is 0').toMatchObject({
      count: 1,
      isCrossed: true,
    });
    await add(8);
    expect(await count()).toMatchObject({ count: 2, isCrossed: true });
    const change = { name: 'Heavy', filters: { where: ['Mass:gt:100'] } };
    expect((await ask('PUT', `/views/${view}`, change)).status).toBe(200);
    expect(await count()).toMatchObject({ count: 0, isCrossed: false });
    expect((await ask('PUT', `/views/${view}`, { ...change, filters: where })).status).toBe(200);
    await count();
    const runs = await workspace.ended(heavy, 2);
    expect(runs.map(({ result }) => result)).toMatchObject([
      {
        automationId: heavy.id,
        viewId: view,
        viewName: 'Heavy',
        figure: 'count',
        value: 2,
        above: 1,
        below: null,
      },
      { value: 2, workspaceSlug: workspace.slug },
    ]);
    expect(await workspace.runsOf(heavy)).toHaveLength(2);
    // A conditional read sees the next count, and a change with the tag of an earlier count is made.
    const tag = (await ask('GET', `/automations/${heavy.id}`)).headers.get('etag') as string;
    await count();
    const again = await ask('GET', `/automations/${heavy.id}`, undefined, { 'If-None-Match': tag });
    expect(again.status).toBe(200);
    const kept = await ask('PUT', `/automations/${heavy.id}`, again.body, { 'If-Match': tag });
    expect(kept.status, kept.text).toBe(200);
    const { nextRunAt, thresholdStatus } = await read();
    const seconds = (Date.parse(nextRunAt) - Date.parse(thresholdStatus.at)) / 1000;
    expect(seconds, 'it is counted about once a minute').toBeGreaterThan(55);
    // A changed threshold counts anew, and one that is disabled not at all.
    const saved = await ask('PUT', `/automations/${heavy.id}`, {
      ...(await read()),
      threshold: { view, below: 9 },
    });
    expect(saved.body, saved.text).toMatchObject({ threshold: { view, below: 9 } });
    expect((await workspace.ended(heavy, 3))[2]?.result).toMatchObject({ value: 2, below: 9, above: null });
    const off = await ask('PUT', `/automations/${heavy.id}`, { ...(await read()), enabled: false });
    expect(off.body, off.text).toMatchObject({ nextRunAt: null, thresholdStatus: null });
  });

  test('counts anew when its threshold changes during a count', async () => {
    const { workspace, view, heavy, add, count, read } = await counted({ above: 5 });
    await add(6);
    expect(await count()).toMatchObject({ count: 1, isCrossed: false });
    const wanted = { ...(await read()), threshold: { view, above: 0 } };
    const counting = new Client({ connectionString: server.ctx.databaseUrl });
    await counting.connect();
    const key = [workspace.id, heavy.id];
    await counting.query('begin');
    await counting.query('select from automation where workspace_id = $1 and id = $2 for update', key);
    const saving = workspace.ask('PUT', `/automations/${heavy.id}`, wanted);
    await vi.waitUntil(async () => {
      const waiting = await counting.query(
        'select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
      );
      return waiting.rowCount !== 0;
    }, patience);
    await counting.query(
      'insert into threshold_crossing (workspace_id, automation_id, entity_id) values ($1, $2, $3)',
      [...key, view],
    );
    await counting.query('commit');
    await counting.end();
    expect((await saving).status).toBe(200);
    expect((await workspace.ended(heavy, 1))[0]?.result).toMatchObject({ value: 1, above: 0 });
  });

  test('reports a view that was deleted or has too many entities, and goes on with another', async () => {
    const { workspace, view, heavy, count, read } = await counted({ below: 100_000 }, {});
    const { ask } = workspace;
    await workspace.ended(heavy, 1);
    await workspace.transact((tx) =>
      tx.query(
        `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
         select $1, id, id, 'M-' || n, 'An entity', 'part', 'In Work', $1
         from (select gen_random_uuid() as id, n from generate_series(1, 10001) as n) many`,
        [workspace.id],
      ),
    );
    expect((await count()).error).toContain('"Heavy" may have more entities than are counted');
    await ask('DELETE', `/views/${view}`);
    const status = await count();
    expect(status).toMatchObject({
      count: null,
      isCrossed: true,
      error: expect.stringContaining('was deleted'),
    });
    const { lateSchedules } = (await ask('GET', '/overview')).body;
    expect(lateSchedules).toMatchObject({
      count: 1,
      items: [{ automationId: heavy.id, message: status.error }],
    });
    const renamed = await ask('PUT', `/automations/${heavy.id}`, { ...(await read()), name: 'Other' });
    expect(renamed.status, renamed.text).toBe(200);
    expect(await workspace.runsOf(heavy)).toHaveLength(1);
  });

  test('is refused on a view of somebody else, of another list, with a filter, and for an action without an entity', async () => {
    const { workspace, view } = await counted({ above: 1 });
    const { ask } = workspace;
    const other = await ask('POST', '/views', { name: 'Open', list: 'orders' });
    const { key } = (await ask('POST', '/api-keys', { name: 'Mine', areas: ['read', 'configuration'] })).body;
    const fault = async (body: object, as = workspace.key) => {
      const answer = await server.request(`/api/wid/${workspace.slug}/automations`, {
        key: as,
        body: { name: 'A test', contextTypeId: 9, script: '1', ...body },
      });
      expect(answer.status, answer.text).toBe(422);
      return answer.body.errors[0].pointer;
    };
    const threshold = { view, above: 1 };
    expect(await fault({ threshold }, key)).toBe('/threshold/view');
    expect(await fault({ threshold: { view: other.body.id, above: 1 } })).toBe('/threshold/view');
    expect(await fault({ threshold, filter: { states: ['Released'] } })).toBe('/filter');
    const actions = [{ action: 'setState', settings: { toState: 'Released' } }];
    expect(await fault({ threshold, script: undefined, actions })).toBe('/actions/0/settings/entity');
  });
});

test('stock that rises above a threshold is one run', async () => {
  const place = await watched();
  const threshold = { figure: 'onHand', above: 10, rearm: 5 };
  const high = await place.workspace.automate(context.thresholdCrossed, 'return context.value', {
    threshold,
  });
  await place.stock([10, 11, 8, 12, 5, 20]);
  expect(await valuesOf(place, high, 2)).toEqual([11, 20]);
});

test.each([
  ['neither figure nor view', { below: 5 }, '/threshold/figure'],
  ['both directions', { figure: 'onHand', below: 5, above: 5 }, '/threshold/below'],
  ['a distance above what it must rise above', { figure: 'onHand', above: 5, rearm: 6 }, '/threshold/rearm'],
  ['none', null, '/threshold'],
  ['a distance to the wrong side', { figure: 'onHand', below: 5, rearm: 4 }, '/threshold/rearm'],
  ['an unknown figure', { figure: 'weight', below: 5 }, '/threshold/figure'],
])('%s is refused', async (_, threshold, pointer) => {
  const { workspace } = await watched();
  const answer = await workspace.ask('POST', '/automations', {
    name: 'A test',
    contextTypeId: 9,
    script: '1',
    threshold,
  });
  expect(answer.status, answer.text).toBe(422);
  expect(answer.body.errors[0].pointer).toBe(pointer);
});
