/** An entry of the ledger as code holds it, its id, and its hash: the one place that the chain is defined in. */
import { hash, randomFillSync } from 'node:crypto';
import type { Stored } from '../../db/mapped-columns.ts';
import { decimalOf } from '../../quantity.ts';
import type { LedgerRow } from './ledger.entity.ts';
import { type StatedFacts, statedFacts } from './movement.ts';

export type LedgerEntry = Stored<LedgerRow>;

type FactTexts = { readonly [Fact in keyof StatedFacts]: string | null };

/** Texts of an entry from which its hash is computed. PostgreSQL returns the same texts. */
export interface EntryTexts extends FactTexts {
  readonly id: string;
  readonly itemId: string;
  readonly locationId: string;
  readonly sequence: string;
  readonly recordedUs: string;
  readonly movementType: string;
  readonly quantity: string;
  readonly onHandDelta: string;
  readonly reservedDelta: string;
  readonly onOrderDelta: string;
  readonly onHandAfter: string;
  readonly reservedAfter: string;
  readonly onOrderAfter: string;
  readonly note: string | null;
  readonly lineId: string | null;
  readonly orderId: string | null;
  readonly requirementId: string | null;
  readonly actorId: string;
}

/** Stands in an entry until its hash is known, because copying the entry afterwards costs more. */
export const NO_HASH = Buffer.alloc(0);

/** The hash of an entry that is about to be written; `previous` is that of the position's entry before it. */
export function hashEntry(
  workspaceId: string,
  previous: Buffer | null,
  entry: Omit<LedgerEntry, 'hash'>,
): Buffer {
  const texts = {
    ...entry,
    sequence: entry.sequence.toString(),
    recordedUs: entry.recordedUs.toString(),
    quantity: decimalOf(entry.quantity),
    onHandDelta: decimalOf(entry.onHandDelta),
    reservedDelta: decimalOf(entry.reservedDelta),
    onOrderDelta: decimalOf(entry.onOrderDelta),
    onHandAfter: decimalOf(entry.onHandAfter),
    reservedAfter: decimalOf(entry.reservedAfter),
    onOrderAfter: decimalOf(entry.onOrderAfter),
    itemRevision: entry.itemRevision?.toString() ?? null,
    enteredQuantity: entry.enteredQuantity === null ? null : decimalOf(entry.enteredQuantity),
    coveredQuantity: entry.coveredQuantity === null ? null : decimalOf(entry.coveredQuantity),
  };
  return hash('sha256', canonicalText(workspaceId, previous?.toString('hex') ?? null, texts), 'buffer');
}

/** Returns the hash of an entry that was read, in hex, from the previous hash in hex. */
export function hashEntryTexts(workspaceId: string, previous: string | null, entry: EntryTexts): string {
  return hash('sha256', canonicalText(workspaceId, previous, entry), 'hex');
}

/**
 * Returns a JSON array of everything the entry says and of its predecessor's hash (empty for the first of a position), for SHA-256.
 * An array of strings and nulls has one text only, so this is canonical. The entry's content chooses the form, never its date: form 2
 * appends the name and value of each stated fact, so that a fact added later leaves existing hashes valid. Any other change
 * invalidates every existing ledger and needs a new form.
 */
function canonicalText(workspaceId: string, previous: string | null, entry: EntryTexts): string {
  const stated: string[] = [];
  for (const fact of statedFacts) {
    const value = entry[fact];
    if (value !== null) stated.push(fact, value);
  }
  return JSON.stringify([
    stated.length === 0 ? 'partbook-ledger-1' : 'partbook-ledger-2',
    previous ?? '',
    workspaceId,
    entry.itemId,
    entry.locationId,
    entry.sequence,
    entry.id,
    entry.recordedUs,
    entry.movementType,
    entry.quantity,
    entry.onHandDelta,
    entry.reservedDelta,
    entry.onOrderDelta,
    entry.onHandAfter,
    entry.reservedAfter,
    entry.onOrderAfter,
    entry.note,
    entry.lineId,
    entry.orderId,
    entry.requirementId,
    entry.actorId,
    ...stated,
  ]);
}

const ORDINAL_MAX = 0xfffff;
const RANDOM_BYTES = 6;
const pool = Buffer.alloc(RANDOM_BYTES * 1024);
let used = pool.length;

function random42(): bigint {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const value = pool.readUIntBE(used, RANDOM_BYTES) % 2 ** 42;
  used += RANDOM_BYTES;
  return BigInt(value);
}

/**
 * Ids of the entries of one transaction: UUIDv7 (RFC 9562 §6.2, method 3) of the recorded time to the
 * microsecond, then the ordinal within the transaction, then 42 random bits. Sorting by id is sorting by
 * time, and within a position by sequence, so that one column orders lists and answers `asOf`.
 */
export function entryIdsAt(recordedUs: bigint): (ordinal: number) => string {
  const ms = (recordedUs / 1000n).toString(16).padStart(12, '0');
  const fraction = Number(recordedUs % 1000n)
    .toString(16)
    .padStart(3, '0');
  const head = `${ms.slice(0, 8)}-${ms.slice(8)}-7${fraction}`;
  return (ordinal) => {
    if (ordinal > ORDINAL_MAX) throw new Error(`More than ${ORDINAL_MAX} entries in one transaction`);
    // 2 bits of variant, 20 of the ordinal, 42 random.
    const tail = ((0b10n << 62n) | (BigInt(ordinal) << 42n) | random42()).toString(16);
    return `${head}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };
}

/** Below and above every id. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The last entry of a position, by its number and its hash. */
export interface HeadRow {
  itemId: string;
  locationId: string;
  sequence: string;
  /** In hex. */
  hash: string;
}
