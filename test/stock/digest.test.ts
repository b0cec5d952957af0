/**
 * A digest that is kept elsewhere: whoever owns the database can make the ledger agree with itself, and not with it.
 * Each attack below leaves a ledger that verifies by itself, so that nothing but the digest can tell.
 */

import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectDb } from '../../src/db/connect.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { adjustBatch } from '../../src/stock/adjustments/adjust-batch.ts';
import { takeDueDigests } from '../../src/stock/digest/daily-digests.ts';
import { takeDigest } from '../../src/stock/digest/take-digest.ts';
import { hashEntryTexts } from '../../src/stock/entries/ledger-entry.ts';
import { type EntryProofRow, selectEntriesOf } from '../../src/stock/ledger/ledger.sql.ts';
import type { AuditEntry, KeptDigest, LedgerDigest, LedgerProof } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { openReceiver } from '../webhooks/receiver.ts';
import { asSuperuser, makeStockedWorkspace, type StockedWorkspace } from './stocked-workspace.ts';

let server: TestServer;
let workspace: StockedWorkspace;
let item: string;
let location: string;
let other: string;

beforeAll(async () => {
  server = await startTestServer({ worker: true, environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeStockedWorkspace(server, { items: 1, locations: 2 });
  [item] = workspace.items as [string];
  [location, other] = workspace.locations.toSorted() as [string, string];
  await count(10, [location, other]);
});

async function count(times: number, locations: string[], items = [item]): Promise<void> {
  const adjustments = Array.from({ length: times }, (_, n) =>
    items.flatMap((itemEntityId) =>
      locations.map((locationEntityId) => ({
        itemEntityId,
        locationEntityId,
        quantity: n + 1,
        note: 'count',
      })),
    ),
  ).flat();
  for (let at = 0; at < adjustments.length; at += 5000) {
    const body = { adjustments: adjustments.slice(at, at + 5000) };
    const made = await workspace.ask('POST', '/stock/adjustments/batch', body);
    expect(made.status, made.text).toBe(201);
  }
}

async function digest(): Promise<LedgerDigest> {
  const answer = await workspace.ask('GET', '/stock/ledger/digest');
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function prove(kept: KeptDigest): Promise<LedgerProof> {
  const answer = await workspace.ask('POST', '/stock/ledger/verify', kept);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const verifies = async () => (await workspace.ask('GET', '/stock/ledger/verify')).body.ok;
const kinds = (proof: LedgerProof) => proof.problems.map((one) => [one.kind, one.locationEntityId]);

/** What is logged of a digest: itself, or what went wrong. */
interface DigestLine extends KeptDigest {
  workspace: string;
  err?: unknown;
}

/** With all rights on the database, past every trigger. */
const attack = (work: (client: Client) => Promise<unknown>) =>
  asSuperuser(server, async (client) => {
    // In one transaction: behind a pooler the next may be another connection's.
    await client.query(`begin; set local session_replication_role = 'replica'`);
    await work(client);
    await client.query('commit');
  });

/** Removes the last entries of the position and sets it back to what it was. */
const cut = (client: Client, from: number) =>
  client.query(
    `with gone as (
       delete from stock_ledger where workspace_id = $1 and location_id = $2 and sequence >= $3
     )
     update stock_position p
     set sequence = l.sequence, hash = l.hash, on_hand = l.on_hand_after, reserved = l.reserved_after,
         on_order = l.on_order_after
     from stock_ledger l
     where l.workspace_id = $1 and l.location_id = $2 and l.sequence = $3 - 1
       and p.workspace_id = $1 and p.location_id = $2`,
    [workspace.id, location, from],
  );

/** Writes another note into an entry, and all hashes from there on anew. */
async function rewrite(client: Client, from: number): Promise<void> {
  const { rows } = await client.query<EntryProofRow>(selectEntriesOf, [
    workspace.id,
    item,
    location,
    0,
    1000,
    1000,
  ]);
  let before: string | null = null;
  for (const found of rows) {
    const sequence = Number(found.sequence);
    const row = sequence === from ? { ...found, note: 'a lie' } : { ...found };
    if (sequence >= from) row.hash = hashEntryTexts(workspace.id, before, row);
    before = row.hash;
    await client.query(
      `update stock_ledger set note = $4, hash = decode($5, 'hex')
       where workspace_id = $1 and location_id = $2 and sequence = $3`,
      [workspace.id, location, row.sequence, row.note, row.hash],
    );
  }
  await client.query(
    `update stock_position set hash = decode($3, 'hex') where workspace_id = $1 and location_id = $2`,
    [workspace.id, location, before],
  );
}

const remove = async (client: Client) => {
  for (const table of ['stock_ledger', 'stock_position']) {
    await client.query(`delete from ${table} where workspace_id = $1 and location_id = $2`, [
      workspace.id,
      location,
    ]);
  }
};

/** By the clock that stamps digests. */
const databaseNow = async () =>
  workspace.transact(async (tx) => {
    const [row] = await tx.query<{ ms: string }>(
      'select floor(extract(epoch from clock_timestamp()) * 1000) as ms',
    );
    return Number(row?.ms);
  });

test('is what its description says: anybody can compute it', async () => {
  const before = await databaseNow();
  const given = await digest();
  const after = await databaseNow();
  const lines = await workspace.transact((tx) =>
    tx.query<{ line: string }>(
      `select item_id || ' ' || location_id || ' ' || sequence || ' ' || encode(hash, 'hex') as line
       from stock_ledger l where sequence = (select max(sequence) from stock_ledger where location_id = l.location_id)
       order by item_id, location_id`,
    ),
  );
  const text = [
    'partbook-ledger-digest-1',
    workspace.id,
    given.at,
    ...lines.map(({ line }) => line),
    '',
  ].join('\n');
  expect(given).toEqual({
    at: expect.any(String),
    entries: 20,
    positions: 2,
    digest: createHash('sha256').update(text).digest('hex'),
  });
  expect(Date.parse(given.at)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(given.at)).toBeLessThanOrEqual(after);
});

test('proves an untouched ledger, also when it has grown since, and when nothing has moved is given again', async () => {
  const first = await digest();
  expect(await digest()).toEqual(first);
  expect(await prove(first)).toEqual({
    ok: true,
    positions: 2,
    entries: 20,
    problems: [],
    problemCount: 0,
    digest: { ...first, state: 'covered' },
  });
  const [more] = await workspace.addEntities(1);
  await count(5, [location]);
  await count(3, [other], [more as string]);
  const second = await digest();
  expect([second.entries, second.positions]).toEqual([28, 3]);
  await count(1, [other]);
  for (const kept of [first, second]) expect(await prove(kept)).toMatchObject({ ok: true, entries: 29 });
});

test('an empty ledger has one too', async () => {
  workspace = await makeStockedWorkspace(server, { items: 1, locations: 1 });
  const empty = await digest();
  expect([empty.entries, empty.positions]).toEqual([0, 0]);
  await count(2, workspace.locations, workspace.items);
  expect(await prove(empty)).toMatchObject({ ok: true });
});

describe('finds, where the ledger agrees with itself,', () => {
  test.each<[string, (client: Client) => Promise<unknown>, string]>([
    ['the last entry cut and the position set back', (client) => cut(client, 10), 'cut'],
    ['most entries cut and the position set back', (client) => cut(client, 2), 'cut'],
    ['a whole position that is gone', remove, 'cut'],
    ['an entry written anew with the chain behind it', (client) => rewrite(client, 4), 'rewritten'],
    ['the last entry written anew', (client) => rewrite(client, 10), 'rewritten'],
  ])('%s', async (_what, work, kind) => {
    const kept = await digest();
    await count(2, [other]);
    await attack(work);
    expect(await verifies()).toBe(true);
    const proof = await prove(kept);
    expect([proof.ok, proof.problemCount, kinds(proof)]).toEqual([false, 1, [[kind, location]]]);
    expect(proof.digest.state).toBe('covered');
  });

  test('the same by an older digest, after newer ones were taken', async () => {
    const kept = await digest();
    await count(1, [location]);
    await digest();
    await count(1, [location]);
    await attack((client) => rewrite(client, 4));
    expect(await verifies()).toBe(true);
    expect(kinds(await prove(kept))).toEqual([['rewritten', location]]);
  });

  test('entries cut and others put in their place by the service itself', async () => {
    const kept = await digest();
    await attack((client) => cut(client, 8));
    await count(6, [location]);
    expect(await verifies()).toBe(true);
    expect(kinds(await prove(kept))).toEqual([['rewritten', location]]);
  });

  test('every position gone', async () => {
    const kept = await digest();
    await attack(async (client) => {
      for (const table of ['stock_ledger', 'stock_position']) {
        await client.query(`delete from ${table} where workspace_id = $1`, [workspace.id]);
      }
    });
    expect(await verifies()).toBe(true);
    expect(kinds(await prove(kept))).toEqual([
      ['cut', location],
      ['cut', other],
    ]);
  });

  test('nothing in what came after it: that is not covered', async () => {
    const kept = await digest();
    await count(3, [location]);
    await attack((client) => cut(client, 12));
    expect(await prove(kept)).toMatchObject({ ok: true });
  });
});

describe('the record of what a digest covers', () => {
  test.each<[string, string]>([
    [
      'is made to agree with the attack',
      `update ledger_digest_head set sequence = 1 where workspace_id = $1`,
    ],
    ['is removed', 'delete from ledger_digest_head where workspace_id = $1'],
    [
      'has one position more',
      `insert into ledger_digest_head select workspace_id, gen_random_uuid(), location_id, ordinal, sequence, hash
       from ledger_digest_head where workspace_id = $1`,
    ],
  ])('%s: it gives another digest then', async (_what, sql) => {
    const kept = await digest();
    await attack((client) => client.query(sql, [workspace.id]));
    expect(await prove(kept)).toMatchObject({ ok: false, digest: { state: 'contradicted' } });
  });

  test('is gone with the digest: nothing is proved', async () => {
    const kept = await digest();
    await attack((client) =>
      client.query('delete from ledger_digest where workspace_id = $1', [workspace.id]),
    );
    expect(await prove(kept)).toMatchObject({ ok: false, problems: [], digest: { state: 'unknown' } });
  });

  test('takes no change from the service', async () => {
    await digest();
    for (const sql of ['update ledger_digest set entries = 0', 'delete from ledger_digest_head']) {
      await expect(workspace.transact((tx) => tx.query(sql))).rejects.toThrow(/permission denied/);
    }
  });
});

test.each([
  ['another moment', { at: '2026-01-01T00:00:00.000Z' }],
  ['other entries', { entries: 1 }],
  ['other positions', { positions: 1 }],
])('a digest with %s is not the one that was given', async (_what, change) => {
  const kept = await digest();
  expect(await prove({ ...kept, ...change })).toMatchObject({ ok: false, digest: { state: 'contradicted' } });
});

test('a digest of another workspace is unknown here', async () => {
  const theirs = await digest();
  workspace = await makeStockedWorkspace(server, { items: 1, locations: 2 });
  expect(await prove(theirs)).toMatchObject({ ok: false, digest: { state: 'unknown' } });
});

test.each<[string, (client: Client) => Promise<unknown>, object]>([
  ['is gone', remove, { positionsGone: 1, positionsSetBack: 0 }],
  ['was set back', (client) => cut(client, 5), { positionsGone: 0, positionsSetBack: 1 }],
  ['was rewritten in place', (client) => rewrite(client, 5), { positionsGone: 0, positionsSetBack: 1 }],
])('no digest is made where a position %s that the last one covers', async (_what, work, found) => {
  const kept = await digest();
  await attack(work);
  const refused = await workspace.ask('GET', '/stock/ledger/digest');
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'ledger_altered', lastDigestAt: kept.at, ...found },
  ]);
});

test('what was recorded before it and committed after it is not in it', async () => {
  let commit = () => {};
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let written = () => {};
  const isWritten = new Promise<void>((resolve) => {
    written = resolve;
  });
  const actor = { type: 'system', id: workspace.id, name: 'A slow writer' } as const;
  const late = inTransaction(server.ctx.db, { workspaceId: workspace.id }, async (tx) => {
    await adjustBatch(tx, actor, [{ itemEntityId: item, locationEntityId: location, quantity: 1 }]);
    written();
    await held;
  });
  await isWritten;
  const kept = await digest();
  expect(kept.entries).toBe(20);
  commit();
  await late;
  expect(await prove(kept)).toMatchObject({ ok: true, entries: 21 });
  expect((await digest()).entries).toBe(21);
});

test('digests taken at once beside many writers all prove the ledger', async () => {
  const digests: LedgerDigest[] = [];
  const signal = new AbortController().signal;
  let writing = true;
  const takers = [1, 2, 3].map(async () => {
    // Past the wall that admits one at a time, as several processes would.
    while (writing) {
      const taken = await takeDigest(server.ctx.db, workspace.id, signal).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'ledger_busy' });
        return null;
      });
      if (taken !== null) digests.push(taken.digest);
    }
  });
  const writers = Array.from({ length: 6 }, async (_, n) => {
    for (let i = 0; i < 15; i++) {
      const answer = await workspace.adjust(item, n % 2 === 0 ? location : other, 1);
      expect(answer.status, answer.text).toBe(201);
    }
  });
  await Promise.all(writers);
  writing = false;
  await Promise.all(takers);
  const last = await digest();
  expect(last.entries).toBe(110);
  const different = [...new Map([...digests, last].map((one) => [one.digest, one])).values()];
  expect(different.length).toBeGreaterThan(2);
  for (const one of different)
    expect(await prove(one)).toMatchObject({ ok: true, digest: { state: 'covered' } });
});

test('holds over many pages of positions, some of which are gone', async () => {
  const items = await workspace.addEntities(2600);
  await count(1, [location, other], items);
  const kept = await digest();
  expect(kept.positions).toBe(5202);
  await count(1, [location], items.slice(0, 1500));
  await digest();
  expect(await prove(kept)).toMatchObject({ ok: true });
  await attack(async (client) => {
    for (const table of ['stock_ledger', 'stock_position']) {
      await client.query(`delete from ${table} where workspace_id = $1 and item_id = any($2::uuid[])`, [
        workspace.id,
        items.slice(100, 1400),
      ]);
    }
  });
  expect(await verifies()).toBe(true);
  const proof = await prove(kept);
  expect([proof.ok, proof.problemCount, proof.problems.length]).toEqual([false, 2600, 100]);
  expect(new Set(proof.problems.map((one) => one.kind))).toEqual(new Set(['cut']));
});

test('one is taken each day: to the log, the audit trail and webhooks, once', {
  timeout: 60_000,
}, async () => {
  const receiver = await openReceiver();
  try {
    const made = await workspace.ask('POST', '/webhooks', { url: receiver.url, events: ['ledger.digested'] });
    expect(made.status, made.text).toBe(201);
    const lines: DigestLine[] = [];
    const log = {
      info: (line: DigestLine) => lines.push(line),
      warn: () => {},
      error: (line: DigestLine) => lines.push(line),
    };
    const options = { db: server.ctx.db, log, config: { LEDGER_DIGEST_HOURS: 24 } };
    const signal = new AbortController().signal;
    await Promise.all([takeDueDigests(options, signal), takeDueDigests(options, signal)]);
    const own = lines.filter((line) => line.workspace === workspace.slug);
    expect(own).toEqual([
      {
        workspace: workspace.slug,
        at: expect.any(String),
        entries: 20,
        positions: 2,
        digest: expect.any(String),
      },
    ]);
    const { workspace: _slug, ...kept } = own[0] as DigestLine;
    expect(await prove(kept)).toMatchObject({ ok: true });

    const audit = await workspace.ask('GET', '/audit?limit=1000');
    const entries = audit.body.items.filter((one: AuditEntry) => one.subjectType === 'ledgerDigest');
    expect(entries).toMatchObject([
      { action: 'create', subjectKey: kept.at, after: kept, actor: { type: 'system' } },
    ]);
    const [message] = await vi.waitUntil(
      async () => receiver.received.length > 0 && receiver.received,
      patience,
    );
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      type: 'ledger.digested',
      data: { ...kept, workspaceSlug: workspace.slug },
    });

    await takeDueDigests(options, signal);
    expect(lines.filter((line) => line.workspace === workspace.slug)).toHaveLength(1);
    await count(1, [location]);
    await takeDueDigests({ ...options, config: { LEDGER_DIGEST_HOURS: 0 } }, signal);
    expect(lines.filter((line) => line.workspace === workspace.slug)).toHaveLength(2);

    await attack((client) => cut(client, 3));
    await takeDueDigests({ ...options, config: { LEDGER_DIGEST_HOURS: 0 } }, signal);
    const last = lines.filter((line) => line.workspace === workspace.slug).at(-1);
    expect(last?.err).toMatchObject({ code: 'ledger_altered' });
  } finally {
    await receiver.close();
  }
});

test('one that cannot be taken, because somebody holds a lock there, keeps no other from being taken', async () => {
  const [held, free] = [workspace, await makeStockedWorkspace(server, { items: 1, locations: 1 })];
  const adjusted = await free.ask('POST', '/stock/adjustments', {
    itemEntityId: free.items[0],
    locationEntityId: free.locations[0],
    quantity: 1,
  });
  expect(adjusted.status, adjusted.text).toBe(201);
  const impatient = await connectDb({
    url: server.ctx.databaseUrl,
    poolMax: 2,
    applicationName: 'a test',
    log: server.ctx.log,
    lockTimeoutMs: 50,
  });
  const taken: string[] = [];
  const log = {
    info: (line: DigestLine) => taken.push(line.workspace),
    warn: () => {},
    error: () => expect.unreachable('no ledger contradicts its digest'),
  };
  const take = () =>
    takeDueDigests({ db: impatient, log, config: { LEDGER_DIGEST_HOURS: 24 } }, new AbortController().signal);
  try {
    await asSuperuser(server, async (client) => {
      await client.query('begin');
      await client.query(
        `insert into ledger_digest (workspace_id, ordinal, at, entries, positions, digest)
         values ($1, 1, now(), 1, 1, sha256('a'))`,
        [held.id],
      );
      await expect(take()).rejects.toMatchObject({ errors: [{ code: '55P03' }] });
      await client.query('rollback');
    });
    expect(taken).toContain(free.slug);
    expect(taken).not.toContain(held.slug);
    await take();
    expect(taken).toContain(held.slug);
  } finally {
    await impatient.close();
  }
});

test('automations are not told, and cannot listen', async () => {
  const refused = await workspace.ask('POST', '/automations', {
    name: 'Ears',
    contextTypeId: 101,
    script: '1',
  });
  expect(refused.status).toBe(422);
});
