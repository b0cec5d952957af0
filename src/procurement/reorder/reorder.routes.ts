/** `/planning`: how items are reordered, and what is below its point (contract §4.13). */
import { z } from 'zod';
import { requireMatch } from '../../http/entity-tag.ts';
import { listOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES } from '../../http/route.ts';
import { lineMakingErrors } from '../records/procurement-errors.ts';
import { amountOf, atLine } from '../records/refusals.ts';
import { showCreatedOrder } from '../records/show-procurement.ts';
import { changePlanning, readPlanning, type ShownPlanning } from './item-planning.ts';
import {
  ItemPlanning,
  NewItemPlanning,
  PlanningParams,
  Reordered,
  ReorderOrders,
  ReorderProposal,
  ReorderQuery,
  ReorderTotal,
} from './planning.schema.ts';
import { listReorder, orderProposals } from './reorder.ts';

const tag = 'Procurement';
const planning = '/api/wid/{slug}/planning';
const member = `${planning}/items/{itemEntityId}`;

function answer({ shown, version }: ShownPlanning) {
  return { status: 200 as const, body: shown, etag: String(version) };
}

const getPlanning = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getItemPlanning',
  tag,
  summary: 'Read how an item is reordered',
  access: 'read',
  transaction: 'read',
  params: PlanningParams,
  answers: { 200: { description: 'The planning.', schema: ItemPlanning } },
  errors: ['entity_not_found', 'not_an_item'],
  handle: async ({ params }, tx) => answer(await readPlanning(tx, params.itemEntityId)),
});

const putPlanning = defineRoute({
  method: 'put',
  path: member,
  operationId: 'setItemPlanning',
  tag,
  summary: 'Set how an item is reordered',
  description: 'Fields that are left out get their defaults. The audit trail keeps the previous values.',
  access: 'procurement',
  transaction: 'write',
  params: PlanningParams,
  body: NewItemPlanning,
  answers: { 200: { description: 'The planning.', schema: ItemPlanning } },
  errors: [
    'entity_not_found',
    'entity_archived',
    'not_an_item',
    'not_a_location',
    'supplier_part_not_found',
    'zero_quantity',
    'quantity_out_of_range',
    'read_only_field',
  ],
  handle: async (call, tx) => {
    const { actor, params, body } = call;
    const changed = await changePlanning(tx, actor, params.itemEntityId, body, (locked) => {
      requireMatch(call, String(locked.version));
      requireAsRead(NewItemPlanning, body, locked.shown);
    });
    return answer(changed);
  },
});

const getReorder = defineRoute({
  method: 'get',
  path: `${planning}/reorder`,
  operationId: 'listReorder',
  tag,
  summary: 'List what is below its reorder point',
  description:
    'Items with a policy that are below their point, each with what to order: in lots of the item, and in whole packs of its supplier part at the price of that quantity. What is available, on order and drafted counts, less open demand and the safety stock. A page looks at up to 200 items with a policy, in the order of their ids: it may contain fewer items than `limit`, even none, although there are more. `totals` are of the page.',
  access: 'read',
  transaction: 'read',
  query: ReorderQuery,
  answers: {
    200: {
      description: 'A page of the list.',
      schema: listOf(ReorderProposal).extend({
        totals: z.array(ReorderTotal).meta({ description: 'Sums of the page, by supplier.' }),
      }),
    },
  },
  errors: ['invalid_cursor'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listReorder(tx, query) }),
});

const postOrders = defineRoute({
  method: 'post',
  path: `${planning}/reorder/orders`,
  operationId: 'orderReorder',
  tag,
  summary: 'Order items of the reorder list: all or nothing',
  description:
    'Creates one purchase order for each supplier, and one manufacturing order for what is made, as drafts unless `state` says otherwise. Lines keep supplier part, packs and price. An item that is no longer below its point is refused as `plan_stale`, so that two people do not order it twice.',
  access: 'procurement',
  transaction: 'write',
  readsMuch: true,
  body: ReorderOrders,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 201: { description: 'The orders with their lines.', schema: Reordered } },
  errors: [...lineMakingErrors, 'plan_stale'],
  handle: async ({ ctx, actor, body }, tx) => {
    const { lines, locationEntityId: location = null, state, requiredBy = null, note = null } = body;
    const wanted = {
      lines: lines.map(({ itemEntityId: item, quantity }, index) => ({
        item,
        amount: quantity === undefined ? null : atLine(index, () => amountOf(quantity)),
      })),
      location,
      state,
      requiredBy,
      note,
    };
    const orders = await orderProposals(tx, ctx.moverOf(actor), wanted);
    return { status: 201, body: { orders: orders.map(showCreatedOrder) } };
  },
});

export const reorderRoutes: readonly AnyRoute[] = [getPlanning, putPlanning, getReorder, postOrders];
