// The operator retries many at once: what cannot go on is refused and said so, and keeps nothing else from going on.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    environment: { LOCK_TIMEOUT_MS: '200', WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
});
afterAll(() => server.close());

const open = async (path: string) => {
  const headers = { Authorization: `Bearer ${server.ctx.operatorToken}`, Accept: 'text/html' };
  const { status, text } = await server.request(path, { headers });
  expect(status, text).toBe(200);
  return text;
};
const post = (path: string, fields: Record<string, string>) =>
  server.request(path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${server.ctx.operatorToken}`,
      Accept: 'text/html',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(fields).toString(),
  });

/** Retries all that failed with this text, and returns the page that says what came of it. */
async function retryAlike(work: string, text: string, count: number): Promise<string> {
  const link = new RegExp(`href="(/admin/failures/${work}/\\w+)">${text}`);
  const [, path = ''] = link.exec(await open('/admin/failures')) ?? [];
  const retried = await post(`${path}/retry`, { count: String(count) });
  expect(retried.status, retried.text).toBe(303);
  return open(retried.headers.get('location') as string);
}

async function failedBatch(of: DefaultWorkspace, message: string): Promise<string> {
  await post(`/admin/workspaces/${of.slug}/pause`, { work: 'batch', reason: 'The test lets it fail.' });
  const entities = [{ guid: randomUUID(), number: randomUUID(), name: 'A part', categoryKey: 'part' }];
  const sent = await of.ask('POST', '/pdm/sync', { entities }, { Prefer: 'respond-async' });
  expect(sent.status, sent.text).toBe(202);
  const failed = `update sync_batch set status = 'failed', finished_at = now(), failure = $2 where id = $1`;
  await inTransaction(server.ctx.db, 'instance', (tx) =>
    tx.query(failed, [sent.body.batchId, JSON.stringify({ code: 'chunk_failed', message })]),
  );
  await post(`/admin/workspaces/${of.slug}/resume`, { work: 'batch' });
  return sent.body.batchId;
}

test('of a workspace in which more failed than is looked at it is said that there are more', async () => {
  const flooded = await makeDefaultWorkspace(server);
  const message = 'The cellar was under water.';
  const first = await failedBatch(flooded, message);
  const row = async () =>
    /<tr role="row">(?:(?!<\/tr>).)*The cellar was under water.*?<\/tr>/s.exec(
      await open('/admin/failures'),
    )?.[0];
  expect(await row()).not.toContain('or more');
  await flooded.transact((tx) =>
    tx.query(
      `insert into sync_batch select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(),
         'accepted_order', b.accepted_order + 100000 + n))).*
       from sync_batch b cross join generate_series(1, 201) n where b.id = $1`,
      [first],
    ),
  );
  const shown = await row();
  expect(shown).toContain('200 or more');
  expect(shown).toContain('before <time');
  expect(await open('/admin/failures')).toContain('the newest 200 failures of a kind are read');
});

test('a workspace in which something is locked is refused, once, and the others go on', async () => {
  const free = await makeDefaultWorkspace(server);
  const locked = await makeDefaultWorkspace(server);
  const message = 'The stove was cold.';
  const goes = await failedBatch(free, message);
  const kept = [await failedBatch(locked, message), await failedBatch(locked, message)];
  const holder = new Client({ connectionString: server.ctx.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from sync_batch where id = any ($1) for update', [kept]);
    const shown = await retryAlike('batch', message, 3);
    expect(shown).toContain('1 of 3 queued, 2 refused');
    expect(shown.match(/holds a lock on it/g)).toHaveLength(2);
  } finally {
    await holder.end();
  }
  const statusOf = async (of: DefaultWorkspace, id: string) =>
    (await of.ask('GET', `/pdm/sync/batches/${id}`)).body.status;
  await expect.poll(() => statusOf(free, goes), patience).toBe('completed');
  for (const id of kept) expect(await statusOf(locked, id)).toBe('failed');
  expect(await retryAlike('batch', message, 2)).toContain('2 of 2 queued, 0 refused');
});

test('a message to a webhook that is switched off is refused: nobody would send it', async () => {
  const workspace = await makeDefaultWorkspace(server);
  const receiver = createServer((req, res) => {
    req.resume();
    res.writeHead(410).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const made = await workspace.ask('POST', '/webhooks', { url, events: ['entity.created'] });
    expect(made.status, made.text).toBe(201);
    // Sent once: a failure is one at once.
    const tested = await workspace.ask('POST', `/webhooks/${made.body.id}/test`);
    expect(tested.status, tested.text).toBe(202);
    const path = `/webhooks/${made.body.id}/deliveries/${tested.body.id}`;
    const statusOf = async () => (await workspace.ask('GET', path)).body.status;
    await expect.poll(statusOf, patience).toBe('failed');
    await inTransaction(server.ctx.db, 'instance', (tx) =>
      tx.query('update webhook set enabled = false, enabled_at = null where id = $1', [made.body.id]),
    );
    const shown = await retryAlike('webhook', '', 1);
    expect(shown).toContain('0 of 1 queued, 1 refused');
    expect(shown).toContain('Enable the webhook');
    expect(await statusOf()).toBe('failed');
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});
