/** A script names entities as the API does and, because its context does, by the id of a version, too. */
import type { Tx } from '../../db/transaction.ts';
import { EntityRef, resolveEntityIds } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';

// The current version of an entity, or one that it has had. The first has the entity's own id.
const selectByVersion = `
  select id from entity where workspace_id = $1 and version_id = $2 and version_id <> id
  union all
  select entity_id from entity_revision where workspace_id = $1 and version_id = $2 limit 1`;

/** The id of the entity. Throws `entity_not_found`. */
export async function resolveRef(tx: Tx, given: string): Promise<string> {
  const ref = EntityRef.parse(given);
  const known = (await resolveEntityIds(tx, [ref])).get(ref);
  if (known !== undefined) return known;
  const [row] = ref.startsWith('guid:')
    ? []
    : await tx.query<{ id: string }>(selectByVersion, [tx.workspaceId, ref]);
  if (row === undefined)
    throw new AppError('entity_not_found', `There is no entity ${given} in this workspace.`);
  return row.id;
}
