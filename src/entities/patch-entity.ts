/** Changes an entity's values, in place or, where it is released, in a new revision. */
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { keepBlobs, releaseBlobs } from '../blobs/store-blob.ts';
import { cleanName, cleanNumber } from '../configuration/clean-text.ts';
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import { markPropertiesUsed } from '../configuration/current/mark-properties-used.ts';
import { categoryOf, type WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import type { PropertyValue } from '../configuration/properties/property-value.ts';
import { type Tx, violatedConstraint } from '../db/transaction.ts';
import { AppError, fieldError } from '../errors.ts';
import { recordEntityUpdated } from '../events/record-entity-events.ts';
import { checkProperties, type PropertyLimits, requirePropertyRoom } from './check-properties.ts';
import { guidTaken, linkWaitingChildren } from './create-entity.ts';
import type { EntityRow } from './entity.entity.ts';
import { selectGuidAndParent } from './entity.sql.ts';
import { changesBetween, type FieldChange, type Fields, fieldsOf } from './entity-fields.ts';
import { waitingClosesCycle } from './links/entity-links.sql.ts';
import { lockStructure, noteStructureEdit } from './links/lock-structure.ts';
import { nameCycle } from './links/name-cycle.ts';
import { lockEntityRow } from './lock-entity-row.ts';
import { requireFreeNumber } from './numbers/taken-numbers.ts';
import { requireParentLocation } from './place-location.ts';
import { keptReferences, requireReferences } from './require-references.ts';
import { type EntityRef, resolveEntityId, resolveEntityIds } from './resolve-entity.ts';
import { reviseReleased } from './revise-entities.ts';
import { wasReleased } from './transitions.sql.ts';

export interface EntityChanges {
  name?: string | undefined;
  /** Given where the entity has none; corrected as long as it was never released. */
  number?: string | null | undefined;
  /** Given where the entity has none: from then on a sync finds it by this GUID. */
  guid?: string | null | undefined;
  /** The location that this location lies in from now on; null: in none. */
  parentLocation?: EntityRef | null | undefined;
  /** SHA-256 of a stored picture; null takes the picture away. */
  picture?: string | null | undefined;
  /** A null removes a value; what is not named stays. */
  properties?: Readonly<Record<string, unknown>> | undefined;
}

interface Patching {
  limits: PropertyLimits;
  check?: (row: EntityRow) => void | Promise<void>;
}

/**
 * Returns what has changed: where nothing differs nothing is written, and no revision is made. `check` sees
 * the row as it is locked and may refuse. Takes the configuration lock and, to give a GUID or a parent location, the structure
 * lock: call it before entity rows are locked. Throws `entity_not_found`, `unknown_property`, `validation_failed`,
 * `read_only_field`, `guid_taken`, `picture_not_found`, `number_taken`, `cycle`, `not_a_location`, `tree_too_large`.
 */
export async function patchEntity(
  tx: Tx,
  actor: Actor,
  ref: EntityRef,
  wanted: EntityChanges,
  { limits, check = () => {} }: Patching,
): Promise<{ row: EntityRow; changes: FieldChange[] }> {
  const configuration = await configurationForWriting(tx);
  const id = await resolveEntityId(tx, ref);
  const given = checkProperties(wanted.properties ?? {}, configuration, limits);
  await requireReferences(tx, configuration, given);
  const valued = [...given].flatMap(([key, value]) => (value === null ? [] : [key]));
  await markPropertiesUsed(tx, configuration, valued);
  const isPlaced = await lockStructureToGive(tx, id, wanted);
  const row = await lockEntityRow(tx, id);
  await check(row);
  const before = fieldsOf(row);
  const after = await fieldsAfter(tx, row, { before, wanted, given, isPlaced, configuration });
  const changes = changesBetween(before, after, [...given.keys()]);
  if (changes.length === 0) return { row, changes };
  if (given.size > 0) requirePropertyRoom(before.properties, after.properties, limits);
  await writeFields(tx, actor, row, { before, after, changes, configuration });
  await recordEntityUpdated(tx, row, changes);
  return { row, changes };
}

interface Given {
  before: Fields;
  wanted: EntityChanges;
  /** The properties, checked. */
  given: ReadonlyMap<string, PropertyValue | null>;
  /** Whether a parent location is to be set. */
  isPlaced: boolean;
  configuration: WorkspaceConfiguration;
}

/** Returns the values that the change leaves, and refuses those that cannot be set. */
async function fieldsAfter(
  tx: Tx,
  row: EntityRow,
  { before, wanted, given, isPlaced, configuration }: Given,
): Promise<Fields> {
  const parentLocationId = isPlaced
    ? await requireParentLocation(tx, configuration, row, wanted.parentLocation ?? null)
    : before.parentLocationId;
  if (wanted.guid !== undefined) requireSameGuid(row, wanted.guid);
  const name = wanted.name === undefined ? before.name : cleanName(wanted.name);
  const number = numberAfter(before.number, wanted.number);
  if (number !== before.number) {
    await requireRenumberable(tx, row, number, configuration);
    if (number !== null) await requireFreeNumber(tx, categoryOf(configuration, row.category), number);
  }
  const guid = before.guid ?? wanted.guid ?? null;
  if (guid !== before.guid && guid !== null && configuration.aliases.has(guid)) throw guidTaken(guid);
  const properties = new Map(before.properties);
  const kept = await keptReferences(tx, configuration, given, before.properties);
  for (const [key, value] of given) {
    if (kept.has(key)) continue;
    if (value === null) properties.delete(key);
    else properties.set(key, value);
  }
  const picture = wanted.picture === undefined ? before.picture : wanted.picture;
  return { name, number, guid, picture, parentLocationId, properties };
}

interface Changed {
  before: Fields;
  after: Fields;
  changes: readonly FieldChange[];
  configuration: WorkspaceConfiguration;
}

async function writeFields(
  tx: Tx,
  actor: Actor,
  row: EntityRow,
  { before, after, changes, configuration }: Changed,
): Promise<void> {
  const { name, number, guid, picture, parentLocationId, properties } = after;
  const gained = before.guid === null ? guid : null;
  const isPictured = picture !== before.picture;
  const isMoved = parentLocationId !== before.parentLocationId;
  if (picture !== null && isPictured) await requirePicture(tx, picture);
  if (gained !== null) await refuseCycle(tx, row.id, gained);
  // Where a location lies is no part of a revision.
  if (changes.length > (isMoved ? 1 : 0)) await reviseReleased(tx, actor, row, configuration);
  // From entries: a key such as __proto__ becomes a member like any other.
  tx.em.assign(row, {
    ...{ name, number, guid, parentLocationId },
    picture: picture === null ? null : Buffer.from(picture, 'hex'),
    properties: Object.fromEntries(properties),
    syncHash: null,
  });
  await flush(tx, row);
  if (before.picture !== null && isPictured) await releaseBlobs(tx, [before.picture]);
  if (gained !== null) {
    await linkWaitingChildren(tx, gained, categoryOf(configuration, row.category));
    // Batches under way planned their links without the structure that the entity has already.
    await noteStructureEdit(tx);
    await auditField(tx, actor, row.id, { E_Guid: [null, gained] });
  }
  if (before.number !== null && number !== before.number)
    await auditField(tx, actor, row.id, { number: [before.number, number] });
  if (isMoved)
    await auditField(tx, actor, row.id, { parentLocation: [before.parentLocationId, parentLocationId] });
}

/**
 * The structure lock comes before rows of entities, so it is taken after a look without a lock: an entity that has a GUID keeps
 * it, so that only one that has none can be given one. Returns whether a parent location is to be set: one that is sent as it was
 * read takes no lock, and sets nothing.
 */
async function lockStructureToGive(
  tx: Tx,
  id: string,
  { guid = null, parentLocation }: EntityChanges,
): Promise<boolean> {
  if (guid === null && parentLocation === undefined) return false;
  const [present] = await tx.query<{ guid: string | null; parent_location_id: string | null }>(
    selectGuidAndParent,
    [tx.workspaceId, id],
  );
  if (present === undefined) return false;
  const isPlaced =
    parentLocation !== undefined &&
    (parentLocation === null
      ? present.parent_location_id !== null
      : present.parent_location_id !== (await resolveEntityIds(tx, [parentLocation])).get(parentLocation));
  if (isPlaced || (guid !== null && present.guid === null)) await lockStructure(tx);
  return isPlaced;
}

/** Keeps the picture until the transaction ends: retention deletes pictures that nothing refers to. */
async function requirePicture(tx: Tx, sha256: string): Promise<void> {
  if ((await keepBlobs(tx, [sha256])).has(sha256)) return;
  const message = `There is no picture ${sha256} in this workspace: upload it first.`;
  throw fieldError('picture_not_found', '/picture', message);
}

/** A GUID is what a design-data system knows the entity by: it never changes, nor goes. */
function requireSameGuid(row: EntityRow, guid: string | null): void {
  if (row.guid === null || row.guid === undefined || row.guid === guid) return;
  const message = `"E_Guid" is ${row.guid} and cannot change: leave it out, or send it as it was read.`;
  throw new AppError('read_only_field', {
    detail: `The request is not valid. ${message}`,
    errors: [{ pointer: '/E_Guid', code: 'read_only_field', message }],
  });
}

/** An entity that is made can close no cycle; one that has parents already can, with the children that wait for it. */
async function refuseCycle(tx: Tx, id: string, guid: string): Promise<void> {
  const [found] = await tx.query<{ closes: boolean }>(waitingClosesCycle, [tx.workspaceId, id, guid]);
  if (found?.closes === false) return;
  const way = await nameCycle(tx, id, { waitingFor: guid });
  const named = way === null ? '' : `: ${way}`;
  throw new AppError('cycle', {
    detail: `What names ${guid} as its parent waits for this entity, and would close a cycle${named}. An entity cannot be part of itself. "/pending-links" shows what waits, and takes it back.`,
    errors: [{ pointer: '/E_Guid', code: 'cycle', message: 'What waits for this GUID would close a cycle.' }],
  });
}

async function flush(tx: Tx, row: EntityRow): Promise<void> {
  try {
    await tx.em.flush();
  } catch (error) {
    throw violatedConstraint(error) === 'entity_guid' ? guidTaken(row.guid ?? '') : error;
  }
}

/** Fields by which people and other systems know an entity are audited, whether or not the change opened a revision. */
function auditField(
  tx: Tx,
  actor: Actor,
  id: string,
  fields: Readonly<Record<string, readonly [from: PropertyValue | null, to: PropertyValue | null]>>,
): Promise<void> {
  const side = (at: 0 | 1) =>
    Object.fromEntries(Object.entries(fields).map(([field, values]) => [field, values[at]]));
  const [before, after] = [side(0), side(1)];
  return recordChange(tx, { actor, action: 'update', subjectType: 'entity', subjectKey: id, before, after });
}

/** The number as it is, or as it was sent, cleaned as that of a new entity: null where nothing of it is left. */
function numberAfter(present: string | null, wanted: string | null | undefined): string | null {
  if (wanted === undefined || wanted === present) return present;
  return cleanNumber(wanted ?? '') || null;
}

/**
 * A mistyped number can be corrected until somebody has relied on it: a number stays once its entity was released,
 * and a number that is there is never taken away.
 */
async function requireRenumberable(
  tx: Tx,
  row: EntityRow,
  number: string | null,
  configuration: WorkspaceConfiguration,
): Promise<void> {
  if (row.number === null || row.number === undefined) return;
  const refuse = (message: string) => {
    throw new AppError('read_only_field', {
      detail: `The request is not valid. ${message}`,
      errors: [{ pointer: '/number', code: 'read_only_field', message }],
    });
  };
  if (number === null)
    refuse(`"number" is ${row.number} and cannot be removed: leave it out, or send another one.`);
  const released = [...categoryOf(configuration, row.category).lifecycle.releasedStates];
  const [past] = await tx.query<{ released: boolean }>(wasReleased, [tx.workspaceId, row.id, released]);
  if (row.revisionNumber > 1 || released.includes(row.state) || past?.released !== false)
    refuse(
      `"number" is ${row.number} and cannot change, because the entity was released with it: leave it out, or create another entity.`,
    );
}
