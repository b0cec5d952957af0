/** Routes of the overview of a workspace and its stream. */
import { inStream } from '../http/in-stream.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { stillSeconds } from '../sync/batch/still-seconds.ts';
import { Overview, OverviewQuery, WorkspaceEvent } from './overview.schema.ts';
import { readOverview } from './read-overview.ts';
import { streamChanges } from './stream-changes.ts';

const tag = 'Overview';

const getOverview = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/overview',
  operationId: 'getOverview',
  tag,
  summary: 'Read the overview of a workspace',
  description:
    'Batches by the hour, movements of stock by type; batches, automations and webhooks that fail, batches in line, what ' +
    'the operator holds back, requirements and lines of orders that are overdue. Counting ends at a bound, and says so.',
  access: 'read',
  transaction: 'read',
  query: OverviewQuery,
  answers: { 200: { description: 'The overview.', schema: Overview } },
  handle: async ({ ctx, query }, tx) => {
    const { SYNC_MAX_QUEUED_BATCHES: queuedBatchesMax } = ctx.config;
    return {
      status: 200,
      body: await readOverview(tx, {
        hours: query.hours,
        queuedBatchesMax,
        stillSeconds: stillSeconds(ctx.config),
      }),
    };
  },
});

const streamEvents = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/events',
  operationId: 'streamEvents',
  tag,
  summary: 'Follow a workspace as Server-Sent Events',
  description:
    '`batch` when a batch is accepted, goes on or ends; the data are its envelope without results. `run` when a run of an ' +
    'automation is queued or ends: `{ id, automationId, status }`. `plan` when a planning run is accepted, begun or ended: `{ id, status }`. `inbox` when the inbox of the member who reads it changes: `{ unread, isAtLeast }`. Nothing is kept for who was away: after `open`, which ' +
    'begins every connection, and after `missed`, which comes to who reads too slowly or where more happened than is ' +
    'told (of runs the newest 20 a second, of batches and planning runs the newest 10 and 20 that wait), ask anew for what you show. Ends when the ' +
    'key is revoked.',
  access: 'read',
  transaction: 'none',
  answers: {
    200: {
      description: 'The stream.',
      alternatives: { 'text/event-stream': 'Server-Sent Events; the schema is that of one.' },
      alternativeSchemas: { 'text/event-stream': WorkspaceEvent },
    },
  },
  errors: ['too_many_streams'],
  handle: async (call) => {
    const { ctx, res, closing, workspace, gone } = call;
    await inStream(call, () =>
      streamChanges({
        follow: (tell) =>
          ctx.workspaceFollower.follow(workspace, tell, call.actor.type === 'member' ? call.actor.id : null),
        res,
        gone,
        heartbeatMs: ctx.config.STREAM_HEARTBEAT_SECONDS * 1000,
        closing,
      }),
    );
    return null;
  },
});

export const overviewRoutes: AnyRoute[] = [getOverview, streamEvents];
