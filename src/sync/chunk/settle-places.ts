/** Places the locations of a batch of many chunks, when all of them are written. */
import type { Tx } from '../../db/transaction.ts';
import { uuidArray } from '../../db/wire/array-parameter.ts';
import { packJson, unpackJson } from '../elements/payload-codec.ts';
import { countResults } from '../elements/sync-result.ts';
import { countSettled, savePlaces as savePlacesSql, selectPlaces } from './place-locations.sql.ts';
import { notePlaced, placeLocations, type WantedPlace } from './place-locations.ts';
import { readChunkResults, saveResults } from './save-results.ts';
import { selectChunksOf } from './settle-numbers.sql.ts';
import { type BatchRef, pair } from './thread-context.ts';

/** Keeps the places that a chunk asks for until all chunks are written; a chunk that is written again asks again. */
export function savePlaces(tx: Tx, ref: BatchRef, chunk: number, places: readonly WantedPlace[]): void {
  const packed = places.length === 0 ? null : packJson(places);
  if (packed !== null) tx.withCommit(tx.query(savePlacesSql, [...pair(ref), chunk, packed]));
}

interface PlacingChunk {
  ordinal: number;
  places: Buffer;
  submitted_by: string;
  dry_run: boolean;
}

/** Call it before `completeBatch`, with the batch's row. It changes nothing where chunks are left to be written. */
export async function settlePlaces(tx: Tx, ref: BatchRef): Promise<void> {
  const rows = await tx.query<PlacingChunk>(selectPlaces, pair(ref));
  const [first] = rows;
  if (first === undefined) return;
  const { submitted_by: actorId, dry_run: dryRun } = first;
  const chunks = rows.map(({ ordinal, places }) => ({
    ordinal,
    places: unpackJson<WantedPlace[]>(places),
  }));
  const wanted = chunks.flatMap(({ places }) => places);
  const created = dryRun ? await createdAmong(tx, ref, wanted) : new Set<string>();
  const placing = { actorId, batchId: ref.batchId, dryRun, created };
  const warnings = await placeLocations(tx, placing, wanted);
  for (const { ordinal, places } of chunks) {
    if (!places.some(({ index }) => warnings.has(index))) continue;
    const results = await readChunkResults(tx, ref, ordinal);
    notePlaced(results, places, warnings);
    saveResults(tx, ref, ordinal, results);
    const { updated, skipped, warnings: warned } = countResults(results);
    await tx.query(countSettled, [...pair(ref), ordinal, updated, skipped, warned]);
  }
}

/** Returns the GUIDs that a dry run would create, of those that are named. */
async function createdAmong(
  tx: Tx,
  ref: BatchRef,
  wanted: readonly WantedPlace[],
): Promise<ReadonlySet<string>> {
  const named = new Set(wanted.flatMap(({ guid, parentGuid }) => [guid, parentGuid ?? guid]));
  const chunks = await tx.query<{ chunk: number }>(selectChunksOf, [...pair(ref), uuidArray([...named])]);
  const created = new Set<string>();
  for (const { chunk } of chunks) {
    for (const { guid, result } of await readChunkResults(tx, ref, chunk))
      if (result === 'created' && guid !== null && named.has(guid)) created.add(guid);
  }
  return created;
}
