/** A page of entities by all that a list can ask for: the one search behind the API, exports and scripts. */
import { z } from 'zod';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { decodeCursor, encodeCursor } from '../../http/list.ts';
import { meeting } from '../conditions/meeting.ts';
import type { EntityQuery } from '../entities.schema.ts';
import type { ListedEntity } from '../show-entity.ts';
import { findByMergedNumber } from './merged-numbers.ts';
import { scopeOfSearch } from './scope-of-search.ts';
import { searchEntities } from './search-entities.ts';
import { bestEntities, sortEntities } from './sort-entities.ts';
import { isByProperties, whereEntities } from './where-entities.ts';

export interface EntityPage {
  entities: readonly ListedEntity[];
  nextCursor: string | null;
  /** Whether entities may lack that wait for the index of a property. */
  lacksWaiting?: boolean | undefined;
}

/** A search that finds nothing looks for merged entities with that number. Throws as `searchPage` does. */
export async function entityPage(tx: Tx, query: EntityQuery): Promise<EntityPage> {
  const page = await searchPage(tx, query);
  const { cursor, where = [] } = query;
  if (page.entities.length > 0 || page.nextCursor !== null || cursor !== undefined) return page;
  return { ...page, entities: await meeting(tx, await findByMergedNumber(tx, query), where) };
}

/** Reads a page: in the order of the ids by the plain search; in any other order, with several filters of a kind, or by properties, sorted. */
async function searchPage(tx: Tx, query: EntityQuery): Promise<EntityPage> {
  const { sort, order, q, category = [], state = [], role, guid, cursor, limit, where = [] } = query;
  if (sort === 'best') {
    if (q === undefined) throw refused('q', 'required', 'sort=best needs a text.');
    if (where.length > 0) throw refused('where', 'unexpected', 'sort=best takes no conditions.');
    return { entities: await bestEntities(tx, { ...query, q }), nextCursor: null };
  }
  if (guid !== undefined) {
    const scope = await scopeOfSearch(tx, query);
    const { entities } = await searchEntities(tx, { guid, q, number: query.number }, null, limit);
    const fitting = entities.filter(
      (one) =>
        scope !== null &&
        (scope.categories?.includes(one.category) ?? true) &&
        (scope.states?.includes(one.state) ?? true),
    );
    return { entities: await meeting(tx, fitting, where), nextCursor: null };
  }
  const isPlain =
    sort === 'created' && order === 'asc' && category.length < 2 && state.length < 2 && role === undefined;
  if (isPlain && where.length === 0) {
    const after = decodeCursor('entities', cursor, z.uuid());
    const { archived, number } = query;
    const filters = { q, number, archived, category: category[0], state: state[0] };
    const page = await searchEntities(tx, filters, after, limit);
    return { entities: page.entities, nextCursor: page.after && encodeCursor('entities', page.after) };
  }
  const list = `entities ${sort} ${order}`;
  const after = decodeCursor(list, cursor, z.tuple([z.uuid(), z.string().nullable()]));
  const page = isByProperties(query)
    ? await whereEntities(tx, { ...query, sort }, after)
    : await sortEntities(tx, { ...query, sort: sort as 'created' }, after);
  const { entities, lacksWaiting } = page;
  return { entities, nextCursor: page.after && encodeCursor(list, page.after), lacksWaiting };
}

function refused(parameter: string, code: string, message: string): AppError {
  return new AppError('validation_failed', {
    detail: `The request is not valid. ${message}`,
    errors: [{ pointer: `/${parameter}`, in: 'query', code, message }],
  });
}
