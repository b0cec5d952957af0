/** A body that is stored while it arrives says what the same body says that is held whole, whatever comes again or below what. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/db/ids.ts';
import { elementLimits } from '../../../src/sync/elements/read-element.ts';
import { GuidHash } from '../../../src/sync/graph/guid-hash.ts';
import type { Intake, IntakeThread } from '../../../src/sync/intake/accept-batch.ts';
import { type BudgetLimits, budgetLimits, HeldBudget } from '../../../src/sync/intake/held-budget.ts';
import { stageBatch } from '../../../src/sync/intake/stage-batch.ts';
import type { SyncResult } from '../../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';
import { element, outcomeOf, type SentPart, syncCalls } from '../sync-calls.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
});
afterAll(() => server.close());

/** Portions of some thirty elements. */
const portions: BudgetLimits = { ...budgetLimits, heldBytesMax: 1000, smallBytesMax: 20_000 };

/** Below one top a hundred assemblies, the children of each behind it, before it and far from it. */
function treeWithFaults(): SentPart[] {
  const top = element();
  const assemblies = Array.from({ length: 100 }, () => element({ parentGuid: top.guid }));
  const below = (some: readonly SentPart[]) => some.map(({ guid }) => element({ parentGuid: guid }));
  const [first, second, third] = [assemblies.slice(0, 40), assemblies.slice(40, 70), assemblies.slice(70)];
  const [before, behind, far] = [below(first), below(second), below(assemblies)];
  const [one, another] = [assemblies[3] as SentPart, before[3] as SentPart];
  return [
    ...before,
    ...first,
    top,
    ...second.flatMap((assembly, i) => [assembly, behind[i] as SentPart]),
    ...third,
    ...far,
    // Again: as it was, below another, otherwise.
    ...before.slice(0, 10),
    ...far.slice(0, 10).map((part) => ({ ...part, parentGuid: (third[0] as SentPart).guid, quantity: 3 })),
    ...far.slice(10, 15).map((part) => ({ ...part, name: 'Otherwise' })),
    // A cycle across the whole of it, one of itself, a parent that is not there, and what cannot be read.
    { ...one, parentGuid: another.guid },
    { ...top, parentGuid: top.guid },
    element({ parentGuid: randomUUID() }),
    { ...element(), guid: 'none' },
    element({ parentGuid: 'none' }),
  ];
}

async function send(workspace: DefaultWorkspace, elements: readonly SentPart[], limits: BudgetLimits | null) {
  const { db, config, queues } = server.ctx;
  const [key] = await workspace.transact((tx) =>
    tx.query<{ id: string }>('select id from api_key where workspace_id = $1', [workspace.id]),
  );
  const intake: Intake = {
    workspaceId: workspace.id,
    batchId: newId(),
    actorId: (key as { id: string }).id,
    traceparent: null,
    requestId: newId(),
    profileName: 'pdm',
    dryRun: false,
    exact: false,
    format: 'ndjson',
    elementsMax: 1000,
    elementBytesMax: 10_000,
    chunkElements: 20,
    queuedBatchesMax: 100,
    resendOf: null,
    isAwaited: false,
    idempotency: null,
  };
  const thread: IntakeThread = {
    db,
    budget: new HeldBudget(limits ?? budgetLimits),
    limits: elementLimits(config),
    inlineElementsMax: 0,
    hashOfBody: () => new GuidHash(),
  };
  async function* pieces() {
    for (const one of elements) yield Buffer.from(`${JSON.stringify(one)}\n`);
  }
  await stageBatch(thread, intake, { pieces: pieces(), digest: () => null });
  const [{ chunks, leaves }] = (await workspace.transact((tx) =>
    tx.query(
      `select count(*)::integer as chunks, count(*) filter (where leaves)::integer as leaves
       from sync_chunk where workspace_id = $1 and batch_id = $2`,
      [workspace.id, intake.batchId],
    ),
  )) as [{ chunks: number; leaves: number }];
  await queues.announce('sync.advance', { workspaceId: workspace.id, batchId: intake.batchId });
  const { get } = syncCalls(server, workspace);
  const path = `/pdm/sync/batches/${intake.batchId}`;
  await expect.poll(async () => (await get(path)).body.status).toBe('completed');
  const results: SyncResult[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const { body } = await get(`${path}/results?limit=500${next === '' ? '' : `&cursor=${next}`}`);
    results.push(...body.items);
    next = body.nextCursor;
  }
  return { outcomes: results.map((one) => [one.index, outcomeOf(one)]), chunks, leaves };
}

async function linksOf(workspace: DefaultWorkspace): Promise<unknown[]> {
  return workspace.transact((tx) =>
    tx.query(
      `select p.guid as parent, c.guid as child, l.quantity::text, c.name from entity_link l
       join entity p on p.workspace_id = l.workspace_id and p.id = l.parent_id
       join entity c on c.workspace_id = l.workspace_id and c.id = l.child_id
       where l.workspace_id = $1 order by 1, 2`,
      [workspace.id],
    ),
  );
}

it.each([
  ['in its order', portions, true],
  ['in its order as far as there is room to know its GUIDs', { ...portions, tableBytesMax: 2048 }, true],
  ['by hash', { ...portions, tableBytesMax: 0 }, false],
])('one that is cut %s, new and again', async (_, limits, hasLeaves) => {
  const elements = treeWithFaults();
  const [held, spilled] = [await makeDefaultWorkspace(server), await makeDefaultWorkspace(server)];
  for (const again of [false, true]) {
    const expected = await send(held, elements, null);
    const { outcomes, leaves, chunks } = await send(spilled, elements, limits);
    expect(outcomes).toEqual(expected.outcomes);
    expect(outcomes).toHaveLength(elements.length);
    const kinds = new Set(outcomes.map(([, outcome]) => outcome));
    for (const kind of [...(again ? [] : ['created']), 'skipped', 'cycle', 'invalid_entity'])
      expect(kinds).toContain(kind);
    expect([chunks > 8, leaves > 0]).toEqual([true, hasLeaves]);
    expect(await linksOf(spilled)).toEqual(await linksOf(held));
  }
});
