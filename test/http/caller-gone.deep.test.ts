/**
 * A caller who leaves, or may not have its answer any more, takes the work with it that was done for the answer alone, also what
 * PostgreSQL is at; what changes something goes on.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let project: string;
let watcher: Client;
beforeAll(async () => {
  // What waits goes on waiting until it is let go, or its caller leaves.
  const forever = '600000';
  server = await startTestServer({
    environment: {
      LOCK_TIMEOUT_MS: forever,
      SCRIPT_CPU_MS: forever,
      SCRIPT_WALL_MS: forever,
      // Asked about as often as may be.
      STREAM_HEARTBEAT_SECONDS: '1',
    },
  });
  workspace = await makeDefaultWorkspace(server);
  project = (await workspace.ask('POST', '/entities', { category: 'project', name: 'Bridge' })).body.id;
  watcher = new Client({ connectionString: server.ctx.databaseUrl });
  await watcher.connect();
});
afterAll(async () => {
  await watcher.end();
  await server.close();
});

/** Statements of the service that wait for a lock. */
async function waitingStatements(): Promise<number> {
  const { rows } = await watcher.query(
    `select from pg_stat_activity
     where datname = current_database() and state = 'active' and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

/** Lets nobody at the table while `work` goes on. */
async function closed<T>(table: string, work: () => Promise<T>): Promise<T> {
  const locker = new Client({ connectionString: server.ctx.databaseUrl });
  await locker.connect();
  try {
    await locker.query(`begin; lock table ${table} in access exclusive mode`);
    return await work();
  } finally {
    await locker.end();
  }
}

function begin(method: string, path: string, accept: string, body: unknown): AbortController {
  const caller = new AbortController();
  fetch(`${server.baseUrl}/api/wid/${workspace.slug}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${workspace.key}`,
      Accept: accept,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: caller.signal,
  })
    .then((answer) => answer.arrayBuffer())
    .catch(() => {});
  return caller;
}

const json = 'application/json';
const reads = [
  ['shortages', () => `/projects/${project}/shortages`, json, 'entity_link'],
  ['a tree', () => `/entities/${project}/tree`, json, 'entity_link'],
  ['a list', () => '/entities?limit=1000', json, 'entity'],
  ['a verification', () => '/stock/ledger/verify', json, 'stock_ledger'],
  ['an export of the ledger', () => `/stock/ledger/by-item/${project}`, 'text/csv', 'stock_ledger'],
  ['an export of entities', () => '/entities/export', 'text/csv', 'entity'],
  ['an export of positions', () => '/stock/positions/export', 'text/csv', 'stock_position'],
  ['an export of lots', () => '/stock/lots/export', 'text/csv', 'stock_lot'],
  ['an export of transfers', () => '/stock/transfers/export', 'text/csv', 'stock_transit'],
  ['an export of the audit trail', () => '/audit', 'application/x-ndjson', 'audit_log'],
] as const;

describe('a caller who leaves', () => {
  it.each(reads)('ends %s within the statement under way', async (_, path, accept, table) => {
    await closed(table, async () => {
      const caller = begin('GET', path(), accept, undefined);
      await expect.poll(waitingStatements).toBe(1);
      caller.abort();
      await expect.poll(waitingStatements).toBe(0);
      await expect.poll(() => server.ctx.db.shares.held).toBe(0);
    });
    expect((await workspace.ask('GET', path())).status).toBeLessThan(410);
    expect(server.ctx.longReads.held + server.ctx.streams.held).toBe(0);
  });

  it('and has sent a change is not known to want it no more: it is made', async () => {
    const made = await workspace.ask('POST', '/entities', { category: 'part', name: 'Nut' });
    const { id } = made.body;
    await closed('entity', async () => {
      const caller = begin('PATCH', `/entities/${id}`, json, { name: 'Bolt' });
      await expect.poll(waitingStatements).toBe(1);
      caller.abort();
      // Another caller's read ends with it meanwhile.
      const reader = begin('GET', `/entities/${id}`, json, undefined);
      await expect.poll(waitingStatements).toBe(2);
      reader.abort();
      await expect.poll(waitingStatements).toBe(1);
    });
    await expect.poll(async () => (await workspace.ask('GET', `/entities/${id}`)).body.name).toBe('Bolt');
  });

  it('ends the script that was tested, and what waited for a thread behind it', async () => {
    const { share: scriptThreads } = server.ctx.scriptThreads;
    const loop = () => begin('POST', '/automations/test', json, { script: 'for (;;);' });
    const callers = [loop(), loop(), loop()];
    await expect.poll(() => scriptThreads.held + scriptThreads.waiting).toBe(3);
    for (const caller of callers) caller.abort();
    await expect.poll(() => scriptThreads.held + scriptThreads.waiting).toBe(0);
  });
});

describe('a caller whose right is revoked', () => {
  const addKey = async (permission: string) => {
    const made = await workspace.ask('POST', '/api-keys', { name: 'For a while', permission });
    expect(made.status, made.text).toBe(201);
    return made.body.key as string;
  };
  /** As by another process, beside whatever is locked. */
  const revoke = (key: string) =>
    workspace.transact((tx) =>
      tx.query(`update api_key set revoked_at = now() where prefix = $1`, [key.slice(0, 10)]),
    );

  /** The status; `cut` where it has begun to say that it lives, which a verification does after some seconds. */
  const statusOf = (path: string, key: string, accept: string) =>
    server.request(`/api/wid/${workspace.slug}${path}`, { key, headers: { Accept: accept } }).then(
      ({ status }) => status,
      () => 'cut',
    );

  it.each(reads)('is refused while %s reads on and has sent nothing', async (_, path, accept, table) => {
    const key = await addKey('admin');
    await closed(table, async () => {
      const answering = statusOf(path(), key, accept);
      await expect.poll(waitingStatements).toBe(1);
      await revoke(key);
      expect(path().endsWith('/verify') ? [401, 'cut'] : [401]).toContain(await answering);
      await expect.poll(waitingStatements).toBe(0);
      await expect.poll(() => server.ctx.db.shares.held).toBe(0);
    });
    await expect.poll(() => server.ctx.longReads.held + server.ctx.streams.held).toBe(0);
  });

  it.each([
    ['entities', 'entity'],
    ['positions', 'stock_position'],
    ['ledger', 'stock_ledger'],
  ])('by a link is refused while a table of %s finds nothing', async (of, table) => {
    const made = await workspace.ask('POST', '/csv-links', { name: 'For the buyers', table: { of } });
    const { id, url } = made.body;
    await closed(table, async () => {
      const answering = server.request(new URL(url).pathname);
      await expect.poll(waitingStatements).toBe(1);
      expect((await workspace.ask('DELETE', `/csv-links/${id}`)).status).toBe(204);
      expect(await answering).toMatchObject({ status: 404, body: { code: 'csv_link_not_found' } });
      await expect.poll(waitingStatements).toBe(0);
    });
  });

  it('gets nothing of a verification that others go on waiting for', async () => {
    const key = await addKey('read');
    const { waiting } = await closed('stock_ledger', async () => {
      const answering = statusOf('/stock/ledger/verify', key, json);
      await expect.poll(waitingStatements).toBe(1);
      const others = workspace.ask('GET', '/stock/ledger/verify');
      await revoke(key);
      expect([401, 'cut']).toContain(await answering);
      expect(await waitingStatements()).toBe(1);
      return { waiting: others };
    });
    expect(await waiting).toMatchObject({ status: 200, body: { ok: true } });
  });

  it.each([
    ['a payload', 'POST', '/pdm/sync', 'application/x-ndjson'],
    ['a small body', 'POST', '/entities', json],
  ])('is refused while nothing more of %s arrives', async (_, method, path, type) => {
    const key = await addKey('write');
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
    await once(socket, 'connect');
    let answer = '';
    socket.on('data', (piece: Buffer) => {
      answer += piece.toString();
    });
    const head = [
      `${method} /api/wid/${workspace.slug}${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      `Content-Type: ${type}`,
      'Content-Length: 100000',
      'Expect: 100-continue',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await expect.poll(() => answer).toContain('HTTP/1.1 100 ');
    socket.write('{"');
    await revoke(key);
    await expect.poll(() => answer).toContain('HTTP/1.1 401 ');
    socket.destroy();
  });
});

describe('an answer in pieces that cannot be begun', () => {
  let batch: string;
  beforeAll(async () => {
    const entities = [{ guid: randomUUID(), number: 'B-1', name: 'Bolt', categoryKey: 'part' }];
    batch = (await workspace.ask('POST', '/pdm/sync', { entities })).body.batchId;
  });

  it.each([
    ['the audit trail', () => '/audit', 'text/csv', 'audit_log'],
    ['the audit trail', () => '/audit', 'application/x-ndjson', 'audit_log'],
    ['results', () => `/pdm/sync/batches/${batch}/results`, 'text/csv', 'sync_result'],
    ['results', () => `/pdm/sync/batches/${batch}/results`, 'application/x-ndjson', 'sync_result'],
    ['the ledger', () => `/stock/ledger/by-item/${project}`, 'text/csv', 'stock_ledger'],
  ])('is refused, and does not break off: %s as %#', async (_, path, accept, table) => {
    const ask = () => workspace.ask('GET', path(), undefined, { Accept: accept });
    const refused = await closed(table, async () => {
      const asked = ask();
      await expect.poll(waitingStatements).toBe(1);
      // As where the database fails over in that moment.
      await watcher.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'active' and wait_event_type = 'Lock'`,
      );
      return asked;
    });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([503, 'application/problem+json']);
    expect(refused.headers.get('content-disposition')).toBeNull();
    const whole = await ask();
    expect([whole.status, whole.headers.get('content-type')], whole.text).toEqual([
      200,
      expect.stringContaining(accept),
    ]);
    await expect.poll(() => server.ctx.streams.held).toBe(0);
  });
});
