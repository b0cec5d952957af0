/** Creates workspaces and admin keys in the operator's name, and records each as an action. */
import { OPERATOR } from '../actor.ts';
import { newId } from '../db/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { createAdminKey } from '../workspaces/create-admin-key.ts';
import { createWorkspace, requireOwnSlug } from '../workspaces/create-workspace.ts';
import type { NewAdminKey, NewWorkspace } from '../workspaces/workspace.schema.ts';
import { insertAction } from './console.sql.ts';
import type { Retrying } from './retry-failures.ts';

type Creating = Pick<Retrying, 'db' | 'config' | 'log'>;

export interface CreatedKey {
  slug: string;
  key: string;
}

/** Throws `validation_failed` and `slug_taken`. */
export async function createForOperator(
  { db, config, log }: Creating,
  given: NewWorkspace,
): Promise<CreatedKey> {
  const { slug } = given;
  requireOwnSlug(config, slug);
  const { apiKey } = await inTransaction(db, 'instance', async (tx) => {
    const created = await createWorkspace(tx, OPERATOR, given);
    await tx.query(insertAction, [newId(), 'create', null, slug, given.name, null, 0]);
    return created;
  });
  log.info({ operator: true, workspace: slug }, 'operator created a workspace');
  return { slug, key: apiKey.key };
}

/** Throws `validation_failed`, `not_found`, `workspace_moving` and `workspace_gone`. */
export async function createKeyForOperator(
  { db, log }: Creating,
  slug: string,
  given: NewAdminKey,
): Promise<CreatedKey> {
  const { key } = await inTransaction(db, 'instance', async (tx) => {
    const created = await createAdminKey(tx, slug, given);
    await tx.query(insertAction, [newId(), 'key', null, slug, given.name, null, 0]);
    return created;
  });
  log.info({ operator: true, workspace: slug }, 'operator created an admin key');
  return { slug, key };
}
