/** Properties of type reference name entities of the workspace when a person or a script sets them; a sync may be ahead of them. */
import type { WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import type { PropertyValue } from '../configuration/properties/property-value.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { pointerOf } from '../http/json-pointer.ts';
import { resolveEntityIds } from './resolve-entity.ts';

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
    detail: `The properties are not valid. There is no entity ${first[1]} in this workspace.`,
    errors: unknown.map(([key, ref]) => ({
      pointer: pointerOf(['properties', key]),
      code: 'entity_not_found',
      message: `There is no entity ${ref} in this workspace.`,
    })),
  });
}
