// Stock, orders and imports that are not clean set off automations and webhooks: once per transaction, and not where nobody listens.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { areas } from '../../src/areas.ts';
import { openScriptCalls } from '../../src/automation/runs/open-script-calls.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { unpackEvents } from '../../src/events/record-events.ts';
import { recordMovements } from '../../src/stock/movements/record-movements.ts';
import { recordNotApplied } from '../../src/sync/chunk/record-not-applied.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { isDeep } from '../setup/tier.ts';
import { element, syncCalls } from '../sync/sync-calls.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';
import { type AutomatedWorkspace, context, makeAutomatedWorkspace } from './automated-workspace.ts';

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  server = await startTestServer({ worker: true, environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await server.close();
});

interface Stocked {
  workspace: AutomatedWorkspace;
  items: string[];
  places: string[];
  must(status: number, path: string, body: object): Promise<TestAnswer['body']>;
}

async function stocked(): Promise<Stocked> {
  const workspace = await makeAutomatedWorkspace(server);
  return {
    workspace,
    items: await workspace.addEntities(2),
    places: await workspace.addEntities(2, { category: 'location', state: 'Active' }),
    must: async (status, path, body) => {
      const answer = await workspace.ask('POST', path, body);
      expect(answer.status, answer.text).toBe(status);
      return answer.body;
    },
  };
}

const outboxOf = ({ workspace }: Stocked) =>
  workspace.transact((tx) =>
    tx.query<{ context_type: number; events: Buffer }>(
      'select context_type, events from outbox where workspace_id = $1 order by id',
      [workspace.id],
    ),
  );
const eventsOf = async (stock: Stocked) =>
  (await outboxOf(stock)).flatMap(({ context_type: type, events }) =>
    unpackEvents(events).map((event): Record<string, unknown> => ({ contextType: type, ...event })),
  );

describe('stock that moves', () => {
  test('writes nothing to the outbox where nobody listens', async () => {
    const stock = await stocked();
    const [itemEntityId, locationEntityId] = [stock.items[0], stock.places[0]];
    await stock.must(201, '/stock/adjustments', { itemEntityId, locationEntityId, quantity: 5 });
    await stock.must(201, '/stock/lines', {
      type: 'purchaseOrder',
      itemEntityId,
      locationEntityId,
      quantity: 5,
    });
    expect(await outboxOf(stock)).toEqual([]);
  });

  test('is one event of an item, with the figures after, however many adjustments a call has', async () => {
    const stock = await stocked();
    const moved = await stock.workspace.automate(context.stockMoved, 'return context');
    const [itemEntityId, other] = stock.items;
    const [here, there] = stock.places;
    // The call with the most adjustments in the deep tier, and a quicker one in the core.
    const count = isDeep ? 10_000 : 2500;
    const onHand = (count - 1) / 10;
    const adjustments = Array.from({ length: count }, (_, at) => ({
      itemEntityId: at === 7 ? other : itemEntityId,
      locationEntityId: at % 2 === 0 ? here : there,
      quantity: 0.1,
    }));
    await stock.must(201, '/stock/adjustments/batch', { adjustments });
    const events = await eventsOf(stock);
    expect(events).toHaveLength(2);
    expect(events.find(({ entityId }) => entityId === itemEntityId)).toMatchObject({
      contextType: 6,
      onHand,
      available: onHand,
      reserved: 0,
      onOrder: 0,
      entryCount: count - 1,
      categoryKey: 'part',
      isPartial: false,
      movements: [
        { movementType: 'Adjustment', locationEntityId: here, quantity: count / 20 },
        { movementType: 'Adjustment', locationEntityId: there, quantity: (count - 2) / 20 },
      ],
      positions: [
        { locationEntityId: here, onHand: count / 20 },
        { locationEntityId: there, onHand: (count - 2) / 20 },
      ],
    });
    const runs = await stock.workspace.ended(moved, 2);
    expect(runs.map(({ result }) => (result as { entityId: string }).entityId).sort()).toEqual(
      [itemEntityId, other].sort(),
    );
  });

  test('tells webhooks the same', async () => {
    const stock = await stocked();
    const events = ['stock.moved', 'order.changed'];
    await stock.must(201, '/webhooks', { url: receiver.url, events });
    const [itemEntityId, locationEntityId] = [stock.items[0], stock.places[0]];
    await stock.must(201, '/stock/adjustments', { itemEntityId, locationEntityId, quantity: 5 });
    const message = await vi.waitUntil(
      () => receiver.received.map(({ body }) => JSON.parse(body)).find(({ type }) => type === 'stock.moved'),
      patience,
    );
    expect(message.data).toMatchObject({
      entityId: itemEntityId,
      onHand: 5,
      workspaceSlug: stock.workspace.slug,
    });
  });

  test('is no event of a transaction that is undone, nor of a part of it', async () => {
    const stock = await stocked();
    await stock.workspace.automate(context.stockMoved, '1');
    const { workspace } = stock;
    const [itemId, locationId] = [stock.items[0] as string, stock.places[0] as string];
    const actor = { type: 'system', id: workspace.id, name: 'Test' } as const;
    const move = (amount: bigint) => ({ type: 'Adjustment' as const, itemId, locationId, amount });
    await inTransaction(server.ctx.db, { workspaceId: workspace.id }, async (tx) => {
      await recordMovements(tx, actor, [move(1_000_000n)]);
      throw new Error('undone');
    }).catch(() => {});
    expect(await eventsOf(stock)).toEqual([]);
    await workspace.transact(async (tx) => {
      await recordMovements(tx, actor, [move(1_000_000n)]);
      await recordMovements(tx, actor, [move(2_000_000n)]);
    });
    expect(await eventsOf(stock)).toMatchObject([{ onHand: 3, entryCount: 2 }]);
    const part = await workspace.create();
    await workspace.transact(async (tx) => {
      const calls = openScriptCalls({
        tx,
        actor,
        mover: server.ctx.moverOf(actor),
        areas,
        automationId: actor.id,
        config: server.ctx.config,
        context: {},
        runId: null,
      });
      const { signal } = new AbortController();
      await calls.call('setProperties', [part.id, {}], signal);
      await recordMovements(tx, actor, [move(4_000_000n)]);
      await calls.undo();
    });
    expect(await eventsOf(stock)).toHaveLength(1);
  });
});

describe('an order line', () => {
  test('is an event when it is created, received in part, changed and ended', async () => {
    const stock = await stocked();
    const { workspace, must } = stock;
    await workspace.automate(context.orderChanged, '1');
    const [itemEntityId, locationEntityId] = [stock.items[0], stock.places[0]];
    const { line } = await must(201, '/stock/lines', {
      type: 'purchaseOrder',
      itemEntityId,
      locationEntityId,
      quantity: 10,
    });
    await must(201, `/stock/lines/${line.id}/receipts`, { quantity: 4 });
    await workspace.ask('PATCH', `/stock/lines/${line.id}`, { quantity: 8 });
    await must(201, `/stock/lines/${line.id}/receipts`, { quantity: 4 });
    const events = (await eventsOf(stock)).filter(({ entityId }) => entityId === line.id);
    expect(events).toMatchObject([
      {
        contextType: 7,
        kind: 'line',
        quantity: 10,
        receivedQty: 0,
        orderedQty: 10,
        state: 'Ordered',
        itemEntityId,
      },
      { quantity: 10, receivedQty: 4, orderedQty: 6, state: 'Ordered' },
      { quantity: 8, receivedQty: 4, orderedQty: 4, state: 'Ordered' },
      { quantity: 8, receivedQty: 8, orderedQty: 0, state: 'Received' },
    ]);
  });

  test('and a requirement are told apart', async () => {
    const stock = await stocked();
    await stock.workspace.automate(context.orderChanged, '1');
    const project = await stock.workspace.create({ category: 'project', name: 'Rover' });
    const [itemEntityId, locationEntityId] = [stock.items[0], stock.places[0]];
    await stock.must(201, '/stock/adjustments', { itemEntityId, locationEntityId, quantity: 5 });
    const requirement = await stock.must(201, '/requirements', {
      projectId: project.id,
      itemEntityId,
      requiredQty: 3,
    });
    await stock.must(201, `/requirements/${requirement.id}/reservations`, { locationEntityId, quantity: 2 });
    expect(await eventsOf(stock)).toMatchObject([
      { contextType: 7, kind: 'requirement', entityId: requirement.id, quantity: 3, reservedQty: 0 },
      { contextType: 7, kind: 'requirement', projectId: project.id, quantity: 3, reservedQty: 2 },
    ]);
  });
});

describe('an import', () => {
  test('that has errors or is cancelled is not clean; a clean one is', async () => {
    const stock = await stocked();
    const { workspace } = stock;
    await workspace.automate(context.importNotClean, '1');
    const { sync, send } = syncCalls(server, workspace);
    await sync([element()]);
    expect(await eventsOf(stock)).toEqual([]);
    await sync([element(), { ...element(), categoryKey: 'nothing of the kind' }]);
    expect(await eventsOf(stock)).toMatchObject([
      { contextType: 10, status: 'completed', insertCount: 1, errorCount: 1, failure: null },
    ]);
    const { body } = await send({ entities: [element()] }, { query: '?dryRun=true' });
    expect(body.status).toBe('completed');
    await workspace.transact((tx) =>
      recordNotApplied(tx, { workspaceId: workspace.id, batchId: body.batchId }, 'cancelled'),
    );
    expect(await eventsOf(stock), 'a dry run is no import').toHaveLength(1);
  });
});

describe('an item below its reorder point', () => {
  interface Watched extends Stocked {
    item: string;
    plan(item: string, body: object): Promise<void>;
    /** Changes the stock of the item, and waits until its reorder point has been looked at. */
    add(quantity: number): Promise<void>;
    looked(): Promise<void>;
  }

  async function watched(): Promise<Watched> {
    const stock = await stocked();
    const [item] = stock.items as [string];
    const count = async () => {
      const rows = await stock.workspace.transact((tx) =>
        tx.query<{ count: number }>(
          'select count(*)::int as count from reorder_look where workspace_id = $1',
          [stock.workspace.id],
        ),
      );
      return rows[0]?.count;
    };
    const looked = async () => {
      await vi.waitUntil(async () => (await count()) === 0, patience);
    };
    return {
      ...stock,
      item,
      looked,
      plan: async (id, body) => {
        const answer = await stock.workspace.ask('PUT', `/planning/items/${id}`, body);
        expect(answer.status, answer.text).toBe(200);
        await looked();
      },
      add: async (quantity) => {
        await stock.must(201, '/stock/adjustments', {
          itemEntityId: item,
          locationEntityId: stock.places[0],
          quantity,
        });
        await looked();
      },
    };
  }

  const crossingsOf = async (stock: Stocked) =>
    (await eventsOf(stock)).filter(({ contextType }) => contextType === context.belowReorderPoint);

  test('is one event for each crossing, whatever changes its figures, and none while it stays below', async () => {
    const stock = await watched();
    const { item, workspace, add, plan, must, looked } = stock;
    const low = await workspace.automate(context.belowReorderPoint, 'return context.projectedQty');
    await stock.must(201, '/webhooks', { url: receiver.url, events: ['stock.belowReorderPoint'] });
    await add(20);
    await plan(item, { policy: 'reorderPoint', reorderPoint: 10, minimum: 25 });
    expect(await crossingsOf(stock)).toEqual([]);
    await add(-11);
    await add(-1);
    expect(await crossingsOf(stock)).toMatchObject([
      {
        entityId: item,
        categoryKey: 'part',
        onHand: 9,
        projectedQty: 9,
        reorderPoint: 10,
        missingQty: 1,
        quantity: 25,
      },
    ]);
    const { line } = await must(201, '/stock/lines', {
      type: 'purchaseOrder',
      itemEntityId: item,
      locationEntityId: stock.places[0],
      quantity: 10,
    });
    await looked();
    const project = await workspace.create({ category: 'project', name: 'Rover' });
    await must(201, '/requirements', { projectId: project.id, itemEntityId: item, requiredQty: 9 });
    await looked();
    expect(await crossingsOf(stock)).toMatchObject([
      {},
      { onHand: 8, comingQty: 10, demandQty: 9, projectedQty: 9 },
    ]);
    await must(201, `/stock/lines/${line.id}/receipts`, { quantity: 10 });
    await looked();
    await plan(item, { policy: 'none' });
    await plan(item, { policy: 'demand' });
    await plan(item, { policy: 'reorderPoint', reorderPoint: 30 });
    expect(await crossingsOf(stock)).toHaveLength(3);
    const runs = await workspace.ended(low, 3);
    expect(runs.map(({ result }) => result)).toEqual([9, 9, 9]);
    const messages = await vi.waitUntil(() => {
      const all = receiver.received.map(({ body }) => JSON.parse(body));
      const own = all.filter(
        ({ type, data }) => type === 'stock.belowReorderPoint' && data.entityId === item,
      );
      return own.length === 3 && own;
    }, patience);
    expect(messages[0].data).toMatchObject({
      entityId: item,
      projectedQty: 9,
      workspaceSlug: workspace.slug,
    });
  });

  test('is told of when planning or needs come to it from an entity that is merged into it', async () => {
    const stock = await watched();
    const { workspace, plan, must, looked } = stock;
    await workspace.automate(context.belowReorderPoint, 'return context.projectedQty');
    const [planned, stays, needed, other] = (await Promise.all(
      [1, 2, 3, 4].map(async () => (await workspace.create({ category: 'part', name: 'Pin' })).id),
    )) as [string, string, string, string];
    const merge = async (from: string, into: string) => {
      await must(200, `/entities/${into}/merge`, { from });
      await looked();
    };
    await plan(planned, { policy: 'reorderPoint', reorderPoint: 10 });
    await merge(planned, stays);
    await plan(other, { policy: 'demand' });
    const project = await workspace.create({ category: 'project', name: 'Rover' });
    await must(201, '/requirements', { projectId: project.id, itemEntityId: needed, requiredQty: 9 });
    await merge(needed, other);
    const found = (await crossingsOf(stock)).map(({ entityId, missingQty }) => [entityId, missingQty]);
    expect(found).toEqual([
      [planned, 10],
      [stays, 10],
      [other, 9],
    ]);
  });

  test('leaves nothing behind where nobody listens, and crosses anew for the next listener', async () => {
    const stock = await watched();
    const { item, workspace, add, plan } = stock;
    await plan(item, { policy: 'reorderPoint', reorderPoint: 10 });
    await add(1);
    expect(await crossingsOf(stock)).toEqual([]);
    for (const count of [1, 2]) {
      const low = await workspace.automate(context.belowReorderPoint, '1');
      await add(1);
      await add(1);
      expect(await crossingsOf(stock)).toHaveLength(count);
      expect((await workspace.ask('DELETE', `/automations/${low.id}`)).status).toBe(204);
    }
    const rows = await workspace.transact((tx) =>
      tx.query('select from reorder_crossing where workspace_id = $1', [workspace.id]),
    );
    expect(rows).toEqual([]);
  });

  test('counts as caused by the run that has ordered or cancelled', async () => {
    const stock = await watched();
    const { item, workspace, add, plan } = stock;
    const low = await workspace.automate(
      context.belowReorderPoint,
      `await api.actions.draftOrder({ location: '${stock.places[0]}', quantity: context.quantity })`,
    );
    await add(20);
    await plan(item, { policy: 'reorderPoint', reorderPoint: 10 });
    await add(-15);
    await workspace.ended(low, 1);
    await stock.looked();
    const { items } = (await workspace.ask('GET', '/planning/reorder')).body;
    expect(items, 'the draft counts as supply').toEqual([]);
    await add(-1);
    expect(await crossingsOf(stock)).toHaveLength(2);
  });
});
