/** The values of an entity that a change can set, before and after it. */
import type { PropertyValue } from '../configuration/properties/property-value.ts';
import type { EntityRow } from './entity.entity.ts';

export interface FieldChange {
  /** `name`, `number`, `E_Guid`, `parentLocation`, `picture`, or the key of a property. */
  property: string;
  from: PropertyValue | null;
  to: PropertyValue | null;
}

export interface Fields {
  name: string;
  number: string | null;
  guid: string | null;
  /** SHA-256, in hexadecimal. */
  picture: string | null;
  parentLocationId: string | null;
  properties: Map<string, PropertyValue>;
}

export function fieldsOf(row: EntityRow): Fields {
  return {
    name: row.name,
    number: row.number ?? null,
    guid: row.guid ?? null,
    picture: row.picture == null ? null : Buffer.from(row.picture).toString('hex'),
    parentLocationId: row.parentLocationId ?? null,
    properties: new Map(Object.entries(row.properties)),
  };
}

/** Returns what differs, of the properties with these keys. */
export function changesBetween(before: Fields, after: Fields, keys: readonly string[]): FieldChange[] {
  const fields = [
    { property: 'name', from: before.name, to: after.name },
    { property: 'number', from: before.number, to: after.number },
    { property: 'E_Guid', from: before.guid, to: after.guid },
    ...keys.map((property) => ({
      property,
      from: before.properties.get(property) ?? null,
      to: after.properties.get(property) ?? null,
    })),
    { property: 'picture', from: before.picture, to: after.picture },
    { property: 'parentLocation', from: before.parentLocationId, to: after.parentLocationId },
  ];
  return fields.filter(({ from, to }) => from !== to);
}
