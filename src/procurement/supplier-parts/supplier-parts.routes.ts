/** `/supplier-parts`: who sells an item, under which number and at which prices (contract §4.12). */
import { requireEntityIds } from '../../entities/resolve-entity.ts';
import { requireMatch } from '../../http/entity-tag.ts';
import { listOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES } from '../../http/route.ts';
import { amountOf, atLine } from '../records/refusals.ts';
import { findOffers, showOffer } from './offer-items.ts';
import {
  NewSupplierPart,
  OfferRequest,
  Offers,
  SupplierPartParams,
  SupplierPartPatch,
  SupplierPartQuery,
  SupplierPartShown,
} from './supplier-parts.schema.ts';
import {
  changeSupplierPart,
  createSupplierPart,
  listSupplierParts,
  type ReadPart,
  readSupplierPart,
  removeSupplierPart,
} from './supplier-parts.ts';

const tag = 'Procurement';
const collection = '/api/wid/{slug}/supplier-parts';
const member = `${collection}/{id}`;

function answer({ part, version }: ReadPart) {
  return { status: 200 as const, body: part, etag: String(version) };
}

const getParts = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listSupplierParts',
  tag,
  summary: 'List supplier parts',
  description:
    'In order of creation, of an item, of a supplier, or of both. With `q`, or with both, a page may contain fewer items than `limit`, even none, although there are more: `nextCursor` is null only on the last page. The search for entities finds SKUs and MPNs too.',
  access: 'read',
  transaction: 'read',
  query: SupplierPartQuery,
  answers: { 200: { description: 'A page of supplier parts.', schema: listOf(SupplierPartShown) } },
  errors: ['invalid_cursor', 'entity_not_found'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listSupplierParts(tx, query) }),
});

const postPart = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createSupplierPart',
  tag,
  summary: 'Create a supplier part',
  description: 'An item has up to 100. A supplier can have several for an item, each with its own SKU.',
  access: 'procurement',
  transaction: 'write',
  body: NewSupplierPart,
  answers: { 201: { description: 'The supplier part.', schema: SupplierPartShown } },
  errors: [
    'entity_not_found',
    'not_an_item',
    'entity_archived',
    'supplier_not_found',
    'supplier_merged',
    'supplier_part_taken',
    'too_many_supplier_parts',
    'unit_unknown',
    'zero_quantity',
    'quantity_out_of_range',
  ],
  handle: async ({ actor, body, workspace }, tx) => {
    const created = await createSupplierPart(tx, actor, body);
    const headers = { Location: `/api/wid/${workspace.slug}/supplier-parts/${created.part.id}` };
    return { ...answer(created), status: 201, headers };
  },
});

const getPart = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getSupplierPart',
  tag,
  summary: 'Read a supplier part',
  access: 'read',
  transaction: 'read',
  params: SupplierPartParams,
  answers: { 200: { description: 'The supplier part.', schema: SupplierPartShown } },
  errors: ['supplier_part_not_found'],
  handle: async ({ params }, tx) => answer(await readSupplierPart(tx, params.id)),
});

const patchPart = defineRoute({
  method: 'patch',
  path: member,
  operationId: 'updateSupplierPart',
  tag,
  summary: 'Change a supplier part',
  description:
    '`prices` replaces all price breaks. Order lines keep the price at which they were made. A body that changes nothing writes nothing.',
  access: 'procurement',
  transaction: 'write',
  params: SupplierPartParams,
  body: SupplierPartPatch,
  answers: { 200: { description: 'The changed supplier part.', schema: SupplierPartShown } },
  errors: [
    'supplier_part_not_found',
    'supplier_part_taken',
    'unit_unknown',
    'zero_quantity',
    'quantity_out_of_range',
    'read_only_field',
  ],
  handle: async (call, tx) => {
    const { actor, params, body } = call;
    const { sku, manufacturer, mpn, unit, packQuantity, minimum, multiple } = body;
    const { leadTimeDays, rank, status, prices } = body;
    const packs = { packQuantity, minimum, multiple };
    const change = { sku, manufacturer, mpn, unit, ...packs, leadTimeDays, rank, status, prices };
    const changed = await changeSupplierPart(tx, actor, params.id, change, ({ part, version }) => {
      requireMatch(call, String(version));
      requireAsRead(SupplierPartPatch, body, part);
    });
    return answer(changed);
  },
});

const deletePart = defineRoute({
  method: 'delete',
  path: member,
  operationId: 'deleteSupplierPart',
  tag,
  summary: 'Delete a supplier part',
  description: 'Order lines keep the SKU and the price that they took from it.',
  access: 'procurement',
  transaction: 'write',
  params: SupplierPartParams,
  answers: { 204: { description: 'It is deleted.' } },
  errors: ['supplier_part_not_found'],
  handle: async (call, tx) => {
    const { actor, params } = call;
    await removeSupplierPart(tx, actor, params.id, ({ version }) => requireMatch(call, String(version)));
    return { status: 204 };
  },
});

const postOffers = defineRoute({
  method: 'post',
  path: `${collection}/offers`,
  operationId: 'offerItems',
  tag,
  summary: 'Propose what to order for needs',
  description:
    'For each item the supplier part that its planning prefers, or the first active one by rank, of an active supplier, or of the named one. The quantity is rounded up to the minimum, to whole packs and to the multiple; the price is that of the rounded quantity today (UTC). Nothing is written.',
  access: 'read',
  transaction: 'read',
  body: OfferRequest,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 200: { description: 'The offers.', schema: Offers } },
  errors: ['entity_not_found', 'zero_quantity', 'quantity_out_of_range'],
  handle: async ({ body: { lines } }, tx) => {
    const ids = await requireEntityIds(
      tx,
      lines.map(({ itemEntityId }) => itemEntityId),
    );
    const needs = lines.map(({ quantity, supplier = null }, index) => ({
      itemId: ids[index] as string,
      supplier,
      need: atLine(index, () => amountOf(quantity)),
    }));
    const offers = await findOffers(tx, needs);
    return {
      status: 200,
      body: {
        items: needs.map(({ itemId, need }, at) => ({
          itemEntityId: itemId,
          ...showOffer(offers[at] ?? null, need),
        })),
      },
    };
  },
});

export const supplierPartRoutes: readonly AnyRoute[] = [
  getParts,
  postPart,
  getPart,
  patchPart,
  deletePart,
  postOffers,
];
