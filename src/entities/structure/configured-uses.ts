/** Reads structures as they were released, or by the newest released revisions. */
import { z } from 'zod';
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import { releasedStates } from '../../configuration/current/workspace-configuration.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { decodeCursor, pageOf } from '../../http/list.ts';
import type { Archived } from '../entities.schema.ts';
import type { Configuration, RevisionsUsing } from './configuration.schema.ts';
import {
  selectConfiguredUses,
  selectNewestReleased,
  selectReleasedWhereUsed,
} from './configured-uses.sql.ts';
import { longUseColumns, type StoredUse, showUse } from './show-use.ts';

interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

/** Returns the number of the newest released revision. Throws `revision_not_found`. */
export async function newestReleased(tx: Tx, id: string): Promise<number> {
  const [row] = await tx.query<{ revision_number: number | null }>(selectNewestReleased, [
    tx.workspaceId,
    id,
    ...releasedStates(await loadConfiguration(tx)),
  ]);
  if (row === undefined || row.revision_number === null)
    throw new AppError(
      'revision_not_found',
      'The entity was never released. Choose the configuration `current` to see its structure as it is now.',
    );
  return row.revision_number;
}

/** A page of the children of one revision. The revision exists. */
export async function configuredUses(
  tx: Tx,
  { id, n, configuration }: { id: string; n: number; configuration: Configuration },
  { limit, cursor }: PageQuery,
) {
  const list = `uses ${id} ${n} ${configuration}`;
  const after = decodeCursor(list, cursor, z.uuid());
  const params = [
    tx.workspaceId,
    id,
    after,
    limit + 1,
    n,
    configuration,
    ...releasedStates(await loadConfiguration(tx)),
  ];
  const page = await readPage<StoredUse>(tx, selectConfiguredUses, params, { limit, long: longUseColumns });
  return pageOf(list, page, (row) => row.id, showUse);
}

const FIRST = '00000000-0000-0000-0000-000000000000';
const After = z.tuple([z.uuid(), z.int()]);

/** A page of the revisions of parents that contain the entity. The entity exists. */
export async function releasedParents(
  tx: Tx,
  id: string,
  { revisions, archived, limit, cursor }: PageQuery & { revisions: RevisionsUsing; archived: Archived },
) {
  const list = `where-used ${id} ${revisions} ${archived}`;
  const [parent, revision] = decodeCursor(list, cursor, After) ?? [FIRST, 0];
  const params = [
    tx.workspaceId,
    id,
    parent,
    revision,
    limit + 1,
    revisions === 'all',
    ...releasedStates(await loadConfiguration(tx)),
    archived,
  ];
  const page = await readPage<StoredUse>(tx, selectReleasedWhereUsed, params, {
    limit,
    long: longUseColumns,
  });
  return pageOf(list, page, (row) => [row.id, row.revision_number], showUse);
}
