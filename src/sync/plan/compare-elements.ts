/** Compares prepared elements with what is stored, most by their hashes: each asks for nothing, a new entity, a change or a new revision. */
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { PropertyValue } from '../../configuration/properties/property-value.ts';
import type { Tx } from '../../db/transaction.ts';
import { byteaArray, int4Array, uuidArray } from '../../db/wire/array-parameter.ts';
import type { FieldChange } from '../../entities/entity-fields.ts';
import { requireAnySize } from '../chunk/bounded-work.ts';
import { propertiesJson, valuesOf } from '../elements/coerce-properties.ts';
import type { PreparedEntity } from '../elements/prepare-elements.ts';
import { archivedWarning, type SyncWarning } from '../elements/sync-result.ts';
import {
  compareAndLock,
  compareWithStored,
  lockAsCompared,
  measureProperties,
  selectProperties,
} from './compare-elements.sql.ts';
import { FIELD_END, fieldsOf, LINE_END, textOf } from './joined-lines.ts';
import { takePictures } from './take-pictures.ts';
import { warnOfUnits } from './unit-warnings.ts';

export interface StoredEntity {
  id: string;
  versionId: string;
  revisionNumber: number;
  /** Counts the writes of the row: equal means untouched. */
  version: number;
  category: string;
  released: boolean;
  number: string | null;
}

export interface DataChange extends FieldChange {
  /** A property may be called `name` as well. */
  of: 'entity' | 'property';
}

/** All elements of one GUID: the first carries the data, the others only their parent links. */
export interface ComparedEntity extends PreparedEntity {
  stored: StoredEntity | null;
  /**
   * The row of a stored entity that differs and whose properties may be large: they are read later (`readLarge`),
   * and until then the changes are not known.
   */
  unread: StoredRow | null;
  /** The changes that the carrier makes; empty for a new entity and for an unchanged one. */
  changes: readonly DataChange[];
  /** The values to write: the stored ones with the carrier's over them, as canonical JSON. */
  name: string;
  number: string | null;
  valuesJson: string;
  /** How many these are. */
  valueCount: number;
  /** The picture to write: its hash, null to take it away, undefined to leave what is stored. */
  picture: string | null | undefined;
  /** The GUID of the parent location that the element asks for, and of the present one, or its id; null where nothing is to change. */
  place: { from: string | null; to: string | null } | null;
  /** The hash to store (`PreparedElement.kept`); null where an equal payload must be compared in full again. */
  hash: string | null;
  warnings: readonly SyncWarning[];
}

type StoredRow = [
  ordinal: number,
  id: string,
  versionId: string,
  revisionNumber: number,
  version: number,
  state: string,
  number: string | null,
  name: string,
  category: string,
  isArchived: boolean,
  /** They are null if they may be large. */
  properties: Record<string, PropertyValue> | null,
  picture: string | null,
  parentLocation: string | null,
];

/** Properties of large entities that are held at once, as text; one entity may have as much by itself. */
const LARGE_BYTES_HELD = 8 * 1024 * 1024;

/**
 * Compares; the input is ordered by GUID. With `lock` the stored rows are locked first, in
 * GUID order, and stay so until the transaction ends: then the answer holds until it is acted on.
 */
export async function compareElements(
  tx: Tx,
  entities: readonly PreparedEntity[],
  configuration: WorkspaceConfiguration,
  lock: boolean,
): Promise<ComparedEntity[]> {
  const compared = entities.map(uncompared);
  if (compared.length === 0) return compared;
  const guids = uuidArray(compared.map(guidOf));
  const [found] = await tx.query<{ same: string | null; different: string | null }>(
    lock ? compareAndLock : compareWithStored,
    [tx.workspaceId, guids, byteaArray(compared.map(hashOf))],
  );
  readSame(found?.same ?? '', compared, configuration);
  await takePictures(tx, compared.filter(isNotSame));
  for (const row of JSON.parse(found?.different ?? '[]') as StoredRow[]) {
    compareFields(compared[row[0]] as ComparedEntity, row, configuration);
  }
  await warnOfUnits(tx, compared);
  return compared;
}

/**
 * Locks the stored ones of these, in GUID order, until the transaction ends, and says whether nobody has written them since they were compared.
 */
export async function lockCompared(tx: Tx, compared: readonly ComparedEntity[]): Promise<boolean> {
  const stored = compared.filter((one) => one.stored !== null);
  const [found] = await tx.query<{ same: number }>(lockAsCompared, [
    tx.workspaceId,
    uuidArray(stored.map(guidOf)),
    int4Array(stored.map(versionOf)),
  ]);
  return found?.same === stored.length;
}

const versionOf = ({ stored }: ComparedEntity) => (stored as StoredEntity).version;

/** Takes what is stored of those whose hash is equal. Without a list for each line, since there are thousands. */
function readSame(
  lines: string,
  compared: readonly ComparedEntity[],
  configuration: WorkspaceConfiguration,
): void {
  let last = { json: '', state: '' };
  for (let at = 0; at < lines.length; ) {
    const found = lines.indexOf(LINE_END, at);
    const end = found === -1 ? lines.length : found;
    const afterOrdinal = lines.indexOf(FIELD_END, at);
    const afterId = lines.indexOf(FIELD_END, afterOrdinal + 1);
    const afterVersion = lines.indexOf(FIELD_END, afterId + 1);
    const afterState = lines.indexOf(FIELD_END, afterVersion + 1);
    const entity = compared[Number(lines.slice(at, afterOrdinal))] as ComparedEntity;
    const id = lines.slice(afterOrdinal + 1, afterId);
    const state = lines.slice(afterVersion + 1, afterState);
    // Most are in the state of the one before.
    if (state !== last.json) last = { json: state, state: JSON.parse(state) as string };
    const [number, revision, versionId] = fieldsOf(lines, afterState + 1, end);
    const category = entity.carrier.element.categoryKey;
    entity.number = number === '' ? null : textOf(number);
    // The hash covers the place.
    entity.place = null;
    entity.stored = {
      id,
      versionId: versionId ?? id,
      revisionNumber: revision === undefined ? 1 : Number(revision),
      version: Number(lines.slice(afterId + 1, afterVersion)),
      category,
      released: isReleased(configuration, category, last.state),
      number: entity.number,
    };
    at = end + 1;
  }
}

const isNotSame = ({ stored }: ComparedEntity) => stored === null;
const guidOf = ({ guid }: PreparedEntity) => guid;
const hashOf = ({ carrier }: PreparedEntity) => carrier.hash;
const noChanges: readonly DataChange[] = [];

/** Returns the entity as a new one. */
export function uncompared(entity: PreparedEntity): ComparedEntity {
  const { guid, carrier, others, lines } = entity;
  const { element, properties, kept, warnings } = carrier;
  const { name, number } = element;
  const valuesJson = properties.json;
  const valueCount = properties.keys.length;
  const place = element.parentLocation == null ? null : { from: null, to: element.parentLocation };
  return {
    guid,
    carrier,
    others,
    lines,
    stored: null,
    unread: null,
    changes: noChanges,
    name,
    number,
    valuesJson,
    valueCount,
    picture: undefined,
    place,
    hash: kept,
    warnings,
  };
}

/**
 * Compares entities that `compareElements` has left unread, as many at a time as memory allows: thousands of
 * entities may have megabytes each. Yielded entities contain their values, the arguments do not.
 */
export async function* readLarge(
  tx: Tx,
  compared: readonly ComparedEntity[],
  configuration: WorkspaceConfiguration,
): AsyncGenerator<ComparedEntity[]> {
  const unread = compared.filter((entity) => entity.unread !== null);
  if (unread.length === 0) return;
  requireAnySize(tx);
  const idsOf = (some: readonly ComparedEntity[]) => uuidArray(some.map(({ stored }) => stored?.id ?? ''));
  const sizes = await tx.query<{ bytes: number }>(measureProperties, [tx.workspaceId, idsOf(unread)]);
  for (let start = 0; start < unread.length; ) {
    let end = start;
    for (let bytes = 0; end < unread.length; end++) {
      bytes += sizes[end]?.bytes ?? 0;
      if (end > start && bytes > LARGE_BYTES_HELD) break;
    }
    const some = unread.slice(start, end);
    const rows = await tx.query<{ properties: string }>(selectProperties, [tx.workspaceId, idsOf(some)]);
    if (rows.length < some.length) throw new Error('An entity that was compared is gone');
    yield some.map((entity, place) => {
      const row = [...(entity.unread as StoredRow)] as StoredRow;
      row[10] = JSON.parse(rows[place]?.properties as string) as Record<string, PropertyValue>;
      const read = { ...entity, unread: null };
      compareFields(read, row, configuration);
      return read;
    });
    start = end;
  }
}

/** Compares the element with the stored row. Its number counts only where the row has none. */
function compareFields(entity: ComparedEntity, row: StoredRow, configuration: WorkspaceConfiguration): void {
  const [, id, versionId, revisionNumber, version, state, number, name, category, isArchived, ...data] = row;
  const [properties, picture, around] = data;
  const { element, properties: wanted } = entity.carrier;
  const changes: DataChange[] = [];
  const released = isReleased(configuration, category, state);
  entity.stored = { id, versionId, revisionNumber, version, category, released, number };
  if (properties === null) {
    entity.unread = row;
    return;
  }
  if (element.name !== name) changes.push({ of: 'entity', property: 'name', from: name, to: element.name });
  entity.number = number;
  if (number === null && element.number !== '') {
    entity.number = element.number;
    changes.push({ of: 'entity', property: 'number', from: null, to: element.number });
  }
  if (entity.picture !== undefined && entity.picture !== picture)
    changes.push({ of: 'entity', property: 'picture', from: picture, to: entity.picture });
  const { parentLocation } = element;
  const isMoved = parentLocation !== undefined && parentLocation !== around;
  entity.place = isMoved ? { from: around, to: parentLocation } : null;
  const values = valuesOf(wanted);
  let stored = 0;
  for (let i = 0; i < values.length; i++) {
    const key = wanted.keys[i] as string;
    const value = values[i] as PropertyValue;
    const from = Object.hasOwn(properties, key) ? (properties[key] as PropertyValue) : null;
    if (from !== null) stored++;
    if (from === value) continue;
    changes.push({ of: 'property', property: key, from, to: value });
  }
  for (const key of wanted.removed) {
    if (Object.hasOwn(properties, key))
      changes.push({ of: 'property', property: key, from: properties[key] as PropertyValue, to: null });
  }
  entity.changes = changes;
  // Mostly the sender gives all that is stored: then what it gives is what is to be written.
  if (stored < Object.keys(properties).length) {
    const merged = new Map<string, PropertyValue>(Object.entries(properties));
    for (const [place, key] of wanted.keys.entries()) merged.set(key, values[place] as PropertyValue);
    for (const key of wanted.removed) merged.delete(key);
    entity.valuesJson = propertiesJson(merged);
    entity.valueCount = merged.size;
  }
  if (element.categoryKey !== category) {
    entity.warnings = [
      ...entity.warnings,
      {
        code: 'category_kept',
        message: `The entity stays in category ${JSON.stringify(category)}; ${JSON.stringify(element.categoryKey)} was not taken.`,
      },
    ];
    entity.hash = null;
  }
  if (isArchived) {
    entity.warnings = [...entity.warnings, archivedWarning];
    // The hash would let it pass as unchanged, without the warning.
    entity.hash = null;
  }
  if (entity.number === null) entity.hash = null;
}

/** Whether entities of the category are released in the state. */
export function isReleased(configuration: WorkspaceConfiguration, category: string, state: string): boolean {
  return configuration.categories.get(category)?.lifecycle.releasedStates.has(state) ?? false;
}
