/** The reading half of `api`: what a script may look at, with the transaction of its run. */

import { z } from 'zod';
import { normaliseGuid } from '../../db/ids.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { findEntity } from '../../entities/find-entity.ts';
import { entityPage } from '../../entities/lists/entity-page.ts';
import { searchEntities } from '../../entities/lists/search-entities.ts';
import { parseListed, showEntity } from '../../entities/show-entity.ts';
import { longUseColumns, type StoredUse, showUse } from '../../entities/structure/show-use.ts';
import { selectUses, selectWhereUsed } from '../../entities/structure/uses.sql.ts';
import { AppError } from '../../errors.ts';
import { decodeCursor, encodeCursor } from '../../http/list.ts';
import { listPositions } from '../../stock/positions/list-positions.ts';
import { resolveRef } from '../built-in/resolve-ref.ts';
import type { ApiArguments, ApiMethod, WriteMethod } from '../conductor/api.schema.ts';

/** Lines of a structure, or positions; more would pass the limit of an answer's bytes anyway. */
const ROWS_MAX = 2000;
const LIMIT_DEFAULT = 100;

export type ReadMethod = Exclude<ApiMethod, WriteMethod>;
type Readers = { [M in ReadMethod]: (tx: Tx, ...args: ApiArguments[M]) => Promise<unknown> };

export const readers: Readers = {
  getEntity: async (tx, ref) => showEntity(await findEntity(tx, await resolveRef(tx, ref))),

  findEntities: async (tx, { limit = LIMIT_DEFAULT, cursor, guid, ...filters }) => {
    if (filters.where !== undefined) {
      const { category, state, where, ...others } = filters;
      const { entities, nextCursor } = await entityPage(tx, {
        ...others,
        where,
        limit,
        cursor,
        archived: 'false',
        sort: 'created',
        order: 'asc',
        category: category === undefined ? undefined : [category],
        state: state === undefined ? undefined : [state],
        guid: guid === undefined ? undefined : guidOf(guid),
      });
      return { items: entities.map((row) => showEntity(parseListed(row))), nextCursor };
    }
    const after = decodeCursor('entities', cursor, z.uuid());
    const page = await searchEntities(
      tx,
      { ...filters, ...(guid === undefined ? {} : { guid: guidOf(guid) }) },
      after,
      limit,
    );
    const nextCursor = page.after === null ? null : encodeCursor('entities', page.after);
    return { items: page.entities.map((row) => showEntity(parseListed(row))), nextCursor };
  },

  getUses: (tx, ref) => links(tx, selectUses, ref, { what: 'children' }),
  getWhereUsed: (tx, ref) => links(tx, selectWhereUsed, ref, { what: 'parents', more: ['false'] }),

  getPositions: async (tx, query) => {
    const [side, ref] =
      'itemEntityId' in query
        ? (['item', query.itemEntityId] as const)
        : (['location', query.locationEntityId] as const);
    const entityId = await resolveRef(tx, ref);
    const page = await listPositions(tx, { side, entityId, limit: ROWS_MAX });
    if (page.nextCursor !== null) throw tooMany('stock positions');
    return page.items;
  },
};

async function links(
  tx: Tx,
  sql: string,
  ref: string,
  { what, more: further = [] }: { what: string; more?: readonly unknown[] },
) {
  const id = await resolveRef(tx, ref);
  const { rows, more } = await readPage<StoredUse>(
    tx,
    sql,
    [tx.workspaceId, id, null, ROWS_MAX + 1, ...further],
    {
      limit: ROWS_MAX,
      long: longUseColumns,
    },
  );
  if (more) throw tooMany(what);
  return rows.map(showUse);
}

function guidOf(text: string): string {
  const guid = normaliseGuid(text);
  if (guid === null) throw new AppError('validation_failed', `"${text}" is not a GUID.`);
  return guid;
}

function tooMany(what: string): AppError {
  return new AppError(
    'tree_too_large',
    `There are more than ${ROWS_MAX} ${what}, or more than a megabyte of them: scripts are not given more.`,
  );
}
