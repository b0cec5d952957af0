/** `/entities/{id}/replace`: another part instead of this one, in many assemblies at once. */
import { EntityParams } from '../entities/entities.schema.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES } from '../http/route.ts';
import { REPLACED_PARENTS_MAX, Replaced, Replacement } from './replace.schema.ts';
import { replacePart } from './replace-part.ts';

const replace = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/entities/{id}/replace',
  operationId: 'replacePart',
  tag: 'Structure',
  summary: 'Replace a part by another in assemblies',
  description: `In the assemblies of \`parents\`, or in all that use the part and are not archived, at most ${REPLACED_PARENTS_MAX}: all of them or none. Quantity, find number, designators, unit, note and the fields of builds are kept; an assembly that uses both parts has the lines of both; lines with the same find number, or without, become one line with the sum of the quantities and the designators of both. A released assembly gets a new revision. \`dryRun\` reports the same for each assembly, with the \`problem\` that stands against it, and writes nothing. The audit trail of each assembly has the change with its reason. To take it back, send the reverse for the same \`parents\`.`,
  access: 'engineering',
  transaction: 'write',
  params: EntityParams,
  body: Replacement,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 200: { description: 'The assemblies.', schema: Replaced } },
  errors: [
    'entity_not_found',
    'use_not_found',
    'entity_archived',
    'too_many_parents',
    'cycle',
    'quantity_out_of_range',
  ],
  handle: async ({ params, body, actor }, tx) => {
    const { by, parents = null, reason, dryRun } = body;
    return {
      status: 200,
      body: await replacePart(tx, actor, { part: params.id, by, parents, reason, dryRun }),
    };
  },
});

export const replaceRoutes: AnyRoute[] = [replace];
