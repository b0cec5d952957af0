/** Finds the entities that scripts and actions name: as in the API, by the id of a version, and in settings of actions by number. */
import type { Tx } from '../../db/transaction.ts';
import { searchEntities } from '../../entities/lists/search-entities.ts';
import { EntityRef, entityNotFound, resolveEntityIds } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import type { ActionRun } from './built-in-action.ts';

// The current version of an entity, or one that it has had. The first has the entity's own id.
const selectByVersion = `
  select id from entity where workspace_id = $1 and version_id = $2 and version_id <> id
  union all
  select entity_id from entity_revision where workspace_id = $1 and version_id = $2 limit 1`;

/** The item of an order line or a requirement. $1 workspace, $2 id. */
const selectItemOf = `
  select item_id from stock_line where workspace_id = $1 and id = $2
  union all
  select item_id from material_requirement where workspace_id = $1 and id = $2`;

/** Returns the id of the entity. Throws `entity_not_found`. */
export async function resolveRef(tx: Tx, given: string): Promise<string> {
  const ref = EntityRef.parse(given);
  const known = (await resolveEntityIds(tx, [ref])).get(ref);
  if (known !== undefined) return known;
  const [row] = ref.startsWith('guid:')
    ? []
    : await tx.query<{ id: string }>(selectByVersion, [tx.workspaceId, ref]);
  if (row === undefined) throw entityNotFound(given);
  return row.id;
}

/** Returns the id of an entity that a setting names, also by its number. Throws `entity_not_found`, `validation_failed`. */
export async function resolveNamed(tx: Tx, given: string): Promise<string> {
  if (EntityRef.safeParse(given).success) return resolveRef(tx, given);
  const { entities } = await searchEntities(tx, { number: given }, null, 2);
  const [found, other] = entities;
  if (found === undefined)
    throw new AppError('entity_not_found', `No entity has the number "${given}", and it is no id.`);
  if (other !== undefined)
    throw new AppError(
      'validation_failed',
      `Several entities have the number "${given}". Name the entity by its id.`,
    );
  return found.id;
}

/** Returns the id of the entity of the action: the named one, or that of the event. Throws as `resolveNamed`. */
export async function resolveSubject(
  { tx, context }: ActionRun,
  subject: 'entity' | 'item',
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return resolveNamed(tx, given);
  if (typeof context.entityId === 'string') {
    const id = await resolveRef(tx, context.entityId);
    if (subject === 'entity') return id;
    // An order line and a requirement are entities, too: an action on an item means the item that they are for.
    const [procured] = await tx.query<{ item_id: string }>(selectItemOf, [tx.workspaceId, id]);
    return procured?.item_id ?? id;
  }
  throw new AppError('validation_failed', `The event has no entity. Set "${subject}".`);
}
