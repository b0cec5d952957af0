/** What earlier batches of an import definition brought and a batch did not bring any more (contract §2.11). */
import { type RowPage, readPage } from '../../db/read-page.ts';
import { rfc3339 } from '../../db/time.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { roomForGrouping, selectAbsent, selectCompared, selectEarlier } from './absent.sql.ts';

export interface AbsentLimits {
  /** Of the batch, and of the earlier ones together. */
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
  status: string;
  profile_name: string;
  resend_of: string | null;
  element_count: number;
  results_kept: boolean;
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
  const batch = await readCompared(tx, batchId, limits);
  const compared = await readEarlier(tx, batchId, batch.profile_name, limits);
  const here = batch.resend_of === null ? [batchId] : [batchId, batch.resend_of];
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

async function readCompared(tx: Tx, batchId: string, { elementsMax }: AbsentLimits): Promise<ComparedBatch> {
  const [batch] = await tx.query<ComparedBatch>(selectCompared, [tx.workspaceId, batchId]);
  if (batch === undefined)
    throw new AppError('batch_not_found', `There is no batch ${batchId} in this workspace.`);
  if (batch.status !== 'completed')
    throw new AppError(
      'batch_not_completed',
      `The batch is ${batch.status}: only of one that is completed is known all that it brought.`,
    );
  if (!batch.results_kept || !batch.named)
    throw new AppError(
      'results_gone',
      `What batch ${batchId} brought is past its retention, or was stored by an earlier release.`,
    );
  if (batch.element_count > elementsMax)
    throw new AppError(
      'batch_too_large',
      `The batch has ${batch.element_count} elements; at most ${elementsMax} are compared. Send smaller ones, each under a definition of its own.`,
    );
  return batch;
}

/** As many as the limits let in, without a gap: where one is too large, those before it are left out too. */
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
