/** Finds a comment and shows it to a caller. */
import type { Actor } from '../../actor.ts';
import { rfc3339 } from '../../db/time.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { Comment } from './comment.schema.ts';
import { lockComment, selectComment } from './comments.sql.ts';

export interface CommentRow {
  id: string;
  entity_id: string | null;
  batch_id: string | null;
  text: string;
  version: number;
  created_at: string;
  edited_at: string | null;
  deleted_at: string | null;
  author_id: string;
  author_type: Actor['type'] | null;
  author_name: string | null;
  mentions: { id: string; name: string; writtenAs: string }[];
}

/** Throws `comment_not_found`. */
export async function findComment(
  tx: Tx,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<CommentRow> {
  if (lock) await tx.query(lockComment, [tx.workspaceId, id]);
  const [row] = await tx.query<CommentRow>(selectComment, [tx.workspaceId, id]);
  if (row === undefined) throw new AppError('comment_not_found', 'There is no comment with this id.');
  return row;
}

export function showComment(row: CommentRow, actor: Actor): Comment {
  return {
    id: row.id,
    entityId: row.entity_id,
    importId: row.batch_id,
    text: row.text,
    mentions: row.mentions,
    author: { type: row.author_type ?? 'system', id: row.author_id, name: row.author_name ?? '' },
    mine: row.author_id === actor.id,
    createdAt: rfc3339(row.created_at),
    editedAt: row.edited_at === null ? null : rfc3339(row.edited_at),
    deletedAt: row.deleted_at === null ? null : rfc3339(row.deleted_at),
  };
}
