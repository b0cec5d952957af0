// What stands now, on the operator's console: lines of batches, what one workspace suffers from, and what is wrong with which thing of it.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;

beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    environment: {
      SYNC_MAX_QUEUED_BATCHES: '2',
      SYNC_LOCK_SECONDS: '1',
      SYNC_CHUNK_ATTEMPTS: '60',
      SYNC_CHUNK_ELEMENTS: '1',
    },
  });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const headers = () => ({ Authorization: `Bearer ${server.ctx.operatorToken}`, Accept: 'text/html' });
async function open(path: string): Promise<string> {
  const { status, text } = await server.request(path, { headers: headers() });
  expect(status, text).toBe(200);
  return text;
}
/** A part of a page, from its heading to the end of it. */
const partOf = (page: string, heading: string) =>
  page.split('<section').find((section) => section.includes(`<h2>${heading}</h2>`)) ?? '';
const set = (sql: string, values: unknown[]) =>
  inTransaction(server.ctx.db, 'instance', (tx) => tx.query(sql, values));
const part = (fields: object = {}) => ({
  guid: randomUUID(),
  number: randomUUID(),
  name: 'A part',
  categoryKey: 'part',
  ...fields,
});
async function send(entities: object[]): Promise<string> {
  const sent = await workspace.ask('POST', '/pdm/sync', { entities }, { Prefer: 'respond-async' });
  expect(sent.status, sent.text).toBe(202);
  return sent.body.batchId;
}
const statusOf = async (id: string) => (await workspace.ask('GET', `/pdm/sync/batches/${id}`)).body.status;

test('a line stands on the first page with what it waits for, and the batch says how far it is', async () => {
  expect(await open('/admin')).not.toContain('Imports in line now');
  const guid = randomUUID();
  const known = await send([part({ guid })]);
  await expect.poll(() => statusOf(known)).toBe('completed');
  const holder = new Client({ connectionString: server.ctx.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('set local role partbook_system');
    await holder.query('select from entity where guid = $1 for update', [guid]);
    const first = await send([part({ guid, name: 'Changed' }), part(), part()]);
    await expect.poll(() => statusOf(first)).toBe('processing');
    const pageOf = (id: string) => open(`/admin/batches/${workspace.id}/${id}`);
    await expect.poll(() => pageOf(first)).toMatch(/<b class="bad">\d+ of 60<\/b> at one chunk/);
    expect(partOf(await open('/admin'), 'Imports in line now')).not.toContain('no progress');
    // As if it had stood so for an hour.
    await set(`update sync_batch set progressed_at = now() - interval '1 hour' where id = $1`, [first]);
    const second = await send([part()]);
    for (const path of ['/admin', `/admin/workspaces/${workspace.slug}`]) {
      const line = partOf(await open(path), 'Imports in line now');
      expect(line).toContain(`href="/admin/workspaces/${workspace.slug}"`);
      expect(line).toContain(`href="/admin/batches/${workspace.id}/${first}"`);
      expect(line).toContain('2: full, no more are accepted');
      expect(line).toContain('no progress for 60 min');
    }
    const shown = await pageOf(first);
    expect(shown).toContain('first of 2');
    expect(shown).toMatch(/[0-2] of 3 chunks, [0-2] of 3 elements/);
    expect(shown).not.toContain('<dt>Ended</dt>');
    const behind = await pageOf(second);
    expect(behind).toContain(`behind <a href="/admin/batches/${workspace.id}/${first}">the first</a>`);
    expect(behind).toContain('0 of 1 chunk, 0 of 1 element');
    // It has waited, and taken no step.
    expect(behind).not.toContain('<dt>Last progress</dt>');
    await holder.query('rollback');
    await expect.poll(() => statusOf(second)).toBe('completed');
    expect(await open('/admin')).not.toContain('Imports in line now');
  } finally {
    await holder.end();
  }
});

test('the batch that others wait for can be cancelled, with a reason that is kept', async () => {
  const guid = randomUUID();
  const known = await send([part({ guid })]);
  await expect.poll(() => statusOf(known)).toBe('completed');
  const holder = new Client({ connectionString: server.ctx.databaseUrl });
  await holder.connect();
  const cancel = (id: string, reason: string) =>
    server.request(`/admin/batches/${workspace.id}/${id}/cancel`, {
      method: 'POST',
      headers: { ...headers(), 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ reason }).toString(),
    });
  try {
    await holder.query('begin');
    await holder.query('set local role partbook_system');
    await holder.query('select from entity where guid = $1 for update', [guid]);
    const first = await send([part({ guid, name: 'Held' })]);
    await expect.poll(() => statusOf(first)).toBe('processing');
    const second = await send([part()]);
    // He is told who reads it before he writes it.
    expect(await open(`/admin/batches/${workspace.id}/${first}`)).toContain('which the sender can read');
    expect((await cancel(first, ' ')).status).toBe(422);
    expect(await statusOf(first)).toBe('processing');
    const done = await cancel(first, 'ticket 1433');
    expect(done.status, done.text).toBe(303);
    await expect.poll(() => statusOf(second)).toBe('completed');
    expect(await statusOf(first)).toBe('cancelled');
    const { body: told } = await workspace.ask('GET', `/pdm/sync/batches/${first}`);
    const cancellation = {
      at: expect.any(String),
      by: { type: 'operator', name: 'Operator' },
      reason: 'ticket 1433',
    };
    expect(told.cancellation).toEqual(cancellation);
    const { body: listed } = await workspace.ask('GET', '/pdm/sync/batches?status=cancelled');
    expect(listed.items).toMatchObject([{ batchId: first, cancellation }]);
    expect(await open(`/admin/batches/${workspace.id}/${first}`)).toMatch(
      /<dt>Cancelled<\/dt><dd><time [^>]*>[^<]*<\/time> by the operator: ticket 1433/,
    );
    const outcome = await open(done.headers.get('location') as string);
    expect(outcome).toContain('1 of 1 cancelled, 0 refused');
    expect(outcome).toContain('ticket 1433');
    expect(await open('/admin/actions')).toContain('Cancelled imports');
    expect(await open(`/admin/batches/${workspace.id}/${first}`)).not.toContain('Cancel the import');
    const late = await cancel(first, 'once more');
    expect(await open(late.headers.get('location') as string)).toContain('nothing left to cancel');
    await holder.query('rollback');
  } finally {
    await holder.end();
  }
});

test('an action that was cut off says that it has no outcome', async () => {
  const id = randomUUID();
  await set(
    `insert into operator_action (id, action, work, workspace, subject, reason, items)
     values ($1, 'cancel', 'batch', $2, 'pdm', 'ticket 1500', 1) returning id`,
    [id, workspace.slug],
  );
  expect(await open('/admin/actions')).toContain('0 of 1 cancelled, 0 refused, 1 without an outcome');
  expect(await open(`/admin/actions/${id}`)).toContain('Check them before you repeat the action');
});

test('failures name what fails, and the page of a workspace has its own alone; the search finds it', async () => {
  const other = await makeDefaultWorkspace(server);
  for (const [of, name] of [
    [workspace, 'Tell the ERP'],
    [other, 'Tell somebody else'],
  ] as const) {
    const made = await of.ask('POST', '/automations', {
      name,
      contextTypeId: 3,
      script: `throw new Error('The ERP does not know it')`,
    });
    expect(made.status, made.text).toBe(201);
    const created = await of.ask('POST', '/entities', { category: 'part', name: 'An event' });
    expect(created.status, created.text).toBe(201);
  }
  await expect
    .poll(() => open('/admin/failures'))
    .toMatch(/Tell the ERP, Tell somebody|Tell somebody else, Tell the/);
  const [, key] = /\/admin\/failures\/automation\/([0-9a-f]+)/.exec(await open('/admin/failures')) ?? [];
  const group = await open(`/admin/failures/automation/${key}`);
  expect(group).toContain('2 automation runs in 2 workspaces');
  expect(group).toContain('Tell the ERP');
  const own = partOf(await open(`/admin/workspaces/${workspace.slug}`), 'Failures');
  expect(own).toContain('Tell the ERP');
  expect(own).not.toContain('Tell somebody else');
  expect(await open(`/admin/search?q=${workspace.slug}`)).toContain(
    `href="/admin/workspaces/${workspace.slug}"`,
  );
  expect(await open('/admin/search?q=%25')).not.toContain(`href="/admin/workspaces/${workspace.slug}"`);
});

test('a workspace that is held stands on the first page until it is taken back', async () => {
  const held = await makeDefaultWorkspace(server);
  const notice = `${held.slug}</a> is held, or is being moved`;
  expect(await open('/admin')).not.toContain(notice);
  const owner = new Client({ connectionString: server.ctx.config.DATABASE_URL as string });
  await owner.connect();
  const become = (state: string) =>
    owner.query('update workspace set state = $2 where id = $1', [held.id, state]);
  await become('moving');
  expect(await open('/admin')).toContain(notice);
  expect(await open(`/admin/workspaces/${held.slug}`)).toContain('This workspace is held, or is being moved');
  await become('active');
  await owner.end();
  expect(await open('/admin')).not.toContain(notice);
});

test('of many receivers those that are switched off stand first, and the page of their workspace has all', async () => {
  const hosts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  for (const host of hosts) {
    const made = await workspace.ask('POST', '/webhooks', {
      url: `https://${host}.example.com/secret`,
      events: ['entity.created'],
    });
    expect(made.status, made.text).toBe(201);
    // The one that was given up has failed for longest.
    await set(
      host === 'a'
        ? `update webhook set enabled = false, disabled_reason = 'It answered 410.', failing_since = now() - interval '5 days' where id = $1`
        : `update webhook set failing_since = now() where id = $1`,
      [made.body.id],
    );
  }
  const first = partOf(await open('/admin'), 'Failing webhooks');
  expect(first).toContain('a.example.com');
  expect(first).not.toContain('secret');
  expect(first.match(/\.example\.com/g)).toHaveLength(5);
  expect(first).toContain('At most 5 per workspace');
  const all = partOf(await open(`/admin/workspaces/${workspace.slug}`), 'Failing webhooks');
  expect(all.match(/\.example\.com/g)).toHaveLength(hosts.length);
  expect(all).not.toContain('At most');
});
