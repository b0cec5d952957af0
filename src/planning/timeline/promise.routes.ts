/** `/entities/{id}/promise`: by when a quantity of an item can be promised (contract §4.15). */
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { findPromise } from './find-promise.ts';
import { Promised, PromiseParams, PromiseQuery } from './promise.schema.ts';

const getPromise = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/entities/{id}/promise',
  operationId: 'getPromise',
  tag: 'Procurement',
  summary: 'Find by when a quantity of an item can be promised',
  description:
    'Available to promise: from stock and open order lines, while all other needs keep theirs. Capable to promise: with new orders for the item and its components, by their lead times, while nothing else comes later. It is computed by the rules of a planning run, with the working days of the settings of stock, and reserves nothing. If the item, or a component, is part of very many others, the orders that the newest planning run of the whole workspace found stand for what these need: `planningRun` names it.',
  access: 'read',
  transaction: 'read',
  readsMuch: true,
  params: PromiseParams,
  query: PromiseQuery,
  answers: { 200: { description: 'The days.', schema: Promised } },
  errors: ['entity_not_found', 'entity_archived', 'not_an_item', 'quantity_out_of_range', 'tree_too_large'],
  handle: async ({ ctx, params, query }, tx) => ({
    status: 200,
    body: await findPromise(tx, { ...params, ...query }, ctx.config),
  }),
});

export const promiseRoutes: readonly AnyRoute[] = [getPromise];
