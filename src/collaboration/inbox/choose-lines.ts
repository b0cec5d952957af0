/** Decides which members are notified of which event, and in which line: each once, however many of their subscriptions fit. */
import type { FollowedSubject, SubjectType } from '../../subscriptions/follow.ts';
import type { LineKind, News } from './news.ts';

export interface Follower {
  type: SubjectType;
  key: string;
  member_id: string;
  below: boolean;
  stock: boolean;
  muted: boolean;
  created_at: string;
}

export interface Line {
  member_id: string;
  kind: LineKind;
  subject_type: SubjectType;
  subject_key: string;
  entity_id: string | null;
  batch_id: string | null;
  comment_id: string | null;
  actor_id: string | null;
  detail: string | null;
  events: number;
  first_at: string;
  last_at: string;
}

/** News with the subjects and members that it concerns. */
export interface KnownNews extends News {
  entityId: string | null;
  /** Followed entities that the event lies below. */
  above: readonly FollowedSubject[];
  /** Followed views that show the entity, with the members who may follow them. */
  views: readonly { subject: FollowedSubject; mayFollow: (memberId: string) => boolean }[];
  /** The member who caused it, and is not told. */
  ownMember: string | null;
  /** The member who submitted the import. */
  submitter: string | null;
}

export const keyOf = ({ type, key }: FollowedSubject) => `${type} ${key}`;

/** `isInWindow` says which members are told in this step. */
export function chooseLines(
  news: readonly KnownNews[],
  followers: ReadonlyMap<string, readonly Follower[]>,
  isInWindow: (memberId: string) => boolean,
): Line[] {
  const lines = new Map<string, Line>();
  for (const one of news) {
    for (const [memberId, { kind, subject }] of toldOf(one, followers)) {
      if (memberId === one.ownMember || !isInWindow(memberId)) continue;
      const name = `${memberId} ${kind} ${keyOf(subject)}`;
      const before = lines.get(name);
      lines.set(name, {
        member_id: memberId,
        kind,
        subject_type: subject.type,
        subject_key: subject.key,
        entity_id: one.entityId,
        batch_id: one.batchId,
        comment_id: one.commentId,
        actor_id: one.actorId,
        detail: one.detail,
        events: (before?.events ?? 0) + 1,
        first_at: before?.first_at ?? one.at,
        last_at: one.at,
      });
    }
  }
  return [...lines.values()];
}

interface Told {
  kind: LineKind;
  subject: FollowedSubject;
}

/** Returns in which line each member is notified. A mention counts most, then the subject itself, nearest first, then one above it, then a view that shows it. Members who have muted the subject are notified only of mentions. */
function toldOf(
  { kind, at, subjects, above, views, mentions, submitter, entityId, batchId }: KnownNews,
  followers: ReadonlyMap<string, readonly Follower[]>,
): Map<string, Told> {
  const told = new Map<string, Told | null>();
  // An event that waited may be older than the subscription.
  const hears = ({ stock, created_at }: Follower) =>
    (kind !== 'stock' || stock) && Date.parse(created_at) <= Date.parse(at);
  const tellFollowers = (subject: FollowedSubject, isMeant: (follower: Follower) => boolean) => {
    for (const follower of followers.get(keyOf(subject)) ?? []) {
      const { member_id: memberId, muted } = follower;
      if (!muted && !told.has(memberId) && hears(follower) && isMeant(follower))
        told.set(memberId, { kind, subject });
    }
  };
  for (const subject of subjects) {
    for (const { member_id: memberId, muted } of followers.get(keyOf(subject)) ?? [])
      if (muted) told.set(memberId, null);
    tellFollowers(subject, () => true);
  }
  // The sender of an import takes part in it without a subscription, because there can be thousands of imports a day.
  const own =
    subjects.find(({ type }) => type === 'importProfile') ?? subjects.find(({ type }) => type === 'import');
  if (submitter !== null && own !== undefined && !told.has(submitter))
    told.set(submitter, { kind, subject: own });
  for (const subject of above) tellFollowers(subject, ({ below }) => below);
  for (const { subject, mayFollow } of views)
    tellFollowers(subject, ({ member_id: memberId }) => mayFollow(memberId));
  const commented: FollowedSubject | null =
    entityId !== null
      ? { type: 'entity', key: entityId }
      : batchId !== null
        ? { type: 'import', key: batchId }
        : null;
  if (commented !== null)
    for (const memberId of mentions) told.set(memberId, { kind: 'mentioned', subject: commented });
  return new Map([...told].flatMap(([memberId, one]) => (one === null ? [] : [[memberId, one]])));
}
