/** `/planning/runs`: planning runs, their actions, and what becomes of them (contract §4.15). */
import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import { resolveEntityId } from '../../entities/resolve-entity.ts';
import { Day } from '../../http/day.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../../http/list.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { lineChangeErrors, lineMakingErrors } from '../../procurement/records/procurement-errors.ts';
import { showCreatedOrder, showLine } from '../../procurement/records/show-procurement.ts';
import { NewPlanningRun } from '../options/planning-options.schema.ts';
import { acceptRun, cancelRun } from './accept-run.ts';
import { commitRun, dismissActions } from './commit-run.ts';
import {
  type ActionRow,
  findRun,
  type RunRow,
  requireServedKnown,
  showAction,
  showRun,
  storedIn,
} from './find-run.ts';
import { beforeActions, selectActions } from './planning-actions.sql.ts';
import {
  PlanningAction,
  PlanningActionQuery,
  PlanningCommit,
  PlanningCommitted,
  PlanningDismissal,
  PlanningRun,
  RunParams,
} from './planning-run.schema.ts';
import { longColumns, selectRuns } from './planning-runs.sql.ts';

const collection = '/api/wid/{slug}/planning/runs';
const member = `${collection}/{id}`;
const tag = 'Procurement';
const access = 'procurement';

/** The date on which to act, and the number. */
const ActionPlace = z.tuple([Day, z.int().min(0).max(2_147_483_647)]);

const postRun = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createPlanningRun',
  tag,
  summary: 'Plan what to order and to make',
  description:
    'A worker reads stock, open order lines, open needs, structures and planning of all items in one snapshot, and finds what is to be ordered, made, moved, changed or cancelled so that every need is met in time. It changes nothing: read the run until it has a `finishedAt`, review its actions, and commit them.',
  access,
  transaction: 'write',
  body: NewPlanningRun,
  answers: { 202: { description: 'The run; `Location` is its address.', schema: PlanningRun } },
  errors: [
    'too_many_planning_runs',
    'entity_not_found',
    'entity_archived',
    'not_an_item',
    'not_a_location',
    'not_a_project',
    'category_not_found',
    'revision_not_found',
    'line_not_found',
    'quantity_out_of_range',
  ],
  handle: async (call, tx) => {
    const row = await acceptRun(tx, call.actor, call.body, call.ctx.config);
    const headers = { Location: `/api/wid/${call.workspace.slug}/planning/runs/${row.id}` };
    return { status: 202, headers, body: showRun(row) };
  },
});

const listRuns = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listPlanningRuns',
  tag,
  summary: 'List planning runs, newest first',
  access: 'read',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of runs.', schema: listOf(PlanningRun) } },
  handle: async ({ query: { cursor, limit } }, tx) => {
    const before = decodeCursor('planning-runs', cursor, z.uuid());
    const page = await readPage<RunRow>(tx, selectRuns, [tx.workspaceId, before, limit + 1], {
      limit,
      long: longColumns,
    });
    return { status: 200, body: pageOf('planning-runs', page, ({ id }) => id, showRun) };
  },
});

const getRun = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getPlanningRun',
  tag,
  summary: 'Read a planning run',
  access: 'read',
  transaction: 'read',
  params: RunParams,
  answers: { 200: { description: 'The run.', schema: PlanningRun } },
  errors: ['planning_run_not_found'],
  handle: async ({ params }, tx) => ({ status: 200, body: showRun(await findRun(tx, params.id)) }),
});

const listActions = defineRoute({
  method: 'get',
  path: `${member}/actions`,
  operationId: 'listPlanningActions',
  tag,
  summary: 'List the actions of a planning run',
  description: 'In the order of the dates on which to act.',
  access: 'read',
  transaction: 'read',
  params: RunParams,
  query: PlanningActionQuery,
  answers: { 200: { description: 'A page of actions.', schema: listOf(PlanningAction) } },
  errors: ['planning_run_not_found', 'entity_not_found'],
  handle: async ({ params: { id }, query }, tx) => {
    const { cursor, limit, action = null, exception = null, status = null } = query;
    const { supplierId = null, has = null } = query;
    const run = await findRun(tx, id);
    const item = query.item === undefined ? null : await resolveEntityId(tx, query.item);
    const project = query.project === undefined ? null : await resolveEntityId(tx, query.project);
    if (project !== null) await requireServedKnown(tx, run);
    const narrowing = [action, exception, item, status, supplierId, has, project];
    const list = ['planning-actions', id, ...narrowing.map((value) => value ?? '')].join(' ');
    const after = decodeCursor(list, cursor, ActionPlace) ?? beforeActions;
    const page = await readPage<ActionRow>(
      tx,
      selectActions,
      [tx.workspaceId, ...storedIn(run), ...after, ...narrowing, limit + 1],
      { limit, long: ['item_number', 'item_name', 'line_number', 'supplier'] },
    );
    return { status: 200, body: pageOf(list, page, (row) => [row.starts_on, row.ordinal], showAction) };
  },
});

const cancel = defineRoute({
  method: 'post',
  path: `${member}/cancel`,
  operationId: 'cancelPlanningRun',
  tag,
  summary: 'Cancel a planning run',
  access,
  transaction: 'write',
  params: RunParams,
  answers: { 200: { description: 'The cancelled run.', schema: PlanningRun } },
  errors: ['planning_run_not_found', 'planning_run_finished'],
  handle: async ({ params }, tx) => ({ status: 200, body: showRun(await cancelRun(tx, params.id)) }),
});

const commit = defineRoute({
  method: 'post',
  path: `${member}/commit`,
  operationId: 'commitPlanningRun',
  tag,
  summary: 'Carry out actions of a planning run: all or nothing',
  description:
    'Creates one purchase order for each supplier and one manufacturing order, as drafts unless `as` says otherwise, and moves, changes and cancels lines. An action whose item has other stock, order lines, needs or planning than the run found is refused as `plan_stale`; `actions` names these. Lines ask for the date on which they are needed, also where it is late.',
  access,
  transaction: 'write',
  readsMuch: true,
  params: RunParams,
  body: PlanningCommit,
  answers: {
    200: {
      description: 'The orders that were created, and the lines that were changed.',
      schema: PlanningCommitted,
    },
  },
  errors: [
    ...new Set([
      'planning_run_not_found' as const,
      'planning_run_not_ready' as const,
      'plan_stale' as const,
      'tree_too_large' as const,
      ...lineMakingErrors,
      ...lineChangeErrors,
    ]),
  ],
  handle: async ({ ctx, actor, params, body }, tx) => {
    const { created, changed } = await commitRun(tx, ctx.moverOf(actor), params.id, body);
    return { status: 200, body: { orders: created.map(showCreatedOrder), lines: changed.map(showLine) } };
  },
});

const dismiss = defineRoute({
  method: 'post',
  path: `${member}/dismiss`,
  operationId: 'dismissPlanningActions',
  tag,
  summary: 'Dismiss actions of a planning run',
  description:
    'A dismissed action is not committed. In the next run an action of the same item with the same date and quantity is dismissed, too, and so is the action in all runs that share it.',
  access,
  transaction: 'write',
  params: RunParams,
  body: PlanningDismissal,
  answers: {
    200: { description: 'The actions.', schema: z.object({ items: z.array(PlanningAction) }) },
  },
  errors: ['planning_run_not_found', 'planning_run_not_ready'],
  handle: async ({ params, body }, tx) => ({
    status: 200,
    body: { items: (await dismissActions(tx, params.id, body)).map(showAction) },
  }),
});

export const planningRunRoutes: readonly AnyRoute[] = [
  postRun,
  listRuns,
  getRun,
  listActions,
  cancel,
  commit,
  dismiss,
];
