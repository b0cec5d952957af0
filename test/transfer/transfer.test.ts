/** A workspace as a file: out of one installation, into another, the same on both sides, or not at all. */
import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApiKey } from '../../src/access/create-api-key.ts';
import { slugsOf } from '../../src/config.ts';
import { connectDb } from '../../src/db/connect.ts';
import { grantTenantTable } from '../../src/db/tenant-table.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { verifyLedger } from '../../src/stock/ledger/verify-ledger.ts';
import { exportWorkspace } from '../../src/transfer/export-workspace.ts';
import { forgetWorkspace } from '../../src/transfer/forget-workspace.ts';
import { type ImportOptions, importWorkspace } from '../../src/transfer/import-workspace.ts';
import { holdWorkspace, leaveWorkspace, resumeWorkspace } from '../../src/transfer/rest-workspace.ts';
import { leftBehind } from '../../src/transfer/transfer.sql.ts';
import { walkService } from '../plans/walk-service.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeStockedWorkspace } from '../stock/stocked-workspace.ts';
import { expectGearbox, type Gearbox, makeGearbox } from './gearbox.ts';

let here: TestServer;
let there: TestServer;
let owners: { here: Client; there: Client };
let slug: string;
let workspaceId: string;
let key: string;
let file: Buffer;
let gearbox: Gearbox;

beforeAll(async () => {
  here = await startTestServer({ worker: true, environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  there = await startTestServer({ environment: { WORKSPACE_SLUGS: '[n-z].*' } });
  owners = { here: await ownerOf(here), there: await ownerOf(there) };
  // What a later release may add belongs to the workspace too.
  for (const owner of Object.values(owners)) {
    await owner.query(
      'create table gadget (workspace_id uuid, id int, note text, primary key (workspace_id, id))',
    );
    for (const sql of grantTenantTable('gadget')) await owner.query(sql);
  }
  workspaceId = await walkService(here, 200);
  const [known] = (await owners.here.query('select slug from workspace where id = $1', [workspaceId])).rows;
  slug = known.slug;
  await owners.here.query(
    `insert into gadget values ($1, 1, E'a "line"\\nand another \\\\'), ($1, 2, null)`,
    [workspaceId],
  );
  await owners.here.query(`insert into gadget values (gen_random_uuid(), 1, 'of somebody else')`);
  // Batches of others were accepted there before.
  await owners.there.query(`select setval('sync_batch_accepted', 100000)`);
  key = await inTransaction(here.ctx.db, { workspaceId }, async (tx) => {
    const made = { workspaceId, name: 'travels', permission: 'admin', expiresAt: null } as const;
    return (await createApiKey(tx, made)).key;
  });
  gearbox = await makeGearbox(here, { slug, key });
  file = await exported(here, slug);
});
afterAll(async () => {
  await owners?.here.end();
  await owners?.there.end();
  await here?.close();
  await there?.close();
});

async function ownerOf(server: TestServer): Promise<Client> {
  const client = new Client({ connectionString: server.ctx.databaseUrl });
  await client.connect();
  return client;
}

async function exported(server: TestServer, of: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const sink = new Writable({
    write: (piece: Buffer, _, done) => {
      pieces.push(piece);
      done();
    },
  });
  await exportWorkspace(server.ctx.db, of, sink);
  return Buffer.concat(pieces);
}

const imported = (content: Buffer, as: string | null = null) =>
  importWorkspace(there.ctx.db, Readable.from([content]), { slug: as });
const arrived = (server: TestServer, content: Buffer, options: ImportOptions = {}) =>
  importWorkspace(server.ctx.db, Readable.from([content]), {
    givesSlug: slugsOf(server.ctx.config),
    ...options,
  });
const linesOf = (content: Buffer) => zstdDecompressSync(content).toString().trimEnd().split('\n');
/** With sums that fit, as somebody would write it who knows the format. */
function fileOf(lines: readonly string[]): Buffer {
  const before = lines
    .slice(0, -1)
    .map((line) => `${line}\n`)
    .join('');
  const end = JSON.parse(lines.at(-1) ?? '');
  end.sha256 = createHash('sha256').update(before).digest('hex');
  return zstdCompressSync(`${before}${JSON.stringify(end)}\n`);
}

async function rowsIn(owner: Client): Promise<number> {
  const [row] = (
    await owner.query('select (select count(*) from entity) + (select count(*) from workspace) as n')
  ).rows;
  return Number(row.n);
}

test('every table with a workspace_id is in the file, but for those that stay behind for a reason', async () => {
  const { rows } = await owners.here.query(
    `select c.relname as table_name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const tables = linesOf(file).flatMap((line) =>
    line.startsWith('{"table"') ? [JSON.parse(line).table] : [],
  );
  expect(tables).toContain('gadget');
  expect([...tables, ...Object.keys(leftBehind)].sort()).toEqual(rows.map((row) => row.table_name).sort());
});

test.each<[string, () => Buffer, RegExp]>([
  [
    'was cut between two lines',
    () => zstdCompressSync(`${linesOf(file).slice(0, -1).join('\n')}\n`),
    /was cut/,
  ],
  ['was cut within a line', () => zstdCompressSync(linesOf(file).join('\n').slice(0, -9)), /was cut/],
  ['was cut while it was copied', () => file.subarray(0, file.length / 2), /damaged or was cut/],
  ['is something else', () => Buffer.from('{"hello":"world"}'), /damaged or was cut/],
  ['is JSON of something else', () => zstdCompressSync('{"hello":"world"}\n'), /no file of a workspace/],
  [
    'had a value changed',
    () => zstdCompressSync(zstdDecompressSync(file).toString().replace('a \\"line\\"', 'b \\"line\\"')),
    /was changed/,
  ],
  [
    'lost a row, and its sum was made to fit',
    () => fileOf(linesOf(file).filter((line) => !line.includes('a \\"line\\"'))),
    /Rows of gadget are missing/,
  ],
  [
    'lost a table',
    () => fileOf(linesOf(file).filter((line) => !/gadget|a \\"line\\"|^\["2",null\]/.test(line))),
    /lacks the tables gadget/,
  ],
  [
    'names a table that no workspace has',
    () => fileOf(linesOf(file).map((line) => line.replace('"gadget"', '"operator_session"'))),
    /a table operator_session too many/,
  ],
  [
    'is of another schema',
    () => fileOf(linesOf(file).map((line) => line.replace(/"schema":"\d+/, '"schema":"20990101'))),
    /same release/,
  ],
  [
    'is of a later format',
    () => fileOf(linesOf(file).map((line) => line.replace('"version":1', '"version":2'))),
    /has version 2/,
  ],
  [
    'has another ledger than was digested',
    () => fileOf(linesOf(file).map((line) => line.replace(/"digest":"[0-9a-f]/, '"digest":"x'))),
    /another one than that which was exported/,
  ],
])('a file that %s is refused, and nothing of it stays', async (_what, content, reason) => {
  const before = await rowsIn(owners.there);
  await expect(imported(content())).rejects.toThrow(reason);
  expect(await rowsIn(owners.there)).toBe(before);
});

test('what is imported is what was exported, row by row, with its ledger, its keys and the order of its batches', async () => {
  const done = await imported(file, 'moved-here');
  expect(done).toMatchObject({ workspaceId, slug: 'moved-here' });
  const again = await exported(there, 'moved-here');
  expect(rowsOf(again)).toEqual(rowsOf(file));
  expect(JSON.parse(linesOf(again).at(-1) ?? '')).toMatchObject({
    rows: done.rows,
    ledger: { entries: done.ledger.entries, positions: done.ledger.positions },
  });
  expect(done.ledger.entries).toBeGreaterThan(0);
  expect(await verifyLedger(there.ctx.db, workspaceId)).toMatchObject({
    ok: true,
    entries: done.ledger.entries,
  });

  // Batches keep their order, and come behind those that were accepted there before.
  const orders = `select id, accepted_order::int as place from sync_batch
                  where workspace_id = $1 and accepted_order is not null order by accepted_order`;
  const left = (await owners.here.query(orders, [workspaceId])).rows;
  const right = (await owners.there.query(orders, [workspaceId])).rows;
  expect(right.map((row) => row.id)).toEqual(left.map((row) => row.id));
  expect(right[0].place).toBeGreaterThan(100_000);

  // Where designators stand is not in the file: it comes with the links.
  const standing =
    'select designator, parent_id, child_id from link_designator where workspace_id = $1 order by 1, 2, 3';
  const [stand, stood] = await Promise.all(
    [owners.there, owners.here].map(async (owner) => (await owner.query(standing, [workspaceId])).rows),
  );
  expect(stand).toEqual(stood);
  expect(stand?.length).toBeGreaterThan(100);

  await expectGearbox(gearbox, there, { slug: 'moved-here', key });

  const path = '/api/wid/moved-here';
  const read = await there.request(`${path}/entities?limit=1`, { key });
  expect(read.status, read.text).toBe(200);
  expect(read.body.items).toHaveLength(1);
  const written = await there.request(`${path}/property-definitions`, {
    key,
    body: { key: 'Later', name: 'Later', type: 'text' },
  });
  expect(written.status, written.text).toBe(201);
});

/** Every row by its table, in an order of its own; without the place of a batch among those of the installation. */
function rowsOf(content: Buffer): string[] {
  let [table, place] = ['', -1];
  const rows: string[] = [];
  for (const line of linesOf(content)) {
    const value = JSON.parse(line);
    if (value.table !== undefined) {
      table = value.table;
      place = value.columns.indexOf('accepted_order');
    }
    if (!Array.isArray(value)) continue;
    if (place >= 0) value[place] = null;
    rows.push(`${table} ${JSON.stringify(value)}`);
  }
  return rows.sort();
}

test('a workspace that is here already is not imported again, and a slug that is taken is said', async () => {
  await expect(imported(file, 'again')).rejects.toThrow(/is here already/);
  await there.createWorkspace('taken');
  const other = fileOf(
    linesOf(file).map((line) =>
      line.replaceAll(
        workspaceId,
        workspaceId.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
    ),
  );
  await expect(imported(other, 'taken')).rejects.toThrow(/has the slug taken/);
});

test('a disk or a pipe may take its time: who exports or imports is not taken for gone', async () => {
  const impatient = (server: TestServer) =>
    connectDb({
      url: server.ctx.databaseUrl,
      poolMax: 2,
      applicationName: 'pausing',
      log: server.ctx.log,
      settings: { idle_in_transaction_session_timeout: '100ms' },
    });
  /** Until the session has said nothing for several times as long as it may, or is gone. */
  const pause = (owner: Client) =>
    vi.waitUntil(async () => {
      const { rows } = await owner.query(
        `select state like 'idle in transaction%' and clock_timestamp() - state_change > '500 ms' as paused
         from pg_stat_activity where application_name = 'pausing' and state <> 'idle'`,
      );
      return rows.every(({ paused }) => paused);
    }, patience);
  const workspace = await makeStockedWorkspace(here);
  const [from, to] = await Promise.all([impatient(here), impatient(there)]);
  try {
    const pieces: Buffer[] = [];
    const sink = new Writable({
      write: (piece: Buffer, _, done) => {
        pieces.push(piece);
        pause(owners.here).then(() => done(), done);
      },
    });
    await exportWorkspace(from, workspace.slug, sink);
    const content = Buffer.concat(pieces);
    async function* pausing() {
      const lines = linesOf(content);
      yield zstdCompressSync(`${lines.slice(0, 3).join('\n')}\n`);
      await pause(owners.there);
      yield zstdCompressSync(`${lines.slice(3).join('\n')}\n`);
    }
    const { rows } = await importWorkspace(to, Readable.from(pausing()), { slug: 'paused' });
    expect(rows).toBeGreaterThan(0);
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
});

test('what does not exist is not exported', async () => {
  await expect(exportWorkspace(here.ctx.db, 'nobody', new Writable())).rejects.toThrow(/no workspace nobody/);
});

test('an installation gives the slugs that it is told to, and takes another only with a workspace that has moved', async () => {
  const made = await there.request('/api/workspaces', {
    key: there.ctx.operatorToken,
    body: { slug: 'acme', name: 'Of another cell' },
  });
  expect([made.status, made.body.errors?.[0]]).toMatchObject([422, { pointer: '/slug' }]);
  const workspace = await makeStockedWorkspace(here);
  const content = await exported(here, workspace.slug);
  await expect(arrived(there, content, { slug: 'acme' })).rejects.toThrow(/gives no workspace the slug acme/);
  await expect(arrived(there, content, { slug: 'xacme' })).resolves.toMatchObject({ slug: 'xacme' });
});

test('one that is held is taken elsewhere as it is, works there under its slug, and comes back', async () => {
  const workspace = await makeStockedWorkspace(here);
  const { slug: name, key: admin, items, locations } = workspace;
  const ask = (server: TestServer) => server.request(`/api/wid/${name}/stock/positions`, { key: admin });
  expect((await workspace.adjust(items[0], locations[0], 5)).status).toBe(201);

  await holdWorkspace(owners.here, name);
  expect((await ask(here)).status).toBe(503);
  await resumeWorkspace(owners.here, name);
  expect((await ask(here)).status).toBe(200);

  await holdWorkspace(owners.here, name);
  await arrived(there, await exported(here, name), { isMoved: true });
  await leaveWorkspace(owners.here, name, 'https://there.example');
  expect((await ask(here)).body).toMatchObject({ code: 'workspace_gone', movedTo: 'https://there.example' });
  expect((await ask(there)).body.items).toMatchObject([{ onHand: 5 }]);
  const added = await there.request(`/api/wid/${name}/stock/adjustments`, {
    key: admin,
    body: { itemEntityId: items[0], locationEntityId: locations[0], quantity: 2 },
  });
  expect(added.status, added.text).toBe(201);

  await holdWorkspace(owners.there, name);
  const back = await exported(there, name);
  await expect(arrived(here, back)).rejects.toThrow(/was here and has left/);
  await forgetWorkspace(owners.here, name, { withName: true });
  await arrived(here, back);
  await leaveWorkspace(owners.there, name, 'https://here.example');
  expect((await ask(here)).body.items).toMatchObject([{ onHand: 7 }]);
  await workspace.expectConsistent();
});
