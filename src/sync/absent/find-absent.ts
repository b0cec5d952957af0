/** Finds entities that earlier batches of an import definition brought and this batch does not (contract §2.11). */
import { type RowPage, readPage } from '../../db/read-page.ts';
import { rfc3339 } from '../../db/time.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { roomForGrouping, selectAbsent, selectCompared, selectEarlier } from './absent.sql.ts';

export interface AbsentLimits {
  /** Bound on the elements of the batch and the earlier ones together. */
  elementsMax: number;
  /** Earlier batches. */
  batchesMax: number;
}

export interface AbsentRow {
  guid: string;
  /** Which of the earlier batches brought it last, from 1. */
  place: number;
  id: string;
  number: string | null;
  name: string;
  category: string;
  state: string;
  revision_number: number;
}

/** The batches before, the newest first, and whether they are all that are known. */
export interface Compared {
  batches: readonly { id: string; submittedAt: string }[];
  isComplete: boolean;
}

interface ComparedBatch {
  id: string;
  status: string;
  profile_name: string;
  resend_of: string | null;
  element_count: number;
  named: boolean;
}

interface EarlierBatch {
  id: string;
  submitted_at: string;
  element_count: number;
  named: boolean;
}

/** Throws `batch_not_found`, `batch_not_completed`, `results_gone` or `batch_too_large`. */
export async function findAbsent(
  tx: Tx,
  batchId: string,
  { after, limit }: { after: string | null; limit: number },
  limits: AbsentLimits,
): Promise<{ page: RowPage<AbsentRow>; compared: Compared }> {
  const { profile, here } = await readCompared(tx, batchId, limits);
  const compared = await readEarlier(tx, batchId, profile, limits);
  const making = tx.query(roomForGrouping);
  const reading = readPage<AbsentRow>(
    tx,
    selectAbsent,
    [tx.workspaceId, here, compared.batches.map(({ id }) => id), after, limit + 1],
    { limit, long: ['number', 'name', 'category', 'state'] },
  );
  const [page] = await Promise.all([reading, making]);
  return { page, compared };
}

/**
 * The batch itself, and those that its elements were sent with, where they were sent again: each of them may have brought what it
 * does not name.
 */
async function readCompared(
  tx: Tx,
  batchId: string,
  { elementsMax, batchesMax }: AbsentLimits,
): Promise<{ profile: string; here: readonly string[] }> {
  const sent = await tx.query<ComparedBatch>(selectCompared, [tx.workspaceId, batchId, batchesMax]);
  const [batch] = sent;
  if (batch === undefined)
    throw new AppError('batch_not_found', `There is no batch ${batchId} in this workspace.`);
  for (const { id, status } of sent)
    if (status !== 'completed')
      throw new AppError(
        'batch_not_completed',
        `Batch ${id} is ${status}: only of one that is completed is known all that it brought.`,
      );
  // Another before them: beyond the limit, or gone as a whole.
  const before = sent.at(-1)?.resend_of ?? null;
  const unnamed = sent.find(({ named }) => !named)?.id ?? (sent.length < batchesMax ? before : null);
  if (unnamed !== null)
    throw new AppError(
      'results_gone',
      `What batch ${unnamed} brought is past its retention, or was stored by an earlier release.`,
    );
  const elements = sent.reduce((sum, { element_count }) => sum + element_count, 0);
  if (elements > elementsMax || before !== null)
    throw new AppError(
      'batch_too_large',
      `The batch has ${elements} elements with those that it was sent with; at most ${elementsMax} of ${batchesMax} batches are compared. Send smaller ones, each under a definition of its own.`,
    );
  return { profile: batch.profile_name, here: sent.map(({ id }) => id) };
}

/**
 * Returns as many earlier batches as the limits allow, without a gap: where one is too large, those before it are
 * left out too.
 */
async function readEarlier(
  tx: Tx,
  batchId: string,
  profile: string,
  { elementsMax, batchesMax }: AbsentLimits,
): Promise<Compared> {
  const found = await tx.query<EarlierBatch>(selectEarlier, [
    tx.workspaceId,
    profile,
    batchId,
    batchesMax + 1,
  ]);
  const batches: { id: string; submittedAt: string }[] = [];
  let elements = 0;
  for (const { id, submitted_at, element_count, named } of found) {
    elements += element_count;
    if (!named || elements > elementsMax || batches.length === batchesMax)
      return { batches, isComplete: false };
    batches.push({ id, submittedAt: rfc3339(submitted_at) });
  }
  return { batches, isComplete: true };
}
