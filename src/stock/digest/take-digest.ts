/**
 * Takes a digest of a workspace's ledger: one snapshot, in which every position's head is read, kept where it has
 * moved since the last digest, and hashed. What a digest covers is therefore known by the sequence of each position
 * and by no clock: entries that were recorded before the moment and committed after it, or recorded by a clock that
 * was set back, are plainly not in it.
 */
import type { Db } from '../../db/connect.ts';
import { inTransaction, sqlState, type Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { LOWEST_ID } from '../entries/ledger-entry.ts';
import { ledgerBusy } from '../ledger/ledger-reads.ts';
import type { LedgerDigest } from './digest.schema.ts';
import { insertDigest, type KeptHeadRow, keepHeads, type LastDigestRow, selectLast } from './digest.sql.ts';
import { DigestText } from './digest-text.ts';

/** About 5 ms of hashing. */
const PAGE_ROWS = 2000;

export interface TakenDigest {
  digest: LedgerDigest;
  /** False if no position has moved since the last digest; the answer is then that digest. */
  isNew: boolean;
}

/**
 * Throws `ledger_altered` if the positions contradict the last digest (a position is missing, or has a lower sequence), and `ledger_busy` if
 * other digests are taken at the same time. `whenNew` runs in the same transaction.
 */
export function takeDigest(
  db: Db,
  workspaceId: string,
  signal: AbortSignal,
  whenNew: (tx: Tx, digest: LedgerDigest) => Promise<void> = async () => {},
): Promise<TakenDigest> {
  return takeInSnapshot(db, workspaceId, signal, whenNew).catch((error: unknown) => {
    // Each attempt met another digest of this ledger.
    if (sqlState(error) === '23505') throw ledgerBusy();
    throw error;
  });
}

function takeInSnapshot(
  db: Db,
  workspaceId: string,
  signal: AbortSignal,
  whenNew: (tx: Tx, digest: LedgerDigest) => Promise<void>,
): Promise<TakenDigest> {
  return inTransaction(
    db,
    { workspaceId },
    async (tx) => {
      const [last] = (await tx.query<LastDigestRow>(selectLast, [workspaceId])) as [LastDigestRow];
      const ordinal = (last.ordinal ?? 0) + 1;
      const at = new Date(last.now).toISOString();
      const heads = await keepMovedHeads(tx, ordinal, new DigestText(workspaceId, at), signal);
      const missing = (last.positions ?? 0) + heads.come - heads.text.positions;
      if (missing > 0 || heads.back > 0) throw altered(missing, heads.back, last.at as string);
      if (last.ordinal !== null && heads.moved === 0) return { digest: shown(last), isNew: false };
      const digest = { at, ...heads.text };
      const { entries, positions } = digest;
      const bytes = Buffer.from(digest.digest, 'hex');
      await tx.query(insertDigest, [workspaceId, ordinal, at, entries, positions, bytes]);
      await whenNew(tx, digest);
      return { digest, isNew: true };
    },
    // The ordinal is free, or another digest was taken at the same time: then this one comes behind it.
    { snapshot: true, retryOn: ['23505'], gone: signal },
  );
}

async function keepMovedHeads(tx: Tx, ordinal: number, text: DigestText, signal: AbortSignal) {
  let [come, moved, back] = [0, 0, 0];
  const slices = new Slices(signal);
  let last = { itemId: LOWEST_ID, locationId: LOWEST_ID };
  for (let more = true; more; ) {
    signal.throwIfAborted();
    const params = [tx.workspaceId, last.itemId, last.locationId, PAGE_ROWS, ordinal];
    const rows = await tx.query<KeptHeadRow>(keepHeads, params);
    for (const row of rows) {
      if (slices.areDue) await slices.next();
      text.add(row);
      if (row.before === null) come += 1;
      else if (row.before === row.sequence && row.hash_before === row.hash) continue;
      else if (BigInt(row.before) >= BigInt(row.sequence)) back += 1;
      moved += 1;
    }
    last = rows.at(-1) ?? last;
    more = rows.length === PAGE_ROWS;
  }
  return { come, moved, back, text: text.end() };
}

function shown(last: LastDigestRow): LedgerDigest {
  return {
    at: new Date(last.at as string).toISOString(),
    entries: Number(last.entries),
    positions: last.positions as number,
    digest: last.digest as string,
  };
}

function altered(missing: number, back: number, at: string): AppError {
  const of = new Date(at).toISOString();
  return new AppError('ledger_altered', {
    detail:
      `The digest of ${of} covers ${missing} positions that are gone and ${back} that were set back or rewritten. ` +
      'Nothing is covered by a digest that contradicts the one before; verify the ledger against that one.',
    extensions: { lastDigestAt: of, positionsGone: missing, positionsSetBack: back },
  });
}
