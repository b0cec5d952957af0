/** Shows subscriptions and lines of the inbox. A line shows what it names as it is now: a comment that was deleted is not shown. */
import type { Actor } from '../../actor.ts';
import { rfc3339 } from '../../db/time.ts';
import type { Tx } from '../../db/transaction.ts';
import type { SubjectType } from '../../subscriptions/follow.ts';
import { type InboxLine, type Subject, type Subscription, UNREAD_MAX, type Unread } from './inbox.schema.ts';
import { countUnread } from './inbox.sql.ts';
import type { LineKind } from './news.ts';

export interface SubscriptionRow {
  id: string;
  subject_type: SubjectType;
  subject_key: string;
  below: boolean;
  stock: boolean;
  muted: boolean;
  automatic: boolean;
  created_at: string;
  entity_id: string | null;
  entity_number: string | null;
  entity_name: string | null;
  profile_name: string | null;
  view_name: string | null;
}

export interface LineRow {
  id: string;
  kind: LineKind;
  subject_type: SubjectType;
  subject_key: string;
  batch_id: string | null;
  comment_id: string | null;
  detail: string | null;
  events: number;
  first_at: string;
  last_at: string;
  read_at: string | null;
  place: string;
  entity_id: string | null;
  entity_number: string | null;
  entity_name: string | null;
  subject_id: string | null;
  subject_number: string | null;
  subject_name: string | null;
  profile_name: string | null;
  comment_text: string | null;
  actor_id: string | null;
  actor_type: Actor['type'] | null;
  actor_name: string | null;
}

export function showSubscription(row: SubscriptionRow): Subscription {
  const { id, subject_type: type, subject_key: key, below, stock, muted, automatic } = row;
  const subject = subjectOf(type, key, {
    number: row.entity_number,
    name: type === 'import' ? row.profile_name : type === 'view' ? row.view_name : row.entity_name,
  });
  return { id, subject, below, stock, muted, automatic, createdAt: rfc3339(row.created_at) };
}

export function showLine(row: LineRow): InboxLine {
  const { id, kind, subject_type: type, subject_key: key, entity_id: entityId, comment_id: commentId } = row;
  return {
    id,
    kind,
    subject: subjectOf(type, key, {
      number: row.subject_number,
      name: type === 'import' ? row.profile_name : row.subject_name,
    }),
    entity:
      entityId === null ? null : { id: entityId, number: row.entity_number, name: row.entity_name ?? '' },
    importId: row.batch_id,
    comment:
      commentId === null || row.comment_text === null ? null : { id: commentId, text: row.comment_text },
    actor:
      row.actor_id === null
        ? null
        : { type: row.actor_type ?? 'system', id: row.actor_id, name: row.actor_name ?? '' },
    detail: row.detail,
    count: row.events,
    firstAt: rfc3339(row.first_at),
    lastAt: rfc3339(row.last_at),
    readAt: row.read_at === null ? null : rfc3339(row.read_at),
  };
}

function subjectOf(
  type: SubjectType,
  key: string,
  { number, name }: { number: string | null; name: string | null },
): Subject {
  if (type === 'importProfile') return { type, id: null, number: null, name: key };
  return { type, id: key, number, name };
}

export async function readUnread(tx: Tx, memberId: string): Promise<Unread> {
  const params = [tx.workspaceId, memberId, UNREAD_MAX + 1];
  const [counted] = await tx.query<{ unread: number }>(countUnread, params);
  const unread = counted?.unread ?? 0;
  return { unread: Math.min(unread, UNREAD_MAX), isAtLeast: unread > UNREAD_MAX };
}
