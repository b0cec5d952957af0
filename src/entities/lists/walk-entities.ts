/** Walks all entities that filters find, page by page: for exports and bulk edits. */
import type { Tx } from '../../db/transaction.ts';
import type { Sort } from './sort-entities.sql.ts';
import { type SortedPage, type SortKey, sortEntities } from './sort-entities.ts';
import { isByProperties, type WhereQuery, whereEntities } from './where-entities.ts';

/** At most `limit` entities behind the key; a page may be short although more follow. Throws as the list does. */
export function walkEntities(tx: Tx, query: WhereQuery, after: SortKey | null): Promise<SortedPage> {
  return isByProperties(query)
    ? whereEntities(tx, query, after)
    : sortEntities(tx, { ...query, guid: undefined, sort: query.sort as Sort }, after);
}
