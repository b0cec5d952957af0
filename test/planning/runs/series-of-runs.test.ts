/** Planning runs that write only what differs from the run before them. */
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectDb } from '../../../src/db/connect.ts';
import { differenceOf, digestsOf, StoredActions } from '../../../src/planning/runs/differences.ts';
import { planWorkspace } from '../../../src/planning/runs/plan-workspace.ts';
import { lockSeries } from '../../../src/planning/runs/planning-actions.sql.ts';
import { pruneOld } from '../../../src/retention.ts';
import type { PlanningAction, PlanningRun } from '../../../web/client/operations.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../../procurement/procuring-workspace.ts';
import { patience } from '../../setup/patience.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';

const ITEMS = 24;
const DAY_MS = 86_400_000;

let server: TestServer;
let workspace: ProcuringWorkspace;
let admin: Client;

beforeAll(async () => {
  server = await startTestServer();
  admin = new Client({ connectionString: server.ctx.databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await server.close();
});

const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const must = (status: number, method: string, path: string, body?: object) =>
  workspace.must(status, method, path, body);
const accept = async (body: object = {}): Promise<string> =>
  (await must(202, 'POST', '/planning/runs', body)).id;
/** Computes a run as on another day; without retention it goes on with no other, and writes all of its actions. */
const compute = async (id: string, { days = 0, retentionDays = 30 } = {}): Promise<PlanningRun> => {
  const limits = { itemsMax: 10_000, linksMax: 10_000, actionsMax: 1000, retentionDays };
  if (days > 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY_MS });
  await planWorkspace(server.ctx.db, { workspaceId: workspace.id, id }, limits).finally(vi.useRealTimers);
  const done = await must(200, 'GET', `/planning/runs/${id}`);
  expect(done.status, JSON.stringify(done.failure)).toBe('completed');
  return done;
};
const run = async (options: Parameters<typeof compute>[1] = {}) => compute(await accept(), options);
const actionsOf = async ({ id }: { id: string }, query = ''): Promise<PlanningAction[]> => {
  const all: PlanningAction[] = [];
  for (let cursor: string | null = null; all.length === 0 || cursor !== null; ) {
    const from: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page = await must(200, 'GET', `/planning/runs/${id}/actions?limit=15${query}${from}`);
    all.push(...page.items);
    cursor = page.nextCursor;
    if (page.items.length === 0) break;
  }
  expect(new Set(all.map(({ number }) => number)).size).toBe(all.length);
  expect(all.map(({ startsOn }) => startsOn)).toEqual(all.map(({ startsOn }) => startsOn).sort());
  return all;
};
/** Actions as a run that writes all of them has them, in any order. */
const plain = (actions: readonly PlanningAction[]) =>
  actions.map(({ number: _, status: _s, orderId: _o, lineDate: _l, ...said }) => JSON.stringify(said)).sort();
const decided = (actions: readonly PlanningAction[]) =>
  actions
    .map(({ itemEntityId, action, startsOn, quantity, status }) =>
      [itemEntityId, action, startsOn, quantity, status].join(' '),
    )
    .sort();
const rowsOf = async (id: string) => {
  const { rows } = await admin.query(
    `select r.series_id, r.generation,
            (select count(*)::int from planning_action where run_id = r.series_id and from_generation = r.generation) as written
     from planning_run r where id = $1`,
    [id],
  );
  return rows[0] as { series_id: string; generation: number; written: number };
};
const forget = async (id: string) => {
  await admin.query('delete from planning_action where run_id = $1', [id]);
  await admin.query('delete from planning_run where id = $1', [id]);
};
/** A workspace of its own, in which each item is needed. */
const makeWorkspace = async () => {
  workspace = await makeProcuringWorkspace(server, { items: ITEMS, locations: 1 });
  const [shelf] = workspace.locations;
  const { items } = workspace;
  for (const [at, item] of items.entries()) {
    const planning = { policy: 'demand', leadTimeDays: 1 + (at % 5), locationEntityId: shelf };
    await must(200, 'PUT', `/planning/items/${item}`, planning);
    await need(item, 3 + at, 20 + at);
  }
  for (let at = 0; at < 4; at++)
    await workspace.link(items[at] as string, items[ITEMS - 1 - at] as string, 2);
};
const need = (item: string | undefined, requiredQty: number, days: number) =>
  must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: item,
    requiredQty,
    requiredBy: dayIn(days),
  });

test('a run finds the plan of the day before unchanged, unless what it says depends on the day', async () => {
  await makeWorkspace();
  const [lever] = (await workspace.addEntities(1)) as [string];
  await must(200, 'PUT', `/planning/items/${lever}`, {
    policy: 'demand',
    makeOrBuy: 'make',
    leadTimeDays: 5,
  });
  const forecast = { itemEntityId: lever, from: dayIn(40), until: dayIn(50), quantity: 3 };
  await must(200, 'POST', '/planning/forecasts', { forecasts: [forecast] });
  const first = await run();
  const second = await run({ days: 1 });
  expect(second).toMatchObject({ day: dayIn(1), sameAs: first.id });
  // A need without a date is due on the day of each run, and one with that date is not the same.
  const undated = { projectId: workspace.project, itemEntityId: lever, requiredQty: 1 };
  const { id } = await must(201, 'POST', '/requirements', undated);
  const others = [await run({ days: 1 }), await run({ days: 2 })];
  await must(200, 'PATCH', `/requirements/${id}`, { requiredBy: dayIn(3) });
  others.push(await run({ days: 2 }), await run({ days: 3 }));
  expect(others.map(({ sameAs }) => sameAs)).toEqual([null, null, null, null]);
  await must(200, 'PATCH', `/requirements/${id}`, { requiredBy: dayIn(45) });
  const [before, after] = [await run({ days: 2 }), await run({ days: 3 })];
  expect(after).toMatchObject({ sameAs: before.id });
  const make = (await actionsOf(after)).find(({ itemEntityId }) => itemEntityId === lever);
  const body = { actions: [make?.number], locationEntityId: workspace.locations[0] };
  const committed = await workspace.ask('POST', `/planning/runs/${after.id}/commit`, body);
  expect(committed.status, committed.text).toBe(200);
});

test('each run of a series has the actions that it would have written alone, and writes only what is new', async () => {
  await makeWorkspace();
  const { items, locations } = workspace;
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const anyItem = () => items[random(ITEMS)];
  const change = async (last: PlanningRun, actions: readonly PlanningAction[]) => {
    const open = actions.filter(({ status, action }) => status === 'open' && action === 'order');
    const [one] = open.slice(random(open.length || 1));
    const dismissed = actions.filter(({ status }) => status === 'dismissed');
    const decide = (some: readonly PlanningAction[], isDismissed: boolean) =>
      must(200, 'POST', `/planning/runs/${last.id}/dismiss`, {
        actions: some.map(({ number }) => number),
        dismissed: isDismissed,
      });
    switch (random(6)) {
      case 0:
        await workspace.adjust(anyItem(), locations[0], 1 + random(9));
        break;
      case 1:
        await need(anyItem(), 1 + random(5), 10 + random(60));
        break;
      case 2:
        if (one !== undefined) await decide([one], true);
        break;
      case 3:
        if (dismissed.length > 0) await decide(dismissed.slice(0, 1), false);
        break;
      case 4:
        if (one !== undefined)
          await must(200, 'POST', `/planning/runs/${last.id}/commit`, {
            actions: [one.number],
            as: random(2) === 0 ? 'draft' : 'ordered',
          });
        break;
      default:
    }
  };
  const kept: { done: PlanningRun; actions: string[] }[] = [];
  let differences = 0;
  for (let step = 0; step < 16; step++) {
    const last = kept.at(-1)?.done;
    if (last !== undefined)
      for (let changes = random(3); changes > 0; changes--) await change(last, await actionsOf(last));
    const days = Math.floor(step / 6);
    const alone = await run({ days, retentionDays: 0 });
    const expected = await actionsOf(alone);
    const served = plain(await actionsOf(alone, `&project=${workspace.project}`));
    await forget(alone.id);
    const done = await run({ days });
    const actions = await actionsOf(done);
    expect(plain(actions)).toEqual(plain(expected));
    expect(plain(await actionsOf(done, `&project=${workspace.project}`))).toEqual(served);
    expect(decided(actions)).toEqual(decided(expected));
    expect(done).toMatchObject({ actions: alone.actions, exceptions: alone.exceptions });
    const stored = await rowsOf(done.id);
    if (stored.generation > 0 && done.sameAs === null) {
      differences++;
      expect(stored.written).toBeLessThan(actions.length / 2);
    }
    kept.push({ done, actions: plain(actions) });
    // Runs before have the same actions as ever.
    for (const one of kept.slice(-3)) expect(plain(await actionsOf(one.done))).toEqual(one.actions);
  }
  for (const one of kept) expect(plain(await actionsOf(one.done))).toEqual(one.actions);
  expect(differences).toBeGreaterThan(3);
  const [first, second] = [kept[0], kept.at(-1)] as [(typeof kept)[0], (typeof kept)[0]];
  const compared = await must(
    200,
    'GET',
    `/planning/runs/${second.done.id}/compare?with=${first.done.id}&limit=100`,
  );
  expect(compared.items.length).toBeGreaterThan(0);
  const same = await must(200, 'GET', `/planning/runs/${first.done.id}/compare?with=${first.done.id}`);
  expect(same.items).toEqual([]);

  // Old runs are deleted while the series goes on, and its actions with its last run.
  const makeOld = () =>
    admin.query(
      "update planning_run set finished_at = finished_at - interval '40 days' where workspace_id = $1 and id <> $2",
      [workspace.id, second.done.id],
    );
  await makeOld();
  for (let pass = 0; pass < 3; pass++) await pruneOld(server.ctx);
  const { items: left } = await must(200, 'GET', '/planning/runs');
  expect(left.map(({ id }: PlanningRun) => id)).toEqual(
    [second.done.id, second.done.sameAs].filter((id) => id !== null),
  );
  expect(plain(await actionsOf(second.done))).toEqual(second.actions);
  await admin.query(
    "update planning_run set finished_at = finished_at - interval '40 days' where workspace_id = $1",
    [workspace.id],
  );
  for (let pass = 0; pass < 3; pass++) await pruneOld(server.ctx);
  const { rows } = await admin.query(
    `select (select count(*)::int from planning_run where workspace_id = $1) as runs,
            (select count(*)::int from planning_action where workspace_id = $1) as actions`,
    [workspace.id],
  );
  expect(rows).toEqual([{ runs: 0, actions: 0 }]);
});

test('a dismissal in a run with a scope holds in the series of the whole workspace, and is taken back there', async () => {
  await makeWorkspace();
  const scoped = { scope: { items: workspace.items.slice(0, 2) } };
  const [item] = workspace.items;
  const ofItem = async (of: PlanningRun) =>
    (await actionsOf(of)).filter(({ itemEntityId, action }) => itemEntityId === item && action !== 'none');
  const dismiss = async (of: PlanningRun, dismissed: boolean) => {
    const actions = (await ofItem(of)).map(({ number }) => number);
    await must(200, 'POST', `/planning/runs/${of.id}/dismiss`, { actions, dismissed });
  };
  const whole = await run();
  const part = await compute(await accept(scoped));
  await dismiss(part, true);
  const again = await run();
  expect(again.sameAs).toBe(whole.id);
  expect(await ofItem(again)).toMatchObject([{ status: 'dismissed' }]);
  await dismiss(await compute(await accept(scoped)), false);
  expect(await ofItem(await run())).toMatchObject([{ status: 'open' }]);
});

test('what was committed is proposed anew if its order is cancelled, with what else the item needs', async () => {
  await makeWorkspace();
  const [item] = workspace.items.slice(6);
  await need(item, 2, 90);
  const ofItem = async (of: PlanningRun) =>
    (await actionsOf(of)).filter(({ itemEntityId, action }) => itemEntityId === item && action === 'order');
  const commit = (of: PlanningRun, actions: readonly PlanningAction[]) =>
    must(200, 'POST', `/planning/runs/${of.id}/commit`, { actions: actions.map(({ number }) => number) });
  const first = await run();
  const proposed = await ofItem(first);
  expect(proposed).toHaveLength(2);
  const { orders } = await commit(first, proposed.slice(0, 1));
  for (const { id } of orders[0].lines) await workspace.move(id, 'Cancelled');
  const second = await run();
  expect(await rowsOf(second.id)).toMatchObject({ series_id: first.id, generation: 1, written: 2 });
  expect(await ofItem(second)).toMatchObject([{ status: 'open' }, { status: 'open' }]);
  expect(await ofItem(first)).toMatchObject([{ status: 'committed' }, { status: 'open' }]);
  expect((await commit(second, await ofItem(second))).orders).toHaveLength(1);
});

test('a commit by one run leaves what is stale in another that shares its other actions', async () => {
  await makeWorkspace();
  const [item] = workspace.items;
  // The plan of a day orders these one by one, and that of a month the first two together.
  for (const days of [60, 70, 110]) await need(item, 10, days);
  const planned = async (periodDays: number) => {
    const { id } = await compute(await accept({ periodDays }));
    const actions = (await actionsOf({ id })).filter(
      (one) => one.itemEntityId === item && one.quantity >= 10,
    );
    return {
      id,
      numbers: actions.map(({ number }) => number),
      quantities: actions.map(({ quantity }) => quantity),
    };
  };
  const byDay = await planned(1);
  const byMonth = await planned(30);
  expect([byDay.quantities, byMonth.quantities]).toEqual([
    [10, 10, 10],
    [20, 10],
  ]);
  expect(byMonth.numbers[1]).toBe(byDay.numbers[2]);
  const commit = async ({ id }: { id: string }, number: number | undefined) =>
    (await workspace.ask('POST', `/planning/runs/${id}/commit`, { actions: [number] })).status;
  expect(await commit(byDay, byDay.numbers[0])).toBe(200);
  expect(await commit(byMonth, byMonth.numbers[0])).toBe(409);
  expect(await commit(byMonth, byMonth.numbers[1])).toBe(200);
  expect(await commit(byMonth, byMonth.numbers[0])).toBe(409);
  expect(await commit(byDay, byDay.numbers[1])).toBe(409);
});

test('of two runs that would be stored as the same generation one is computed anew', async () => {
  await makeWorkspace();
  const first = await run();
  await need(workspace.items[5], 1, 90);
  const ids = [await accept(), await accept()];
  await admin.query('begin');
  await admin.query(lockSeries, [workspace.id, first.id]);
  const waiting = async (count: number) => {
    const { rows } = await admin.query(
      `select count(*)::int as waiting from pg_locks join pg_database d on d.oid = database
       where locktype = 'advisory' and not granted and datname = current_database()`,
    );
    return rows[0].waiting === count;
  };
  const computing = [];
  for (const [at, id] of ids.entries()) {
    computing.push(compute(id));
    await vi.waitUntil(() => waiting(at + 1), patience);
  }
  await admin.query('commit');
  const ended = await Promise.allSettled(computing);
  expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const failed = ended.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  expect(String(failed.reason)).toContain('stored meanwhile');
  const done = ended[0]?.status === 'fulfilled' ? 0 : 1;
  const late = await compute(ids[1 - done] as string);
  expect(late.sameAs).toBe(ids[done]);
  expect(plain(await actionsOf(late))).not.toEqual(plain(await actionsOf(first)));
});

test('actions that say the same are told apart by their number, and a series ends before lists pass over too many rows', () => {
  const rows = 2000;
  const columnsOf = (says: readonly string[]) => [says];
  const differs = (
    before: readonly (string | null)[],
    now: readonly string[],
    lastNumber = before.length,
  ) => {
    const actions = new StoredActions();
    for (const [at, says] of before.entries())
      actions.add(at + 1, says === null ? null : (digestsOf(columnsOf([says]))[0] as string));
    const portions = [columnsOf(now.slice(0, 3)), columnsOf(now.slice(3))];
    const plan = { counts: { actions: {}, exceptions: {} }, isTruncated: false, portions };
    const baseline = { series: 'a', generation: 4, runId: 'b', ...plan, lastNumber, actions };
    return differenceOf('c', { ...plan, digests: portions.map(digestsOf) }, baseline);
  };
  const { written, ended, ...rest } = differs(
    ['x', 'x', 'y', 'x', null],
    ['x', 'y', 'z', 'w', 'v', 'u', 't'],
  );
  expect(rest).toEqual({ series: 'c', generation: 0, sameAs: null });
  expect([ended, written.map(([numbers]) => numbers)]).toEqual([
    [],
    [
      [1, 2, 3],
      [4, 5, 6, 7],
    ],
  ]);
  const said = ['x', 'x', 'y', 'q', 'r', 's', 't'];
  const some = differs([...said, 'x'], ['x', 'y', 'z', ...said.slice(3), 'x']);
  expect(some).toMatchObject({ series: 'a', generation: 5, sameAs: null });
  expect(some.ended).toHaveLength(1);
  expect(some.written).toMatchObject([[[9], ['z'], [expect.any(String)]]]);
  expect(differs(said, said.toReversed())).toEqual({
    series: 'a',
    generation: 4,
    written: [],
    ended: [],
    sameAs: 'b',
  });
  const many = Array.from({ length: rows }, (_, at) => `n${at}`);
  const changed = [...many.slice(1), 'other'];
  expect(differs(many, changed, 2 * rows + 999).series).toBe('a');
  expect(differs(many, changed, 2 * rows + 1000).series).toBe('c');
});

test('a run fails with what to do where the rows that it reads at once have too many bytes', async () => {
  const bounded = await connectDb({
    url: server.ctx.databaseUrl,
    poolMax: 1,
    applicationName: 'bounded copies',
    log: pino({ level: 'silent' }),
    wire: { mode: 'pipelined', nices: false, copyBytesMax: 100 },
  });
  try {
    const id = await accept();
    const limits = { itemsMax: 10_000, linksMax: 10_000, actionsMax: 1000, retentionDays: 30 };
    await planWorkspace(bounded, { workspaceId: workspace.id, id }, limits);
    const { status, failure } = await must(200, 'GET', `/planning/runs/${id}`);
    expect([status, failure.code]).toEqual(['failed', 'planning_too_large']);
    expect(failure.message).toMatch(/take more than 100 bytes.*DATABASE_COPY_BYTES_MAX/);
  } finally {
    await bounded.close();
  }
});
