/**
 * `npm run bench -- stock-size`: whether stock scales with its data. Two ledgers in one database, one with
 * BENCH_ENTRIES entries (default 10 000 000) and one with a tenth of them: what must not grow is compared
 * between the two, and deep pages with first ones, so that the figures to quote are ratios once more.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { createApiKey } from '../src/access/create-api-key.ts';
import { connectDb, type Db } from '../src/db/connect.ts';
import { newId } from '../src/db/ids.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { startEmbeddedRedis } from '../src/embedded/redis.ts';
import type { LedgerDigest } from '../src/stock/digest/digest.schema.ts';
import { takeDigest } from '../src/stock/digest/take-digest.ts';
import { type Exported, exportCsv } from './stock/export-csv.ts';
import { type FilledLedger, fillLedger } from './stock/fill-ledger.ts';
import { type Touched, touchedBy } from './stock/page-buffers.ts';
import { PAGE_ROWS, type PageCase, type Place, pageCases, places, timePages } from './stock/page-cases.ts';
import { type Verified, verifyAlone } from './stock/verify-alone.ts';
import { withoutIndexes } from './stock/without-indexes.ts';
import { makeDatabase } from './stock.ts';

export const name = 'stock-size';

const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 10_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 31);
const limits = {
  /** A page deep in a list against its first page, in time. */
  deepToFirst: 2,
  /** The index's levels for the row, its entry and three names, and a share of eleven ranges of types. */
  buffersARow: 20,
  /** Positions of the large ledger, now and then, against those of the small one: an index has a level more. */
  largeToSmallBuffers: 1.5,
  verifyPeakMib: 300,
  /** Peak memory with the large ledger against the small one; below a million entries the heap still grows. */
  largeToSmallMemory: 1.25,
};
const tables = ['stock_ledger', 'stock_position', 'entity'];
const log = pino({ level: 'error' });

interface Ledger extends FilledLedger {
  slug: string;
  key: string;
}

interface Page {
  ms: Record<Place, number>;
  deepToFirst: number;
  touched: Record<'neverAnalysed' | 'analysed', Record<Place, Touched>>;
  buffersARow: number;
  largeToSmallBuffers: number;
}

export interface StockSizeBench {
  entries: number;
  fillSeconds: number;
  pages: Record<string, Page>;
  verify: Record<'small' | 'large', Verified>;
  csv: Record<'small' | 'large', Exported>;
  limits: typeof limits;
  missed: string[];
  ok: boolean;
}

export async function run(): Promise<StockSizeBench> {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const databaseUrl = await makeDatabase(folder, stops);
    const redis = await startEmbeddedRedis({ dataDir: folder, cacheDir: '.cache', log });
    if (redis !== null) stops.push(() => redis.stop());
    const db = await connectDb({ url: databaseUrl, poolMax: 2, applicationName: 'partbook bench', log });
    stops.push(() => db.close());
    return await measure(db, databaseUrl, redis?.url ?? '', stops);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function measure(
  db: Db,
  databaseUrl: string,
  redisUrl: string,
  stops: (() => Promise<unknown>)[],
): Promise<StockSizeBench> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  stops.push(() => client.end());
  const began = performance.now();
  const { small, large } = await fill(db, client);
  const fillSeconds = (performance.now() - began) / 1000;
  say(`filled ${small.entries + large.entries} entries in ${fillSeconds.toFixed(0)} s`);

  const pages = await measurePages(db, client, small, large);
  const verify = {
    small: await verifyAlone(databaseUrl, small, await digestOf(db, small)),
    large: await verifyAlone(databaseUrl, large, await digestOf(db, large)),
  };
  const csv = {
    small: await exportCsv(databaseUrl, redisUrl, small),
    large: await exportCsv(databaseUrl, redisUrl, large),
  };
  return report({ entries: ENTRIES, fillSeconds, pages, verify, csv, limits });
}

async function digestOf(db: Db, { workspaceId, slug }: Ledger): Promise<LedgerDigest> {
  const began = performance.now();
  const { digest } = await takeDigest(db, workspaceId, new AbortController().signal);
  const seconds = (performance.now() - began) / 1000;
  say(
    `digest of ${slug}: ${digest.entries} entries, ${digest.positions} positions in ${seconds.toFixed(1)} s`,
  );
  return digest;
}

async function fill(db: Db, client: Client): Promise<Record<'small' | 'large', Ledger>> {
  const [small, large] = [await makeWorkspace(db, 'small'), await makeWorkspace(db, 'large')];
  // What the first measurement sees is a database that nobody has analysed yet.
  for (const table of tables) await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
  return withoutIndexes(client, ['stock_ledger', 'stock_position'], async () => ({
    small: { ...small, ...(await fillLedger(client, small.workspaceId, Math.ceil(ENTRIES / 10))) },
    large: { ...large, ...(await fillLedger(client, large.workspaceId, ENTRIES)) },
  }));
}

async function makeWorkspace(
  db: Db,
  slug: string,
): Promise<{ workspaceId: string; slug: string; key: string }> {
  const workspaceId = newId();
  await inTransaction(db, 'instance', (tx) =>
    tx.query('insert into workspace (id, slug, name) values ($1, $2, $2)', [workspaceId, slug]),
  );
  const { key } = await inTransaction(db, { workspaceId }, (tx) =>
    createApiKey(tx, { workspaceId, name: 'bench', permission: 'read', expiresAt: null }),
  );
  return { workspaceId, slug, key };
}

/** Buffers before and after the tables are analysed, then times. */
async function measurePages(
  db: Db,
  client: Client,
  small: Ledger,
  large: Ledger,
): Promise<Record<string, Page>> {
  const cases = { small: await pageCases(db, small), large: await pageCases(db, large) };
  const touch = async () => ({
    small: await touchedByAll(db, small, cases.small),
    large: await touchedByAll(db, large, cases.large),
  });
  const neverAnalysed = await touch();
  await client.query(`vacuum analyze ${tables.join(', ')}`);
  const analysed = await touch();
  const pages: Record<string, Page> = {};
  for (const one of cases.large) {
    const ms = await timePages(db, large, one, ROUNDS);
    const of = (touched: Record<string, Record<Place, Touched>>) =>
      touched[one.name] as Record<Place, Touched>;
    const page = {
      ms,
      deepToFirst: Math.max(ms.middle, ms.last) / ms.first,
      touched: { neverAnalysed: of(neverAnalysed.large), analysed: of(analysed.large) },
      buffersARow:
        Math.max(mostBuffers(of(neverAnalysed.large)), mostBuffers(of(analysed.large))) / PAGE_ROWS,
      largeToSmallBuffers: Math.max(
        growthOf(of(neverAnalysed.large), of(neverAnalysed.small)),
        growthOf(of(analysed.large), of(analysed.small)),
      ),
    };
    pages[one.name] = page;
    const times = places.map((place) => ms[place].toFixed(1).padStart(6)).join(' ');
    const buffers = places.map((place) => String(page.touched.analysed[place].buffers).padStart(6)).join(' ');
    const before = places
      .map((place) => String(page.touched.neverAnalysed[place].buffers).padStart(6))
      .join(' ');
    const ratios = `${page.deepToFirst.toFixed(2).padStart(5)} ${page.largeToSmallBuffers.toFixed(2).padStart(5)}`;
    say(`${one.name.padEnd(48)} ms ${times}  buffers ${buffers} (never analysed ${before})  ${ratios}`);
  }
  return pages;
}

function mostBuffers(touched: Record<Place, Touched>): number {
  return Math.max(...places.map((place) => touched[place].buffers));
}

/** Pages of both ledgers side by side, where they hold as many rows; 1 where none do. */
function growthOf(large: Record<Place, Touched>, small: Record<Place, Touched>): number {
  const alike = places.filter((place) => large[place].found === small[place].found);
  return Math.max(1, ...alike.map((place) => large[place].buffers / small[place].buffers));
}

async function touchedByAll(
  db: Db,
  { workspaceId }: Ledger,
  cases: readonly PageCase[],
): Promise<Record<string, Record<Place, Touched>>> {
  const all: Record<string, Record<Place, Touched>> = {};
  for (const { name: title, read } of cases) {
    all[title] = {
      first: await touchedBy(db, workspaceId, read.first),
      middle: await touchedBy(db, workspaceId, read.middle),
      last: await touchedBy(db, workspaceId, read.last),
    };
  }
  return all;
}

function report(measured: Omit<StockSizeBench, 'missed' | 'ok'>): StockSizeBench {
  const { pages, verify, csv } = measured;
  const missed: string[] = [];
  const check = (label: string, value: number, most: number) => {
    if (value > most) missed.push(`${label}: ${value.toFixed(2)}, at most ${most}`);
  };
  for (const [title, page] of Object.entries(pages)) {
    check(`${title}, deep to first`, page.deepToFirst, limits.deepToFirst);
    check(`${title}, buffers a row`, page.buffersARow, limits.buffersARow);
    if (title.startsWith('positions')) {
      check(`${title}, buffers large to small`, page.largeToSmallBuffers, limits.largeToSmallBuffers);
    }
  }
  check('verify, peak MiB', verify.large.peakMib, limits.verifyPeakMib);
  const memory = {
    verify: verify.large.peakMib / verify.small.peakMib,
    csv: csv.large.peakMib / csv.small.peakMib,
  };
  check('verify, memory large to small', memory.verify, limits.largeToSmallMemory);
  check('csv, memory large to small', memory.csv, limits.largeToSmallMemory);
  for (const size of ['small', 'large'] as const) {
    const { entries, perSecond, peakMib: peak } = verify[size];
    say(`verify ${entries} entries: ${perSecond.toFixed(0)}/s, peak ${peak.toFixed(0)} MiB`);
  }
  for (const size of ['small', 'large'] as const) {
    const { entries, perSecond, beforeMib, peakMib: peak } = csv[size];
    const memoryOfWeb = `web ${beforeMib.toFixed(0)} MiB before, peak ${peak.toFixed(0)} MiB`;
    say(`csv of ${entries} entries: ${perSecond.toFixed(0)}/s, ${memoryOfWeb}`);
  }
  say(missed.length === 0 ? 'all limits hold' : `MISSED\n  ${missed.join('\n  ')}`);
  return { ...measured, missed, ok: missed.length === 0 };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
