/** Makes an entity by hand, or for another capability that needs one (an order, a line, a requirement). */
import type { Actor } from '../actor.ts';
import { allocateNumbers, formatNumber } from '../configuration/allocate-numbers.ts';
import { isOutsideStructure } from '../configuration/categories/behaviour.ts';
import { cleanName, cleanNumber } from '../configuration/clean-text.ts';
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import { markPropertiesUsed } from '../configuration/current/mark-properties-used.ts';
import type { CategoryConfiguration } from '../configuration/current/workspace-configuration.ts';
import type { PropertyValue } from '../configuration/properties/property-value.ts';
import { newId } from '../db/ids.ts';
import { type Tx, violatedConstraint } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { recordEntityCreated } from '../events/record-entity-events.ts';
import { checkProperties, type PropertyLimits, requirePropertyRoom } from './check-properties.ts';
import { EntityRow } from './entity.entity.ts';
import { lockStructure, noteStructureEdit } from './links/lock-structure.ts';
import { resolvePendingLinks } from './links/resolve-pending-links.ts';
import { requireFreeNumber } from './numbers/taken-numbers.ts';
import { requireParentLocation } from './place-location.ts';
import { requireReferences } from './require-references.ts';
import { defaultsOf } from './required-properties.ts';
import type { EntityRef } from './resolve-entity.ts';

export interface WantedEntity {
  category: string;
  name: string;
  /** The category's scheme gives one where there is none, and always where its numbering says so. */
  number?: string | null | undefined;
  guid?: string | null | undefined;
  properties?: Readonly<Record<string, unknown>> | undefined;
  /** The location that this location lies in. */
  parentLocation?: EntityRef | null | undefined;
  /** The lifecycle's initial one where there is none. */
  state?: string | undefined;
  /** A person asks for it: refused where the category is for the procurement process alone. */
  byHand?: boolean | undefined;
}

/**
 * Takes the configuration and, with a GUID or a parent location, the structure lock: call it before entity rows are locked. Throws
 * `category_not_found`, `category_hidden`, `unknown_property`, `validation_failed`, `guid_taken`, `number_taken`,
 * `entity_not_found`, `not_a_location`, `tree_too_large`.
 */
export async function createEntity(
  tx: Tx,
  actor: Actor,
  wanted: WantedEntity,
  limits: PropertyLimits,
): Promise<EntityRow> {
  const configuration = await configurationForWriting(tx);
  const category = configuration.categories.get(wanted.category);
  if (category === undefined) throw categoryNotFound(wanted.category);
  if (wanted.byHand === true && category.hiddenFromNew) throw categoryHidden(category.key);
  const given = checkProperties(wanted.properties ?? {}, configuration, limits);
  const values = [...new Map([...defaultsOf(configuration, category), ...given])].filter(
    (entry): entry is [string, PropertyValue] => entry[1] !== null,
  );
  await requireReferences(tx, configuration, given);
  requirePropertyRoom(new Map(), new Map(values), limits);
  await markPropertiesUsed(
    tx,
    configuration,
    values.map(([key]) => key),
  );
  const guid = wanted.guid ?? null;
  if (guid !== null && configuration.aliases.has(guid)) throw guidTaken(guid);
  const parent = wanted.parentLocation ?? null;
  if (guid !== null || parent !== null) await lockStructure(tx);
  const place = { id: null, category: category.key };
  const parentLocationId = await requireParentLocation(tx, configuration, place, parent);
  const id = newId();
  const row = tx.em.create(EntityRow, {
    workspaceId: tx.workspaceId,
    id,
    // Of the first: no index needs it then.
    versionId: id,
    guid,
    number: await numberOf(tx, category, cleanNumber(wanted.number ?? '')),
    name: cleanName(wanted.name),
    category: category.key,
    state: wanted.state ?? category.lifecycle.initialState,
    revisionNumber: 1,
    parentLocationId,
    // From entries: a key such as __proto__ becomes a member like any other.
    properties: Object.fromEntries(values),
    syncHash: null,
    revisedBy: actor.id,
  });
  await insert(tx, row);
  if (guid !== null) await linkWaitingChildren(tx, guid, category);
  await recordEntityCreated(tx, row);
  return row;
}

function categoryNotFound(key: string): AppError {
  return new AppError('category_not_found', {
    detail: `There is no category "${key}" in this workspace.`,
    errors: [{ pointer: '/category', code: 'category_not_found', message: 'There is no such category.' }],
  });
}

function categoryHidden(key: string): AppError {
  return new AppError('category_hidden', {
    detail: `Entities of category "${key}" are made by the procurement process, not by hand: one without its entries in the ledger would be wrong.`,
    errors: [{ pointer: '/category', code: 'category_hidden', message: 'Not made by hand.' }],
  });
}

async function numberOf(tx: Tx, category: CategoryConfiguration, given: string): Promise<string> {
  if (category.numbering.source === 'payload' && given !== '') {
    await requireFreeNumber(tx, category, given);
    return given;
  }
  const { key, numbering } = category;
  return formatNumber(numbering.pattern, await allocateNumbers(tx, key, 1));
}

async function insert(tx: Tx, row: EntityRow): Promise<void> {
  try {
    await tx.em.persist(row).flush();
  } catch (error) {
    if (violatedConstraint(error) !== 'entity_guid') throw error;
    throw guidTaken(row.guid ?? '');
  }
}

export function guidTaken(guid: string): AppError {
  return new AppError('guid_taken', `There is an entity with the GUID ${guid} already.`);
}

/**
 * Creates the links that wait for this GUID. They keep waiting if the category of its entity has no place in a structure. The caller
 * has made sure that no cycle is closed: nothing uses an entity that has just been made.
 */
export async function linkWaitingChildren(
  tx: Tx,
  guid: string,
  category: CategoryConfiguration,
): Promise<void> {
  if (isOutsideStructure(category)) return;
  const parents = await resolvePendingLinks(tx, [guid]);
  if (parents.size > 0) await noteStructureEdit(tx);
}
