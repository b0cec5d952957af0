/** `/projects/{id}/shortages`: what a project is short of (contract §4.6). */
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { streamJson } from '../../entities/structure/stream-items.ts';
import { Slices } from '../../fairness/slices.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES } from '../../http/route.ts';
import { findProject } from '../records/find-procured.ts';
import { showRequirement } from '../records/show-procurement.ts';
import { findShortages } from './find-shortages.ts';
import { raiseShortages } from './raise-shortages.ts';
import {
  ProjectParams,
  ProjectShortages,
  ShortageQuery,
  ShortageRequirements,
  ShortagesRaised,
} from './shortages.schema.ts';
import { showShortages } from './show-shortages.ts';

const path = '/api/wid/{slug}/projects/{id}/shortages';
const tag = 'Procurement';

const getShortages = defineRoute({
  method: 'get',
  path,
  operationId: 'listShortages',
  tag,
  summary: 'List what a project is short of',
  description:
    'Explodes the structure below the project to sub-assemblies and leaves, and sets what it takes against what is reserved for the project, available and on order. Components of an assembly are needed only for as many of it as are short. What is below another project is that project’s. Quantities along a path are multiplied to 60 significant digits, rounded up, of which 40 count; where they come to more than 24 digits before the point, the answer is `quantity_out_of_range`.',
  access: 'read',
  transaction: 'none',
  readsMuch: true,
  params: ProjectParams,
  query: ShortageQuery,
  answers: { 200: { description: 'What is short.', schema: ProjectShortages } },
  errors: ['entity_not_found', 'not_a_project', 'tree_too_large', 'quantity_out_of_range'],
  handle: async (call) => {
    const { ctx, gone, params, query, workspace } = call;
    const read = <T>(work: (tx: Tx) => Promise<T>) =>
      inTransaction(ctx.db, { workspaceId: workspace.id }, work, { readOnly: true, gone });
    const { projectId, found } = await read(async (tx) => {
      const project = await findProject(tx, params.id, null);
      const limits = { linksMax: ctx.config.TREE_ITEMS_MAX };
      return { projectId: project.id, found: await findShortages(tx, project.id, limits) };
    });
    const needs = query.all === 'true' ? found : found.filter((need) => need.short.digits > 0n);
    const answer = { projectId, needs, itemCount: found.length };
    await streamJson(call, showShortages(read, answer, new Slices(gone)));
    return null;
  },
});

const postRequirements = defineRoute({
  method: 'post',
  path: `${path}/requirements`,
  operationId: 'raiseShortages',
  tag,
  summary: 'Raise requirements for what a project is short of',
  description:
    'One requirement for each item that is short, over what its open requirements of the project ask for already: a second call raises nothing more. Where it would be more than 10 000 at once, name the items.',
  access: 'write',
  transaction: 'write',
  readsMuch: true,
  params: ProjectParams,
  body: ShortageRequirements,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 201: { description: 'What was raised.', schema: ShortagesRaised } },
  errors: [
    'entity_not_found',
    'not_a_project',
    'tree_too_large',
    'quantity_out_of_range',
    'procurement_not_configured',
  ],
  handle: async ({ params, body, actor, ctx }, tx) => {
    const { itemEntityIds: items = null, leavesOnly, requiredBy = null } = body;
    const wanted = { project: params.id, items, leavesOnly, requiredBy };
    const raised = await raiseShortages(tx, actor, wanted, { linksMax: ctx.config.TREE_ITEMS_MAX });
    return { status: 201, body: { requirements: raised.map(showRequirement) } };
  },
});

export const shortageRoutes: readonly AnyRoute[] = [getShortages, postRequirements];
