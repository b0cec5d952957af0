/** `/stock/value/{itemEntityId}/standards` and `/variances`: the standard cost of an item (contract §4.17). */
import { z } from 'zod';
import { EntityRef, resolveEntityId } from '../entities/resolve-entity.ts';
import { ListQuery, listOf } from '../http/list.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { listStandards, listVariances } from './value/list-standards.ts';
import { setStandard } from './value/set-standard.ts';
import {
  CostVariance,
  NewStandardCost,
  StandardCost,
  StandardCostSet,
  VarianceTotal,
} from './value/standard.schema.ts';

const path = '/api/wid/{slug}/stock/value/{itemEntityId}';
const tag = 'Stock';
const params = z.strictObject({ itemEntityId: EntityRef });

const set = defineRoute({
  method: 'post',
  path: `${path}/standards`,
  operationId: 'setStandardCost',
  tag,
  summary: 'Set or remove the standard cost of an item',
  description:
    'What is on hand is revalued at it, and what arrives from then on comes in at it, whatever was paid. Goods in transit keep their cost. Nothing that was recorded changes. With `cost` null the item has none from then on, and what is on hand keeps its cost.',
  access: 'procurement',
  transaction: 'write',
  params,
  body: NewStandardCost,
  answers: { 201: { description: 'The standard cost, and what was revalued.', schema: StandardCostSet } },
  errors: ['entity_not_found', 'not_an_item', 'costing_off', 'tree_too_large'],
  handle: async ({ actor, params: { itemEntityId }, body }, tx) => ({
    status: 201,
    body: await setStandard(tx, actor, itemEntityId, body),
  }),
});

const standards = defineRoute({
  method: 'get',
  path: `${path}/standards`,
  operationId: 'listStandardCosts',
  tag,
  summary: 'List the standard costs of an item',
  description: 'The newest first: it is the one in force, unless its `cost` is null.',
  access: 'read',
  transaction: 'read',
  params,
  query: ListQuery,
  answers: { 200: { description: 'A page of standard costs.', schema: listOf(StandardCost) } },
  errors: ['entity_not_found', 'costing_off'],
  handle: async ({ params: { itemEntityId }, query }, tx) => ({
    status: 200,
    body: await listStandards(tx, await resolveEntityId(tx, itemEntityId), query),
  }),
});

const variances = defineRoute({
  method: 'get',
  path: `${path}/variances`,
  operationId: 'listCostVariances',
  tag,
  summary: 'List what arrived of an item at its standard cost, with what was paid',
  description:
    'The newest first. `variance` is what was paid less the standard cost of the quantity. `totals` are of the page.',
  access: 'read',
  transaction: 'read',
  params,
  query: ListQuery,
  answers: {
    200: {
      description: 'A page of arrivals.',
      schema: listOf(CostVariance).extend({
        totals: z.array(VarianceTotal).meta({ description: 'Sums of the page, by kind.' }),
      }),
    },
  },
  errors: ['entity_not_found', 'costing_off'],
  handle: async ({ params: { itemEntityId }, query }, tx) => ({
    status: 200,
    body: await listVariances(tx, await resolveEntityId(tx, itemEntityId), query),
  }),
});

export const standardCostRoutes: readonly AnyRoute[] = [set, standards, variances];
