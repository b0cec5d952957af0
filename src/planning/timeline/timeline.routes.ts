/** `/planning/runs/{id}/items/{itemEntityId}`: an item of a planning run over time (contract §4.15). */
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { findTimeline } from './find-timeline.ts';
import { PlanningTimeline, TimelineParams } from './timeline.schema.ts';

const getTimeline = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/planning/runs/{id}/items/{itemEntityId}',
  operationId: 'getPlanningTimeline',
  tag: 'Procurement',
  summary: 'Read the timeline of an item in a planning run',
  description:
    'Stock of the item day by day, all that is needed and all that comes, and what each order line and each action of the run is for: the sales lines, requirements and minimums in the end, with the items that are made on the way. It is computed from what is there now, with the options of the run.',
  access: 'read',
  transaction: 'read',
  readsMuch: true,
  params: TimelineParams,
  answers: { 200: { description: 'The timeline.', schema: PlanningTimeline } },
  errors: [
    'planning_run_not_found',
    'planning_run_not_ready',
    'entity_not_found',
    'not_an_item',
    'tree_too_large',
  ],
  handle: async ({ ctx, params }, tx) => ({ status: 200, body: await findTimeline(tx, params, ctx.config) }),
});

export const timelineRoutes: readonly AnyRoute[] = [getTimeline];
