/** `/entities` and `/entities/{id}`: finding, reading, making and changing entities. */
import { z } from 'zod';
import { requireMatch } from '../http/entity-tag.ts';
import { decodeCursor, encodeCursor, listOf } from '../http/list.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { checkTexts } from './check-texts.ts';
import { createEntity } from './create-entity.ts';
import { Entity, EntityParams, EntityPatch, EntityQuery, NewEntity } from './entities.schema.ts';
import { findEntity } from './find-entity.ts';
import { patchEntity } from './patch-entity.ts';
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

const postEntity = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createEntity',
  tag,
  summary: 'Create an entity',
  description:
    'In the initial state of its category’s lifecycle. Children that a sync named it the parent of before it existed are linked to it by its E_Guid.',
  access: 'write',
  transaction: 'write',
  body: NewEntity,
  answers: { 201: { description: 'The entity.', schema: Entity } },
  errors: ['category_not_found', 'category_hidden', 'unknown_property', 'guid_taken'],
  handle: async ({ ctx, actor, workspace, body }, tx) => {
    const { E_Guid: guid, ...values } = body;
    checkTexts(values, ctx.config);
    const { id } = await createEntity(tx, actor, { ...values, guid, byHand: true }, ctx.config);
    const row = await findEntity(tx, id);
    return {
      status: 201,
      headers: { Location: `/api/wid/${workspace.slug}/entities/${id}` },
      body: showEntity(row),
      etag: String(row.version),
    };
  },
});

const changeEntity = defineRoute({
  method: 'patch',
  path: member,
  operationId: 'updateEntity',
  tag,
  summary: 'Change an entity',
  description:
    'Fields that are absent stay as they are. A change to a released entity opens a new revision with the changed values; a body that changes nothing writes nothing. The state is changed by a transition; E_Guid and category are fixed.',
  access: 'write',
  transaction: 'write',
  params: EntityParams,
  body: EntityPatch,
  answers: { 200: { description: 'The entity as it now is.', schema: Entity } },
  errors: ['entity_not_found', 'unknown_property'],
  handle: async (call, tx) => {
    const { ctx, params, actor, body } = call;
    const { name, number, properties } = body;
    checkTexts({ name, number }, ctx.config);
    const { row } = await patchEntity(
      tx,
      actor,
      params.id,
      { name, number, properties },
      ctx.config,
      (locked) => requireMatch(call, String(locked.version)),
    );
    const changed = await findEntity(tx, row.id);
    return { status: 200, body: showEntity(changed), etag: String(changed.version) };
  },
});

export const entityRoutes: AnyRoute[] = [listEntities, postEntity, getEntity, changeEntity];
