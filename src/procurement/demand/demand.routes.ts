/** An entity at one look, and what still comes and goes of an item. */
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { DemandParams, EntitySummary, ItemDemand, SummaryParams } from './demand.schema.ts';
import { findSubject, readDemand, summariseEntity } from './read-demand.ts';

const member = '/api/wid/{slug}/entities/{id}';

const getSummary = defineRoute({
  method: 'get',
  path: `${member}/summary`,
  operationId: 'getEntitySummary',
  tag: 'Entities',
  summary: 'Read a summary of an entity',
  description:
    'Stock, requirements, on-order quantities and the size of the structure, in one call. Counting stops at a bound, and says so.',
  access: 'read',
  transaction: 'read',
  params: SummaryParams,
  answers: { 200: { description: 'The summary.', schema: EntitySummary } },
  errors: ['entity_not_found'],
  handle: async ({ params }, tx) => ({
    status: 200,
    body: await summariseEntity(tx, await findSubject(tx, params.id)),
  }),
});

const getDemand = defineRoute({
  method: 'get',
  path: `${member}/demand`,
  operationId: 'getItemDemand',
  tag: 'Procurement',
  summary: 'Read the demand and supply of an item',
  description:
    'Requirements and order lines in order of their dates, with what is available after each. Drafts do not count; what is reserved for a requirement or sales line is not available already, and what is on order for a requirement adds no more than that requirement still takes.',
  access: 'read',
  transaction: 'read',
  params: DemandParams,
  answers: { 200: { description: 'The demand.', schema: ItemDemand } },
  errors: ['entity_not_found', 'not_an_item'],
  handle: async ({ params }, tx) => ({
    status: 200,
    body: await readDemand(tx, await findSubject(tx, params.id)),
  }),
});

export const demandRoutes: readonly AnyRoute[] = [getSummary, getDemand];
