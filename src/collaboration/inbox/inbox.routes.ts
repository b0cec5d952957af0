/** `/me/subscriptions` and `/me/inbox`: what a member follows, and what it is told of. */
import { z } from 'zod';
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { findEntity } from '../../entities/find-entity.ts';
import { AppError } from '../../errors.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../../http/list.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { type FollowedSubject, follow, unfollow } from '../../subscriptions/follow.ts';
import { selectSubscriptions, selectSubscriptionTo } from '../../subscriptions/subscriptions.sql.ts';
import { selectBatch } from '../comments/comments.sql.ts';
import { requireFollowable } from './followed-views.ts';
import {
  InboxLine,
  NewSubscription,
  namesOne,
  ReadMark,
  SubjectQuery,
  Subscription,
  SubscriptionParams,
  Unread,
} from './inbox.schema.ts';
import { markAllRead, markLinesRead, selectLines } from './inbox.sql.ts';
import { requireOwnMember } from './own-member.ts';
import { type LineRow, readUnread, type SubscriptionRow, showLine, showSubscription } from './read-inbox.ts';

const subscriptions = '/api/wid/{slug}/me/subscriptions';
const inbox = '/api/wid/{slug}/me/inbox';
const tag = 'Inbox';

const listSubscriptions = defineRoute({
  method: 'get',
  path: subscriptions,
  operationId: 'listSubscriptions',
  tag,
  summary: 'List what you follow',
  description:
    'The newest first. Name one of `entity`, `import`, `importProfile` and `view` for the subscription to it alone. For members: with their session, or a key of their own.',
  access: 'read',
  transaction: 'read',
  query: ListQuery.extend(SubjectQuery),
  answers: { 200: { description: 'A page of subscriptions.', schema: listOf(Subscription) } },
  errors: ['entity_not_found', 'batch_not_found'],
  handle: async (call, tx) => {
    const { limit, cursor, ...about } = call.query;
    const memberId = await requireOwnMember(tx, call.actor);
    const list = 'subscriptions';
    const after = decodeCursor(list, cursor, z.uuid());
    if (namesOne(about)) {
      const { type, key } = (await findSubject(tx, about)).subject;
      const rows = await tx.query<SubscriptionRow>(selectSubscriptionTo, [
        tx.workspaceId,
        memberId,
        type,
        key,
      ]);
      return { status: 200, body: { items: rows.map(showSubscription), nextCursor: null } };
    }
    const page = await readPage<SubscriptionRow>(
      tx,
      selectSubscriptions,
      [tx.workspaceId, memberId, after, limit + 1],
      { limit, long: ['subject_key', 'entity_number', 'entity_name', 'profile_name', 'view_name'] },
    );
    return { status: 200, body: pageOf(list, page, (row) => row.id, showSubscription) };
  },
});

const postSubscription = defineRoute({
  method: 'post',
  path: subscriptions,
  operationId: 'follow',
  tag,
  summary: 'Follow something, or change how you follow it',
  description:
    'Begins a subscription, or replaces the one that you have to the same thing. You are told of what others do, not of what you do yourself.',
  access: 'read',
  transaction: 'write',
  body: NewSubscription,
  answers: { 200: { description: 'The subscription.', schema: Subscription } },
  errors: ['entity_not_found', 'batch_not_found', 'view_not_found', 'configuration_full'],
  handle: async (call, tx) => {
    const { below, stock, muted, ...about } = call.body;
    const memberId = await requireOwnMember(tx, call.actor);
    if (about.view !== undefined) await requireFollowable(tx, call, memberId, about.view);
    const { subject, isLocation } = await findSubject(tx, about);
    const isEntity = subject.type === 'entity';
    const options = { below: isEntity && below, stock: isEntity && (stock ?? isLocation), muted };
    await follow(tx, memberId, subject, options);
    const [row] = await tx.query<SubscriptionRow>(selectSubscriptionTo, [
      tx.workspaceId,
      memberId,
      subject.type,
      subject.key,
    ]);
    return { status: 200, body: showSubscription(row as SubscriptionRow) };
  },
});

const deleteSubscription = defineRoute({
  method: 'delete',
  path: `${subscriptions}/{id}`,
  operationId: 'unfollow',
  tag,
  summary: 'Stop following something',
  description: 'It begins again when you take part again. Mute it instead if it shall not.',
  access: 'read',
  transaction: 'write',
  params: SubscriptionParams,
  answers: { 204: { description: 'You no longer follow it.' } },
  errors: ['subscription_not_found'],
  handle: async (call, tx) => {
    const memberId = await requireOwnMember(tx, call.actor);
    if (!(await unfollow(tx, memberId, call.params.id)))
      throw new AppError('subscription_not_found', 'You have no subscription with this id.');
    return { status: 204 };
  },
});

const getInbox = defineRoute({
  method: 'get',
  path: inbox,
  operationId: 'listInbox',
  tag,
  summary: 'Read your inbox',
  description:
    'The latest first. Events of one kind about one thing are one line for as long as it is unread.',
  access: 'read',
  transaction: 'read',
  query: ListQuery.extend({
    unread: z.enum(['true', 'false']).default('false').meta({ description: '`true`: unread lines alone.' }),
  }),
  answers: { 200: { description: 'A page of the inbox.', schema: listOf(InboxLine) } },
  handle: async (call, tx) => {
    const { limit, cursor, unread } = call.query;
    const memberId = await requireOwnMember(tx, call.actor);
    const list = `inbox-${unread}`;
    const [at, id] = decodeCursor(list, cursor, z.tuple([Place, z.uuid()])) ?? [null, null];
    const params = [tx.workspaceId, memberId, at, id, limit + 1, unread === 'true'];
    const page = await readPage<LineRow>(tx, selectLines, params, {
      limit,
      long: ['subject_key', 'subject_name', 'entity_name', 'comment_text', 'detail', 'actor_name'],
    });
    return { status: 200, body: pageOf(list, page, (row) => [row.place, row.id], showLine) };
  },
});

const getUnread = defineRoute({
  method: 'get',
  path: `${inbox}/unread`,
  operationId: 'countUnread',
  tag,
  summary: 'Count the unread lines of your inbox',
  description: 'The stream `GET /events` tells of changes of it (`inbox`).',
  access: 'read',
  transaction: 'read',
  answers: { 200: { description: 'The count.', schema: Unread } },
  handle: async (call, tx) => ({
    status: 200,
    body: await readUnread(tx, await requireOwnMember(tx, call.actor)),
  }),
});

const postRead = defineRoute({
  method: 'post',
  path: `${inbox}/read`,
  operationId: 'markInboxRead',
  tag,
  summary: 'Mark lines of your inbox as read',
  description:
    'Some by their ids, or all up to a time. Lines that are read already, or no longer there, are passed over.',
  access: 'read',
  transaction: 'write',
  body: ReadMark,
  answers: { 200: { description: 'What is still unread.', schema: Unread } },
  handle: async (call, tx) => {
    const { ids, upTo } = call.body;
    const memberId = await requireOwnMember(tx, call.actor);
    if (ids !== undefined) await tx.query(markLinesRead, [tx.workspaceId, memberId, ids]);
    if (upTo !== undefined) await tx.query(markAllRead, [tx.workspaceId, memberId, upTo]);
    return { status: 200, body: await readUnread(tx, memberId) };
  },
});

const Place = z.iso.datetime().refine((text) => text.startsWith('2'));

/** Throws `entity_not_found`, `batch_not_found`. Who follows a view is checked elsewhere. A profile need not have a definition: imports name it. */
async function findSubject(
  tx: Tx,
  {
    entity,
    import: batchId,
    importProfile,
    view,
  }: Pick<NewSubscription, 'entity' | 'import' | 'importProfile' | 'view'>,
): Promise<{ subject: FollowedSubject; isLocation: boolean }> {
  if (importProfile !== undefined)
    return { subject: { type: 'importProfile', key: importProfile }, isLocation: false };
  if (view !== undefined) return { subject: { type: 'view', key: view.toLowerCase() }, isLocation: false };
  if (batchId !== undefined) {
    const rows = await tx.query(selectBatch, [tx.workspaceId, batchId]);
    if (rows.length === 0) throw new AppError('batch_not_found', 'There is no import with this id.');
    return { subject: { type: 'import', key: batchId.toLowerCase() }, isLocation: false };
  }
  const { id, category } = await findEntity(tx, entity ?? '');
  const role = (await loadConfiguration(tx)).categories.get(category)?.role;
  return { subject: { type: 'entity', key: id }, isLocation: role === 'location' };
}

export const inboxRoutes: readonly AnyRoute[] = [
  listSubscriptions,
  postSubscription,
  deleteSubscription,
  getInbox,
  getUnread,
  postRead,
];
