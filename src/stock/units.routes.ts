/** Units of items (contract §4.11). */
import { requireMatch, tagOfContent } from '../http/entity-tag.ts';
import { requireAsRead } from '../http/read-only.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { changeUnits, readUnits } from './units/change-units.ts';
import { ItemUnits, ItemUnitsParams, NewItemUnits } from './units/units.schema.ts';

const tag = 'Stock';
const path = '/api/wid/{slug}/stock/units/{itemEntityId}';

function answer(shown: ItemUnits) {
  return { status: 200 as const, body: shown, etag: tagOfContent(shown) };
}

const getUnits = defineRoute({
  method: 'get',
  path,
  operationId: 'getItemUnits',
  tag,
  summary: 'Read the units of an item',
  access: 'read',
  transaction: 'read',
  params: ItemUnitsParams,
  answers: { 200: { description: 'The units.', schema: ItemUnits } },
  errors: ['entity_not_found', 'not_an_item'],
  handle: async ({ params }, tx) => answer(await readUnits(tx, params.itemEntityId)),
});

const putUnits = defineRoute({
  method: 'put',
  path,
  operationId: 'setItemUnits',
  tag,
  summary: 'Set the units of an item',
  description:
    'Quantities of the item can then be given in these units, and in every unit of the same dimension as the base unit. Stock is kept in the base unit, which cannot change once the item has ledger entries, order lines or requirements; an item with stock and without a base unit can be given one. Entries and lines keep what was entered, and lines the factor of that moment. The quantities of BOM lines with a unit follow in the same transaction; if there are too many of them, the call is refused (`too_many_uses`).',
  access: 'engineering',
  transaction: 'write',
  params: ItemUnitsParams,
  body: NewItemUnits,
  answers: { 200: { description: 'The units.', schema: ItemUnits } },
  errors: ['entity_not_found', 'not_an_item', 'base_unit_in_use', 'too_many_uses'],
  handle: async (call, tx) => {
    const { actor, params, body } = call;
    const { UNIT_LINKS_MAX: linksMax } = call.ctx.config;
    const changed = await changeUnits(tx, actor, params.itemEntityId, { ...body, linksMax }, (locked) => {
      requireMatch(call, tagOfContent(locked));
      requireAsRead(NewItemUnits, body, locked);
    });
    return answer(changed);
  },
});

export const unitRoutes: readonly AnyRoute[] = [getUnits, putUnits];
