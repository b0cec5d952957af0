/** Writes the audit trail: who changed which configuration or key, when, from what to what. */
import type { Actor } from '../actor.ts';
import { newId } from '../db/ids.ts';
import type { AnyTx } from '../db/transaction.ts';
import { insertAuditEntry } from './audit.sql.ts';

export interface Change {
  actor: Actor;
  action: 'create' | 'update' | 'delete' | 'revoke';
  /** The kind of the subject: `category`, `lifecycle`, `propertyDefinition`, `apiKey`, `workspace`, … */
  subjectType: string;
  /** The thing's key or id, as its path has it. */
  subjectKey: string;
  /** The thing as the API shows it, before and after; null where it did not exist. Never a secret. */
  before: unknown;
  after: unknown;
  /** Whose trail; needed only where the transaction is the instance's, ignored where it has a workspace. */
  workspaceId?: string;
}

/**
 * Appends one entry in the transaction of the change itself, so that there is neither a change without an
 * entry nor an entry without a change. Makes the actor's row where it is the actor's first.
 */
export async function recordChange(tx: AnyTx, change: Change): Promise<void> {
  const workspaceId = tx.workspaceId ?? change.workspaceId;
  if (workspaceId === undefined) throw new Error('An audit entry belongs to a workspace: none was given');
  await tx.query(insertAuditEntry, [
    workspaceId,
    newId(),
    change.actor.id,
    change.actor.type,
    change.actor.name,
    change.action,
    change.subjectType,
    change.subjectKey,
    asJson(change.before),
    asJson(change.after),
  ]);
}

/** JSON text, with SQL null rather than JSON null for nothing. */
function asJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
