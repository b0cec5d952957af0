/** `/views`: filters, order and columns of lists under a name, private or shared in the workspace. */
import { z } from 'zod';
import { mayDo } from '../../areas.ts';
import { readPage } from '../../db/read-page.ts';
import { requireMatch } from '../../http/entity-tag.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { removeView, replaceView, saveView } from './change-view.ts';
import { findView, showView, type ViewRow, viewTag } from './find-view.ts';
import { NewView, SavedView, ViewList, ViewParams, ViewReplacement } from './view.schema.ts';
import { selectViews } from './views.sql.ts';

const collection = '/api/wid/{slug}/views';
const member = `${collection}/{id}`;
const tag = 'Saved views';
/** A key that may only read changes nothing, so it uses the views of others. */
const access = ['stock', 'procurement', 'engineering', 'configuration', 'admin'] as const;

const listViews = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listViews',
  tag,
  summary: 'List saved views',
  description: 'Views of the caller and shared ones, newest first. Administrators see those of everybody.',
  access: 'read',
  transaction: 'read',
  query: ListQuery.extend({ list: ViewList.optional() }),
  answers: { 200: { description: 'A page of views.', schema: listOf(SavedView) } },
  handle: async (call, tx) => {
    const { limit, cursor, list } = call.query;
    const after = decodeCursor('views', cursor, z.uuid());
    const page = await readPage<ViewRow>(
      tx,
      selectViews,
      [tx.workspaceId, call.actor.id, mayDo(call, 'admin'), list ?? null, after, limit + 1],
      { limit, long: ['weight'] },
    );
    return {
      status: 200,
      body: pageOf(
        'views',
        page,
        ({ id }) => id,
        (row) => showView(row, call),
      ),
    };
  },
});

const postView = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createView',
  tag,
  summary: 'Save a view',
  description:
    'Filters, order and columns of a view of `entities` are checked. `GET /entities?view=ID` shows what it finds, and the app opens it at `/entities?view=ID`.',
  access,
  transaction: 'write',
  body: NewView,
  answers: { 201: { description: 'The new view; `Location` is its address.', schema: SavedView } },
  errors: ['configuration_full', 'invalid_condition'],
  handle: async (call, tx) => {
    const row = await saveView(tx, call, call.body, call.ctx.config.VIEWS_MAX);
    const headers = { Location: `/api/wid/${call.workspace.slug}/views/${row.id}` };
    return { status: 201, body: showView(row, call), etag: viewTag(row), headers };
  },
});

const getView = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getView',
  tag,
  summary: 'Read a saved view',
  access: 'read',
  transaction: 'read',
  params: ViewParams,
  answers: { 200: { description: 'The view.', schema: SavedView } },
  errors: ['view_not_found'],
  handle: async (call, tx) => {
    const row = await findView(tx, call, call.params.id);
    return { status: 200, body: showView(row, call), etag: viewTag(row) };
  },
});

const putView = defineRoute({
  method: 'put',
  path: member,
  operationId: 'replaceView',
  tag,
  summary: 'Replace a saved view',
  description: 'Renames, shares or changes it. Only its owner and administrators can do so.',
  access,
  transaction: 'write',
  params: ViewParams,
  body: ViewReplacement,
  answers: { 200: { description: 'The changed view.', schema: SavedView } },
  errors: ['view_not_found', 'area_missing', 'invalid_condition'],
  handle: async (call, tx) => {
    const row = await findView(tx, call, call.params.id, { lock: true });
    requireMatch(call, viewTag(row));
    requireAsRead(ViewReplacement, call.body, showView(row, call));
    const changed = await replaceView(tx, call, row, call.body);
    return { status: 200, body: showView(changed, call), etag: viewTag(changed) };
  },
});

const removeSavedView = defineRoute({
  method: 'delete',
  path: member,
  operationId: 'deleteView',
  tag,
  summary: 'Delete a saved view',
  description: 'Only its owner and administrators can do so. CSV links by the view are refused from then on.',
  access,
  transaction: 'write',
  params: ViewParams,
  answers: { 204: { description: 'It was deleted.' } },
  errors: ['view_not_found', 'area_missing'],
  handle: async (call, tx) => {
    const row = await findView(tx, call, call.params.id, { lock: true });
    requireMatch(call, viewTag(row));
    await removeView(tx, call, row);
    return { status: 204 };
  },
});

export const viewRoutes: readonly AnyRoute[] = [listViews, postView, getView, putView, removeSavedView];
