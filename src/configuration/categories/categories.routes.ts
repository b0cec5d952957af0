/** `/categories` and `/categories/{key}`: reading and changing categories. */
import { ListQuery, listOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { formatNumber, nextValue } from '../allocate-numbers.ts';
import { created, pageOfKind, shown, takeRow } from '../answer-kind.ts';
import { findByKey } from '../kind.ts';
import { KeyParams } from '../text.schema.ts';
import { Category, CategoryReplacement, NewCategory, NextNumber } from './category.schema.ts';
import { categoryKind, showCategory } from './category-kind.ts';
import { createCategory, deleteCategory, replaceCategory } from './change-category.ts';

const collection = '/api/wid/{slug}/categories';
const member = `${collection}/{key}`;
const tag = 'Configuration';

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
  handle: ({ query }, tx) => pageOfKind(tx, categoryKind, query),
});

const postCategory = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createCategory',
  tag,
  summary: 'Create a category',
  access: 'configuration',
  transaction: 'write',
  body: NewCategory,
  answers: { 201: { description: 'The new category; `Location` is its address.', schema: Category } },
  errors: ['key_taken', 'configuration_full', 'unknown_property'],
  handle: async ({ actor, workspace, body }, tx) => {
    const row = await createCategory(tx, actor, body);
    return created(workspace, categoryKind, row);
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
  handle: async ({ params }, tx) => shown(categoryKind, await findByKey(tx, categoryKind, params.key)),
});

const getNextNumber = defineRoute({
  method: 'get',
  path: `${member}/next-number`,
  operationId: 'getNextNumber',
  tag,
  summary: 'Read the next number of a category',
  description:
    'The number that the next entity of the category gets if none is sent, or if the scheme numbers it. It is not reserved: whoever creates an entity first gets it.',
  access: 'read',
  transaction: 'read',
  params: KeyParams,
  answers: { 200: { description: 'The number.', schema: NextNumber } },
  errors: ['not_found'],
  handle: async ({ params }, tx) => {
    const { key, numbering } = showCategory(await findByKey(tx, categoryKind, params.key));
    return { status: 200, body: { number: formatNumber(numbering.pattern, await nextValue(tx, key)) } };
  },
});

const putCategory = defineRoute({
  method: 'put',
  path: member,
  operationId: 'replaceCategory',
  tag,
  summary: 'Replace a category',
  description:
    'Fields omitted from the body are reset to their defaults. The lifecycle cannot be replaced by one that lacks a state of existing entities, and the behaviour cannot change while the category has entities.',
  access: 'configuration',
  transaction: 'write',
  params: KeyParams,
  body: CategoryReplacement,
  answers: { 200: { description: 'The changed category.', schema: Category } },
  errors: ['not_found', 'in_use', 'configuration_full', 'unknown_property'],
  handle: async (call, tx) => {
    const row = await takeRow(tx, categoryKind, call);
    requireAsRead(CategoryReplacement, call.body, showCategory(row));
    await replaceCategory(tx, call.actor, row, call.body);
    return shown(categoryKind, row);
  },
});

const removeCategory = defineRoute({
  method: 'delete',
  path: member,
  operationId: 'deleteCategory',
  tag,
  summary: 'Delete a category',
  description: 'Refused while the category has entities.',
  access: 'configuration',
  transaction: 'write',
  params: KeyParams,
  answers: { 204: { description: 'It was deleted.' } },
  errors: ['not_found', 'in_use'],
  handle: async (call, tx) => {
    const row = await takeRow(tx, categoryKind, call);
    await deleteCategory(tx, call.actor, row);
    return { status: 204 };
  },
});

export const categoryRoutes: AnyRoute[] = [
  listCategories,
  postCategory,
  getCategory,
  getNextNumber,
  putCategory,
  removeCategory,
];
