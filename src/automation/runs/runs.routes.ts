/** The history of runs, and the runs that somebody asks for. */

import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { decodeCursor, listOf, pageOf } from '../../http/list.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { AutomationParams } from '../automation.schema.ts';
import { AREAS_OF_ACTIONS } from '../button.schema.ts';
import { findAutomation } from '../find-automation.ts';
import { findRun } from './find-run.ts';
import { retryFailed } from './retry-failed.ts';
import { retryRun } from './retry-run.ts';
import {
  Run,
  RunParams,
  RunQuery,
  RunRetries,
  RunRetry,
  RunSummary,
  RunsRetried,
  RunWait,
  Trigger,
} from './run.schema.ts';
import { selectAllRuns, selectAllRunsOfStatus, selectRuns, selectRunsOfCaller } from './run.sql.ts';
import type { RunRow } from './run-row.ts';
import { showRunSummary } from './show-run.ts';
import { triggerAutomation } from './trigger-automation.ts';

const workspacePath = '/api/wid/{slug}';
const tag = 'Automations';

const listRuns = defineRoute({
  method: 'get',
  path: `${workspacePath}/automations/{id}/runs`,
  operationId: 'listAutomationRuns',
  tag,
  summary: 'List the runs of an automation',
  description: 'Newest first. A single run also shows context, logs, result and changes.',
  access: 'read',
  transaction: 'read',
  params: AutomationParams,
  query: RunQuery,
  answers: { 200: { description: 'A page of runs.', schema: listOf(RunSummary) } },
  errors: ['automation_not_found'],
  handle: async ({ params, query }, tx) => {
    await findAutomation(tx, params.id);
    const { status = null, triggeredBy = null } = query;
    return showPage(tx, query, {
      list: `automation-runs ${params.id} ${status ?? ''}${triggeredBy ?? ''}`,
      sql: selectRuns,
      wanted: (below, rows) => [tx.workspaceId, params.id, below, status, rows, triggeredBy],
    });
  },
});

const listAllRuns = defineRoute({
  method: 'get',
  path: `${workspacePath}/automation-runs`,
  operationId: 'listAllAutomationRuns',
  tag,
  summary: 'List the runs of all automations',
  description: 'Newest first; use `status=failed` for runs that need attention.',
  access: 'read',
  transaction: 'read',
  query: RunQuery,
  answers: { 200: { description: 'A page of runs.', schema: listOf(RunSummary) } },
  handle: ({ query }, tx) => {
    const { status, triggeredBy } = query;
    if (triggeredBy !== undefined)
      return showPage(tx, query, {
        list: `all-automation-runs ${status ?? ''}${triggeredBy}`,
        sql: selectRunsOfCaller,
        wanted: (below, rows) => [tx.workspaceId, below, rows, triggeredBy, status ?? null],
      });
    return showPage(tx, query, {
      list: `all-automation-runs ${status ?? ''}`,
      sql: status === undefined ? selectAllRuns : selectAllRunsOfStatus,
      wanted: (below, rows) => [tx.workspaceId, below, rows, ...(status === undefined ? [] : [status])],
    });
  },
});

const getRun = defineRoute({
  method: 'get',
  path: `${workspacePath}/automation-runs/{id}`,
  operationId: 'getAutomationRun',
  tag,
  summary: 'Read a run',
  description:
    'Includes its logs, its trace of api calls, its changes, its cause and its consequences. With `wait` the answer comes when the run has ended, or as it is after that time.',
  access: 'read',
  transaction: 'none',
  params: RunParams,
  query: RunWait,
  answers: { 200: { description: 'The run.', schema: Run } },
  errors: ['automation_run_not_found'],
  handle: async (call) => {
    const { ctx, params, query, gone } = call;
    const awaited = { workspaceId: call.workspace.id, id: params.id };
    const read = () =>
      inTransaction(ctx.db, awaited, (tx) => findRun(tx, awaited.id), {
        readOnly: true,
        snapshot: true,
        gone,
      });
    const run = await read();
    if (run.status !== 'queued' || query.wait === 0) return { status: 200, body: run };
    await ctx.runWatch.untilEnded(awaited, query.wait * 1000, AbortSignal.any([call.closing, gone]));
    return { status: 200, body: await read() };
  },
});

const postRetry = defineRoute({
  method: 'post',
  path: `${workspacePath}/automation-runs/{id}/retry`,
  operationId: 'retryAutomationRun',
  tag,
  summary: 'Retry a past run',
  description:
    'Runs for the same event, with the present version of the script or the one that the run used. A run that a caller triggered still acts for that caller, with the present rights of the caller.',
  access: 'configuration',
  transaction: 'write',
  params: RunParams,
  body: RunRetry,
  answers: { 202: { description: 'The new, queued run; `Location` is its address.', schema: Run } },
  errors: [
    'automation_run_not_found',
    'run_not_finished',
    'automation_not_found',
    'automation_read_only',
    'automation_disabled',
    'member_ended',
    'api_key_revoked',
  ],
  handle: async ({ params, body, workspace }, tx) =>
    queued(tx, workspace.slug, await retryRun(tx, params.id, body.script)),
});

const postRetries = defineRoute({
  method: 'post',
  path: `${workspacePath}/automation-runs/retries`,
  operationId: 'retryFailedRuns',
  tag,
  summary: 'Retry failed runs by filter',
  description:
    'Retries up to 100 per call, oldest first; `left` says how many remain. Retried runs do not match any more, so repeating the call ends. A dry run only counts.',
  access: 'configuration',
  transaction: 'write',
  body: RunRetries,
  answers: { 200: { description: 'The number of matches, and the queued runs.', schema: RunsRetried } },
  handle: async ({ body }, tx) => ({ status: 200, body: await retryFailed(tx, body) }),
});

const postTrigger = defineRoute({
  method: 'post',
  path: `${workspacePath}/automations/{id}/trigger`,
  operationId: 'triggerAutomation',
  tag,
  summary: 'Run a user action',
  description:
    'Runs an automation of context type 5 (feature), and no other. If its button has a form, `context` is checked by it and gets its defaults. The run acts for the caller: history and ledger name both, and what needs an area that the caller lacks is refused as `area_missing`. Read the run with `wait` to get its result.',
  access: AREAS_OF_ACTIONS,
  transaction: 'write',
  params: AutomationParams,
  body: Trigger,
  answers: { 202: { description: 'The queued run; `Location` is its address.', schema: Run } },
  errors: [
    'automation_not_found',
    'automation_read_only',
    'automation_disabled',
    'not_a_user_action',
    'action_not_offered',
    'entity_not_found',
    'configuration_full',
  ],
  handle: async ({ actor, params, body, workspace }, tx) => {
    const runId = await triggerAutomation(tx, actor, {
      automationId: params.id,
      workspaceSlug: workspace.slug,
      entityId: body.entityId ?? null,
      parameters: body.context ?? {},
    });
    return queued(tx, workspace.slug, runId);
  },
});

interface RunList {
  /** Names the list in its cursors, with all that it is filtered by. */
  list: string;
  sql: string;
  /** The parameters of the statement: below which id, and how many rows. */
  wanted: (below: string | null, rows: number) => readonly unknown[];
}

/** Newest first. Throws `invalid_cursor`. */
async function showPage(
  tx: Tx,
  { cursor, limit }: z.output<typeof RunQuery>,
  { list, sql, wanted }: RunList,
) {
  const below = decodeCursor(list, cursor, z.uuid());
  const long = ['error', 'triggered_by'];
  const page = await readPage<RunRow>(tx, sql, wanted(below, limit + 1), { limit, long });
  return { status: 200, body: pageOf(list, page, (row) => row.id, showRunSummary) };
}

async function queued(tx: Tx, slug: string, runId: string) {
  return {
    status: 202,
    body: await findRun(tx, runId),
    headers: { Location: `/api/wid/${slug}/automation-runs/${runId}` },
  };
}

export const automationRunRoutes: AnyRoute[] = [
  listRuns,
  listAllRuns,
  getRun,
  postRetry,
  postRetries,
  postTrigger,
];
