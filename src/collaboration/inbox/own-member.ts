/** The member who calls. */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { selectOwnMember } from '../../subscriptions/subscriptions.sql.ts';

/** Returns the member, also where it calls with a key of its own. Throws `forbidden` for other keys, which nobody reads an inbox with. */
export async function requireOwnMember(tx: Tx, actor: Actor): Promise<string> {
  if (actor.type === 'member') return actor.id;
  const [own] = await tx.query<{ id: string | null }>(selectOwnMember, [tx.workspaceId, actor.id]);
  if (own?.id == null)
    throw new AppError(
      'forbidden',
      'This key belongs to no member. Sign in as a member, or use a key that a member has made for itself (`POST /me/api-keys`).',
    );
  return own.id;
}
