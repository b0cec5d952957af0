/**
 * Refuses to give lasting access to a session that nobody has proved for some minutes: a stolen cookie must not become a key, a link, a
 * member, a webhook that sends what happens, or a script that runs when the session has ended. Callers that show a key are not asked, because a key is as lasting as what it makes.
 */
import type { Actor, Workspace } from '../../actor.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { hashKey } from '../key-text.ts';
import { isProved } from '../persons/person-session.ts';
import { isSessionNew } from '../sessions/session.sql.ts';

/** The caller of a route, with the token of its session; null where it shows a key. */
interface Grantor {
  ctx: { db: Db; config: Pick<Config, 'PROOF_MINUTES'> };
  actor: Actor;
  workspace: Workspace;
  sessionToken: string | null;
}

/** The `before` of routes that give access. Throws `proof_needed`. */
export async function requireProof({ ctx, actor, workspace, sessionToken }: Grantor): Promise<void> {
  if (sessionToken === null) return;
  const isPerson = actor.type === 'member';
  if (isPerson ? await isProved(ctx, { token: sessionToken }) : await isNew()) return;
  throw new AppError(
    'proof_needed',
    isPerson
      ? 'This gives access that outlasts your session. Show your password or a passkey again first (POST /api/me/proof), or sign in again.'
      : 'This gives access that outlasts your session. Sign in with the key again first (POST /api/sessions), or send the key in the header.',
  );

  async function isNew(): Promise<boolean> {
    const seconds = ctx.config.PROOF_MINUTES * 60;
    const [row] = await inTransaction(ctx.db, { workspaceId: workspace.id }, (tx) =>
      tx.query<{ proved: boolean }>(isSessionNew, [workspace.id, hashKey(sessionToken as string), seconds]),
    );
    return row?.proved === true;
  }
}
