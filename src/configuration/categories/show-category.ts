/** A category as the API shows it. */
import type { CategoryRow } from './category.entity.ts';
import type { Category } from './category.schema.ts';

export function showCategory(row: CategoryRow): Category {
  const { key, name, numbering, lifecycle, role, behaviour, hiddenFromNew, tabs } = row;
  const { source, pattern } = numbering;
  return { key, name, numbering: { source, pattern }, lifecycle, role, behaviour, hiddenFromNew, tabs };
}
