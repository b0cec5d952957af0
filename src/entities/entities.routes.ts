/** `/entities` and `/entities/{id}`: finding, reading, making and changing entities. */
import { z } from 'zod';
import { decodeCursor, encodeCursor, listOf } from '../http/list.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { Entity, EntityParams, EntityQuery } from './entities.schema.ts';
import { findEntity } from './find-entity.ts';
import { searchEntities } from './search-entities.ts';
import { showEntity } from './show-entity.ts';

const collection = '/api/wid/{slug}/entities';
const member = `${collection}/{id}`;
const tag = 'Entities';

const listEntities = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listEntities',
  tag,
  summary: 'Search entities',
  description:
    'In order of their ids, which is the order in which they were made. All filters given must fit. A page may hold fewer items than `limit`, none even, while there are more: `nextCursor` is null on the last page and only there.',
  access: 'read',
  transaction: 'read',
  query: EntityQuery,
  answers: { 200: { description: 'A page of entities.', schema: listOf(Entity) } },
  handle: async ({ query }, tx) => {
    const after = decodeCursor('entities', query.cursor, z.uuid());
    const page = await searchEntities(tx, query, after, query.limit);
    const nextCursor = page.after === null ? null : encodeCursor('entities', page.after);
    return { status: 200, body: { items: page.entities.map(showEntity), nextCursor } };
  },
});

const getEntity = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getEntity',
  tag,
  summary: 'Read an entity',
  description: 'Its current revision, with an `ETag` for `If-Match`.',
  access: 'read',
  transaction: 'read',
  params: EntityParams,
  answers: { 200: { description: 'The entity.', schema: Entity } },
  errors: ['entity_not_found'],
  handle: async ({ params }, tx) => {
    const row = await findEntity(tx, params.id);
    return { status: 200, body: showEntity(row), etag: String(row.version) };
  },
});

export const entityRoutes: AnyRoute[] = [listEntities, getEntity];
