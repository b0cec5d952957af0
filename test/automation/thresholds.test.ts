// A threshold runs its automation when stock falls below it, once, and again only when it has risen far enough.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

test.each([
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
