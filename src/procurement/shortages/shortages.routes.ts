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
  summary: 'List the shortages of a project',
  description:
    'Explodes the structure below the project to sub-assemblies and leaves, and compares what is needed with what is reserved for the project, available and on order. Components of an assembly are needed only for as many as are short. The structure below another project belongs to that project. Quantities along a path are multiplied to 60 significant digits, rounded up, of which 40 count; if the result has more than 24 digits before the point, the response is `quantity_out_of_range`.',
  access: 'read',
  transaction: 'none',
  readsMuch: true,
  params: ProjectParams,
  query: ShortageQuery,
  answers: { 200: { description: 'The shortages.', schema: ProjectShortages } },
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
  summary: 'Create requirements for the shortages of a project',
  description:
    'Creates one requirement for each item that is short, beyond its open requirements of the project: a second call creates no more. If more than 10 000 would be created at once, name the items.',
  access: 'write',
  transaction: 'write',
  readsMuch: true,
  params: ProjectParams,
  body: ShortageRequirements,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 201: { description: 'The created requirements.', schema: ShortagesRaised } },
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
