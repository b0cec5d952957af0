/** `/property-definitions` and `/property-definitions/{key}`: reading and changing property definitions. */

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
import { createPropertyDefinition } from './create-property-definition.ts';
import { deletePropertyDefinition } from './delete-property-definition.ts';
import { findPropertyDefinition } from './find-property-definition.ts';
import { PropertyDefinitionRow } from './property-definition.entity.ts';
import {
  NewPropertyDefinition,
  PropertyDefinition,
  PropertyDefinitionReplacement,
} from './property-definition.schema.ts';
import { replacePropertyDefinition } from './replace-property-definition.ts';
import { showPropertyDefinition } from './show-property-definition.ts';

const collection = '/api/wid/{slug}/property-definitions';
const member = `${collection}/{key}`;
const tag = 'Configuration';

/** Making objects of them is one turn of the event loop. */
const ROWS_AT_ONCE = 250;

const listPropertyDefinitions = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listPropertyDefinitions',
  tag,
  summary: 'List property definitions',
  description: 'In order of their keys.',
  access: 'read',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of property definitions.', schema: listOf(PropertyDefinition) } },
  handle: async ({ query }, tx) => {
    const after = decodeCursor('property-definitions', query.cursor, z.string());
    const { workspaceId } = tx;
    const page = await readPage<{ key: string }>(
      tx,
      selectKeys('property_definition'),
      [workspaceId, after, query.limit + 1],
      { limit: query.limit, long: ['key', 'name'], columns: 'r.key' },
    );
    const rows: PropertyDefinitionRow[] = [];
    for (let from = 0; from < page.rows.length; from += ROWS_AT_ONCE) {
      const keys = page.rows.slice(from, from + ROWS_AT_ONCE).map(({ key }) => key);
      const where = { workspaceId, key: { $in: keys } };
      rows.push(...(await tx.em.find(PropertyDefinitionRow, where, { orderBy: { key: 'asc' } })));
    }
    const body = pageOf(
      'property-definitions',
      { rows, more: page.more },
      (row) => row.key,
      showPropertyDefinition,
    );
    return { status: 200, body };
  },
});

const postPropertyDefinition = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createPropertyDefinition',
  tag,
  summary: 'Create a property definition',
  access: 'admin',
  transaction: 'write',
  body: NewPropertyDefinition,
  answers: {
    201: {
      description: 'The new property definition; `Location` is its address.',
      schema: PropertyDefinition,
    },
  },
  errors: ['key_taken', 'configuration_full'],
  handle: async ({ actor, workspace, body }, tx) => {
    const row = await createPropertyDefinition(tx, actor, body);
    const address = `/api/wid/${workspace.slug}/property-definitions/${encodeURIComponent(row.key)}`;
    return {
      status: 201,
      body: showPropertyDefinition(row),
      etag: versionTag(row),
      headers: { Location: address },
    };
  },
});

const getPropertyDefinition = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getPropertyDefinition',
  tag,
  summary: 'Read a property definition',
  access: 'read',
  transaction: 'read',
  params: KeyParams,
  answers: { 200: { description: 'The property definition.', schema: PropertyDefinition } },
  errors: ['not_found'],
  handle: async ({ params }, tx) => {
    const row = await findPropertyDefinition(tx, params.key);
    return { status: 200, body: showPropertyDefinition(row), etag: versionTag(row) };
  },
});

const putPropertyDefinition = defineRoute({
  method: 'put',
  path: member,
  operationId: 'replacePropertyDefinition',
  tag,
  summary: 'Replace a property definition',
  description: 'The type cannot change once an entity has carried a value.',
  access: 'admin',
  transaction: 'write',
  params: KeyParams,
  body: PropertyDefinitionReplacement,
  answers: { 200: { description: 'The property definition as it now is.', schema: PropertyDefinition } },
  errors: ['not_found', 'in_use', 'configuration_full'],
  handle: async (call, tx) => {
    await lockConfiguration(tx);
    const row = await findPropertyDefinition(tx, call.params.key);
    requireMatch(call, versionTag(row));
    requireAsRead(PropertyDefinitionReplacement, call.body, showPropertyDefinition(row));
    await replacePropertyDefinition(tx, call.actor, row, call.body);
    return { status: 200, body: showPropertyDefinition(row), etag: versionTag(row) };
  },
});

const removePropertyDefinition = defineRoute({
  method: 'delete',
  path: member,
  operationId: 'deletePropertyDefinition',
  tag,
  summary: 'Delete a property definition',
  description: 'Refused once an entity has carried a value.',
  access: 'admin',
  transaction: 'write',
  params: KeyParams,
  answers: { 204: { description: 'It is gone.' } },
  errors: ['not_found', 'in_use'],
  handle: async (call, tx) => {
    await lockConfiguration(tx);
    const row = await findPropertyDefinition(tx, call.params.key);
    requireMatch(call, versionTag(row));
    await deletePropertyDefinition(tx, call.actor, row);
    return { status: 204 };
  },
});

export const propertyDefinitionRoutes: AnyRoute[] = [
  listPropertyDefinitions,
  postPropertyDefinition,
  getPropertyDefinition,
  putPropertyDefinition,
  removePropertyDefinition,
];
