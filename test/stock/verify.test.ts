import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR } from '../../src/actor.ts';
import { newId } from '../../src/db/ids.ts';
import type { Movement } from '../../src/stock/entries/movement.ts';
import type { LedgerProblem } from '../../src/stock/ledger/verification.schema.ts';
import { verifySums } from '../../src/stock/ledger/verify-sums.ts';
import { recordMovements } from '../../src/stock/movements/record-movements.ts';
import { selectAhead } from '../../src/stock/watch-clock.sql.ts';
import { readLedgerAhead } from '../../src/stock/watch-clock.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { asSuperuser, fillLines, makeStockedWorkspace, type StockedWorkspace } from './stocked-workspace.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Two positions of twenty entries each; the first is the one to be tampered with. */
async function makeLedger(): Promise<StockedWorkspace & { item: string; location: string }> {
  const workspace = await makeStockedWorkspace(server, { items: 1, locations: 2 });
  const [item] = workspace.items as [string];
  const [location, other] = workspace.locations.toSorted() as [string, string];
  const adjustments = Array.from({ length: 40 }, (_, i) => ({
    itemEntityId: item,
    locationEntityId: i % 2 === 0 ? location : other,
    quantity: 1 + (i >> 1),
    note: `count ${i >> 1}`,
  }));
  const made = await workspace.ask('POST', '/stock/adjustments/batch', { adjustments });
  expect(made.status).toBe(201);
  return { ...workspace, item, location };
}

/** As somebody with all rights on the database, past trigger and privileges. */
function tamper(sql: string, params: unknown[]): Promise<void> {
  return asSuperuser(server, async (client) => {
    await client.query('begin');
    await client.query('alter table stock_ledger disable trigger user');
    await client.query(sql, params);
    await client.query('alter table stock_ledger enable trigger user');
    await client.query('commit');
  });
}

const where = 'where workspace_id = $1 and location_id = $2';

test('an untouched ledger verifies', async () => {
  const workspace = await makeLedger();
  const { status, body } = await workspace.ask('GET', '/stock/ledger/verify');
  expect(status).toBe(200);
  expect(body).toEqual({ ok: true, positions: 2, entries: 40, problems: [], problemCount: 0 });
});

test.each([
  ['a changed note', `update stock_ledger set note = 'nothing' ${where} and sequence = 7`, 'altered', 7],
  ['a removed note', `update stock_ledger set note = null ${where} and sequence = 7`, 'altered', 7],
  [
    'another actor',
    `update stock_ledger set actor_id = workspace_id ${where} and sequence = 12`,
    'altered',
    12,
  ],
  [
    'another time',
    `update stock_ledger set recorded_at = recorded_at + interval '1 microsecond' ${where} and sequence = 2`,
    'altered',
    2,
  ],
  ['another line', `update stock_ledger set line_id = workspace_id ${where} and sequence = 1`, 'altered', 1],
  [
    'another booking',
    `update stock_ledger set booking_id = workspace_id ${where} and sequence = 4`,
    'altered',
    4,
  ],
  [
    'another effective date',
    `update stock_ledger set effective_on = '2026-01-01' ${where} and sequence = 4`,
    'altered',
    4,
  ],
  ['another reason', `update stock_ledger set reason = 'scrap' ${where} and sequence = 4`, 'altered', 4],
  [
    'another mode of consumption',
    `update stock_ledger set consume = 'none' ${where} and sequence = 4`,
    'altered',
    4,
  ],
  [
    'another item revision',
    `update stock_ledger set item_revision = 3 ${where} and sequence = 4`,
    'altered',
    4,
  ],
  ['another hash', `update stock_ledger set hash = sha256('') ${where} and sequence = 5`, 'altered', 5],
  [
    'another quantity',
    `update stock_ledger set quantity = 99, on_hand_delta = 99 ${where} and sequence = 9`,
    'altered',
    9,
  ],
  [
    'another balance',
    `update stock_ledger set on_hand_after = on_hand_after + 1 ${where} and sequence = 20`,
    'altered',
    20,
  ],
  [
    'a balance that is no number',
    `update stock_ledger set on_hand_after = 'NaN' ${where} and sequence = 3`,
    'altered',
    3,
  ],
  ['a missing entry', `delete from stock_ledger ${where} and sequence = 7`, 'missing', 7],
  ['a missing first entry', `delete from stock_ledger ${where} and sequence = 1`, 'missing', 1],
  ['missing last entries', `delete from stock_ledger ${where} and sequence > 15`, 'missing', 16],
  ['no entries at all', `delete from stock_ledger ${where}`, 'missing', 1],
  [
    'two entries that changed places',
    `update stock_ledger set sequence = case sequence when 6 then 1007 else 1006 end ${where} and sequence in (6, 7); update stock_ledger set sequence = sequence - 1000 ${where} and sequence > 1000`,
    'reordered',
    6,
  ],
  ['a changed position', `update stock_position set on_hand = on_hand + 1 ${where}`, 'position', null],
  ['a position that is no number', `update stock_position set on_hand = 'NaN' ${where}`, 'position', null],
  ['a position with another hash', `update stock_position set hash = sha256('') ${where}`, 'position', null],
  ['a position set back', `update stock_position set sequence = 19 ${where}`, 'position', null],
  ['a missing position', `delete from stock_position ${where}`, 'position', null],
])('%s is found and named', async (_name, sql, kind, sequence) => {
  const workspace = await makeLedger();
  for (const statement of sql.split('; ')) await tamper(statement, [workspace.id, workspace.location]);
  const { body } = await workspace.ask('GET', '/stock/ledger/verify');
  expect(body.ok).toBe(false);
  expect(body.problemCount).toBe(1);
  expect(body.problems).toMatchObject([
    { kind, sequence, itemEntityId: workspace.item, locationEntityId: workspace.location },
  ]);
});

test.each([
  ['another sum', `update stock_line_total set received = received + 1 ${where}`, 'line'],
  [
    'another sum at a requirement',
    `update stock_requirement_total set issued = issued + 1 ${where}`,
    'requirement',
  ],
  ['a sum that is no number', `update stock_line_total set reserved = 'NaN' ${where}`, 'line'],
  ['no sum', `delete from stock_requirement_total ${where}`, 'requirement'],
  [
    'the sum of no entries',
    `insert into stock_line_total select workspace_id, workspace_id, item_id, location_id, 0, 0, 0, 0, 0, 0, 0, 0 from stock_line_total ${where}`,
    'line',
  ],
])('%s kept of a line or a requirement is found and named', async (_name, sql, of) => {
  const workspace = await makeLedger();
  const { item, location } = workspace;
  const [project] = await workspace.addEntities(1, { category: 'project' });
  const requirement = await workspace.ask('POST', '/requirements', {
    projectId: project,
    itemEntityId: item,
    requiredQty: 20,
  });
  const work = { locationEntityId: location, quantity: 5 };
  const path = `/requirements/${requirement.body.id}`;
  const { line } = (await workspace.ask('POST', `${path}/orders`, work)).body;
  for (const [what, body] of [
    [`/stock/lines/${line.id}/receipts`, { quantity: 3 }],
    [`${path}/reservations`, work],
    [`${path}/issues`, { ...work, quantity: 2 }],
  ] as const)
    expect((await workspace.ask('POST', what, body)).status).toBe(201);
  expect((await workspace.ask('GET', '/stock/ledger/verify')).body).toMatchObject({ ok: true, entries: 45 });
  await tamper(sql, [workspace.id, location]);
  const { body } = await workspace.ask('GET', '/stock/ledger/verify');
  expect(body).toMatchObject({ ok: false, problemCount: 1 });
  expect(body.problems).toMatchObject([
    { kind: 'total', itemEntityId: item, locationEntityId: location, sequence: null, entryId: null },
  ]);
  const id = sql.startsWith('insert') ? workspace.id : of === 'line' ? line.id : requirement.body.id;
  expect(body.problems[0].message).toContain(`${of} ${id}`);

  // What an owner of the schema has for it.
  if (sql.startsWith('insert')) return;
  await asSuperuser(server, (client) =>
    client.query('select remake_stock_totals($1, $2, $3)', [workspace.id, item, location]),
  );
  await workspace.expectConsistent();
});

test('goods in transit that are not what left and has not arrived are found and named', async () => {
  const workspace = await makeLedger();
  const { item, location } = workspace;
  const [rack] = await workspace.addEntities(1, { category: 'location' });
  const line = { itemEntityId: item, fromLocationEntityId: location, toLocationEntityId: rack, quantity: 1 };
  const sent = await workspace.ask('POST', '/stock/transfers', { lines: [line], inTransit: true });
  expect(sent.status, sent.text).toBe(201);
  expect((await workspace.ask('GET', '/stock/ledger/verify')).body.problems).toEqual([]);
  await tamper('delete from stock_transit where workspace_id = $1', [workspace.id]);
  expect((await workspace.ask('GET', '/stock/ledger/verify')).body.problems).toMatchObject([
    { kind: 'transit', itemEntityId: item },
  ]);
});

test('entries that state a fact verify, and reversals that cannot be true are found', async () => {
  const workspace = await makeLedger();
  const { item, location } = workspace;
  const move = (...movements: Omit<Movement, 'itemId' | 'locationId'>[]) =>
    workspace.transact((tx) =>
      recordMovements(
        tx,
        OPERATOR,
        movements.map((movement) => ({ ...movement, itemId: item, locationId: location })),
      ),
    );
  const [added, shipped] = await move(
    {
      type: 'Adjustment',
      amount: 5_000_000n,
      bookingId: newId(),
      effectiveOn: '2026-11-02',
      reason: 'found "it"',
      itemRevision: 2,
    },
    { type: 'SOShipment', amount: 2_000_000n },
    { type: 'OnOrderAdd', amount: 1_000_000n },
    { type: 'MOReceipt', amount: 1_000_000n, consume: 'none' },
  );
  await move(
    { type: 'SOShipment', amount: 1_500_000n, reversesId: shipped?.id ?? null },
    { type: 'Adjustment', amount: 5_000_000n, reversesId: added?.id ?? null },
  );
  await workspace.expectConsistent();
  const listed = await workspace.ask('GET', `/stock/ledger/by-item/${item}?limit=2`);
  expect(listed.body.items).toMatchObject([
    { movementType: 'Adjustment', quantity: -5, reversesId: added?.id },
    { movementType: 'SOShipment', quantity: 1.5, reversesId: shipped?.id },
  ]);

  await move({ type: 'SOShipment', amount: 600_000n, reversesId: shipped?.id ?? null });
  await move({ type: 'Adjustment', amount: 1_000_000n, reversesId: shipped?.id ?? null });
  await move({ type: 'Adjustment', amount: 1_000_000n, reversesId: newId() });
  const { body } = await workspace.ask('GET', '/stock/ledger/verify');
  expect(body).toMatchObject({ ok: false, problemCount: 3 });
  expect(body.problems.map(({ kind, entryId }: LedgerProblem) => [kind, entryId === shipped?.id])).toEqual([
    ['reversal', true],
    ['reversal', true],
    ['reversal', false],
  ]);
});

test('beyond the first page of entries, sums that are wrong are found, and lines beside them are not', async () => {
  const workspace = await makeStockedWorkspace(server, { items: 1, locations: 1 });
  // The first look ends within the second line.
  const lines = Array.from({ length: 3 }, () => newId());
  await asSuperuser(server, (client) => fillLines(client, workspace, lines, 6000));
  const problems = async () => {
    const { problems, problemCount } = await verifySums(
      (sql, params) => workspace.transact((tx) => tx.query(sql, params)),
      workspace.id,
      2,
    );
    return [problemCount, ...problems.map(({ message }) => lines.findIndex((id) => message.includes(id)))];
  };
  expect(await problems()).toEqual([0]);
  const change = `update stock_line_total set shipped = 1 where workspace_id = $1 and line_id = any($2::uuid[])`;
  for (const [count, wrong] of [
    [1, [2]],
    [2, [1, 2]],
    [3, [0, 1]],
  ] as const) {
    await tamper(change, [workspace.id, lines.slice(3 - count)]);
    expect(await problems()).toEqual([count, ...wrong]);
  }
});

test.each([
  ['altered', 1000],
  ['altered', 1001],
  ['missing', 1000],
  ['missing', 1001],
  ['missing', 2000],
])('beyond the first page, what is %s is found and named: entry %i', async (kind, sequence) => {
  const workspace = await makeStockedWorkspace(server, { items: 1, locations: 3 });
  const [item] = workspace.items;
  // The position to be tampered with comes first and goes on over pages; others begin on its last one.
  const [long, ...short] = workspace.locations.toSorted();
  const adjustments = [...Array.from({ length: 2000 }, () => long), ...short, ...short];
  await workspace.ask('POST', '/stock/adjustments/batch', {
    adjustments: adjustments.map((locationEntityId) => ({
      itemEntityId: item,
      locationEntityId,
      quantity: 1,
    })),
  });
  expect((await workspace.ask('GET', '/stock/ledger/verify')).body).toMatchObject({
    ok: true,
    positions: 3,
    entries: 2004,
  });
  const change = kind === 'missing' ? 'delete from stock_ledger' : `update stock_ledger set note = 'other'`;
  await tamper(`${change} ${where} and sequence = $3`, [workspace.id, long, sequence]);
  const { body } = await workspace.ask('GET', '/stock/ledger/verify');
  expect(body).toMatchObject({ positions: 3, problemCount: 1 });
  expect(body.problems).toMatchObject([{ kind, sequence, locationEntityId: long }]);
});

test('what is written meanwhile is not mistaken for a problem', async () => {
  const workspace = await makeStockedWorkspace(server, { items: 30, locations: 20 });
  let done = false;
  const writer = (async () => {
    for (let round = 0; !done; round++) {
      const adjustments = Array.from({ length: 300 }, (_, i) => ({
        itemEntityId: workspace.items[(i * 7 + round) % 30],
        locationEntityId: workspace.locations[(i + round) % 20],
        quantity: 1,
      }));
      await workspace.ask('POST', '/stock/adjustments/batch', { adjustments });
    }
  })();
  for (let i = 0; i < 8; i++) {
    const { body } = await workspace.ask('GET', '/stock/ledger/verify');
    expect(body.problems).toEqual([]);
  }
  done = true;
  await writer;
  await workspace.expectConsistent();
});

test('the command verifies every workspace, and ends with 1 when one does not verify', async () => {
  const sound = await makeLedger();
  const run = promisify(execFile);
  const command = (...slugs: string[]) =>
    run(
      process.execPath,
      [fileURLToPath(new URL('../../src/stock/digest/verify-ledger.command.ts', import.meta.url)), ...slugs],
      {
        env: {
          ...process.env,
          DATABASE_URL: server.ctx.config.DATABASE_URL,
          OPERATOR_TOKEN: server.ctx.operatorToken,
          LOG_LEVEL: 'fatal',
        },
      },
    );
  const { stdout } = await command(sound.slug);
  expect(JSON.parse(stdout)).toMatchObject({ workspace: sound.slug, ok: true, entries: 40 });
  const { body: kept } = await server.request(`/api/wid/${sound.slug}/stock/ledger/digest`, {
    key: sound.key,
  });
  const file = join(await mkdtemp(join(tmpdir(), 'partbook-digest-')), 'digest.json');
  await writeFile(file, JSON.stringify({ workspace: sound.slug, ...kept }));
  const proved = await command('--digest', file, sound.slug);
  expect(JSON.parse(proved.stdout)).toMatchObject({ ok: true, digest: { ...kept, state: 'covered' } });
  const other = JSON.stringify({ ...kept, digest: 'f'.repeat(64) });
  const contradicted = await command('--digest', other, sound.slug).catch((error: { code: number }) => error);
  expect(contradicted).toMatchObject({ code: 1 });
  const nobodys = await command('--digest', file).catch((error: { code: number; stderr: string }) => error);
  expect(nobodys).toMatchObject({ code: 2, stderr: expect.stringContaining('one workspace') });
  await rm(dirname(file), { recursive: true });
  const broken = await makeLedger();
  await tamper(`delete from stock_ledger ${where}`, [broken.id, broken.location]);
  const failed = await command().catch((error: { code: number; stdout: string }) => error);
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stdout).toContain(`"workspace":"${broken.slug}","ok":false`);
  const unknown = await command('nobody').catch((error: { code: number }) => error);
  expect(unknown).toMatchObject({ code: 2 });
});

test('an entry that is dated ahead of the clock is found by the index of recording times', async () => {
  expect(await readLedgerAhead(server.ctx.db)).toBe(0);
  const early = await makeLedger();
  await tamper(`update stock_ledger set recorded_at = now() + interval '2 hours' ${where} and sequence = 1`, [
    early.id,
    early.location,
  ]);
  expect(Math.round((await readLedgerAhead(server.ctx.db)) / 60)).toBe(120);
  const plan = await asSuperuser(server, async (client) => {
    await client.query('set enable_seqscan = off');
    return (await client.query<{ 'QUERY PLAN': string }>(`explain ${selectAhead}`)).rows;
  });
  expect(plan.map((row) => row['QUERY PLAN']).join()).toContain('stock_ledger_recorded');
});

test('the table refuses an entry whose facts contradict its movement', async () => {
  const ledger = await makeLedger();
  const quarantined = { movement_type: 'LotStatus', on_hand_delta: 0, reserved_delta: 1, reserved_after: 1 };
  const facts: Record<string, unknown>[] = [
    { reason: '' },
    { consume: 'some' },
    { item_revision: 0 },
    { lot: '' },
    { entered_quantity: 1 },
    { entered_unit: 'reel' },
    { covered_quantity: 1 },
    quarantined,
    { ...quarantined, lot: 'L-1' },
    { ...quarantined, lot: 'L-1', reason: 'found' },
    { movement_type: 'LotHold', on_hand_delta: 0, lot: 'L-1' },
  ];
  const copyWith = (changed: Record<string, unknown>) =>
    asSuperuser(server, (client) =>
      client.query(
        `insert into stock_ledger
         select (jsonb_populate_record(l, $2::jsonb)).* from stock_ledger l where workspace_id = $1 and sequence = 2 limit 1`,
        [ledger.id, JSON.stringify({ sequence: 99, on_hand_delta: 1, quantity: 1, id: newId(), ...changed })],
      ),
    );
  for (const changed of facts)
    await expect(copyWith(changed), JSON.stringify(changed)).rejects.toMatchObject({
      constraint: 'stock_ledger_facts',
    });
  await copyWith({ ...quarantined, lot: 'L-1', reason: 'rejected' });
});
