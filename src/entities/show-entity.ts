/** An entity's row in the form of the API. */

import type { PropertyValue } from '../configuration/properties/property-value.ts';
import { rfc3339 } from '../db/time.ts';
import type { Entity } from './entities.schema.ts';
import { revisionLabel } from './revision-label.ts';

/** A row of `entityColumns`. */
export interface StoredEntity {
  id: string;
  version_id: string;
  guid: string | null;
  number: string | null;
  name: string;
  category: string;
  state: string;
  released: boolean;
  revision_number: number;
  properties: Record<string, PropertyValue>;
  parent_location_id: string | null;
  /** Counts every change; its text is the entity tag. */
  version: number;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  /** The entity into which it was merged. */
  merged_into: string | null;
  /** SHA-256 in hexadecimal. */
  picture: string | null;
  /** The base unit of an item that has one. */
  unit: string | null;
}

/** A row of `listedColumns`. */
export interface ListedEntity extends Omit<StoredEntity, 'properties'> {
  /** JSON. */
  properties: string;
}

/** With its properties read. */
export function parseListed(row: ListedEntity): StoredEntity {
  return { ...row, properties: JSON.parse(row.properties) };
}

export function showEntity(row: StoredEntity): Entity {
  return {
    id: row.id,
    versionId: row.version_id,
    E_Guid: row.guid,
    number: row.number,
    name: row.name,
    category: row.category,
    state: row.state,
    released: row.released,
    revision: revisionLabel(row.revision_number),
    revisionNumber: row.revision_number,
    parentLocation: row.parent_location_id,
    properties: row.properties,
    picture: row.picture,
    unit: row.unit,
    createdAt: rfc3339(row.created_at),
    updatedAt: rfc3339(row.updated_at),
    archivedAt: row.archived_at === null ? null : rfc3339(row.archived_at),
    mergedInto: row.merged_into,
  };
}
