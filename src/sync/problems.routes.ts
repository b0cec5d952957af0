/** Serves the errors and warnings of a batch in groups (contract §2.3). */
import { z } from 'zod';
import type { Tx } from '../db/transaction.ts';
import { Slices } from '../fairness/slices.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { selectDigests, selectOpenProblems } from './batch/read-batches.sql.ts';
import { readBatch, requireResults } from './batch/read-batches.ts';
import { BatchParams, syncTag as tag } from './batch/sync.schema.ts';
import { type Digest, mergeDigests, type Problem } from './elements/digest-results.ts';
import { unpackJson } from './elements/payload-codec.ts';

const PORTION_CHUNKS = 100;
/** Digests of some hundred kilobytes each: merging so many takes some ten milliseconds of the event loop. */
const MERGED_PER_TURN = 10;

const SyncProblems = z
  .object({
    items: z.array(
      z.object({
        kind: z.enum(['error', 'warning']),
        code: z.string().meta({ description: 'As in the results.', examples: ['category_not_found'] }),
        property: z.string().nullable().meta({ description: 'Key of the property concerned.' }),
        message: z.string().nullable().meta({
          description:
            'Null where there are too many different ones to be told apart; the examples have theirs.',
        }),
        count: z.int().meta({ description: 'How often it occurs.' }),
        open: z.int().meta({
          description: 'How many of these are still rejected; of a warning as many as there are.',
        }),
        examples: z
          .array(
            z.object({
              index: z.int().meta({ description: 'Place in the payload.' }),
              guid: z.string().nullable(),
              message: z.string().optional().meta({ description: 'Where the group has none.' }),
            }),
          )
          .meta({ description: 'The first few.' }),
      }),
    ),
    changed: z
      .object({
        fields: z.int().meta({ description: 'Elements that would change fields or properties.' }),
        structure: z.int().meta({ description: 'Elements that would change the structure.' }),
        links: z.int().meta({ description: 'Links that would change.' }),
      })
      .meta({ description: 'What a dry run would change; zeros otherwise.' }),
  })
  .meta({
    id: 'SyncProblems',
    description: 'What the results of a batch come to; live while it is processed.',
  });

const listSyncProblems = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/pdm/sync/batches/{id}/problems',
  operationId: 'listSyncProblems',
  tag,
  summary: 'Group the errors and warnings of a batch',
  description:
    'Errors first, the most frequent first; by code, property and message. It costs the same for a million elements as for ten.',
  access: 'read',
  transaction: 'read',
  params: BatchParams,
  answers: { 200: { description: 'The problems.', schema: SyncProblems } },
  errors: ['batch_not_found', 'results_gone'],
  handle: async ({ workspace, params }, tx) => {
    requireResults(await readBatch(tx, workspace.slug, params.id));
    const { problems, changed } = await digestOf(tx, params.id);
    const [settled] = await tx.query<{ open_problems: Buffer | null }>(selectOpenProblems, [
      tx.workspaceId,
      params.id,
    ]);
    const open = settled?.open_problems == null ? null : unpackJson<Digest>(settled.open_problems).problems;
    const items = problems.map((problem) => ({ ...problem, open: openOf(problem, open) }));
    return { status: 200, body: { items, changed } };
  },
});

/** How many of the problem are left of those that are still rejected. */
function openOf(problem: Problem, open: readonly Problem[] | null): number {
  if (open === null || problem.kind === 'warning') return problem.count;
  const same = open.filter(
    ({ kind, code, property }) => kind === 'error' && code === problem.code && property === problem.property,
  );
  const exact = same.filter(({ message }) => problem.message === null || message === problem.message);
  return exact.reduce((sum, { count }) => sum + count, 0);
}

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
    for (let from = 0; from < rows.length; from += MERGED_PER_TURN) {
      if (slices.areDue) await slices.next();
      const some = rows.slice(from, from + MERGED_PER_TURN);
      total = mergeDigests([total, ...some.map((row) => unpackJson<Digest>(row.digest))]);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PORTION_CHUNKS) return total;
    after = last.chunk;
  }
}

export const problemRoutes: AnyRoute[] = [listSyncProblems];
