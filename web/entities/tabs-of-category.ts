/** The tabs of an entity's page, as its category names them. */
import type { Category } from '../client/operations.ts';
import { isItem, isLocation } from './configuration.ts';

type Named = Category['tabs'][number];
export type EntityTab = 'properties' | 'uses' | 'where-used' | 'revisions' | 'stock' | 'demand' | 'lifecycle';

/** The tabs that a category can name. The lines of an order have a page of their own. */
export const namedTabs: readonly { name: Named; tab: EntityTab; label: string }[] = [
  { name: 'stockLedger', tab: 'stock', label: 'Stock' },
  { name: 'uses', tab: 'uses', label: 'Structure (BOM)' },
  { name: 'whereUsed', tab: 'where-used', label: 'Where used' },
  { name: 'revisions', tab: 'revisions', label: 'Revisions' },
  { name: 'requirements', tab: 'demand', label: 'Demand' },
];

/** The tabs that entities of a role usually show. */
export function usualTabs(category: Pick<Category, 'role'> | undefined): Named[] {
  const hasStock = isItem(category) || isLocation(category);
  const hasDemand = isItem(category) || category?.role === 'project';
  return namedTabs
    .map(({ name }) => name)
    .filter((name) => (name !== 'stockLedger' || hasStock) && (name !== 'requirements' || hasDemand));
}

/** Properties come first, then the tabs that the category names in its order, and its lifecycle. */
export function tabsOf(category: Pick<Category, 'role' | 'tabs'> | undefined): EntityTab[] {
  const named = category === undefined || category.tabs.length === 0 ? usualTabs(category) : category.tabs;
  const between = named.flatMap((name) => namedTabs.find((one) => one.name === name)?.tab ?? []);
  return ['properties', ...between, 'lifecycle'];
}
