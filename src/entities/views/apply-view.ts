/** Applies a saved view of entities to a query of the list. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { EntitiesWanted } from '../lists/export-entities.ts';
import { readFilters, type ViewQuery } from './entity-filters.ts';
import { findView, type Viewer } from './find-view.ts';

/** Parameters that a query may have beside those of a view. Defaults of a query count as absent. */
interface Given extends Omit<EntitiesWanted, 'sort' | 'columns'> {
  sort?: ViewQuery['sort'] | 'best' | undefined;
}

/**
 * Returns the query with the filters and the order of the view; a filter or order that the query has replaces that of the view. Throws
 * `view_not_found`, `validation_failed`.
 */
export async function withView<Query extends Given>(
  tx: Tx,
  viewer: Viewer | null,
  { view: id, ...query }: Query & { view?: string | undefined },
): Promise<Omit<Query, 'view'>> {
  if (id === undefined) return query as Omit<Query, 'view'>;
  const { query: stored } = await viewOfEntities(tx, viewer, id);
  const { sort, order, archived, ...filters } = query as Given;
  const isSorted = sort !== undefined && sort !== 'created';
  return {
    ...query,
    ...stored,
    ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
    ...(isSorted ? { sort, order } : {}),
    ...(archived === undefined || archived === 'false' ? {} : { archived }),
  } as Omit<Query, 'view'>;
}

/** Throws `view_not_found` for a view of another list, too. */
export async function viewOfEntities(
  tx: Tx,
  viewer: Viewer | null,
  id: string,
): Promise<{ name: string; query: ViewQuery; columns: readonly string[] | undefined }> {
  const { name, list, settings } = await findView(tx, viewer, id);
  if (list !== 'entities')
    throw new AppError('view_not_found', `The saved view ${JSON.stringify(name)} shows another list.`);
  return { name, query: readFilters(settings), columns: settings.columns ?? undefined };
}
