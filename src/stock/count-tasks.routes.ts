/** `/stock/count-tasks`: which locations are to be counted, and by whom. */
import { z } from 'zod';
import { readPage } from '../db/read-page.ts';
import { requireMatch, tagOfContent } from '../http/entity-tag.ts';
import { decodeCursor, listOf, pageOf } from '../http/list.ts';
import { requireAsRead } from '../http/read-only.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import {
  CountTask,
  CountTaskParams,
  CountTaskPatch,
  CountTaskQuery,
  NewCountTask,
} from './count-tasks/count-task.schema.ts';
import { selectAllTasks, selectAssignedTasks, selectOpenTasks } from './count-tasks/count-tasks.sql.ts';
import { type CountTaskRow, changeTask, createTask, findTask, showTask } from './count-tasks/count-tasks.ts';

const collection = '/api/wid/{slug}/stock/count-tasks';
const single = `${collection}/{id}`;
const tag = 'Stock';

const listCountTasks = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listCountTasks',
  tag,
  summary: 'List count tasks',
  description: 'Open ones in the order of creation, unless `status` is `any`.',
  access: 'read',
  transaction: 'read',
  query: CountTaskQuery,
  answers: { 200: { description: 'A page of count tasks.', schema: listOf(CountTask) } },
  handle: async ({ query: { limit, cursor, status, assignedTo } }, tx) => {
    const list = `count-tasks ${status} ${assignedTo ?? ''}`;
    const after = decodeCursor(list, cursor, z.uuid());
    const params = [tx.workspaceId, after, limit + 1];
    const [sql, given] =
      assignedTo !== undefined
        ? [selectAssignedTasks, [...params, assignedTo]]
        : [status === 'any' ? selectAllTasks : selectOpenTasks, params];
    const page = await readPage<CountTaskRow>(tx, sql, given, {
      limit,
      long: ['note', 'location_name', 'location_number', 'assigned_name', 'creator_name', 'ender_name'],
    });
    return { status: 200, body: pageOf(list, page, ({ id }) => id, showTask) };
  },
});

const postCountTask = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createCountTask',
  tag,
  summary: 'Ask for a count of a location',
  description:
    'The member finds it under *My work* (`GET /me/work`). `POST /stock/counts` with `task` books the count and ends the task.',
  access: 'stock',
  transaction: 'write',
  body: NewCountTask,
  answers: { 201: { description: 'The count task; `Location` is its address.', schema: CountTask } },
  errors: ['entity_not_found', 'not_a_location', 'entity_archived', 'configuration_full'],
  handle: async ({ ctx, actor, body, workspace }, tx) => {
    const shown = showTask(await createTask(tx, actor, body, ctx.config.COUNT_TASKS_MAX));
    const headers = { Location: `/api/wid/${workspace.slug}/stock/count-tasks/${shown.id}` };
    return { status: 201, body: shown, etag: tagOfContent(shown), headers };
  },
});

const getCountTask = defineRoute({
  method: 'get',
  path: single,
  operationId: 'getCountTask',
  tag,
  summary: 'Read a count task',
  access: 'read',
  transaction: 'read',
  params: CountTaskParams,
  answers: { 200: { description: 'The count task.', schema: CountTask } },
  errors: ['count_task_not_found'],
  handle: async ({ params }, tx) => {
    const shown = showTask(await findTask(tx, params.id));
    return { status: 200, body: shown, etag: tagOfContent(shown) };
  },
});

const patchCountTask = defineRoute({
  method: 'patch',
  path: single,
  operationId: 'updateCountTask',
  tag,
  summary: 'Assign, change or end a count task',
  description: 'Absent fields stay. A location that holds nothing is counted by `status` `done`.',
  access: 'stock',
  transaction: 'write',
  params: CountTaskParams,
  body: CountTaskPatch,
  answers: { 200: { description: 'The changed count task.', schema: CountTask } },
  errors: ['count_task_not_found', 'configuration_full'],
  handle: async (call, tx) => {
    const before = await findTask(tx, call.params.id, { lock: true });
    requireMatch(call, tagOfContent(showTask(before)));
    requireAsRead(CountTaskPatch, call.body, showTask(before));
    const { below, assignedTo, dueOn, note, status } = call.body;
    const assignee = typeof assignedTo === 'object' ? (assignedTo?.id ?? null) : assignedTo;
    const change = {
      below,
      assignedTo: assignee,
      dueOn,
      note,
      status,
      tasksMax: call.ctx.config.COUNT_TASKS_MAX,
    };
    const shown = showTask(await changeTask(tx, call.actor, before, change));
    return { status: 200, body: shown, etag: tagOfContent(shown) };
  },
});

export const countTaskRoutes: readonly AnyRoute[] = [
  listCountTasks,
  postCountTask,
  getCountTask,
  patchCountTask,
];
