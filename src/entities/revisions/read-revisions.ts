/** Reads the history of an entity: its revisions, newest first, the current one included. */
import type { PropertyValue } from '../../configuration/properties/property-value.ts';
import { type RowPage, readPage } from '../../db/read-page.ts';
import { rfc3339 } from '../../db/time.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { EntityRow } from '../entity.entity.ts';
import { revisionLabel } from '../revision-label.ts';
import { longUseColumns, type StoredUse } from '../structure/show-use.ts';
import { selectRevisionUses, selectUses } from '../structure/uses.sql.ts';
import type { Revision } from './revisions.schema.ts';
import { selectRevisions, selectSomeRevisions } from './revisions.sql.ts';

export interface StoredRevision {
  revision_number: number;
  version_id: string;
  guid: string | null;
  number: string | null;
  name: string;
  state: string;
  released: boolean;
  properties: Record<string, PropertyValue>;
  picture: string | null;
  created_at: string;
  created_by: string;
  actor_type: Revision['createdBy']['type'];
  actor_name: string;
}

/** Up to `limit`, below that revision number. */
export function listRevisions(
  tx: Tx,
  entityId: string,
  below: number | null,
  limit: number,
): Promise<RowPage<StoredRevision>> {
  return readPage<StoredRevision>(tx, selectRevisions, [tx.workspaceId, entityId, below, limit + 1], {
    limit,
    long: ['number', 'name', 'properties'],
  });
}

/** Reads the revisions in the order asked for. Throws `revision_not_found`. */
export async function findRevisions<const Numbers extends readonly number[]>(
  tx: Tx,
  entityId: string,
  numbers: Numbers,
): Promise<{ [I in keyof Numbers]: StoredRevision }> {
  const rows = await tx.query<StoredRevision>(selectSomeRevisions, [tx.workspaceId, entityId, numbers]);
  return numbers.map((number) => {
    const row = rows.find(({ revision_number }) => revision_number === number);
    if (row === undefined) throw new AppError('revision_not_found', `The entity has no revision ${number}.`);
    return row;
  }) as { [I in keyof Numbers]: StoredRevision };
}

/** Up to `limit` children of a revision, behind that child. */
export async function listRevisionUses(
  tx: Tx,
  entityId: string,
  revision: number,
  after: string | null,
  limit: number,
): Promise<RowPage<StoredUse>> {
  const { workspaceId } = tx;
  const entity = await tx.em.findOneOrFail(
    EntityRow,
    { workspaceId, id: entityId },
    { fields: ['revisionNumber'] },
  );
  const params = [workspaceId, entityId, after, limit + 1];
  const wanted = { limit, long: longUseColumns };
  return entity.revisionNumber === revision
    ? readPage<StoredUse>(tx, selectUses, params, wanted)
    : readPage<StoredUse>(tx, selectRevisionUses, [...params, revision], wanted);
}

export function showRevision(row: StoredRevision): Revision {
  return {
    revision: revisionLabel(row.revision_number),
    revisionNumber: row.revision_number,
    versionId: row.version_id,
    E_Guid: row.guid,
    number: row.number,
    name: row.name,
    state: row.state,
    released: row.released,
    properties: row.properties,
    picture: row.picture,
    createdAt: rfc3339(row.created_at),
    createdBy: { type: row.actor_type, id: row.created_by, name: row.actor_name },
  };
}
