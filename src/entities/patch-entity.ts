/** Changes an entity's values, in place or, where it is released, in a new revision. */
import type { Actor } from '../access/actor.ts';
import { holdConfiguration } from '../configuration/hold-configuration.ts';
import { loadConfiguration } from '../configuration/load-configuration.ts';
import { markPropertiesUsed } from '../configuration/properties/mark-properties-used.ts';
import type { Tx } from '../db/transaction.ts';
import { recordEntityUpdated } from '../events/record-entity-events.ts';
import {
  checkProperties,
  type PropertyLimits,
  type PropertyValue,
  requirePropertyRoom,
} from './check-properties.ts';
import type { EntityRow } from './entity.entity.ts';
import { lockEntityRow } from './lock-entity-row.ts';
import { type EntityRef, resolveEntityId } from './resolve-entity.ts';
import { reviseReleased } from './revise-released.ts';

export interface EntityChanges {
  name?: string | undefined;
  /** Taken only where the entity has none (interface, Entity). */
  number?: string | null | undefined;
  /** Null removes a value; what is not named stays. */
  properties?: Readonly<Record<string, unknown>> | undefined;
}

export interface FieldChange {
  /** `name`, `number`, or the key of a property. */
  property: string;
  from: PropertyValue | null;
  to: PropertyValue | null;
}

/**
 * Returns what has changed: where nothing differs nothing is written, and no revision is made. `check` sees
 * the row as it is locked and may refuse. Takes the configuration lock: call it before entity rows are locked.
 * Throws `entity_not_found`, `unknown_property`, `validation_failed`.
 */
export async function patchEntity(
  tx: Tx,
  actor: Actor,
  ref: EntityRef,
  wanted: EntityChanges,
  limits: PropertyLimits,
  check: (row: EntityRow) => void = () => {},
): Promise<{ row: EntityRow; changes: FieldChange[] }> {
  await holdConfiguration(tx);
  const configuration = await loadConfiguration(tx);
  const id = await resolveEntityId(tx, ref);
  const given = checkProperties(wanted.properties ?? {}, configuration, limits);
  const valued = [...given].flatMap(([key, value]) => (value === null ? [] : [key]));
  await markPropertiesUsed(tx, configuration, valued);
  const row = await lockEntityRow(tx, id);
  check(row);

  const name = wanted.name ?? row.name;
  const number: string | null = row.number ?? wanted.number ?? null;
  const properties = new Map(Object.entries(row.properties));
  const changes: FieldChange[] = [];
  if (name !== row.name) changes.push({ property: 'name', from: row.name, to: name });
  if (number !== row.number) changes.push({ property: 'number', from: row.number ?? null, to: number });
  for (const [key, to] of given) {
    const from = properties.get(key) ?? null;
    if (from === to) continue;
    changes.push({ property: key, from, to });
    if (to === null) properties.delete(key);
    else properties.set(key, to);
  }
  if (changes.length === 0) return { row, changes };
  if (properties.size > Object.keys(row.properties).length) requirePropertyRoom(properties.size, limits);

  await reviseReleased(tx, actor, row, configuration);
  // From entries: a key such as __proto__ becomes a member like any other.
  tx.em.assign(row, { name, number, properties: Object.fromEntries(properties), syncHash: null });
  await tx.em.flush();
  await recordEntityUpdated(tx, row, changes);
  return { row, changes };
}
