/** Categories as one kind of configuration. */
import type { Kind } from '../kind.ts';
import { CategoryRow } from './category.entity.ts';
import type { Category } from './category.schema.ts';

export function showCategory(row: CategoryRow): Category {
  const {
    key,
    name,
    numbering,
    lifecycle,
    role,
    behaviour,
    hiddenFromNew,
    tabs,
    properties,
    consume,
    unreleasedChildren,
  } = row;
  const { source, pattern, whenTaken } = numbering;
  return {
    key,
    name,
    numbering: { source, pattern, ...(whenTaken === undefined ? {} : { whenTaken }) },
    lifecycle,
    role,
    behaviour,
    hiddenFromNew,
    tabs,
    properties,
    consume: consume ?? null,
    unreleasedChildren,
  };
}

export const categoryKind: Kind<CategoryRow, Category> = {
  noun: 'category',
  subjectType: 'category',
  collection: 'categories',
  table: 'category',
  limit: 'categories',
  long: ['key', 'name', 'numbering', 'lifecycle', 'properties'],
  find: ({ em, workspaceId }, keys) =>
    em.find(CategoryRow, { workspaceId, key: { $in: [...keys] } }, { orderBy: { key: 'asc' } }),
  show: showCategory,
};
