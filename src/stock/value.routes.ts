/** `/stock/value`: what stock is worth, and other costs that it gets later (contract §4.17). */
import { z } from 'zod';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { EntityRef, resolveEntityId } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { sendTable } from '../http/answers/send-table.ts';
import { invalidInput } from '../http/bodies/validate-input.ts';
import { ListQuery, listOf } from '../http/list.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { exportValues } from './value/export-values.ts';
import { listLayers, listValues, requireCosting, totalValue, type Valued } from './value/list-value.ts';
import { revalueStock } from './value/revalue-stock.ts';
import {
  CostLayer,
  NewRevaluation,
  Revalued,
  StockValue,
  StockValueTotal,
  ValueExportQuery,
  ValueQuery,
  ValueTotalQuery,
} from './value/value.schema.ts';

const path = '/api/wid/{slug}/stock/value';
const tag = 'Stock';
const ItemParams = z.strictObject({ itemEntityId: EntityRef });

const values = defineRoute({
  method: 'get',
  path,
  operationId: 'listStockValues',
  tag,
  summary: 'List what stock is worth, by item',
  description:
    'Items with stock, in order of their ids. A page may be shorter than its limit and still have a next one. Stock whose cost is unknown is in `unknownQuantity`, and in no value.',
  access: 'read',
  transaction: 'read',
  query: ValueQuery,
  answers: { 200: { description: 'A page of items.', schema: listOf(StockValue) } },
  errors: ['entity_not_found', 'costing_off'],
  handle: async ({ query: { at, below, item, ...page } }, tx) => ({
    status: 200,
    body: await listValues(tx, await valuedOf(tx, { at, below, item }), page),
  }),
});

/** Throws `entity_not_found`, and `validation_failed` for both a location and an item. */
async function valuedOf(tx: Tx, { at, below, item }: z.output<typeof ValueExportQuery>): Promise<Valued> {
  if (below !== undefined && item !== undefined) {
    const message = '"below" cannot be combined with "item".';
    throw invalidInput([{ pointer: '/below', in: 'query', code: 'invalid', message }]);
  }
  const ref = below ?? item;
  const of = below !== undefined ? 'below' : item !== undefined ? 'item' : 'all';
  return { at, of, entityId: ref === undefined ? undefined : await resolveEntityId(tx, ref) };
}

const download = defineRoute({
  method: 'get',
  path: `${path}/export`,
  operationId: 'exportStockValues',
  tag,
  summary: 'Download what stock is worth as CSV',
  description:
    'Items with stock, in order of their ids, all as of one moment. Texts that look like formulas are prefixed with an apostrophe. It ends when its key is revoked.',
  access: 'read',
  transaction: 'none',
  query: ValueExportQuery,
  answers: {
    200: {
      description: 'The table.',
      alternatives: { 'text/csv': 'One item per line, with a header line.' },
    },
  },
  errors: ['not_acceptable', 'too_many_streams', 'entity_not_found', 'costing_off'],
  handle: async (call) => {
    const { ctx, req, workspace, query, gone } = call;
    if (req.accepts('text/csv') === false)
      throw new AppError('not_acceptable', 'The table is to be had as text/csv.');
    // A refusal comes before the first line.
    const valued = await inTransaction(
      ctx.db,
      { workspaceId: workspace.id },
      async (tx) => {
        await requireCosting(tx);
        return valuedOf(tx, query);
      },
      { readOnly: true, gone },
    );
    const lines = exportValues(ctx.db, workspace.id, valued, gone);
    return sendTable(call, `stock-value-${workspace.slug}.csv`, lines);
  },
});

const total = defineRoute({
  method: 'get',
  path: `${path}/total`,
  operationId: 'getStockValueTotal',
  tag,
  summary: 'Add up what all stock is worth',
  description: 'As of one moment, whatever is recorded meanwhile. 200 000 positions take some seconds.',
  access: 'read',
  transaction: 'none',
  readsMuch: true,
  query: ValueTotalQuery,
  answers: { 200: { description: 'The total.', schema: StockValueTotal } },
  errors: ['entity_not_found', 'costing_off'],
  handle: async ({ ctx, workspace, query: { at, below }, gone }) => {
    const workspaceId = workspace.id;
    const entityId =
      below === undefined
        ? undefined
        : await inTransaction(ctx.db, { workspaceId }, (tx) => resolveEntityId(tx, below), {
            readOnly: true,
            gone,
          });
    const of = below === undefined ? 'all' : 'below';
    return { status: 200, body: await totalValue(ctx.db, workspaceId, { at, of, entityId }, gone) };
  },
});

const layers = defineRoute({
  method: 'get',
  path: `${path}/{itemEntityId}/layers`,
  operationId: 'listCostLayers',
  tag,
  summary: 'List what is left of the cost layers of an item',
  description: 'By location, and in the order in which they are used.',
  access: 'read',
  transaction: 'read',
  params: ItemParams,
  query: ListQuery,
  answers: { 200: { description: 'A page of layers.', schema: listOf(CostLayer) } },
  errors: ['entity_not_found', 'costing_off'],
  handle: async ({ params, query }, tx) => ({
    status: 200,
    body: await listLayers(tx, await resolveEntityId(tx, params.itemEntityId), query),
  }),
});

const revalue = defineRoute({
  method: 'post',
  path: `${path}/{itemEntityId}/revaluations`,
  operationId: 'revalueStock',
  tag,
  summary: 'Give stock of an item another cost',
  description:
    'What is on hand gets the cost, at all locations or at one, of all layers or of one. What was used before keeps its cost: nothing that was recorded changes.',
  access: 'procurement',
  transaction: 'write',
  params: ItemParams,
  body: NewRevaluation,
  answers: { 201: { description: 'What was revalued.', schema: Revalued } },
  errors: ['entity_not_found', 'costing_off', 'nothing_to_revalue', 'standard_cost_set', 'tree_too_large'],
  handle: async ({ actor, params, body }, tx) => ({
    status: 201,
    body: await revalueStock(tx, actor, params.itemEntityId, body),
  }),
});

export const stockValueRoutes: readonly AnyRoute[] = [values, download, total, layers, revalue];
