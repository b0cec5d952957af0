/** Creates workspaces and admin keys in the operator's name, and records each as an action. */
import type { Actor } from '../../actor.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createAdminKey } from '../../workspaces/create-admin-key.ts';
import { createWorkspace, requireOwnSlug } from '../../workspaces/create-workspace.ts';
import type { NewAdminKey, NewWorkspace } from '../../workspaces/workspace.schema.ts';
import { recordAction } from './record-action.ts';
import type { Retrying } from './retry-failures.ts';

type Creating = Pick<Retrying, 'db' | 'config' | 'log'>;

export interface CreatedKey {
  slug: string;
  key: string;
}

/** Throws `validation_failed` and `slug_taken`. */
export async function createForOperator(
  { db, config, log }: Creating,
  operator: Actor,
  given: NewWorkspace,
): Promise<CreatedKey> {
  const { slug } = given;
  requireOwnSlug(config, slug);
  const { apiKey } = await inTransaction(db, 'instance', async (tx) => {
    const created = await createWorkspace(tx, operator, given);
    await recordAction(tx, operator, { action: 'create', workspace: slug, subject: given.name });
    return created;
  });
  log.info({ operator: true, workspace: slug }, 'operator created a workspace');
  return { slug, key: apiKey.key };
}

/** Throws `validation_failed`, `not_found`, `workspace_moving` and `workspace_gone`. */
export async function createKeyForOperator(
  { db, log }: Creating,
  operator: Actor,
  slug: string,
  given: NewAdminKey,
): Promise<CreatedKey> {
  const { key } = await inTransaction(db, 'instance', async (tx) => {
    const created = await createAdminKey(tx, slug, given, operator);
    await recordAction(tx, operator, { action: 'key', workspace: slug, subject: given.name });
    return created;
  });
  log.info({ operator: true, workspace: slug }, 'operator created an admin key');
  return { slug, key };
}
