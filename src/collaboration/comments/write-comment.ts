/** Writes, edits and deletes comments. */
import type { Actor } from '../../actor.ts';
import { type Area, mayDo } from '../../areas.ts';
import { recordChange } from '../../audit/record-change.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { resolveEntityId } from '../../entities/resolve-entity.ts';
import { AppError, invalidValue } from '../../errors.ts';
import { listeningSlug, recordEvents } from '../../events/record-events.ts';
import { followAutomatically, partakerOf } from '../../subscriptions/follow.ts';
import { MENTIONS_MAX, type NewComment, VERSIONS_MAX } from './comment.schema.ts';
import {
  countComments,
  editComment,
  eraseComment,
  insertComment,
  type Subject,
  selectBatch,
  selectNamed,
} from './comments.sql.ts';
import { type CommentRow, findComment } from './find-comment.ts';

export interface Writer {
  actor: Actor;
  areas: readonly Area[];
}

export interface About {
  subject: Subject;
  id: string;
}

/** Finds the thing that comments are about. Throws `entity_not_found`, `batch_not_found`. */
export async function findSubject(tx: Tx, about: Pick<NewComment, 'entity' | 'import'>): Promise<About> {
  if (about.entity !== undefined) return { subject: 'entity', id: await resolveEntityId(tx, about.entity) };
  const id = about.import ?? '';
  const rows = await tx.query(selectBatch, [tx.workspaceId, id]);
  if (rows.length === 0) throw new AppError('batch_not_found', 'There is no import with this id.');
  return { subject: 'batch', id };
}

/** Callers that write at the same time may exceed the limit by one each. Throws `too_many_comments` and as `findSubject` does. */
export async function writeComment(
  tx: Tx,
  { actor }: Writer,
  comment: NewComment,
  commentsMax: number,
): Promise<CommentRow> {
  const { subject, id: subjectId } = await findSubject(tx, comment);
  const params = [tx.workspaceId, subjectId, commentsMax];
  const [counted] = await tx.query<{ present: number }>(countComments(subject), params);
  if ((counted?.present ?? 0) >= commentsMax)
    throw new AppError('too_many_comments', {
      detail: `It has ${commentsMax} comments, which is as many as it can have (COMMENTS_MAX).`,
      extensions: { limit: commentsMax },
    });
  const id = newId();
  const mentions = await mentionedIn(tx, comment.text);
  await tx.query(insertComment, [
    tx.workspaceId,
    id,
    subject === 'entity' ? subjectId : null,
    subject === 'batch' ? subjectId : null,
    actor.id,
    actor.type,
    actor.name,
    comment.text,
    mentions.ids,
    mentions.names,
  ]);
  await tellOfComment(tx, actor, { id, about: { subject, id: subjectId }, mentions: mentions.ids });
  return findComment(tx, id);
}

/** A text that is the same changes nothing. Throws `area_missing` for a comment of somebody else, `comment_deleted`, `too_many_comments`. */
export async function changeComment(
  tx: Tx,
  { actor, areas }: Writer,
  before: CommentRow,
  text: string,
): Promise<CommentRow> {
  if (before.author_id !== actor.id)
    throw new AppError('area_missing', {
      detail: 'Only its author can edit a comment.',
      extensions: { needed: [], areas: [...areas] },
    });
  requireThere(before);
  if (before.text === text) return before;
  if (before.version > VERSIONS_MAX)
    throw new AppError('too_many_comments', {
      detail: `The comment was edited ${VERSIONS_MAX} times, which is the most. Write another one.`,
      extensions: { limit: VERSIONS_MAX },
    });
  const mentions = await mentionedIn(tx, text, before);
  await tx.query(editComment, [tx.workspaceId, before.id, text, mentions.ids, mentions.names]);
  const known = new Set(before.mentions.map(({ id }) => id));
  const added = mentions.ids.filter((id) => !known.has(id));
  const about = {
    subject: before.entity_id === null ? ('batch' as const) : ('entity' as const),
    id: before.entity_id ?? before.batch_id ?? '',
  };
  if (added.length > 0)
    await tellOfComment(tx, actor, { id: before.id, about, mentions: added, isEdit: true });
  return findComment(tx, before.id);
}

interface ToldComment {
  id: string;
  about: About;
  /** The members who are told that they are mentioned. */
  mentions: readonly string[];
  /** An edit is told to the persons that it mentions alone. */
  isEdit?: boolean;
}

/** Lets the author and the mentioned members follow the thing, and records the event that the inbox reads. */
async function tellOfComment(
  tx: Tx,
  actor: Actor,
  { id: commentId, about, mentions, isEdit = false }: ToldComment,
): Promise<void> {
  const type = about.subject === 'entity' ? 'entity' : 'import';
  await followAutomatically(tx, [...partakerOf(actor), ...mentions], { type, key: about.id });
  if ((await listeningSlug(tx, 'commentWritten')) === null) return;
  const event = {
    commentId,
    entityId: type === 'entity' ? about.id : null,
    batchId: type === 'import' ? about.id : null,
    mentions,
    isEdit,
  };
  await recordEvents(tx, 'commentWritten', [event], { actorId: actor.id });
}

/** The audit trail says who deleted it, not what it said. Throws `area_missing`, `comment_deleted`. */
export async function deleteComment(tx: Tx, { actor, areas }: Writer, row: CommentRow): Promise<void> {
  if (row.author_id !== actor.id && !mayDo({ areas }, 'admin'))
    throw new AppError('area_missing', {
      detail: 'Only its author and administrators can delete a comment.',
      extensions: { needed: ['admin'], areas: [...areas] },
    });
  requireThere(row);
  await tx.query(eraseComment, [tx.workspaceId, row.id]);
  const before = {
    entityId: row.entity_id,
    importId: row.batch_id,
    author: { id: row.author_id, name: row.author_name },
  };
  await recordChange(tx, {
    actor,
    action: 'delete',
    subjectType: 'comment',
    subjectKey: row.id,
    before,
    after: null,
  });
}

function requireThere({ deleted_at }: CommentRow): void {
  if (deleted_at !== null) throw new AppError('comment_deleted', 'The comment was deleted.');
}

const MENTION = /@\[([^[\]\n]{1,200})\]/g;

const namesIn = (text: string) => [
  ...new Set([...text.matchAll(MENTION)].map(([, name = '']) => name.trim())),
];

interface Mentions {
  ids: string[];
  /** The name in the text of each. */
  names: string[];
}

/**
 * Returns the members that the text mentions. A name that stood in the text before means the member that it meant, although that has left
 * or has another name since. Throws `validation_failed` for another name that no active member has.
 */
async function mentionedIn(tx: Tx, text: string, before?: CommentRow): Promise<Mentions> {
  const names = namesIn(text);
  if (names.length === 0) return { ids: [], names: [] };
  if (names.length > MENTIONS_MAX) throw refused(`A comment mentions at most ${MENTIONS_MAX} members.`);
  const rows = await tx.query<{ id: string; name: string }>(selectNamed, [tx.workspaceId, names]);
  const idOf = new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]));
  for (const { id, writtenAs } of before?.mentions ?? []) idOf.set(writtenAs.toLowerCase(), id);
  const former = new Set(namesIn(before?.text ?? '').map((name) => name.toLowerCase()));
  const mentioned = new Map<string, string>();
  for (const name of names) {
    const id = idOf.get(name.toLowerCase());
    if (id !== undefined) mentioned.set(id, name);
    else if (!former.has(name.toLowerCase()))
      throw refused(
        `There is no active member ${JSON.stringify(name)}. Mention a member by the name that \`GET /people\` shows.`,
      );
  }
  return { ids: [...mentioned.keys()], names: [...mentioned.values()] };
}

function refused(message: string): AppError {
  return invalidValue('/text', message);
}
