/** `/entities` and `/entities/{id}`: finding, reading, making and changing entities. */
import { z } from 'zod';
import { requireMatch } from '../http/entity-tag.ts';
import { listOf } from '../http/list.ts';
import { rawOrValue } from '../http/raw-json.ts';
import { requireAsRead } from '../http/read-only.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { followAutomatically, partakerOf } from '../subscriptions/follow.ts';
import { checkTexts } from './check-texts.ts';
import { createEntity } from './create-entity.ts';
import { Entity, EntityParams, EntityPatch, EntityQuery, NewEntity } from './entities.schema.ts';
import { findEntity } from './find-entity.ts';
import { entityPage } from './lists/entity-page.ts';
import { patchEntity } from './patch-entity.ts';
import { AREAS_OF_ENTITIES, requireAreaOfCategory, requireAreaOfEntity } from './require-area.ts';
import { type ListedEntity, showEntity } from './show-entity.ts';
import { withView } from './views/apply-view.ts';
import { byView } from './views/view.schema.ts';

const collection = '/api/wid/{slug}/entities';
const member = `${collection}/{id}`;
const tag = 'Entities';

const ListedEntities = listOf(Entity).extend({
  indexFilling: z
    .boolean()
    .optional()
    .describe(
      'True where the search goes by a filterable property and more than 2000 entities wait for its index, as for some minutes after a large import: some of them may lack. Absent otherwise.',
    ),
});

const listEntities = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listEntities',
  tag,
  summary: 'Search entities',
  description:
    'In order of creation, unless `sort` says otherwise. An entity must match all filters. A page may contain fewer items than `limit`, even none, although there are more: `nextCursor` is null only on the last page.',
  access: 'read',
  transaction: 'read',
  query: EntityQuery.extend(byView),
  answers: { 200: { description: 'A page of entities.', schema: ListedEntities } },
  errors: ['too_many_to_sort', 'invalid_condition', 'unknown_property', 'view_not_found'],
  // Somebody types, and each wait for the database is one for a processor.
  isGlance: ({ sort }) => sort === 'best',
  handle: async (call, tx) => {
    const page = await entityPage(tx, await withView(tx, call, call.query));
    const { entities, nextCursor, lacksWaiting } = page;
    const index = lacksWaiting === true ? { indexFilling: true } : {};
    return { status: 200, body: { items: entities.map(showListed), nextCursor, ...index } };
  },
});

/** Large properties go out as the database has written them. */
function showListed(row: ListedEntity) {
  return { ...showEntity({ ...row, properties: {} }), properties: rawOrValue(row.properties) };
}

const getEntity = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getEntity',
  tag,
  summary: 'Read an entity',
  description: 'Returns the current revision, with an `ETag` for `If-Match`.',
  access: 'read',
  transaction: 'glance',
  readsOne: true,
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
    'Creates the entity in the initial state of its category’s lifecycle. Orders need the area `procurement`, all other categories `engineering`. Children whose pending links name its E_Guid are linked to it.',
  access: AREAS_OF_ENTITIES,
  transaction: 'write',
  body: NewEntity,
  answers: { 201: { description: 'The entity.', schema: Entity } },
  errors: [
    'category_not_found',
    'category_hidden',
    'unknown_property',
    'guid_taken',
    'number_taken',
    'entity_not_found',
    'not_a_location',
    'entity_archived',
    'tree_too_large',
  ],
  handle: async ({ ctx, actor, areas, workspace, body }, tx) => {
    await requireAreaOfCategory(tx, { areas }, body.category);
    const { E_Guid: guid, ...values } = body;
    checkTexts(values, ctx.config);
    const { id } = await createEntity(tx, actor, { ...values, guid, byHand: true }, ctx.config);
    await followAutomatically(tx, partakerOf(actor), { type: 'entity', key: id });
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
    'Omitted fields stay as they are. A change of a released entity opens a new revision with the changed values; a body that changes nothing writes nothing. Change the state with a transition; the category is fixed. Orders need the area `procurement`, all other categories `engineering`. `E_Guid` is accepted if the entity has none: pending links are then created, and later syncs find the entity by it.',
  access: AREAS_OF_ENTITIES,
  transaction: 'write',
  params: EntityParams,
  body: EntityPatch,
  answers: { 200: { description: 'The changed entity.', schema: Entity } },
  errors: [
    'entity_not_found',
    'picture_not_found',
    'unknown_property',
    'guid_taken',
    'number_taken',
    'cycle',
    'not_a_location',
    'entity_archived',
    'tree_too_large',
  ],
  handle: async (call, tx) => {
    const { ctx, params, actor, body } = call;
    await requireAreaOfEntity(tx, call, params.id);
    const { name, number, properties, E_Guid: guid, parentLocation, picture } = body;
    checkTexts({ name, number }, ctx.config);
    const check = async (locked: { id: string; version: number }) => {
      requireMatch(call, String(locked.version));
      requireAsRead(EntityPatch, body, showEntity(await findEntity(tx, locked.id)));
    };
    const wanted = { name, number, properties, guid, parentLocation, picture };
    const { row } = await patchEntity(tx, actor, params.id, wanted, { limits: ctx.config, check });
    const changed = await findEntity(tx, row.id);
    return { status: 200, body: showEntity(changed), etag: String(changed.version) };
  },
});

export const entityRoutes: AnyRoute[] = [listEntities, postEntity, getEntity, changeEntity];
