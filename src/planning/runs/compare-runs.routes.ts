/** `/planning/runs/{id}/compare`: what two planning runs find differently (contract §4.15). */
import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import { decodeCursor, listOf, pageOf } from '../../http/list.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { selectDifferences } from './compare-runs.sql.ts';
import { type ActionRow, findRun, requireCompleted, showAction, storedIn } from './find-run.ts';
import { ComparisonQuery, PlanningDifference, RunParams } from './planning-run.schema.ts';

interface DifferenceRow extends ActionRow {
  change: PlanningDifference['change'];
  place: number;
}

/** More places than two runs have. */
const PLACE_MAX = 2_000_000_000;

const compareRuns = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/planning/runs/{id}/compare',
  operationId: 'comparePlanningRuns',
  tag: 'Procurement',
  summary: 'Compare two planning runs',
  description:
    'The actions that only one of them has, in the order of the dates on which to act. One with another date or quantity is removed and added. What-if runs can be compared, too.',
  access: 'read',
  transaction: 'read',
  readsMuch: true,
  params: RunParams,
  query: ComparisonQuery,
  answers: { 200: { description: 'A page of differences.', schema: listOf(PlanningDifference) } },
  errors: ['planning_run_not_found', 'planning_run_not_ready'],
  handle: async ({ params: { id }, query: { cursor, limit, with: other } }, tx) => {
    const runs = [await findRun(tx, id), await findRun(tx, other)];
    for (const run of runs) requireCompleted(run);
    const list = `planning-differences ${id} ${other}`;
    const behind = decodeCursor(list, cursor, z.int().min(0).max(PLACE_MAX)) ?? 0;
    const page = await readPage<DifferenceRow>(
      tx,
      selectDifferences,
      [tx.workspaceId, ...runs.flatMap(storedIn), behind, limit + 1],
      { limit, long: ['item_number', 'item_name', 'line_number', 'supplier'] },
    );
    const show = (row: DifferenceRow) => ({ change: row.change, action: showAction(row) });
    return { status: 200, body: pageOf(list, page, ({ place }) => place, show) };
  },
});

export const compareRunsRoutes: readonly AnyRoute[] = [compareRuns];
