/** Filters, order and columns of a saved view of entities, checked as those of the list. */

import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError, type FieldError } from '../../errors.ts';
import { findingsOf } from '../../http/findings-of-issue.ts';
import { pointerOf } from '../../http/json-pointer.ts';
import { compileConditions } from '../conditions/compile-conditions.ts';
import { EntityQuery, PROPERTY_SORT } from '../entities.schema.ts';
import { entityTitles, PROPERTY_TITLE } from '../lists/export-entities.ts';
import type { SavedView } from './view.schema.ts';

type Settings = Pick<SavedView, 'filters' | 'sort' | 'order' | 'columns'>;

const Filters = EntityQuery.pick({
  category: true,
  state: true,
  role: true,
  number: true,
  archived: true,
  q: true,
  where: true,
});

/** The query of a view of entities, with `created` where it has no order of its own. */
export type ViewQuery = Pick<
  EntityQuery,
  'category' | 'state' | 'role' | 'number' | 'archived' | 'q' | 'where' | 'order'
> & { sort: Exclude<EntityQuery['sort'], 'best'> };

/** Throws `validation_failed` with the filter that is not valid. */
export function readFilters({ filters, sort, order }: Settings): ViewQuery {
  const single = Object.fromEntries(
    Object.entries(filters).map(([key, values]) => [key, values.length === 1 ? values[0] : values]),
  );
  const read = Filters.safeParse(single);
  const sorted = EntityQuery.shape.sort.safeParse(sort ?? undefined);
  const errors = (read.error?.issues ?? [])
    .flatMap(findingsOf)
    .map((one) => ({ ...one, pointer: `/filters${one.pointer}` }));
  if (!sorted.success || sorted.data === 'best')
    errors.push(faultAt('sort', 'invalid_value', 'Must be an order of the list, without best.'));
  if (!read.success || !sorted.success || sorted.data === 'best') throw refused(errors);
  return { ...read.data, sort: sorted.data, order: order ?? 'asc' };
}

/** Throws `validation_failed`, `invalid_condition`. */
export async function checkSettings(tx: Tx, settings: Settings): Promise<void> {
  const { where = [], sort } = readFilters(settings);
  await compileConditions(tx, where);
  const { properties } = await loadConfiguration(tx);
  const isDefined = (title: string, prefix: string) =>
    title.startsWith(prefix) && properties.has(title.slice(prefix.length));
  const errors = (settings.columns ?? []).flatMap((title, at) =>
    entityTitles.includes(title) || isDefined(title, PROPERTY_TITLE)
      ? []
      : [faultAt(['columns', at], 'unknown_column', `There is no column ${JSON.stringify(title)}.`)],
  );
  if (sort.startsWith(PROPERTY_SORT) && !isDefined(sort, PROPERTY_SORT))
    errors.push(faultAt('sort', 'unknown_property', 'The workspace defines no such property.'));
  if (errors.length > 0) throw refused(errors);
}

function faultAt(path: string | (string | number)[], code: string, message: string): FieldError {
  return { pointer: pointerOf([path].flat()), code, message };
}

function refused(errors: FieldError[]): AppError {
  const [first] = errors;
  const detail = `The view is not valid: ${first?.pointer ?? ''} ${first?.message ?? ''}`;
  return new AppError('validation_failed', { detail, errors });
}
