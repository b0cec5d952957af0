/** Says whether the user may change an entity by hand: its category decides which area that takes. */
import type { Category } from '../../client/operations.ts';
import { type Area, useMay } from '../../client/session.ts';
import { useCategories } from '../configuration.ts';

/** Returns the area that changes entities of such a category. */
export function areaOfCategory(category: Pick<Category, 'behaviour'> | undefined): Area {
  return category === undefined || category.behaviour === 'none' ? 'engineering' : 'procurement';
}

export function useMayChange(key: string): boolean {
  const categories = useCategories();
  return useMay(areaOfCategory(categories.find((category) => category.key === key)));
}
