/** What is new is listed as its sender had it, however its GUIDs fall. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, type SyncCalls, syncCalls } from './sync-calls.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let calls: SyncCalls;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});
afterAll(() => server.close());

it.each([
  ['a few, on the event loop', 12],
  ['some, in a thread of the web', 60],
  ['many, in a thread of the worker', 600],
])('the lines below a parent are in the order in which they were sent: %s', async (_, count) => {
  const top = element({ categoryKey: 'assembly' });
  const parts = Array.from({ length: count }, () => element({ parentGuid: top.guid }));
  await calls.sync([top, ...parts]);
  const uses = await calls.get(`/entities/guid:${top.guid}/uses?limit=1000`);
  expect(uses.body.items.map(({ number }: { number: string }) => number)).toEqual(
    parts.map(({ number }) => number),
  );
});
