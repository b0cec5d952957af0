/** The tree of locations: warehouses, shelves, bins (contract §3.11). */
import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import { invalidInput } from '../../http/bodies/validate-input.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../../http/list.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { Archived, CategoryKey, EntityId, EntityName, EntityNumber, StateName } from '../entities.schema.ts';
import { selectLocations } from '../locations.sql.ts';
import { EntityRef, resolveEntityId, resolveEntityIds } from '../resolve-entity.ts';

const IDS_MAX = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

const Location = z
  .object({
    id: EntityId,
    number: EntityNumber,
    name: EntityName,
    category: CategoryKey,
    state: StateName,
    parentLocation: EntityId.nullable().describe('The location that it lies in; null if it lies in none.'),
    path: z
      .array(z.string())
      .describe('Names of the locations that it lies in, the outermost first.')
      .meta({ examples: [['Main warehouse', 'Shelf A3']] }),
    hasChildren: z.boolean().describe('Whether other locations lie in it.'),
    archived: z.boolean().describe('Whether it is archived.'),
  })
  .meta({ id: 'Location' });

const LocationsQuery = ListQuery.extend({
  archived: Archived,
  parent: EntityRef.optional().describe('Only locations that lie directly in this one.'),
  below: EntityRef.optional().describe('Only this location and those that lie in it, at any level.'),
  top: z.enum(['true', 'false']).default('false').describe('Only locations that lie in no other.'),
  id: z
    .union([EntityRef.transform((one) => [one]), z.array(EntityRef).min(1).max(IDS_MAX)])
    .optional()
    .describe(`Only these locations, up to ${IDS_MAX}; may be repeated.`),
});

interface StoredLocation {
  id: string;
  number: string | null;
  name: string;
  category: string;
  state: string;
  parent_location_id: string | null;
  path: string[];
  has_children: boolean;
  archived_at: string | null;
}

const listLocations = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/locations',
  operationId: 'listLocations',
  tag: 'Entities',
  summary: 'List locations with their place in the tree',
  description:
    'All locations, or one level of the tree, or all below a location, by number; those without a number come first. `parent`, `below`, `top` and `id` exclude each other.',
  access: 'read',
  transaction: 'read',
  query: LocationsQuery,
  answers: { 200: { description: 'A page of locations.', schema: listOf(Location) } },
  errors: ['entity_not_found'],
  handle: async ({ query }, tx) => {
    const { limit, cursor, archived, parent, below, top, id } = query;
    const given = { parent, below, top: top === 'true' || undefined, ids: id };
    const named = (['parent', 'below', 'top', 'ids'] as const).filter((name) => given[name] !== undefined);
    const [source = 'all', second] = named;
    if (second !== undefined) {
      const message = 'parent, below, top and id exclude each other.';
      const pointer = second === 'ids' ? '/id' : `/${second}`;
      throw invalidInput([{ pointer, in: 'query', code: 'invalid', message }]);
    }
    const one = parent ?? below;
    const ids =
      one === undefined
        ? [...(await resolveEntityIds(tx, id ?? [])).values()]
        : [await resolveEntityId(tx, one)];
    const list = `locations ${source} ${ids.join()}`;
    const [number, after] = decodeCursor(list, cursor, z.tuple([z.string(), z.uuid()])) ?? ['', FIRST];
    const page = await readPage<StoredLocation>(
      tx,
      selectLocations(source),
      [tx.workspaceId, ids, number, after, limit + 1, archived],
      { limit, long: ['number', 'name', 'path'] },
    );
    const body = pageOf(list, page, (row) => [row.number ?? '', row.id], show);
    return { status: 200, body };
  },
});

function show(row: StoredLocation) {
  return {
    id: row.id,
    number: row.number,
    name: row.name,
    category: row.category,
    state: row.state,
    parentLocation: row.parent_location_id,
    path: row.path,
    hasChildren: row.has_children,
    archived: row.archived_at !== null,
  };
}

export const locationRoutes: AnyRoute[] = [listLocations];
