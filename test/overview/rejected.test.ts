// The overview counts rejected elements until a later import accepts them, and never counts a dry run.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Overview, SyncProblems } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { element, type SyncCalls, syncCalls } from '../sync/sync-calls.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let calls: SyncCalls;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});

const read = async (path: string) => {
  const answer = await calls.get(path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const rejected = async (): Promise<Overview['rejected'] & { inHours: number }> => {
  const overview: Overview = await read('/overview');
  return { ...overview.rejected, inHours: overview.hours.reduce((sum, { errors }) => sum + errors, 0) };
};
const problems = (id: string): Promise<SyncProblems> => read(`/pdm/sync/batches/${id}/problems`);
const make = async (key: string) =>
  expect((await workspace.ask('POST', '/categories', { key, name: key, role: 'item' })).status).toBe(201);
const none = { count: 0, batchCount: 0, batches: [], inHours: 0 };

it('does not count a dry run', async () => {
  const dry = await calls.sync([element(), element({ categoryKey: 'gadget' })], '?dryRun=true');
  const overview: Overview = await read('/overview');
  for (const key of ['batches', 'elements', 'created', 'errors'] as const)
    expect(overview.hours.reduce((sum, hour) => sum + hour[key], 0)).toBe(0);
  expect(await rejected()).toEqual(none);
  expect(await problems(dry.batchId)).toMatchObject({ stillRejected: { count: 0, guids: [] }, resends: [] });
});

it('counts rejected elements until a resend accepts them, and names the resends', async () => {
  const gadgets = [element({ categoryKey: 'gadget' }), element({ categoryKey: 'gadget' })];
  const gizmo = element({ categoryKey: 'gizmo' });
  const { batchId } = await calls.sync([element(), ...gadgets, gizmo], '?profile=night');
  expect(await rejected()).toEqual({
    count: 3,
    batchCount: 1,
    batches: [{ batchId, profileName: 'night', count: 3 }],
    inHours: 3,
  });
  await make('gadget');
  const resend = async (query: string) => {
    const answer = await workspace.ask('POST', `/pdm/sync/batches/${batchId}/resend${query}`, {});
    expect(answer.status, answer.text).toBe(200);
    return answer.body.batchId as string;
  };
  const dry = await resend('?dryRun=true');
  expect(await rejected()).toMatchObject({ count: 3 });
  const again = await resend('');
  // The one that was rejected again counts in the resend.
  expect(await rejected()).toMatchObject({ count: 1, batches: [{ batchId: again, count: 1 }], inHours: 1 });
  expect(await problems(batchId)).toMatchObject({
    stillRejected: { count: 1, guids: [gizmo.guid] },
    resends: [
      { batchId: again, dryRun: false, status: 'completed', errors: 1 },
      { batchId: dry, dryRun: true, status: 'completed', errors: 1 },
    ],
  });
  // Another import that brings it fixes it as well, even when it changes nothing that is stored.
  await make('gizmo');
  await calls.sync([gizmo], '?profile=by-hand');
  expect(await rejected()).toEqual(none);
  expect((await problems(batchId)).stillRejected).toEqual({ count: 0, guids: [] });
});

it('says in the envelope, and in the list on demand, how many elements are still rejected', async () => {
  const { batchId } = await calls.sync([element({ categoryKey: 'gadget' }), { number: 'no-guid' }]);
  const dry = await calls.sync([element({ categoryKey: 'gadget' })], '?dryRun=true&profile=other');
  const envelope = async (id: string) => (await read(`/pdm/sync/batches/${id}`)).stillRejected;
  const listed = async (query: string): Promise<[string, number | undefined][]> =>
    (await read(`/pdm/sync/batches?${query}`)).items.map(
      ({ batchId: id, stillRejected }: { batchId: string; stillRejected?: number }) => [id, stillRejected],
    );
  expect([await envelope(batchId), await envelope(dry.batchId)]).toEqual([2, undefined]);
  await make('gadget');
  const again = (await workspace.ask('POST', `/pdm/sync/batches/${batchId}/resend`, {})).body.batchId;
  expect(await envelope(batchId)).toBe(1);
  expect(await listed('dryRun=false&stillRejected=true')).toEqual([
    [again, 1],
    [batchId, 1],
  ]);
  expect(await listed('dryRun=true&stillRejected=true')).toEqual([[dry.batchId, undefined]]);
  expect((await listed('')).map(([, left]) => left)).toEqual([undefined, undefined, undefined]);
  const later = await calls.sync([element()]);
  expect(await envelope(batchId)).toBe(0);
  expect(await envelope(later.batchId)).toBeUndefined();
});

it('counts an element without a GUID until the next import from the same source', async () => {
  await calls.sync([element(), { number: 'no-guid' }], '?profile=night');
  expect(await rejected()).toMatchObject({ count: 1, batchCount: 1 });
  await calls.sync([element()], '?profile=other');
  expect(await rejected()).toMatchObject({ count: 1 });
  await calls.sync([element()], '?profile=night');
  expect(await rejected()).toEqual(none);
});
