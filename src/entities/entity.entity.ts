/** The tables of an entity and of its way through its lifecycle, as MikroORM maps them. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import type { PropertyValue } from '../configuration/properties/property-value.ts';
import { stampedColumns } from '../db/stamped-columns.ts';

export const EntityRow = defineEntity({
  name: 'EntityRow',
  tableName: 'entity',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Identifies the revision. */
    versionId: p.uuid(),
    guid: p.uuid().nullable(),
    number: p.text().nullable(),
    name: p.text(),
    category: p.text(),
    state: p.text(),
    revisionNumber: p.integer(),
    properties: p.json<Record<string, PropertyValue>>(),
    /** The location that this location lies in. It is no part of a revision. */
    parentLocationId: p.uuid().nullable(),
    archivedAt: p.datetime().nullable(),
    /** SHA-256 of its picture. */
    picture: p.blob().nullable(),
    /** Sync's alone: every other writer sets it to null. */
    syncHash: p.blob().nullable(),
    ...stampedColumns(),
    revisedAt: p.datetime().onCreate(() => new Date()),
    revisedBy: p.uuid(),
  },
});
export type EntityRow = InferEntity<typeof EntityRow>;
