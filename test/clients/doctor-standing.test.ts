// `partbook doctor` where everything is in place and nothing happens all the same: it says what is held back, by whom, and what then.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { openReceiver } from '../webhooks/receiver.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { projectFolder } from './project-folder.ts';
import { runCli } from './run-cli.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const doctor = (of = { baseUrl: server.baseUrl, slug: workspace.slug, key: workspace.key }) =>
  runCli(['doctor'], {
    env: {
      PARTBOOK_URL: of.baseUrl,
      PARTBOOK_WORKSPACE: of.slug,
      PARTBOOK_API_KEY: of.key,
      HOME: projectFolder,
    },
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

test('a webhook whose receiver fails is told, since when, what it answered and where it is mended; by a key that reads, too', async () => {
  const working = await startTestServer({
    worker: true,
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_BASE_MS: '3600000' },
  });
  const receivers = [await openReceiver(), await openReceiver()] as const;
  const [failing, gone] = receivers;
  try {
    const { slug, key, ask } = await makeDefaultWorkspace(working);
    const register = async ({ url }: { url: string }): Promise<string> =>
      (await ask('POST', '/webhooks', { url, events: ['entity.created'] })).body.id;
    const ids = [await register(failing), await register(gone)] as const;
    failing.answers[0] = 500;
    gone.answers[0] = 410;
    await ask('POST', '/entities', { category: 'part', name: 'Told' });
    const webhook = async (id: string) => (await ask('GET', `/webhooks/${id}`)).body;
    await vi.waitUntil(async () => (await webhook(ids[0])).failingSince !== null, patience);
    await vi.waitUntil(async () => !(await webhook(ids[1])).enabled, patience);
    const reader = (await ask('POST', '/api-keys', { name: 'Reader', permission: 'read' })).body;
    const { failingSince } = await webhook(ids[0]);
    const page = `${working.baseUrl}/w/${slug}/settings/webhooks`;
    for (const as of [key, reader.key]) {
      const { code, out } = await doctor({ baseUrl: working.baseUrl, slug, key: as });
      expect(code).toBe(1);
      // What fails outside says nothing of the batches.
      expect(out).toMatch(/^ok {4}work +no batch waits$/m);
      expect(out.match(/^WRONG .*$/gm)).toEqual([
        `WRONG webhook    ${failing.url} has taken nothing since ${failingSince} (answered 500). Mend the receiver, then send it a test, and what waits follows: "partbook webhooks test ${ids[0]}", or ${page}/${ids[0]}`,
        `WRONG webhook    ${gone.url} is switched off: The receiver answered 410: it wants no more messages. It is told of nothing until an administrator switches it on again: "partbook webhooks enable ${ids[1]}", or ${page}/${ids[1]}`,
      ]);
    }
    failing.answers[0] = 200;
    await ask('POST', `/webhooks/${ids[0]}/test`);
    await ask('DELETE', `/webhooks/${ids[1]}`);
    await vi.waitUntil(async () => (await webhook(ids[0])).failingSince === null, patience);
    expect(await doctor({ baseUrl: working.baseUrl, slug, key })).toMatchObject({ code: 0 });
  } finally {
    await working.close();
    for (const receiver of receivers) await receiver.close();
  }
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
