/** A batch and a person edit the same structure: step by step, so that the edit falls between two passes. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { linkStep, planStep, structureStep, writeStep } from '../../src/sync/apply-chunk.ts';
import type { StepOutcome } from '../../src/sync/claim-chunk.ts';
import { type BatchRef, openSyncThread, type SyncThread } from '../../src/sync/thread-context.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, syncCalls } from './sync-calls.ts';

let server: TestServer;
let thread: SyncThread;

beforeAll(async () => {
  server = await startTestServer({ environment: { SYNC_CHUNK_ELEMENTS: '1' } });
  thread = await openSyncThread({
    databaseUrl: server.ctx.databaseUrl,
    applicationName: 'test',
    poolMax: 2,
    limits: { numberCharsMax: 255, nameCharsMax: 1024, propertyValueCharsMax: 32_768, propertiesMax: 500 },
  });
});
afterAll(async () => {
  await thread.db.close();
  await server.close();
});

type Pass = (thread: SyncThread, ref: BatchRef) => Promise<StepOutcome>;

async function untilIdle(pass: Pass, ref: BatchRef): Promise<void> {
  while ((await pass(thread, ref)) === 'worked');
}

it('a link that an edit has turned into a cycle since it was planned is refused, the others are made', async () => {
  const workspace = await makeDefaultWorkspace(server);
  const calls = syncCalls(server, workspace);
  const [a, b] = [element(), element()];
  for (const { guid, number, name } of [a, b]) {
    const made = await workspace.ask('POST', '/entities', { category: 'part', number, name, E_Guid: guid });
    expect(made.status, made.text).toBe(201);
  }
  const other = element({ parentGuid: a.guid });
  const sent = await calls.send(
    { entities: [a, { ...b, parentGuid: a.guid }, other] },
    { headers: { Prefer: 'respond-async' } },
  );
  const ref = { workspaceId: workspace.id, batchId: sent.body.batchId };
  const enter = (phase: string) =>
    workspace.transact((tx) =>
      tx.query(`update sync_batch set status = 'processing', phase = $2 where id = $1`, [ref.batchId, phase]),
    );

  await enter('plan');
  await untilIdle(planStep, ref);
  await enter('structure');
  expect(await structureStep(thread, ref)).toBe('worked');
  const edit = await workspace.ask('PUT', `/entities/guid:${b.guid}/uses/guid:${a.guid}`, { quantity: 1 });
  expect([200, 201], edit.text).toContain(edit.status);
  await untilIdle(writeStep, ref);
  await enter('link');
  await untilIdle(linkStep, ref);

  expect(await calls.uses(a.guid)).toEqual({ [other.number]: 1 });
  expect(await calls.uses(b.guid)).toEqual({ [a.number]: 1 });
  const { body } = await calls.get(`/pdm/sync/batches/${ref.batchId}`);
  expect(body.results[1]).toMatchObject({ result: 'error', code: 'cycle' });
  expect(body.results[2].result).toBe('created');
});
