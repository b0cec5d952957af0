/**
 * Warns of numbers that several new entities of one batch got. Chunks of a batch are written by transactions that do not see each other,
 * so this is decided when all are there: the first element in the payload has the number, and the others have the warning.
 */
import { firstIdAt } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { uuidArray } from '../../db/wire/array-parameter.ts';
import { countResults, numberTaken, type SyncResult } from '../elements/sync-result.ts';
import { readChunkResults, saveResults } from './save-results.ts';
import { countWarnings, selectChunksOf, selectSettled, selectSharedNumbers } from './settle-numbers.sql.ts';
import { type BatchRef, pair } from './thread-context.ts';

/** Clocks of the servers of one installation differ by less. */
const CLOCKS_DIFFER_SECONDS = 60;
/** Bounds the time at the end of a batch: of more entities each keeps what its own chunk told. */
const ENTITIES_MAX = 10_000;

/** An entity of the batch with a number that it shares, and where its result is. */
interface Sharing {
  entityId: string;
  chunk: number;
  index: number;
}

/** Call it before `completeBatch`. It changes nothing where chunks are left to be written. */
export async function settleNumbers(tx: Tx, ref: BatchRef): Promise<void> {
  const [settled] = await tx.query<{ since_ms: string }>(selectSettled, [
    ...pair(ref),
    CLOCKS_DIFFER_SECONDS,
  ]);
  if (settled === undefined) return;
  const entities = await tx.query<{ id: string; guid: string | null; number: string }>(selectSharedNumbers, [
    tx.workspaceId,
    firstIdAt(Number(settled.since_ms)),
    ENTITIES_MAX + 1,
  ]);
  if (entities.length === 0 || entities.length > ENTITIES_MAX) return;
  const guids = entities.flatMap(({ guid }) => (guid === null ? [] : [guid]));
  const chunks = await tx.query<{ chunk: number }>(selectChunksOf, [...pair(ref), uuidArray(guids)]);
  const numbers = new Map(entities.map(({ id, number }) => [id, number]));
  const sharing = new Map<string, Sharing[]>();
  for (const { chunk } of chunks) {
    for (const result of await readChunkResults(tx, ref, chunk)) {
      const number = numberOfCreated(result, numbers);
      if (number === undefined) continue;
      const known = sharing.get(number) ?? [];
      known.push({ entityId: result.entityId as string, chunk, index: result.index });
      sharing.set(number, known);
    }
  }
  const having = countOf(entities.map(({ number }) => number));
  const first = new Set<string>();
  for (const [number, some] of sharing) {
    // An entity from elsewhere has the number, too: all of the batch have the warning.
    if (some.length < (having.get(number) ?? 0)) continue;
    first.add(some.reduce((a, b) => (a.index < b.index ? a : b)).entityId);
  }
  for (const { chunk } of chunks) {
    const results = await readChunkResults(tx, ref, chunk);
    const changed = results.filter((result) => {
      const number = numberOfCreated(result, numbers);
      return number !== undefined && setWarning(result, number, !first.has(result.entityId as string));
    });
    if (changed.length === 0) continue;
    saveResults(tx, ref, chunk, results);
    await tx.query(countWarnings, [...pair(ref), chunk, countResults(results).warnings]);
  }
}

/** Returns the shared number of the entity that an element created; undefined for any other. */
function numberOfCreated(result: SyncResult, numbers: ReadonlyMap<string, string>): string | undefined {
  return result.result === 'created' && result.entityId !== undefined
    ? numbers.get(result.entityId)
    : undefined;
}

/** Adds or removes the warning, and returns whether that changes the result. */
function setWarning(result: SyncResult, number: string, isWanted: boolean): boolean {
  const { warnings = [] } = result;
  const at = warnings.findIndex(({ code }) => code === 'number_taken');
  if (isWanted === (at !== -1)) return false;
  if (isWanted) {
    // Warnings about links come after those about values.
    const behind = warnings.findIndex(({ code }) => code === 'parent_pending' || code === 'structure_kept');
    result.warnings = warnings.toSpliced(behind === -1 ? warnings.length : behind, 0, numberTaken(number));
  } else if (warnings.length === 1) delete result.warnings;
  else result.warnings = warnings.toSpliced(at, 1);
  return true;
}

function countOf(numbers: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}
