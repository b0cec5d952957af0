// `partbook doctor` where everything is in place and nothing happens all the same: it says what is held back, by whom, and what then.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { projectFolder } from './project-folder.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const doctor = () =>
  new Promise<{ code: number; out: string }>((resolve) => {
    const env = {
      PARTBOOK_URL: server.baseUrl,
      PARTBOOK_WORKSPACE: workspace.slug,
      PARTBOOK_API_KEY: workspace.key,
      HOME: projectFolder,
    };
    execFile(
      process.execPath,
      [join(projectFolder, 'clients/cli/bin/partbook.js'), 'doctor'],
      { env },
      (error, out) => resolve({ code: error === null ? 0 : Number(error.code), out }),
    );
  });
const hold = async (doing: 'pause' | 'resume', work: string) => {
  const answer = await server.request(`/admin/workspaces/${workspace.slug}/${doing}`, {
    method: 'POST',
    key: server.ctx.operatorToken,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ work, reason: 'for the operator alone' }).toString(),
  });
  expect(answer.status, answer.text).toBe(303);
};

test('what the operator holds back, a batch that stands still and a webhook that is off are told, and what then', async () => {
  expect(await doctor()).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ok {4}work +no batch waits$/m),
  });
  for (const work of ['batch', 'automation', 'webhook']) await hold('pause', work);
  const held = await doctor();
  expect(held.code).toBe(1);
  for (const what of ['batches', 'automations', 'webhooks'])
    expect(held.out).toMatch(new RegExp(`^WRONG ${what} +paused by the operator since \\S+: what `, 'm'));
  expect(held.out).not.toContain('for the operator alone');
  for (const work of ['batch', 'automation', 'webhook']) await hold('resume', work);
  const sent = await workspace.ask(
    'POST',
    '/pdm/sync',
    { entities: [{ guid: crypto.randomUUID(), number: 'D-1', name: 'A part', categoryKey: 'part' }] },
    { Prefer: 'respond-async' },
  );
  const set = (sql: string, values: unknown[]) =>
    inTransaction(server.ctx.db, 'instance', (tx) => tx.query(sql, values));
  await set(`update sync_batch set progressed_at = now() - interval '1 hour' where id = $1`, [
    sent.body.batchId,
  ]);
  const url = 'https://receiver.example.com/hook';
  const made = await workspace.ask('POST', '/webhooks', { url, events: ['entity.created'] });
  await set(`update webhook set enabled = false, disabled_reason = 'It answered 410.' where id = $1`, [
    made.body.id,
  ]);
  const stuck = await doctor();
  expect(stuck.code).toBe(1);
  expect(stuck.out).toContain(`1 batch in line, and the first has not got on since`);
  expect(stuck.out).toContain(`"partbook cancel ${sent.body.batchId}"`);
  expect(stuck.out).toMatch(/^WRONG webhook .*is switched off: It answered 410\./m);
});

test('a workspace that is held, and one that has moved, are told from a key that is wrong', async () => {
  const owner = new Client({ connectionString: server.ctx.config.DATABASE_URL as string });
  await owner.connect();
  const become = (state: string) =>
    owner.query('update workspace set state = $2 where id = $1', [workspace.id, state]);
  try {
    await become('moving');
    expect((await doctor()).out).toContain('the workspace is held, or on its way');
    await become('gone');
    expect((await doctor()).out).toContain('the workspace has moved to another installation');
  } finally {
    await owner.end();
  }
});
