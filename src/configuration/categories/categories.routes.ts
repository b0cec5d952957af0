/** `/categories` and `/categories/{key}`: reading and changing categories. */

import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import { requireMatch } from '../../http/entity-tag.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { selectKeys } from '../configuration.sql.ts';
import { lockConfiguration } from '../lock-configuration.ts';
import { KeyParams } from '../text.schema.ts';
import { versionTag } from '../version-tag.ts';
import { CategoryRow } from './category.entity.ts';
import { Category, CategoryReplacement, NewCategory } from './category.schema.ts';
import { createCategory } from './create-category.ts';
import { deleteCategory } from './delete-category.ts';
import { findCategory } from './find-category.ts';
import { replaceCategory } from './replace-category.ts';
import { showCategory } from './show-category.ts';

const collection = '/api/wid/{slug}/categories';
const member = `${collection}/{key}`;
const tag = 'Configuration';

/** Making objects of them is one turn of the event loop. */
const ROWS_AT_ONCE = 250;

const listCategories = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listCategories',
  tag,
  summary: 'List categories',
  description: 'In order of their keys.',
  access: 'read',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of categories.', schema: listOf(Category) } },
  handle: async ({ query }, tx) => {
    const after = decodeCursor('categories', query.cursor, z.string());
    const { workspaceId } = tx;
    const page = await readPage<{ key: string }>(
      tx,
      selectKeys('category'),
      [workspaceId, after, query.limit + 1],
      { limit: query.limit, long: ['key', 'name', 'numbering', 'lifecycle'], columns: 'r.key' },
    );
    const rows: CategoryRow[] = [];
    for (let from = 0; from < page.rows.length; from += ROWS_AT_ONCE) {
      const keys = page.rows.slice(from, from + ROWS_AT_ONCE).map(({ key }) => key);
      const where = { workspaceId, key: { $in: keys } };
      rows.push(...(await tx.em.find(CategoryRow, where, { orderBy: { key: 'asc' } })));
    }
    const body = pageOf('categories', { rows, more: page.more }, (row) => row.key, showCategory);
    return { status: 200, body };
  },
});

const postCategory = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createCategory',
  tag,
  summary: 'Create a category',
  access: 'admin',
  transaction: 'write',
  body: NewCategory,
  answers: { 201: { description: 'The new category; `Location` is its address.', schema: Category } },
  errors: ['key_taken', 'configuration_full'],
  handle: async ({ actor, workspace, body }, tx) => {
    const row = await createCategory(tx, actor, body);
    const address = `/api/wid/${workspace.slug}/categories/${encodeURIComponent(row.key)}`;
    return { status: 201, body: showCategory(row), etag: versionTag(row), headers: { Location: address } };
  },
});

const getCategory = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getCategory',
  tag,
  summary: 'Read a category',
  access: 'read',
  transaction: 'read',
  params: KeyParams,
  answers: { 200: { description: 'The category.', schema: Category } },
  errors: ['not_found'],
  handle: async ({ params }, tx) => {
    const row = await findCategory(tx, params.key);
    return { status: 200, body: showCategory(row), etag: versionTag(row) };
  },
});

const putCategory = defineRoute({
  method: 'put',
  path: member,
  operationId: 'replaceCategory',
  tag,
  summary: 'Replace a category',
  description:
    'What the body leaves out gets its default. The lifecycle cannot be exchanged for one that lacks a state which entities of the category are in, and the behaviour cannot change while there are any.',
  access: 'admin',
  transaction: 'write',
  params: KeyParams,
  body: CategoryReplacement,
  answers: { 200: { description: 'The category as it now is.', schema: Category } },
  errors: ['not_found', 'in_use', 'configuration_full'],
  handle: async (call, tx) => {
    await lockConfiguration(tx);
    const row = await findCategory(tx, call.params.key);
    requireMatch(call, versionTag(row));
    requireAsRead(CategoryReplacement, call.body, showCategory(row));
    await replaceCategory(tx, call.actor, row, call.body);
    return { status: 200, body: showCategory(row), etag: versionTag(row) };
  },
});

const removeCategory = defineRoute({
  method: 'delete',
  path: member,
  operationId: 'deleteCategory',
  tag,
  summary: 'Delete a category',
  description: 'Refused while there are entities of it.',
  access: 'admin',
  transaction: 'write',
  params: KeyParams,
  answers: { 204: { description: 'It is gone.' } },
  errors: ['not_found', 'in_use'],
  handle: async (call, tx) => {
    await lockConfiguration(tx);
    const row = await findCategory(tx, call.params.key);
    requireMatch(call, versionTag(row));
    await deleteCategory(tx, call.actor, row);
    return { status: 204 };
  },
});

export const categoryRoutes: AnyRoute[] = [
  listCategories,
  postCategory,
  getCategory,
  putCategory,
  removeCategory,
];
