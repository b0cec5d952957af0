/** `/suppliers`, and from whom an order is (contract §4.5). */
import { requireEntityIds } from '../../entities/resolve-entity.ts';
import { requireMatch, tagOfContent } from '../../http/entity-tag.ts';
import { listOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES } from '../../http/route.ts';
import { OrderParams, OrderPatch, OrderWithLines } from '../records/orders.schema.ts';
import { LookedUpSuppliers, SupplierLookup } from '../records/schemas/suppliers.schema.ts';
import { selectSuppliersOfItems } from '../records/suppliers/suppliers.sql.ts';
import { changeSupplier } from './change-supplier.ts';
import {
  NewSupplier,
  Supplier,
  SupplierMerge,
  SupplierParams,
  SupplierPatch,
  SupplierQuery,
} from './supplier.schema.ts';
import {
  changeSupplierRecord,
  createSupplier,
  listSuppliers,
  mergeSuppliers,
  type ReadSupplier,
  readSupplier,
} from './supplier-records.ts';

const tag = 'Procurement';
const collection = '/api/wid/{slug}/suppliers';
const member = `${collection}/{id}`;

function answer({ supplier, version }: ReadSupplier) {
  return { status: 200 as const, body: supplier, etag: String(version) };
}

const getSuppliers = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listSuppliers',
  tag,
  summary: 'List suppliers',
  description:
    'By name, without those that were merged into others. With `q` or `state`, a page may contain fewer items than `limit`, even none, although there are more: `nextCursor` is null only on the last page.',
  access: 'read',
  transaction: 'read',
  query: SupplierQuery,
  answers: { 200: { description: 'A page of suppliers.', schema: listOf(Supplier) } },
  errors: ['invalid_cursor'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listSuppliers(tx, query) }),
});

const postSupplier = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createSupplier',
  tag,
  summary: 'Create a supplier',
  description:
    'An order that names an unknown supplier creates it too. Names are unique; case and spaces make no difference.',
  access: 'procurement',
  transaction: 'write',
  body: NewSupplier,
  answers: { 201: { description: 'The supplier.', schema: Supplier } },
  errors: ['supplier_taken'],
  handle: async ({ actor, body, workspace }, tx) => {
    const created = await createSupplier(tx, actor, body);
    const headers = { Location: `/api/wid/${workspace.slug}/suppliers/${created.supplier.id}` };
    return { ...answer(created), status: 201, headers };
  },
});

const getSupplier = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getSupplier',
  tag,
  summary: 'Read a supplier',
  access: 'read',
  transaction: 'read',
  params: SupplierParams,
  answers: { 200: { description: 'The supplier.', schema: Supplier } },
  errors: ['supplier_not_found'],
  handle: async ({ params }, tx) => answer(await readSupplier(tx, params.id)),
});

const patchSupplier = defineRoute({
  method: 'patch',
  path: member,
  operationId: 'updateSupplier',
  tag,
  summary: 'Change a supplier',
  description:
    'Orders keep the name under which they were made, and are found under the new name too. A body that changes nothing writes nothing.',
  access: 'procurement',
  transaction: 'write',
  params: SupplierParams,
  body: SupplierPatch,
  answers: { 200: { description: 'The changed supplier.', schema: Supplier } },
  errors: ['supplier_not_found', 'supplier_merged', 'supplier_taken', 'read_only_field'],
  handle: async (call, tx) => {
    const { actor, params, body } = call;
    const { name, code, currency, leadTimeDays, contact, state } = body;
    const change = { name, code, currency, leadTimeDays, contact, state };
    const changed = await changeSupplierRecord(tx, actor, params.id, change, ({ supplier, version }) => {
      requireMatch(call, String(version));
      requireAsRead(SupplierPatch, body, supplier);
    });
    return answer(changed);
  },
});

const postMerge = defineRoute({
  method: 'post',
  path: `${member}/merge`,
  operationId: 'mergeSupplier',
  tag,
  summary: 'Merge a supplier into another',
  description:
    'The other supplier gets the orders and supplier parts. A supplier part is dropped if the other supplier has the same SKU for the item. Orders keep the name under which they were made, and the audit trail keeps what was merged. It cannot be undone.',
  access: 'procurement',
  transaction: 'write',
  params: SupplierParams,
  body: SupplierMerge,
  answers: { 200: { description: 'The supplier that remains.', schema: Supplier } },
  errors: ['supplier_not_found', 'supplier_merged'],
  handle: async (call, tx) => {
    const { actor, params, body } = call;
    const merge = { id: params.id, into: body.into };
    const merged = await mergeSuppliers(tx, actor, merge, ({ version }) =>
      requireMatch(call, String(version)),
    );
    return answer(merged);
  },
});

const patchOrder = defineRoute({
  method: 'patch',
  path: '/api/wid/{slug}/orders/{id}',
  operationId: 'updateOrder',
  tag,
  summary: 'Change the supplier, the customer or the references of an order',
  description:
    'Possible in any state. Only a purchase order has a supplier, and only a sales order a customer; lines keep their prices. The audit trail keeps the previous values. A body that changes nothing writes nothing.',
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
      customer: body.customer,
      ourReference: body.ourReference,
      theirReference: body.theirReference,
      check: (order: OrderWithLines) => {
        requireMatch(call, tagOfContent(order));
        requireAsRead(OrderPatch, body, order);
      },
    });
    return { status: 200, body: changed, etag: tagOfContent(changed) };
  },
});

const lookUp = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/suppliers/lookup',
  operationId: 'lookUpSuppliers',
  tag,
  summary: 'Find the suppliers of items',
  description:
    "The supplier of an item is that of the active supplier part that its planning prefers, or of its first one, by rank. Without one it is that of the newest purchase line whose order names one, among the item's newest 20. The answer has an item for each, in the order asked.",
  access: 'read',
  transaction: 'read',
  body: SupplierLookup,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 200: { description: 'The suppliers.', schema: LookedUpSuppliers } },
  errors: ['entity_not_found'],
  handle: async ({ body: { itemEntityIds: refs } }, tx) => {
    const items = await requireEntityIds(tx, refs);
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

export const supplierRoutes: readonly AnyRoute[] = [
  getSuppliers,
  postSupplier,
  getSupplier,
  patchSupplier,
  postMerge,
  lookUp,
  patchOrder,
];
