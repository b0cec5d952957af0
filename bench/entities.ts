/** Generated bills of materials for the benches: a tree with ten children a node, six properties an entity. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

export interface BenchEntity {
  guid: string;
  number: string;
  name: string;
  categoryKey: string;
  parentGuid: string | null;
  level: number;
  properties: Record<string, string>;
}

export function generateEntities(count: number): BenchEntity[] {
  return [...entitiesOf(generateGuids(count))];
}

export function generateGuids(count: number): string[] {
  return Array.from({ length: count }, () => randomUUID());
}

/** One after the other: a million of them need not be held at once. */
export function* entitiesOf(guids: readonly string[]): Generator<BenchEntity> {
  for (const [i, guid] of guids.entries()) yield entityAt(guids, guid, i);
}

function entityAt(guids: readonly string[], guid: string, i: number): BenchEntity {
  const parent = i === 0 ? null : Math.floor((i - 1) / 10);
  return {
    guid,
    number: `PRT-${String(i).padStart(7, '0')}`,
    name: `Hexagon socket head cap screw M${(i % 12) + 3} x ${(i % 80) + 5}`,
    categoryKey: parent === null || i * 10 + 1 < guids.length ? 'assembly' : 'part',
    parentGuid: parent === null ? null : (guids[parent] as string),
    level: parent === null ? 0 : 1,
    properties: {
      Material: i % 3 === 0 ? 'Stainless steel 1.4301' : 'Aluminium EN AW-6082',
      Mass: String((i % 977) / 8),
      Supplier: `Supplier ${i % 50}`,
      UnitCost: ((i % 10_000) / 100).toFixed(2),
      Purchased: i % 2 === 0 ? 'true' : 'false',
      ReleaseDate: `2026-${String((i % 12) + 1).padStart(2, '0')}-15`,
    },
  };
}

const definitions: [string, string][] = [
  ['Material', 'text'],
  ['Mass', 'numeric'],
  ['Supplier', 'text'],
  ['UnitCost', 'numeric'],
  ['Purchased', 'boolean'],
  ['ReleaseDate', 'date'],
];

export interface BenchWorkspace {
  path: string;
  key: string;
}

export async function defineProperties({ path, key }: BenchWorkspace): Promise<void> {
  for (const [property, type] of definitions) {
    const made = await fetch(`${path}/property-definitions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ key: property, name: property, type }),
    });
    if (!made.ok) throw new Error(await made.text());
  }
}

export interface BenchBatch {
  batchId: string;
  status: string;
  finishedAt: string | null;
  counts: Record<string, number>;
}

export const LINES_A_PIECE = 2000;

/** NDJSON, gzipped piece by piece (gzip members may follow one another): nothing is held as one string. */
export function compressLines(entities: Iterable<BenchEntity>): Buffer {
  const pieces: Buffer[] = [];
  let lines: string[] = [];
  const compress = () => {
    pieces.push(gzipSync(lines.join(''), { level: 1 }));
    lines = [];
  };
  for (const entity of entities) {
    lines.push(`${JSON.stringify(entity)}\n`);
    if (lines.length === LINES_A_PIECE) compress();
  }
  if (lines.length > 0) compress();
  return Buffer.concat(pieces);
}

/** Sends a payload; the answer after at most `waitSeconds`. */
export async function sendBatch(
  { path, key }: BenchWorkspace,
  body: Buffer,
  waitSeconds: number,
): Promise<BenchBatch> {
  const answer = await fetch(`${path}/pdm/sync`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/x-ndjson',
      'Content-Encoding': 'gzip',
      Prefer: `wait=${waitSeconds}`,
    },
    body: new Uint8Array(body),
  });
  const batch = (await answer.json()) as BenchBatch;
  if (!answer.ok) throw new Error(JSON.stringify(batch));
  return batch;
}

/** Polls until the batch has ended. */
export async function untilEnded({ path, key }: BenchWorkspace, batch: BenchBatch): Promise<BenchBatch> {
  let now = batch;
  while (now.finishedAt === null) {
    await delay(100);
    const answer = await fetch(`${path}/pdm/sync/batches/${batch.batchId}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    now = (await answer.json()) as BenchBatch;
  }
  if (now.status !== 'completed') throw new Error(JSON.stringify(now));
  return now;
}
