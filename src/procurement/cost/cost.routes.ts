/** `/entities/{id}/cost` and `/rollup`: what an item costs, and a property added up (contract §4.14). */
import { today } from '../../calendar/days.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { findRevisions } from '../../entities/revisions/read-revisions.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { sendTable } from '../../http/answers/send-table.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { findSubject, requireItem } from '../demand/read-demand.ts';
import { amountOf } from '../records/refusals.ts';
import { Cost, CostParams, CostQuery } from './cost.schema.ts';
import { findCost } from './find-cost.ts';
import { findRollup } from './find-rollup.ts';
import { Rollup, RollupQuery } from './rollup.schema.ts';
import { exportCost, showCost } from './show-cost.ts';

const getCost = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/entities/{id}/cost',
  operationId: 'getCost',
  tag: 'Procurement',
  summary: 'Calculate the cost of an item',
  description:
    'Explodes the structure down to what is purchased: items without components, and items whose planning says `buy`. Each is priced at its whole quantity, with losses, by the supplier part that its planning prefers or its first active one, and the price break that the ordered quantity reaches. An item without a price is listed in `unknown` and never counts as zero. With `currency` the totals are converted, too; a currency without a rate is named in `missing`, and its amounts are in no converted total. With `revision` the structure of that revision is priced, so that two revisions can be compared.',
  access: 'read',
  transaction: 'none',
  readsMuch: true,
  params: CostParams,
  query: CostQuery,
  answers: {
    200: {
      description: 'The cost.',
      schema: Cost,
      alternatives: { 'text/csv': 'All items, one a line, with a header line.' },
    },
  },
  errors: [
    'entity_not_found',
    'not_an_item',
    'revision_not_found',
    'cycle',
    'tree_too_large',
    'zero_quantity',
    'quantity_out_of_range',
    'not_acceptable',
    'too_many_streams',
  ],
  handle: async (call) => {
    const { ctx, gone, params, query, req, workspace } = call;
    const accepted = req.accepts(['application/json', 'text/csv']);
    if (accepted === false)
      throw new AppError('not_acceptable', 'The cost is available as application/json or text/csv.');
    const read = <T>(work: (tx: Tx) => Promise<T>) =>
      inTransaction(ctx.db, { workspaceId: workspace.id }, work, { readOnly: true, gone });
    const quantity = amountOf(query.quantity, 'quantity');
    const { currency = null, revision = null } = query;
    const wanted = { quantity, day: query.at ?? today(), currency, revision };
    const { item, cost, shown } = await read(async (tx) => {
      const found = await findSubject(tx, params.id);
      requireItem(found);
      const basis = { linksMax: ctx.config.TREE_ITEMS_MAX };
      if (revision !== null) await findRevisions(tx, found.id, [revision]);
      const known = await findCost(tx, found.id, { ...wanted, ...basis });
      const body = accepted === 'text/csv' ? null : await showCost(tx, found.id, known, wanted);
      return { item: found, cost: known, shown: body };
    });
    if (shown !== null) return { status: 200, body: shown };
    return sendTable(call, `cost-${item.id}.csv`, exportCost(read, cost, new Slices(gone)));
  },
});

const getRollup = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/entities/{id}/rollup',
  operationId: 'getRollup',
  tag: 'Procurement',
  summary: 'Add up a property over a structure',
  description:
    'Explodes the structure as the cost does, without losses, and adds up a numeric property of what is purchased, such as its mass. An item without a value is listed in `unknown` and never counts as zero. `stated` is the value that the item has itself.',
  access: 'read',
  transaction: 'read',
  readsMuch: true,
  params: CostParams,
  query: RollupQuery,
  answers: { 200: { description: 'The sum.', schema: Rollup } },
  errors: [
    'entity_not_found',
    'not_an_item',
    'unknown_property',
    'revision_not_found',
    'cycle',
    'tree_too_large',
    'zero_quantity',
    'quantity_out_of_range',
  ],
  handle: async ({ ctx, params, query: { property, quantity, revision = null } }, tx) => {
    const found = await findSubject(tx, params.id);
    requireItem(found);
    if (revision !== null) await findRevisions(tx, found.id, [revision]);
    const basis = { linksMax: ctx.config.TREE_ITEMS_MAX, revision };
    const body = await findRollup(tx, found.id, {
      property,
      quantity: amountOf(quantity, 'quantity'),
      ...basis,
    });
    return { status: 200, body };
  },
});

export const costRoutes: readonly AnyRoute[] = [getCost, getRollup];
