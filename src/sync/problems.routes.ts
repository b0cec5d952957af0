/** Problems of a batch at a glance: errors and warnings, grouped (contract §2.3). */
import { z } from 'zod';
import type { Tx } from '../db/transaction.ts';
import { Slices } from '../fairness/slices.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { selectDigests } from './batch/read-batches.sql.ts';
import { readBatch, requireResults } from './batch/read-batches.ts';
import { readStillRejected } from './batch/read-still-rejected.ts';
import { BatchParams, BatchStatus, syncTag as tag } from './batch/sync.schema.ts';
import { type Digest, mergeDigests } from './elements/digest-results.ts';
import { unpackJson } from './elements/payload-codec.ts';

const PORTION_CHUNKS = 100;
/**
 * Number of digests, of some hundred kilobytes each, that are merged in one turn of the event loop: about ten
 * milliseconds.
 */
const MERGED_AT_ONCE = 10;

const SyncProblems = z
  .object({
    items: z.array(
      z.object({
        kind: z.enum(['error', 'warning']),
        code: z.string().meta({ description: 'As in the results.', examples: ['category_not_found'] }),
        property: z.string().nullable().meta({ description: 'Key of the property.' }),
        message: z.string().nullable().meta({
          description: 'Null if there are too many different messages; the examples have theirs.',
        }),
        count: z.int().meta({ description: 'Number of occurrences.' }),
        examples: z
          .array(
            z.object({
              index: z.int().meta({ description: 'Position in the payload.' }),
              guid: z.string().nullable(),
              message: z
                .string()
                .optional()
                .meta({ description: 'Message of the example, if the group has none.' }),
            }),
          )
          .meta({ description: 'The first few.' }),
      }),
    ),
    stillRejected: z
      .object({
        count: z.int().meta({ description: 'Elements with a GUID; at most 100 000 are counted.' }),
        guids: z.array(z.uuid()).meta({ description: 'Their GUIDs, at most 1000.' }),
      })
      .meta({
        description: 'Elements that were rejected and that no later import has accepted. None for a dry run.',
      }),
    resends: z
      .array(
        z.object({
          batchId: z.uuid(),
          status: BatchStatus,
          dryRun: z.boolean(),
          errors: z.int().meta({ description: 'Elements that it rejected.' }),
        }),
      )
      .meta({ description: 'Batches that resend elements of this one, the newest first, at most 20.' }),
    changed: z
      .object({
        fields: z.int().meta({ description: 'Elements that would change fields or properties.' }),
        structure: z.int().meta({ description: 'Elements that would change the structure.' }),
        links: z.int().meta({ description: 'Links that would change.' }),
      })
      .meta({ description: 'Changes that a dry run would make; zeros otherwise.' }),
  })
  .meta({
    id: 'SyncProblems',
    description: 'Summary of the results of a batch; updated while it is processed.',
  });

const listSyncProblems = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/pdm/sync/batches/{id}/problems',
  operationId: 'listSyncProblems',
  tag,
  summary: 'Group the errors and warnings of a batch',
  description:
    'Errors first, the most frequent first; grouped by code, property and message. The cost does not depend on the number of elements.',
  access: 'read',
  transaction: 'read',
  params: BatchParams,
  answers: { 200: { description: 'The problems.', schema: SyncProblems } },
  errors: ['batch_not_found', 'results_gone'],
  handle: async ({ workspace, params }, tx) => {
    const batch = await readBatch(tx, workspace.slug, params.id);
    requireResults(batch);
    const { problems, changed } = await digestOf(tx, params.id);
    const { resends, ...stillRejected } = await readStillRejected(tx, batch);
    return { status: 200, body: { items: problems, stillRejected, resends, changed } };
  },
});

/** A portion of chunks at a time, each merged into what came before. */
async function digestOf(tx: Tx, batchId: string): Promise<Digest> {
  const slices = new Slices(tx.gone);
  let total = mergeDigests([]);
  for (let after = -1; ; ) {
    const rows = await tx.query<{ chunk: number; digest: Buffer }>(selectDigests, [
      tx.workspaceId,
      batchId,
      after,
      PORTION_CHUNKS,
    ]);
    for (let from = 0; from < rows.length; from += MERGED_AT_ONCE) {
      if (slices.areDue) await slices.next();
      const some = rows.slice(from, from + MERGED_AT_ONCE);
      total = mergeDigests([total, ...some.map((row) => unpackJson<Digest>(row.digest))]);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PORTION_CHUNKS) return total;
    after = last.chunk;
  }
}

export const problemRoutes: AnyRoute[] = [listSyncProblems];
