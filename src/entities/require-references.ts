/** Properties of type reference name entities of the workspace when a person or a script sets them; a sync may be ahead of them. */
import type { WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import { type PropertyValue, propertyTypes } from '../configuration/properties/property-value.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { pointerOf } from '../http/json-pointer.ts';
import { noEntity, resolveEntityIds } from './resolve-entity.ts';

type Values = ReadonlyMap<string, PropertyValue | null>;

/**
 * Returns the keys of references that name the entity which they name already, by another of its names: an entity is shown with the one
 * that stays in the place of a merged one, and what is sent as it was read changes nothing.
 */
export async function keptReferences(
  tx: Tx,
  { properties }: Pick<WorkspaceConfiguration, 'properties'>,
  after: Values,
  before: Values,
): Promise<ReadonlySet<string>> {
  const changed = [...after].flatMap(([key, to]) => {
    const from = before.get(key);
    const isReference = properties.get(key)?.type === 'reference';
    return isReference && typeof from === 'string' && typeof to === 'string' && from !== to
      ? [{ key, from, to }]
      : [];
  });
  if (changed.length === 0) return new Set();
  const known = await entitiesNamed(
    tx,
    changed.flatMap(({ from, to }) => [from, to]),
  );
  const named = (ref: string) => known.get(ref) ?? ref;
  return new Set(changed.filter(({ from, to }) => named(from) === named(to)).map(({ key }) => key));
}

/** Returns the entity that stays for each merged one. */
async function stayingIds(tx: Tx, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ id: string; entity_id: string }>(selectStaying, [tx.workspaceId, [...ids]]);
  return new Map(rows.map(({ id, entity_id: staying }) => [id, staying]));
}

/** Returns the id of the entity to which each name leads, through merges; names of no entity are absent. */
export async function entitiesNamed(tx: Tx, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const refs = names.filter((name) => propertyTypes.reference.fits(name));
  if (refs.length === 0) return new Map();
  const known = await resolveEntityIds(tx, refs);
  const staying = await stayingIds(tx, known.values());
  return new Map([...known].map(([ref, id]) => [ref, staying.get(id) ?? id]));
}

const selectStaying =
  'select id, entity_id from entity_alias where workspace_id = $1 and id = any($2::uuid[])';

/** Throws `validation_failed` with a pointer for each reference to no entity. */
export async function requireReferences(
  tx: Tx,
  { properties }: Pick<WorkspaceConfiguration, 'properties'>,
  values: ReadonlyMap<string, PropertyValue | null>,
): Promise<void> {
  const references = [...values].filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && properties.get(entry[0])?.type === 'reference',
  );
  if (references.length === 0) return;
  const known = await resolveEntityIds(
    tx,
    references.map(([, ref]) => ref),
  );
  const unknown = references.filter(([, ref]) => !known.has(ref));
  const [first] = unknown;
  if (first === undefined) return;
  throw new AppError('validation_failed', {
    detail: `The properties are not valid. ${noEntity(first[1])}`,
    errors: unknown.map(([key, ref]) => ({
      pointer: pointerOf(['properties', key]),
      code: 'entity_not_found',
      message: noEntity(ref),
    })),
  });
}
