/**
 * Elements of a batch as they were sent, beside what became of them: in payload order, a page at a time. Runs in the
 * intake thread, because both lie packed.
 */
import type { Db } from '../../db/connect.ts';
import { PAGE_BYTES_MAX } from '../../db/read-page.sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { selectPayload } from '../chunk/batch.sql.ts';
import { RANGE_INDEXES, selectPortions } from '../chunk/save-results.sql.ts';
import type { BatchRef } from '../chunk/thread-context.ts';
import { factsWanted, fits, type ResultFilter } from '../elements/filter-results.ts';
import { unpackElements, unpackJson } from '../elements/payload-codec.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import { selectNextRange, selectPlaces } from './sent-elements.sql.ts';

export interface SentQuery extends BatchRef {
  filter: ResultFilter;
  /** Only behind this place; -1 for all. */
  after: number;
  limit: number;
}

export interface SentPage {
  /** The members of a JSON array, each the result with the `element` as it was sent, byte for byte. */
  bytes: Uint8Array;
  /** Place of the last one; null for an empty page. */
  last: number | null;
  more: boolean;
}

/** Chunks that a page is gathered from: each lies among some megabytes. A page of more ends early. */
const CHUNKS_MAX = 20;

interface Found extends SyncResult {
  chunk: number;
}

/** Returns null where the payload is no longer complete. */
export async function readSent(db: Db, query: SentQuery): Promise<SentPage | null> {
  const found = await findResults(db, query);
  const shown = found.slice(0, query.limit);
  const chunks = new Set<number>();
  let count = 0;
  for (const { chunk } of shown) {
    chunks.add(chunk);
    if (chunks.size > CHUNKS_MAX) break;
    count++;
  }
  const page = shown.slice(0, count);
  const texts = await readTexts(db, query, page);
  if (texts === null) return null;
  const parts: Buffer[] = [];
  let bytes = 0;
  for (const { chunk: _, ...result } of page) {
    const text = texts.get(result.index) ?? 'null';
    const part = Buffer.from(
      `${parts.length > 0 ? ',' : ''}${JSON.stringify(result).slice(0, -1)},"element":${text}}`,
    );
    if (parts.length > 0 && bytes + part.length > PAGE_BYTES_MAX) break;
    bytes += part.length;
    parts.push(part);
  }
  return {
    bytes: Buffer.concat(parts),
    last: page[parts.length - 1]?.index ?? null,
    more: parts.length < found.length,
  };
}

/** The next results that fit, one more than the limit where there are, in payload order. */
async function findResults(db: Db, { filter, after, limit, ...ref }: SentQuery): Promise<Found[]> {
  const wanted = [ref.workspaceId, ref.batchId, filter.kind, factsWanted(filter)];
  const found: Found[] = [];
  for (let from = Math.floor((after + 1) / RANGE_INDEXES); found.length <= limit; ) {
    const { range, portions } = await inTransaction(
      db,
      { workspaceId: ref.workspaceId },
      async (tx) => {
        const [next] = await tx.query<{ range: number | null }>(selectNextRange, [...wanted, from]);
        const range = next?.range ?? null;
        if (range === null) return { range, portions: [] };
        const portions = await tx.query<{ chunk: number; results: Buffer }>(selectPortions, [
          ...wanted,
          range,
        ]);
        return { range, portions };
      },
      { readOnly: true },
    );
    if (range === null) break;
    let here: Found[] = [];
    for (const { chunk, results } of portions) {
      for (const result of unpackJson<SyncResult[]>(results))
        if (result.index > after && fits(result, filter)) here.push({ ...result, chunk });
      // Only as many are kept as can be shown.
      here = here.sort((a, b) => a.index - b.index).slice(0, limit + 1);
    }
    found.push(...here);
    from = range + 1;
  }
  return found.slice(0, limit + 1);
}

/** Returns the text of each position; a line that could not be read has none. Null if elements are missing. */
async function readTexts(
  db: Db,
  { workspaceId, batchId }: BatchRef,
  page: readonly Found[],
): Promise<Map<number, string> | null> {
  const texts = new Map<number, string>();
  const byChunk = Map.groupBy(page, ({ chunk }) => chunk);
  const places = await inTransaction(
    db,
    { workspaceId },
    (tx) =>
      tx.query<{ ordinal: number; bucket: number; slot_from: number; slot_to: number }>(selectPlaces, [
        workspaceId,
        batchId,
        [...byChunk.keys()],
      ]),
    { readOnly: true },
  );
  for (const { ordinal, bucket, slot_from: from, slot_to: to } of places) {
    const left = new Set(byChunk.get(ordinal)?.map(({ index }) => index));
    for (let after = -1; left.size > 0; ) {
      const segments = await inTransaction(
        db,
        { workspaceId },
        (tx) =>
          tx.query<{ segment: number; elements: Buffer }>(selectPayload, [
            workspaceId,
            batchId,
            bucket,
            after,
          ]),
        { readOnly: true },
      );
      if (segments.length === 0) return null;
      for (const { segment, elements } of segments) {
        for (const { index, text, rejected } of unpackElements(elements, { from, to }, left)) {
          if (!rejected) texts.set(index, text);
          left.delete(index);
        }
        after = segment;
      }
    }
  }
  return texts;
}
