/** Two installations beside each other on one PostgreSQL, each with a database, queues and workers of its own, and callers who reach them by one address. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { inject, vi } from 'vitest';
import { admitLogin } from '../../src/db/check-login.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { databaseUrl, serviceUrl } from '../setup/global.ts';
import { patience } from '../setup/patience.ts';
import { startPooler, throughPooler } from '../setup/pooler.ts';
import {
  type RequestOptions,
  sendTo,
  startTestServer,
  type TestAnswer,
  type TestServer,
} from '../setup/server.ts';
import { element } from '../sync/sync-calls.ts';

export interface Cell {
  server: TestServer;
  /** Of the owner of the schema. */
  url: string;
  owner: Client;
}

export interface TwoCells {
  first: Cell;
  second: Cell;
  stop(): Promise<void>;
}

const log = pino({ level: 'silent' });

export async function startTwoCells(): Promise<TwoCells> {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-cells-'));
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    log,
    settings: { wal_level: 'logical', fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' },
  });
  // What moves speaks to PostgreSQL itself; who works on it is behind a pooler where all the tests are.
  const pooler = inject('pooler') === null ? null : await startPooler(postgres.adminUrl);
  const cells: Cell[] = [];
  const stop = async () => {
    for (const { server, owner } of cells) {
      await owner.end();
      await server.close();
    }
    await pooler?.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const admin = new Client({ connectionString: postgres.adminUrl });
    await admin.connect();
    for (const name of ['first', 'second']) {
      await admin.query(`create database ${name}`);
      const url = databaseUrl(postgres.adminUrl, name);
      await migrate(url, log);
      await admitLogin(url, serviceUrl(url));
      const owner = new Client({ connectionString: url });
      await owner.connect();
      cells.push({
        server: await startTestServer({
          worker: true,
          databaseUrl: () => serviceUrl(pooler === null ? url : throughPooler(url, pooler)),
          // A call is held over a whole move, on whatever machine.
          environment: { BODY_TIMEOUT_SECONDS: '3600' },
        }),
        url,
        owner,
      });
    }
    await admin.end();
  } catch (error) {
    await stop();
    throw error;
  }
  const [first, second] = cells as [Cell, Cell];
  return { first, second, stop };
}

export interface Refusal {
  status: number;
  retryAfter: string | null;
}

/**
 * What a balancer in front of both does for one workspace, and callers behind it who send each request again until it is
 * taken: adjustments of a position of their own each and receipts of a line there, and batches of new parts.
 */
export class Callers {
  at: Cell;
  readonly #path: string;
  readonly #key: string;
  readonly #items: readonly string[];
  readonly #location: string;
  /** Where the balancer is; without one it is played. */
  readonly #via: string | null;
  readonly refused: Refusal[] = [];
  readonly adjusted: number[];
  readonly batches: string[] = [];
  readonly #open = new Map<Cell, number>();
  #isOn = true;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(
    at: Cell,
    workspace: { slug: string; key: string; items: string[]; locations: string[] },
    via: string | null = null,
  ) {
    this.at = at;
    this.#via = via;
    this.#path = `/api/wid/${workspace.slug}`;
    this.#key = workspace.key;
    this.#items = workspace.items;
    this.#location = workspace.locations[0] as string;
    this.adjusted = this.#items.map(() => 0);
  }

  start(): void {
    const adjusting = this.#items.map(async (item, at) => {
      const place = { itemEntityId: item, locationEntityId: this.#location };
      const { body } = await this.#until(201, '/stock/lines', {
        ...place,
        type: 'purchaseOrder',
        quantity: 1_000_000,
      });
      const receipts = `/stock/lines/${body.line.id}/receipts`;
      for (let turn = 0; this.#isOn; turn++) {
        if (turn % 2 === 0) await this.#until(201, '/stock/adjustments', { ...place, quantity: 1 });
        else await this.#until(201, receipts, { quantity: 1 });
        this.adjusted[at] = (this.adjusted[at] ?? 0) + 1;
      }
    });
    const sending = async () => {
      while (this.#isOn) {
        const entities = Array.from({ length: 30 }, () => element());
        const answer = await this.#until(202, '/pdm/sync', { entities }, { Prefer: 'respond-async' });
        this.batches.push(answer.body.batchId);
        // A few wait at any time.
        const before = this.batches.at(-4);
        if (before !== undefined) await this.#untilEnded(before);
      }
    };
    this.#ended = Promise.all([...adjusting, sending()]);
  }

  async stop(): Promise<void> {
    this.#isOn = false;
    await this.#ended;
  }

  /** From now on to that one; resolves when nobody asks the other any more. */
  async turnTo(cell: Cell): Promise<void> {
    this.at = cell;
    await vi.waitUntil(
      () => [...this.#open].every(([other, calls]) => other === cell || calls === 0),
      patience,
    );
  }

  read(path: string): Promise<TestAnswer> {
    return this.#until(200, path);
  }

  #untilEnded(batchId: string): Promise<unknown> {
    const ended = async () => (await this.read(`/pdm/sync/batches/${batchId}`)).body.status === 'completed';
    return vi.waitUntil(ended, patience);
  }

  /** The same again and again while the workspace is not worked on there. */
  async #until(status: number, path: string, body?: object, headers = {}): Promise<TestAnswer> {
    const key = randomUUID();
    const taken = async () => {
      const answer = await this.#send(path, {
        key: this.#key,
        body,
        headers: { ...headers, 'Idempotency-Key': key },
      });
      if (answer.status === status) return answer;
      this.refused.push({ status: answer.status, retryAfter: answer.headers.get('retry-after') });
      if (answer.status !== 503 && answer.status !== 410) throw new Error(answer.text);
      return false;
    };
    return vi.waitUntil(taken, patience);
  }

  async #send(path: string, request: RequestOptions): Promise<TestAnswer> {
    const cell = this.at;
    const count = (by: number) => this.#open.set(cell, (this.#open.get(cell) ?? 0) + by);
    count(1);
    try {
      return await sendTo(this.#via ?? cell.server.baseUrl, `${this.#path}${path}`, request);
    } finally {
      count(-1);
    }
  }
}
