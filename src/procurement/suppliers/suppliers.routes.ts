/** `/suppliers`, and from whom an order is (contract §4.5). */
import { resolveEntityIds } from '../../entities/resolve-entity.ts';
import { requireEntity } from '../../entities/structure/edit-use.ts';
import { requireMatch } from '../../http/entity-tag.ts';
import { ListQuery, listOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES } from '../../http/route.ts';
import { OrderParams, OrderPatch, OrderWithLines } from '../records/orders.schema.ts';
import { procuredTag } from '../records/procured-tag.ts';
import { LookedUpSuppliers, Supplier, SupplierLookup } from '../records/suppliers.schema.ts';
import { selectSuppliersOfItems } from '../records/suppliers.sql.ts';
import { changeSupplier } from './change-supplier.ts';
import { listSuppliers } from './list-suppliers.ts';

const tag = 'Procurement';

const getSuppliers = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/suppliers',
  operationId: 'listSuppliers',
  tag,
  summary: 'List suppliers',
  description:
    'Suppliers of orders, by name, each once: names that differ only in case or spaces are one supplier.',
  access: 'read',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of suppliers.', schema: listOf(Supplier) } },
  errors: ['invalid_cursor'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listSuppliers(tx, query) }),
});

const patchOrder = defineRoute({
  method: 'patch',
  path: '/api/wid/{slug}/orders/{id}',
  operationId: 'updateOrder',
  tag,
  summary: 'Change the supplier of a purchase order',
  description:
    'Possible in any state. The audit trail keeps the previous supplier. A body that changes nothing writes nothing.',
  access: 'procurement',
  transaction: 'write',
  params: OrderParams,
  body: OrderPatch,
  answers: { 200: { description: 'The changed order.', schema: OrderWithLines } },
  errors: ['order_not_found', 'read_only_field'],
  handle: async (call, tx) => {
    const { actor, params, body } = call;
    const changed = await changeSupplier(tx, actor, {
      order: params.id,
      supplier: body.supplier,
      check: (order: OrderWithLines) => {
        requireMatch(call, procuredTag(order));
        requireAsRead(OrderPatch, body, order);
      },
    });
    return { status: 200, body: changed, etag: procuredTag(changed) };
  },
});

const lookUp = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/suppliers/lookup',
  operationId: 'lookUpSuppliers',
  tag,
  summary: 'Find the suppliers of items',
  description:
    "The supplier of an item is that of its newest purchase line whose order names one, among the item's newest 20. The answer has an item for each, in the order asked.",
  access: 'read',
  transaction: 'read',
  body: SupplierLookup,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 200: { description: 'The suppliers.', schema: LookedUpSuppliers } },
  errors: ['entity_not_found'],
  handle: async ({ body: { itemEntityIds: refs } }, tx) => {
    const ids = await resolveEntityIds(tx, refs);
    const items = refs.map((ref) => requireEntity(ids, ref));
    const rows = await tx.query<{ id: string; name: string }>(selectSuppliersOfItems, [
      tx.workspaceId,
      items,
    ]);
    const supplierOf = new Map(rows.map(({ id, name }) => [id, name]));
    return {
      status: 200,
      body: { items: items.map((id) => ({ itemEntityId: id, supplier: supplierOf.get(id) ?? null })) },
    };
  },
});

export const supplierRoutes: readonly AnyRoute[] = [getSuppliers, lookUp, patchOrder];
