/** Reads from the events of the outbox whom they may concern: the subjects that members follow. */
import type { OutboxRow } from '../../events/read-lane.ts';
import { numberOfEvent, type RecordedKind } from '../../events/record-events.ts';
import type { FollowedSubject } from '../../subscriptions/follow.ts';

export const lineKinds = [
  'mentioned',
  'commented',
  'created',
  'moved',
  'changed',
  'order',
  'stock',
  'importEnded',
  'importProblem',
] as const;
export type LineKind = (typeof lineKinds)[number];

/** An event as the inbox tells of it. */
export interface News {
  kind: LineKind;
  at: string;
  /** Subjects that it is about, the nearest first. */
  subjects: FollowedSubject[];
  /** The entity, by its id or that of a version. */
  entityRef: string | null;
  batchId: string | null;
  commentId: string | null;
  actorId: string | null;
  /** The state, the properties, or how an import ended, depending on `kind`. */
  detail: string | null;
  /** Members who are told whatever they follow. */
  mentions: readonly string[];
}

const DETAIL_CHARS_MAX = 200;
type Event = Record<string, unknown>;
const text = (value: unknown) => (typeof value === 'string' ? value : null);
const entities = (...ids: unknown[]): FollowedSubject[] => [
  ...new Map(
    ids.flatMap((id) => (typeof id === 'string' ? [[id, { type: 'entity' as const, key: id }]] : [])),
  ).values(),
];

type Read = (event: Event) => Partial<News> & Pick<News, 'kind'>;

const readers: Partial<Record<RecordedKind, Read>> = {
  // Nobody follows an entity before it exists; those are told who follow a view that shows it.
  entityCreated: ({ entityId }) => ({ kind: 'created', entityRef: text(entityId) }),
  lifecycleTransition: ({ entityId, toState }) => ({
    kind: 'moved',
    entityRef: text(entityId),
    subjects: entities(entityId),
    detail: text(toState),
  }),
  entityUpdated: ({ entityId, changes }) => ({
    kind: 'changed',
    entityRef: text(entityId),
    subjects: entities(entityId),
    detail: Array.isArray(changes) ? changes.map(({ property }) => property).join(', ') : null,
  }),
  orderChanged: ({ entityId, orderId }) => ({
    kind: 'order',
    entityRef: text(entityId),
    subjects: entities(orderId, entityId),
    detail: null,
  }),
  stockMoved: ({ entityId, positions, actorId }) => ({
    kind: 'stock',
    entityRef: text(entityId),
    subjects: entities(
      entityId,
      ...(Array.isArray(positions) ? positions.map(({ locationEntityId }) => locationEntityId) : []),
    ),
    actorId: text(actorId),
  }),
  // An import with errors has an event of its own, so its end is not reported a second time.
  importCompleted: (event) => ({
    ...ofImport(event),
    kind: 'importEnded',
    subjects: event.errorCount === 0 ? importSubjects(event) : [],
  }),
  importNotClean: (event) => ({ ...ofImport(event), kind: 'importProblem', subjects: importSubjects(event) }),
  commentWritten: ({ commentId, entityId, batchId, mentions, isEdit }) => ({
    kind: 'commented',
    entityRef: text(entityId),
    batchId: text(batchId),
    commentId: text(commentId),
    subjects:
      isEdit === true
        ? []
        : [
            ...entities(entityId),
            ...(batchId === null ? [] : [{ type: 'import' as const, key: String(batchId) }]),
          ],
    mentions: Array.isArray(mentions) ? mentions : [],
  }),
};

function ofImport({ batchId, status, errorCount }: Event): Partial<News> {
  const isFailed = status === 'failed' || status === 'cancelled';
  // Nobody is told less of an import for having submitted it.
  return { batchId: text(batchId), actorId: null, detail: isFailed ? status : String(errorCount ?? 0) };
}

function importSubjects({ batchId, profileName }: Event): FollowedSubject[] {
  return [
    { type: 'import', key: String(batchId) },
    { type: 'importProfile', key: String(profileName) },
  ];
}

const byNumber = new Map(
  Object.entries(readers).map(([kind, read]) => [numberOfEvent(kind as RecordedKind), read]),
);

/** Returns null for events of which the inbox does not tell. */
export function newsOf(row: OutboxRow, event: Event): News | null {
  const read = byNumber.get(row.context_type);
  if (read === undefined) return null;
  const news = {
    at: row.recorded_at,
    subjects: [],
    entityRef: null,
    batchId: null,
    commentId: null,
    actorId: row.actor_id,
    detail: null,
    mentions: [],
    ...read(event),
  };
  // The cut can divide a character, and PostgreSQL takes no half ones.
  const detail = news.detail?.slice(0, DETAIL_CHARS_MAX).toWellFormed() ?? '';
  return { ...news, detail: detail === '' ? null : detail };
}
