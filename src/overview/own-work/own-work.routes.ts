/** `/me/work`: what waits for a member. */
import { requireOwnMember } from '../../collaboration/inbox/own-member.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { OwnWork } from './own-work.schema.ts';
import { readOwnWork } from './read-own-work.ts';

const getOwnWork = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/me/work',
  operationId: 'getMyWork',
  tag: 'Inbox',
  summary: 'Read what waits for you',
  description:
    'Requirements to decide, counts that are assigned to you, your imports with errors, your planning runs with open actions. Of each kind the first 10, with their number. For members: with their session, or a key of their own.',
  access: 'read',
  transaction: 'read',
  answers: { 200: { description: 'What waits for you.', schema: OwnWork } },
  handle: async (call, tx) => ({
    status: 200,
    body: await readOwnWork(tx, await requireOwnMember(tx, call.actor), call),
  }),
});

export const ownWorkRoutes: readonly AnyRoute[] = [getOwnWork];
