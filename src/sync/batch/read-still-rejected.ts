/** Reads which rejected elements no later import has accepted. */
import type { Tx } from '../../db/transaction.ts';
import { uuidArray } from '../../db/wire/array-parameter.ts';
import {
  countStillRejected,
  selectResends,
  selectStillRejected,
  selectStillRejecting,
} from './still-rejected.sql.ts';
import type { SyncBatch } from './sync.schema.ts';

const LATER_ELEMENTS_MAX = 1_000_000;
const REJECTED_MAX = 100_000;
const BATCHES_MAX = 10_000;
const GUIDS_MAX = 1000;
const RESENDS_MAX = 20;

export interface StillRejecting {
  batchId: string;
  profileName: string;
  /** Hours since 1970. */
  hour: number;
  rejected: number;
}

/** Returns the batches since an id that have rejected elements left, the newest first. */
export function readStillRejecting(tx: Tx, since: string): Promise<StillRejecting[]> {
  const bounds = [LATER_ELEMENTS_MAX, REJECTED_MAX];
  return tx.query<StillRejecting>(selectStillRejecting, [tx.workspaceId, ...bounds, since, BATCHES_MAX]);
}

/** Returns the batches with the number of elements that are still rejected, where that is known. */
export async function withStillRejected(tx: Tx, batches: readonly SyncBatch[]): Promise<SyncBatch[]> {
  const isFollowed = ({ dryRun, finishedAt, counts, resultsGone }: SyncBatch) =>
    !dryRun && finishedAt !== null && counts.error > 0 && resultsGone === undefined;
  const ids = batches.filter(isFollowed).map(({ batchId }) => batchId);
  const bounds = [LATER_ELEMENTS_MAX, REJECTED_MAX];
  const rows =
    ids.length === 0
      ? []
      : await tx.query<{ batchId: string; rejected: number }>(countStillRejected, [
          tx.workspaceId,
          ...bounds,
          uuidArray(ids),
        ]);
  const rejectedOf = new Map(rows.map(({ batchId, rejected }) => [batchId, rejected]));
  return batches.map((batch) => {
    const stillRejected = rejectedOf.get(batch.batchId);
    return stillRejected === undefined ? batch : { ...batch, stillRejected };
  });
}

export interface Resend {
  batchId: string;
  status: SyncBatch['status'];
  dryRun: boolean;
  errors: number;
}

export interface StillRejected {
  count: number;
  /** The first of them. */
  guids: string[];
  resends: Resend[];
}

/** Returns the elements of one batch that are still rejected, and the batches that resend elements of it. */
export async function readStillRejected(
  tx: Tx,
  { batchId, dryRun, counts }: Pick<SyncBatch, 'batchId' | 'dryRun' | 'counts'>,
): Promise<StillRejected> {
  const bounds = [LATER_ELEMENTS_MAX, REJECTED_MAX];
  const rows =
    dryRun || counts.error === 0
      ? []
      : await tx.query<{ guid: string }>(selectStillRejected, [tx.workspaceId, ...bounds, batchId]);
  const resends = await tx.query<Resend>(selectResends, [tx.workspaceId, batchId, RESENDS_MAX]);
  return { count: rows.length, guids: rows.slice(0, GUIDS_MAX).map(({ guid }) => guid), resends };
}
