/** Reads a page of the links of an entity, from either end. */
import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { decodeCursor, pageOf } from '../../http/list.ts';
import { type EntityRef, resolveEntityId, splitRefs } from '../resolve-entity.ts';
import { longUseColumns, type StoredUse, showUse } from './show-use.ts';
import type { UsesQuery } from './structure.schema.ts';

interface Links {
  list: string;
  sql: string;
  /** Further parameters of the statement. */
  more?: readonly unknown[];
}

export async function linkPage(
  tx: Tx,
  { list, sql, more = [] }: Links,
  ref: EntityRef,
  query: Pick<UsesQuery, 'limit' | 'cursor'>,
) {
  const named = splitRefs([ref]).guids.length > 0;
  const id = named ? await resolveEntityId(tx, ref) : ref;
  const cursorOf = `${list} ${id}`;
  const after = decodeCursor(cursorOf, query.cursor, z.uuid());
  const page = await readPage<StoredUse>(tx, sql, [tx.workspaceId, id, after, query.limit + 1, ...more], {
    limit: query.limit,
    long: longUseColumns,
  });
  // Whoever has links exists: only without any is there something to ask.
  if (page.rows.length === 0 && !named) await resolveEntityId(tx, ref);
  return pageOf(cursorOf, page, (row) => row.id, showUse);
}
