/**
 * The caller that triggered a run by a button. The run acts as an actor of its own, which names the automation and the caller, and may do
 * what the caller may do at that time.
 */
import { createHash } from 'node:crypto';
import { type CallerRights, readCallerRights } from '../../access/read-caller-rights.ts';
import type { Actor } from '../../actor.ts';
import { requireRoomInFilters } from '../../audit/actors-of-caller.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { insertActing } from './run-caller.sql.ts';

/** Throws `member_ended`, `api_key_revoked`. */
export async function requireCaller(tx: Tx, id: string): Promise<void> {
  const caller = (await readCallerRights(tx, [id])).get(id);
  const fault = caller === undefined ? null : faultOf(caller);
  if (fault !== null) throw fault;
}

/** Returns why a run cannot be made for the caller; null if it can. */
export function faultOf({ name: caller, ended }: CallerRights): AppError | null {
  if (ended === null) return null;
  const name = JSON.stringify(caller);
  if (ended === 'member_ended')
    return new AppError(
      'member_ended',
      `The run was started by ${name}, who is not a member any more, and would act with the rights of that member. Run the action anew.`,
    );
  return new AppError(
    'api_key_revoked',
    `The run was started with the key ${name}, which does not work any more, and would act with the rights of that key. Run the action anew.`,
  );
}

interface Named {
  id: string;
  name: string;
}

/** The automation while it acts for a caller. The same two give the same actor. */
export function actingFor(automation: Named, caller: Named): Actor {
  const digest = createHash('sha256').update(`acting ${automation.id} ${caller.id}`).digest('hex');
  // A UUID of version 8 (RFC 9562): its bits are the application's own.
  const id = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  return { type: 'automation', id, name: `${automation.name}, by ${caller.name}` };
}

/** Keeps the actor under which the automation acts for the caller. Throws `configuration_full`. */
export async function saveActing(tx: Tx, automation: Named, caller: Named): Promise<void> {
  const { id, name } = actingFor(automation, caller);
  const [saved] = await tx.query(insertActing, [tx.workspaceId, id, name, automation.id, caller.id]);
  if (saved !== undefined) await requireRoomInFilters(tx, caller);
}
