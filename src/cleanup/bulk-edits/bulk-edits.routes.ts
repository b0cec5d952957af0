/** `/bulk-edits`: changes of all entities that a filter finds, previewed, applied, cancelled and undone. */
import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import { decodeCursor, listOf, pageOf } from '../../http/list.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { acceptBulkEdit, acceptFollowUp, cancelBulkEdit } from './accept-bulk-edit.ts';
import {
  BulkEdit,
  BulkEditFollowUp,
  BulkEditParams,
  BulkEditQuery,
  BulkEditResult,
  BulkEditResultQuery,
  NewBulkEdit,
} from './bulk-edit.schema.ts';
import { longColumns, selectBulkEdits, selectResults } from './bulk-edits.sql.ts';
import {
  type BulkEditRow,
  findBulkEdit,
  type ResultRow,
  showBulkEdit,
  showResult,
} from './find-bulk-edit.ts';

const collection = '/api/wid/{slug}/bulk-edits';
const member = `${collection}/{id}`;
const tag = 'Bulk edits';
const access = 'engineering';

const accepted = (slug: string, row: BulkEditRow) => ({
  status: 202,
  headers: { Location: `/api/wid/${slug}/bulk-edits/${row.id}` },
  body: showBulkEdit(row),
});

const postBulkEdit = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createBulkEdit',
  tag,
  summary: 'Edit all entities that a filter finds',
  description:
    'Sets, clears or replaces values of properties, and moves entities to another category or state. A worker edits them in small steps: read the bulk edit until it has a `finishedAt`. Each entity is changed as by `PATCH /entities/{id}` and a transition; one that cannot be changed so stays as it is, and the results say why. With `dryRun` nothing is written: look at its counts and results, then `apply` it.',
  access,
  transaction: 'write',
  body: NewBulkEdit,
  answers: { 202: { description: 'The bulk edit; `Location` is its address.', schema: BulkEdit } },
  errors: [
    'too_many_bulk_edits',
    'unknown_property',
    'category_not_found',
    'invalid_condition',
    'view_not_found',
    'entity_not_found',
  ],
  handle: async (call, tx) =>
    accepted(call.workspace.slug, await acceptBulkEdit(tx, call, call.body, call.ctx.config)),
});

const listBulkEdits = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listBulkEdits',
  tag,
  summary: 'List bulk edits, newest first',
  access: 'read',
  transaction: 'read',
  query: BulkEditQuery,
  answers: { 200: { description: 'A page of bulk edits.', schema: listOf(BulkEdit) } },
  handle: async ({ query: { cursor, limit } }, tx) => {
    const before = decodeCursor('bulk-edits', cursor, z.uuid());
    const page = await readPage<BulkEditRow>(tx, selectBulkEdits, [tx.workspaceId, before, limit + 1], {
      limit,
      long: longColumns,
    });
    return { status: 200, body: pageOf('bulk-edits', page, ({ id }) => id, showBulkEdit) };
  },
});

const getBulkEdit = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getBulkEdit',
  tag,
  summary: 'Read a bulk edit',
  access: 'read',
  transaction: 'read',
  params: BulkEditParams,
  answers: { 200: { description: 'The bulk edit.', schema: BulkEdit } },
  errors: ['bulk_edit_not_found'],
  handle: async ({ params }, tx) => ({ status: 200, body: showBulkEdit(await findBulkEdit(tx, params.id)) }),
});

const listResults = defineRoute({
  method: 'get',
  path: `${member}/results`,
  operationId: 'listBulkEditResults',
  tag,
  summary: 'List the differences of a bulk edit',
  description: 'Entities that were changed or refused, in order of their ids.',
  access: 'read',
  transaction: 'read',
  params: BulkEditParams,
  query: BulkEditResultQuery,
  answers: { 200: { description: 'A page of results.', schema: listOf(BulkEditResult) } },
  errors: ['bulk_edit_not_found'],
  handle: async ({ params: { id }, query: { cursor, limit, result = null } }, tx) => {
    await findBulkEdit(tx, id);
    const list = `bulk-edit-results ${id} ${result ?? ''}`;
    const after = decodeCursor(list, cursor, z.uuid());
    const page = await readPage<ResultRow>(
      tx,
      selectResults,
      [tx.workspaceId, id, result, after, limit + 1],
      {
        limit,
        long: ['name', 'changes', 'message'],
      },
    );
    return { status: 200, body: pageOf(list, page, ({ entity_id: last }) => last, showResult) };
  },
});

const cancel = defineRoute({
  method: 'post',
  path: `${member}/cancel`,
  operationId: 'cancelBulkEdit',
  tag,
  summary: 'Cancel a bulk edit',
  description: 'Waits for the step under way and stops. Changes that were made stay, and can be undone.',
  access,
  transaction: 'write',
  params: BulkEditParams,
  answers: { 200: { description: 'The cancelled bulk edit.', schema: BulkEdit } },
  errors: ['bulk_edit_not_found', 'bulk_edit_finished'],
  handle: async ({ params }, tx) => ({
    status: 200,
    body: showBulkEdit(await cancelBulkEdit(tx, params.id)),
  }),
});

const followUp = (use: 'apply' | 'undo') =>
  defineRoute({
    method: 'post',
    path: `${member}/${use}`,
    operationId: `${use}BulkEdit`,
    tag,
    summary: use === 'apply' ? 'Apply a dry run' : 'Undo a bulk edit',
    description:
      use === 'apply'
        ? 'Makes exactly the changes that the completed dry run showed, in a new bulk edit. An entity whose values are not as the dry run found them is refused with `changed_since`.'
        : 'Takes the changes of a bulk edit back, in a new bulk edit. An entity whose values are not as the bulk edit left them is refused with `changed_since`. A revision that was opened stays; a state is taken back where the lifecycle has the transition.',
    access,
    transaction: 'write',
    params: BulkEditParams,
    body: BulkEditFollowUp,
    answers: { 202: { description: 'The new bulk edit; `Location` is its address.', schema: BulkEdit } },
    errors: ['bulk_edit_not_found', 'bulk_edit_not_ready', 'too_many_bulk_edits'],
    handle: async (call, tx) => {
      const wanted = { id: call.params.id, use, reason: call.body.reason ?? null };
      return accepted(call.workspace.slug, await acceptFollowUp(tx, call, wanted, call.ctx.config));
    },
  });

export const bulkEditRoutes: AnyRoute[] = [
  postBulkEdit,
  listBulkEdits,
  getBulkEdit,
  listResults,
  cancel,
  followUp('apply'),
  followUp('undo'),
];
