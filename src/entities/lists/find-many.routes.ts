/** Over many entities at once: how many of each kind there are, and which have these numbers. */

import { z } from 'zod';
import { entityLimits } from '../../config.ts';
import { rfc3339 } from '../../db/time.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES } from '../../http/route.ts';
import {
  CategoryKey,
  EntityId,
  EntityName,
  EntityNumber,
  EntityQuery,
  Moment,
  RevisionLabel,
  StateName,
} from '../entities.schema.ts';
import { revisionLabel } from '../revision-label.ts';
import { withView } from '../views/apply-view.ts';
import { byView } from '../views/view.schema.ts';
import { countWhere } from './count-where.ts';
import { countFacets, countFoundFacets, lookUpNumbers } from './facets.sql.ts';
import { scopeOfSearch } from './scope-of-search.ts';
import { preferIndexOrder } from './search-entities.sql.ts';
import { hasTrigram, numberSought } from './search-patterns.ts';

const tag = 'Entities';
/** Maximum count of one category and state; people see "10 000 or more". */
const COUNTED_MAX = 10_000;
const FOUND_MAX = 5000;
/** Looked at one after the other for a text that no index has. */
const LOOKED_MAX = 10_000;
const NUMBERS_MAX = 1000;
const PROPERTIES_COUNTED_MAX = 10;
const SAME_NUMBER_MAX = 10;

const Facets = z
  .object({
    items: z.array(
      z.object({
        category: CategoryKey,
        state: StateName,
        count: z.int().describe('The count.'),
        isAtLeast: z.boolean().describe('Whether there are more, because counting stops at a bound.'),
      }),
    ),
    properties: z
      .array(
        z.object({
          property: z
            .string()
            .describe('Key of the property.')
            .meta({ examples: ['Material'] }),
          values: z.array(
            z.object({
              value: z
                .string()
                .describe('The value as text; of a reference the id of the entity, if there is one.')
                .meta({ examples: ['EN AW-6082'] }),
              count: z.int(),
              isAtLeast: z.boolean(),
            }),
          ),
          more: z.boolean().describe('Whether there may be further values.'),
        }),
      )
      .optional()
      .describe(
        'Counts of values, commonest first, at most 200 of each property; only if `values` asks for them.',
      ),
  })
  .describe(
    'Number of entities of each category and state that has any, and of each value of the properties asked for.',
  )
  .meta({ id: 'EntityFacets' });

const valuesOf = z.string().min(1).max(255);

const FacetQuery = EntityQuery.pick({
  category: true,
  state: true,
  role: true,
  q: true,
  archived: true,
  where: true,
}).extend({
  ...byView,
  values: z
    .union([valuesOf.transform((one) => [one]), z.array(valuesOf).min(1).max(PROPERTIES_COUNTED_MAX)])
    .optional()
    .describe('Key of a property whose values are counted; may be repeated.')
    .meta({ examples: ['Material'] }),
});

const facets = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/entities/facets',
  operationId: 'countEntities',
  tag,
  summary: 'Count entities by category and state',
  description: `With the filters of the search. Up to ${COUNTED_MAX} of each pair are counted, and up to ${FOUND_MAX} that a text finds; a text that no index has, such as \`--\`, is looked for in the oldest ${LOOKED_MAX} entities alone; \`isAtLeast\` says where there are more. With \`where\` or \`values\`, as many as ${COUNTED_MAX} entities are looked at; \`values\` without any filter are counted in the index of a filterable property, archived entities included.`,
  access: 'read',
  transaction: 'read',
  query: FacetQuery,
  answers: { 200: { description: 'The counts.', schema: Facets } },
  errors: ['invalid_condition', 'unknown_property', 'view_not_found'],
  handle: async (call, tx) => {
    const query = await withView(tx, call, call.query);
    const { where = [], values = [] } = query;
    if (where.length > 0) {
      const { items, properties } = await countWhere(tx, query, values);
      return { status: 200, body: { items, ...(values.length === 0 ? {} : { properties }) } };
    }
    const properties =
      values.length === 0 ? {} : { properties: (await countWhere(tx, query, values)).properties };
    const scope = await scopeOfSearch(tx, query);
    if (scope === null) return { status: 200, body: { items: [], ...properties } };
    const { categories, states } = scope;
    interface Row {
      category: string;
      state: string;
      count: number;
      cut?: boolean;
    }
    if (query.q !== undefined) {
      const number = numberSought(query.q);
      const by = number === null ? (hasTrigram(query.q) ? 'index' : 'window') : 'number';
      const rows = await tx.query<Row>(countFoundFacets(by), [
        tx.workspaceId,
        categories,
        states,
        by === 'window' ? LOOKED_MAX : FOUND_MAX,
        number ?? query.q,
        query.archived,
      ]);
      const items = rows.map(({ cut, ...row }) => ({ ...row, isAtLeast: cut === true }));
      return { status: 200, body: { items, ...properties } };
    }
    await tx.query(preferIndexOrder);
    const rows = await tx.query<Row>(countFacets, [
      tx.workspaceId,
      categories,
      states,
      COUNTED_MAX,
      query.archived,
    ]);
    const items = rows.map((row) => ({
      ...row,
      count: Math.min(row.count, COUNTED_MAX),
      isAtLeast: row.count > COUNTED_MAX,
    }));
    return { status: 200, body: { items, ...properties } };
  },
});

const Lookup = z
  .strictObject({
    numbers: z.array(z.string().min(1).max(entityLimits.numberCharsMax)).min(1).max(NUMBERS_MAX),
  })
  .meta({ id: 'EntityLookup' });

const LookedUp = z
  .object({
    items: z.array(
      z.object({
        number: z.string().describe('The number as requested.'),
        entities: z
          .array(
            z.object({
              id: EntityId,
              E_Guid: z.guid().nullable(),
              number: EntityNumber,
              name: EntityName,
              category: CategoryKey,
              state: StateName,
              revision: RevisionLabel,
              archivedAt: Moment.nullable().describe('When it was archived; null if it is in use.'),
            }),
          )
          .describe(
            `Those that have the number, archived ones too, oldest first, at most ${SAME_NUMBER_MAX}; numbers need not be unique.`,
          ),
      }),
    ),
  })
  .meta({ id: 'LookedUpEntities' });

interface FoundNumber {
  place: number;
  id: string;
  guid: string | null;
  number: string;
  name: string;
  category: string;
  state: string;
  revision_number: number;
  archived_at: string | null;
}

const lookup = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/entities/lookup',
  operationId: 'lookUpEntities',
  tag,
  summary: 'Find entities by their numbers',
  description: `Up to ${NUMBERS_MAX} numbers in a call, exact. The answer has an item for each, in the order asked.`,
  access: 'read',
  transaction: 'read',
  body: Lookup,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 200: { description: 'The matches.', schema: LookedUp } },
  handle: async ({ body }, tx) => {
    await tx.query(preferIndexOrder);
    const rows = await tx.query<FoundNumber>(lookUpNumbers, [tx.workspaceId, body.numbers, SAME_NUMBER_MAX]);
    const byPlace = Map.groupBy(rows, (row) => row.place);
    const items = body.numbers.map((number, index) => ({
      number,
      entities: (byPlace.get(index + 1) ?? []).map((row) => ({
        id: row.id,
        E_Guid: row.guid,
        number: row.number,
        name: row.name,
        category: row.category,
        state: row.state,
        revision: revisionLabel(row.revision_number),
        archivedAt: row.archived_at === null ? null : rfc3339(row.archived_at),
      })),
    }));
    return { status: 200, body: { items } };
  },
});

export const findManyRoutes: AnyRoute[] = [facets, lookup];
