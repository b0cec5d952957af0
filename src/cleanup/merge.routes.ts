/** `/entities/{id}/merge`: one of two entities that are the same part stays, the other becomes an alias. */
import { requireArea } from '../areas.ts';
import { EntityParams } from '../entities/entities.schema.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { MERGED_MAX, Merged, Merging } from './merge.schema.ts';
import { mergeEntity } from './merge-entity.ts';

const merge = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/entities/{id}/merge',
  operationId: 'mergeEntity',
  tag: 'Entities',
  summary: 'Merge another entity into an entity',
  description: `For a part that exists twice. The assemblies that use \`from\`, its open order lines and requirements, its reservations and its stock, with lots and serial numbers, move to the entity that stays: all of it or nothing. Stock moves by ledger entries. A released assembly gets a new revision; an assembly that uses both has the lines of both. Children move if the entity that stays has none of its own. \`from\` is archived for good and keeps its history: ended lines, ledger entries, superseded revisions. Its GUID and number become aliases: a sync that sends the GUID updates the entity that stays, except for its number, and warns with \`merged\`; a link that names it as its parent is one of the entity that stays; references, look-ups, searches and KiCad find the entity that stays. Properties and picture of the entity that stays hold; it gets the supplier parts that it does not have. The caller also needs the area \`stock\` if stock moves, and \`procurement\` if lines, requirements or supplier parts do. \`dryRun\` reports what would change, with all \`reasons\` against it. Refused as \`merge_refused\` with the \`reasons\` if categories, base units or tracking differ, one of them is part of the other, a large import is not finished, or more than ${MERGED_MAX} assemblies, positions, lots, lines or requirements would change: replace the part in some assemblies first. A merge is not undone: the audit trail of both says what it did.`,
  access: 'engineering',
  transaction: 'write',
  params: EntityParams,
  body: Merging,
  answers: { 200: { description: 'What has changed, or would.', schema: Merged } },
  errors: ['entity_not_found', 'merge_refused', 'insufficient_stock', 'lot_refused', 'quantity_out_of_range'],
  handle: async ({ params, body, actor, areas }, tx) => {
    const { from, reason = null, dryRun } = body;
    const merged = await mergeEntity(tx, actor, { into: params.id, from, reason, dryRun });
    // Nothing of it is kept when this throws.
    if (!dryRun && merged.stock.positions > 0) requireArea({ areas }, 'stock');
    if (
      !dryRun &&
      (merged.lines + merged.requirements + merged.supplierParts + merged.forecasts > 0 ||
        merged.planning === 'moved')
    )
      requireArea({ areas }, 'procurement');
    return { status: 200, body: merged };
  },
});

export const mergeRoutes: AnyRoute[] = [merge];
