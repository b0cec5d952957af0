// Two operators look at the same failures and press at the same time: each failure is retried once, and the second is told so.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { OPERATOR } from '../../src/actor.ts';
import { type Failure, readFailures, type Work } from '../../src/console/actions/group-failures.ts';
import { retryFailures } from '../../src/console/actions/retry-failures.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let receiver: Server;
let owner: Client;
/** Fails the first time; what comes again stays without an answer. */
let asked = 0;

beforeAll(async () => {
  receiver = createServer((req, res) => {
    req.resume();
    if (asked++ === 0) res.writeHead(410).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  server = await startTestServer({
    worker: true,
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true', EVENT_POLL_MS: '50' },
  });
  owner = new Client({ connectionString: server.ctx.config.DATABASE_URL as string });
  await owner.connect();
});
afterAll(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
  await owner?.end();
  await server?.close();
});

/** What an operator sees of one kind of work of the workspace. */
async function seen(work: Work, of: DefaultWorkspace): Promise<Failure[]> {
  const failures = await inTransaction(server.ctx.db, 'instance', readFailures);
  return failures.filter((one) => one.work === work && one.workspaceId === of.id);
}

/** Of each of them, null or why it was refused. */
async function retried(work: Work, failures: Failure[]): Promise<(string | null)[]> {
  const action = await retryFailures(server.ctx, { work, subject: 'The test', failures, operator: OPERATOR });
  const { rows } = await owner.query(
    'select refusal from operator_outcome where action_id = $1 order by ordinal',
    [action],
  );
  return rows.map((row) => row.refusal);
}

test('a failed run is retried once, though both have seen it fail', async () => {
  const workspace = await makeDefaultWorkspace(server);
  const made = await workspace.ask('POST', '/automations', {
    name: 'Fails',
    contextTypeId: 3,
    script: 'throw new Error("It cannot be done.")',
  });
  expect(made.status, made.text).toBe(201);
  await workspace.ask('POST', '/entities', { category: 'part', name: 'An event' });
  const failures = await vi.waitUntil(async () => {
    const found = await seen('automation', workspace);
    return found.length === 1 && found;
  }, patience);
  expect(await retried('automation', failures)).toEqual([null]);
  expect(await retried('automation', failures)).toEqual(['It was already retried.']);
  const attempts = await owner.query('select attempt from automation_run where workspace_id = $1', [
    workspace.id,
  ]);
  expect(attempts.rows).toHaveLength(2);
  // The new attempt is a failure of its own.
  const again = await vi.waitUntil(async () => {
    const [found] = await seen('automation', workspace);
    return found !== undefined && found.id !== failures[0]?.id && [found];
  }, patience);
  expect(await retried('automation', again)).toEqual([null]);
});

test('a failed message is sent again once, though both have found it failed at the same moment', async () => {
  const workspace = await makeDefaultWorkspace(server);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const made = await workspace.ask('POST', '/webhooks', { url, events: ['entity.created'] });
  expect(made.status, made.text).toBe(201);
  // Sent once: a failure is one at once.
  const tested = await workspace.ask('POST', `/webhooks/${made.body.id}/test`);
  expect(tested.status, tested.text).toBe(202);
  const failures = await vi.waitUntil(async () => {
    const found = await seen('webhook', workspace);
    return found.length === 1 && found;
  }, patience);
  await owner.query('update webhook set enabled = true, enabled_at = now() where id = $1', [made.body.id]);
  const holder = new Client({ connectionString: server.ctx.config.DATABASE_URL as string });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from webhook_delivery where id = $1 for update', [failures[0]?.id]);
  const both = Promise.all(
    [1, 2].map(() =>
      retryFailures(server.ctx, { work: 'webhook', subject: 'The test', failures, operator: OPERATOR }),
    ),
  );
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike '%webhook_delivery%'`;
  try {
    await vi.waitUntil(async () => (await owner.query(waiting)).rows[0].count === 2, patience);
  } finally {
    await holder.end();
  }
  const { rows } = await owner.query(
    'select refusal from operator_outcome where action_id = any ($1) order by refusal nulls first',
    [await both],
  );
  expect(rows).toEqual([{ refusal: null }, { refusal: 'Its status is now pending.' }]);
});

test('what failed in a workspace that nobody works on is refused, and the others go on', async () => {
  const [resting, free] = [await makeDefaultWorkspace(server), await makeDefaultWorkspace(server)];
  const script = 'throw new Error("Not today.")';
  for (const workspace of [resting, free]) {
    await workspace.ask('POST', '/automations', { name: 'Fails', contextTypeId: 3, script });
    await workspace.ask('POST', '/entities', { category: 'part', name: 'An event' });
  }
  const failures = await vi.waitUntil(async () => {
    const found = [...(await seen('automation', resting)), ...(await seen('automation', free))];
    return found.length === 2 && found;
  }, patience);
  await owner.query(`update workspace set state = 'moving' where id = $1`, [resting.id]);
  try {
    expect(await retried('automation', failures)).toEqual([expect.stringContaining('is being moved'), null]);
  } finally {
    await owner.query(`update workspace set state = 'active' where id = $1`, [resting.id]);
  }
});
