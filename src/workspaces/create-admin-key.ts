/** Makes an admin key without an end for a workspace, such as one whose own keys open it no longer; the operator alone may do that. */

import { slugForm } from '../access/authenticate.ts';
import { createApiKey } from '../access/create-api-key.ts';
import { OPERATOR } from '../actor.ts';
import type { InstanceTx } from '../db/transaction.ts';
import { AppError, restingError } from '../errors.ts';
import type { CreatedAdminKey, NewAdminKey } from './workspace.schema.ts';

/**
 * The audit trail of the workspace names the operator. The bound on a workspace's keys does not apply, since nobody but an
 * admin could make room. Throws `not_found`, `workspace_moving` and `workspace_gone`.
 */
export async function createAdminKey(
  tx: InstanceTx,
  slug: string,
  { name }: NewAdminKey,
  operator = OPERATOR,
): Promise<CreatedAdminKey> {
  const [workspace] = slugForm.test(slug) ? await tx.query<WorkspaceState>(selectState, [slug]) : [];
  if (workspace === undefined) throw new AppError('not_found', `There is no workspace "${slug}".`);
  const { id: workspaceId, state, moved_to: movedTo } = workspace;
  if (state !== 'active') throw restingError(state, movedTo);
  const made = await createApiKey(tx, {
    workspaceId,
    actor: operator,
    name,
    permission: 'admin',
    expiresAt: null,
  });
  return { id: made.id, key: made.key, permission: 'admin' };
}

interface WorkspaceState {
  id: string;
  state: 'active' | 'moving' | 'gone';
  moved_to: string | null;
}

/** $1 slug. */
const selectState = 'select id, state, moved_to from workspace where slug = $1';
