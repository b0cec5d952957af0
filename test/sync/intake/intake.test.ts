/** Bodies that are wrong, slow, very large or too many at once: a clear answer, and nothing half accepted. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newId } from '../../../src/db/ids.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { sweepReceiving } from '../../../src/sync/chunk/batch.sql.ts';
import { elementLimits } from '../../../src/sync/elements/read-element.ts';
import { GuidHash } from '../../../src/sync/graph/guid-hash.ts';
import type { Intake, IntakeThread } from '../../../src/sync/intake/accept-batch.ts';
import { GUID_BYTES_MAX, GUID_ELEMENTS_MAX } from '../../../src/sync/intake/body-cutter.ts';
import { GuidPartition } from '../../../src/sync/intake/guid-partition.ts';
import { type BudgetLimits, budgetLimits, HeldBudget } from '../../../src/sync/intake/held-budget.ts';
import { stageBatch } from '../../../src/sync/intake/stage-batch.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';
import { element, type SyncCalls, syncCalls } from '../sync-calls.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let calls: SyncCalls;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});
afterAll(() => server.close());

/** A request of which `sent` is all that is sent for now, and its answer so far. */
function openRequest(headers: string[], sent: string | Uint8Array): { socket: Socket; answer(): string } {
  const url = new URL(server.baseUrl);
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes;
  });
  const path = `/api/wid/${workspace.slug}/pdm/sync`;
  const all = ['Host: test', `Authorization: Bearer ${workspace.key}`, ...headers];
  socket.write(`POST ${path} HTTP/1.1\r\n${all.map((header) => `${header}\r\n`).join('')}\r\n`);
  socket.write(sent);
  return { socket, answer: () => answer };
}

const json = 'Content-Type: application/json';

describe('a body that is refused while its sender pauses', () => {
  const start = '{"entities": nonsense';

  it.each([
    ['plain', [json, 'Content-Length: 1000'], start],
    ['compressed', [json, 'Content-Length: 1000', 'Content-Encoding: gzip'], gzipSync(start)],
  ])('is answered at once (%s)', async (_, headers, sent) => {
    const { answer } = openRequest(headers, sent);
    await expect.poll(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"invalid_json"/);
  });

  it('leaves the connection usable when the rest arrives after all', async () => {
    const { socket, answer } = openRequest([json, 'Content-Length: 1000'], start);
    socket.write(' '.repeat(1000 - start.length));
    socket.write(`GET /health/live HTTP/1.1\r\nHost: test\r\n\r\n`);
    await expect.poll(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*HTTP\/1.1 200 /);
  });
});

describe('a GUID that one body repeats', () => {
  /** Adds elements of so many bytes to a partition that does not hold them whole. */
  async function repeat(times: number, bytes: number): Promise<void> {
    const partition = new GuidPartition({
      chunkElements: 2500,
      heldElementsMax: 1000,
      heldBytesMax: 1000,
      spillBuckets: 256,
      account: new HeldBudget().open(newId()),
      hash: new GuidHash(),
    });
    const source = Buffer.alloc(bytes, ' ');
    const guid = randomUUID();
    for (let ordinal = 0; ordinal < times; ordinal++) {
      partition.add({ source, start: 0, end: bytes, ordinal, guid, parentGuid: undefined });
      if (ordinal % 1000 === 0) partition.forget(await partition.takeReady());
    }
    await partition.finish();
    partition.close();
  }

  it('may have so many elements, and not one more', async () => {
    await repeat(GUID_ELEMENTS_MAX, 20);
    await expect(repeat(GUID_ELEMENTS_MAX + 1, 20)).rejects.toThrow(/more than 100000 elements/);
  });

  it('may have so many bytes, and not one element more', async () => {
    const bytes = 1024 * 1024;
    await repeat(GUID_BYTES_MAX / bytes, bytes);
    await expect(repeat(GUID_BYTES_MAX / bytes + 1, bytes)).rejects.toThrow(/more than 67108864 bytes/);
  });

  it('too often is a 422 that names it and the way round, and nothing is left', async () => {
    const screw = element();
    const body = `${JSON.stringify(screw)}\n`.repeat(GUID_ELEMENTS_MAX + 1);
    const answer = await calls.send(body, { headers: { 'Content-Type': 'application/x-ndjson' } });
    expect([answer.status, answer.body.code]).toEqual([422, 'too_many_entities']);
    expect(answer.body.detail).toContain(screw.guid);
    expect(answer.body.detail).toContain('quantity');
    expect(await stored()).toEqual({ receiving: 0, segments: 0 });
  });
});

it('counts what is packed of a body as held until its memory is free, wherever its GUIDs lie', async () => {
  const mebibyte = 1024 * 1024;
  const account = new HeldBudget().open(newId());
  const partition = new GuidPartition({
    chunkElements: 2500,
    heldElementsMax: 1,
    heldBytesMax: mebibyte,
    spillBuckets: 256,
    account,
    hash: new GuidHash(),
  });
  const source = Buffer.alloc(mebibyte, ' ');
  // One GUID, and so one chunk: its segments become ready one by one, and all others stay empty.
  const guid = randomUUID();
  const held: number[] = [];
  for (let ordinal = 0; ordinal < 60; ordinal++) {
    partition.add({ source, start: 0, end: mebibyte, ordinal, guid, parentGuid: undefined });
    partition.forget(await partition.takeReady());
    held.push(Math.round(account.held / mebibyte));
  }
  // The second ends the holding of the whole body, and all is stored and free; then each 40 MiB are.
  expect(held.slice(1, 41)).toEqual(Array.from({ length: 40 }, (_, place) => place));
  expect(held.slice(41, 43)).toEqual([0, 1]);
  partition.close();
  account.close();
});

describe('the same Idempotency-Key again', () => {
  it('names the batch of a first 202 with its envelope as it stands now', async () => {
    const body = { entities: [element()] };
    const headers = { 'Idempotency-Key': 'first-202' };
    const first = await calls.send(body, { headers: { ...headers, Prefer: 'respond-async' } });
    expect(first.status).toBe(202);
    const { batchId } = first.body;
    const again = await calls.send(body, { headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.body).toMatchObject({ batchId, status: 'completed', counts: { created: 1 } });
    const third = await calls.send(body, { headers: { ...headers, Prefer: 'respond-async' } });
    expect([third.status, third.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect(third.body).toMatchObject({ batchId, status: 'completed' });
  });
});

/** What there is of bodies that are not accepted. */
async function stored(): Promise<{ receiving: number; segments: number }> {
  const [row] = await workspace.transact((tx) =>
    tx.query<{ receiving: number; segments: number }>(
      `select (select count(*)::integer from sync_batch where workspace_id = $1 and status = 'receiving') as receiving,
         (select count(*)::integer from sync_payload p where workspace_id = $1 and not exists (
            select from sync_batch b where b.workspace_id = $1 and b.id = p.batch_id and b.status <> 'receiving')) as segments`,
      [workspace.id],
    ),
  );
  return row as { receiving: number; segments: number };
}

/** So little that every body of a few elements is a large one. */
const tight: BudgetLimits = { heldBytesMax: 2000, smallBytesMax: 1000, tableBytesMax: 0 };

function intakeOf(workspaceId = workspace.id): Intake {
  return {
    workspaceId,
    batchId: newId(),
    actorId: newId(),
    traceparent: null,
    requestId: newId(),
    profileName: 'pdm',
    dryRun: false,
    exact: false,
    format: 'ndjson',
    elementsMax: 1000,
    elementBytesMax: 10_000,
    chunkElements: 10,
    queuedBatchesMax: 100,
    resendOf: null,
    isAwaited: false,
    idempotency: null,
  };
}

const line = () => Buffer.from(`${JSON.stringify(element({ name: 'x'.repeat(500) }))}\n`);

/** A thread that stores what comes as early as it can. */
function tightThread(hash = new GuidHash(), limits = tight): IntakeThread {
  const { db, config } = server.ctx;
  const budget = new HeldBudget(limits);
  return { db, budget, limits: elementLimits(config), inlineElementsMax: 0, hashOfBody: () => hash };
}

/** By the workspace's own key. */
async function ownIntake(): Promise<Intake> {
  const [key] = await workspace.transact((tx) =>
    tx.query<{ id: string }>('select id from api_key where workspace_id = $1', [workspace.id]),
  );
  return { ...intakeOf(), actorId: (key as { id: string }).id };
}

async function chunksOf({ batchId }: Intake): Promise<number[]> {
  const chunks = await workspace.transact((tx) =>
    tx.query<{ elements: number }>(
      `select element_count as elements from sync_chunk where workspace_id = $1 and batch_id = $2`,
      [workspace.id, batchId],
    ),
  );
  return chunks.map(({ elements }) => elements);
}

async function completed({ batchId }: Intake, total: number): Promise<void> {
  await server.ctx.queues.announce('sync.advance', { workspaceId: workspace.id, batchId });
  await expect
    .poll(async () => (await calls.get(`/pdm/sync/batches/${batchId}`)).body)
    .toMatchObject({ status: 'completed', counts: { total, created: total } });
}

describe('a body that is stored while it arrives', () => {
  async function stage(limits: BudgetLimits, intake: Intake, between: (piece: number) => Promise<void>) {
    async function* pieces() {
      for (let piece = 0; piece < 20; piece++) {
        await between(piece);
        yield line();
      }
      await between(20);
    }
    const thread = tightThread(new GuidHash(), limits);
    return stageBatch(thread, intake, { pieces: pieces(), digest: () => null });
  }

  it.each([
    ['by their hash', tight],
    ['in its order', { ...tight, tableBytesMax: budgetLimits.tableBytesMax }],
  ])('has all of its elements in the end, cut %s', async (_, limits) => {
    const intake = await ownIntake();
    let early = 0;
    await stage(limits, intake, async (piece) => {
      if (piece === 20) early = (await stored()).segments;
    });
    expect(early).toBeGreaterThan(5);
    expect((await chunksOf(intake)).reduce((sum, elements) => sum + elements, 0)).toBe(20);
    await completed(intake, 20);
  });

  const known = Buffer.alloc(8);
  const together = (count: number) => {
    const hash = new GuidHash(known);
    const chosen: string[] = [];
    while (chosen.length < count) {
      const guid = randomUUID();
      if (hash.of(guid) % 256 === 0) chosen.push(guid);
    }
    return chosen;
  };

  it.each([
    // Whoever knew the secret could fill one of the parts that a body is stored in.
    ['one part of the hash', new GuidHash(known), together, 20],
    // Nothing can fall together more than that; its chunk is as large as a chunk of one GUID may be.
    [
      'one place of it',
      Object.assign(new GuidHash(), { of: () => 0 }),
      (count: number) => Array.from({ length: count }, () => randomUUID()),
      1000,
    ],
  ])('of GUIDs that all fall into %s completes, and others do not wait', async (_, hash, choose, most) => {
    const intake = { ...(await ownIntake()), elementsMax: 100_000 };
    const guids = choose(1000);
    async function* pieces() {
      for (const guid of guids) yield Buffer.from(`${JSON.stringify(element({ guid }))}\n`);
    }
    await stageBatch(tightThread(hash), intake, { pieces: pieces(), digest: () => null });
    const chunks = await chunksOf(intake);
    expect(chunks.reduce((sum, elements) => sum + elements, 0)).toBe(1000);
    expect(Math.max(...chunks)).toBeLessThanOrEqual(2 * Math.max(most, intake.chunkElements));
    await server.ctx.queues.announce('sync.advance', { workspaceId: workspace.id, batchId: intake.batchId });
    const other = syncCalls(server, await makeDefaultWorkspace(server));
    expect(await other.sync([element()])).toMatchObject({ status: 'completed' });
    await completed(intake, 1000);
  });

  it.each([
    ['before more of it is stored', 10],
    ['before it is accepted', 20],
  ])('is refused when it was swept %s, and nothing is left of it', async (_, when) => {
    const sweep = async (piece: number) => {
      if (piece !== when) return;
      expect(await stored()).toMatchObject({ receiving: 1 });
      await inTransaction(server.ctx.db, 'instance', (tx) => tx.query(sweepReceiving, [-1]));
      expect(await stored()).toEqual({ receiving: 0, segments: 0 });
    };
    const intake = intakeOf();
    await expect(stage(tight, intake, sweep)).rejects.toMatchObject({
      code: 'request_timeout',
      message: expect.stringContaining('send it again'),
    });
    expect(await stored()).toEqual({ receiving: 0, segments: 0 });
    expect((await calls.get(`/pdm/sync/batches/${intake.batchId}`)).status).toBe(404);
  });
});

describe('bodies that together hold more than there is room for', () => {
  const opened = (budget: HeldBudget, held: readonly number[]) =>
    held.map((bytes) => {
      const account = budget.open(newId());
      account.change(bytes);
      return account;
    });

  it('have an equal share each, and small ones always what they hold', () => {
    const budget = new HeldBudget({ ...tight, heldBytesMax: 6000 });
    const accounts = opened(budget, [4000, 1900, 900, 1000]);
    expect(accounts.map(({ crowded }) => crowded)).toEqual([true, true, false, false]);
    accounts[2]?.close();
    accounts[3]?.close();
    // There is room again.
    expect(accounts.map(({ crowded }) => crowded)).toEqual([false, false, false, false]);
    accounts[1]?.change(2200);
    expect(accounts.map(({ crowded }) => crowded)).toEqual([true, true, false, false]);
    for (const account of accounts.slice(0, 2)) account.close();
    expect(budget.held).toBe(0);
  });

  it('may each hold much where there is room', () => {
    const budget = new HeldBudget({ ...budgetLimits, heldBytesMax: 1_000_000 });
    const accounts = opened(
      budget,
      Array.from({ length: 50 }, () => 20_000),
    );
    expect(accounts.some(({ crowded }) => crowded)).toBe(false);
  });
});

it('takes many small bodies at once beside large ones that trickle in', async () => {
  const half = Buffer.concat(Array.from({ length: 500 }, line));
  const large = Array.from({ length: 4 }, () =>
    openRequest(['Content-Type: application/x-ndjson', `Content-Length: ${2 * half.length}`], half),
  );
  const answers = await Promise.all(
    Array.from({ length: 90 }, () =>
      calls.send(
        { entities: Array.from({ length: 20 }, () => element()) },
        { headers: { Prefer: 'respond-async' } },
      ),
    ),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]));
  expect(large.map(({ answer }) => answer())).toEqual(['', '', '', '']);
});
