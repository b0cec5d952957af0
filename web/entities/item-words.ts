/** Revision and base unit of an item, as pickers, labels and the scanner show them beside its name. */
import type { Category, Entity } from '../client/operations.ts';
import { isItem } from './configuration.ts';

/** Returns an empty text for entities that are no items. */
export function itemWords(
  { category, revision, unit }: Pick<Entity, 'category' | 'revision' | 'unit'>,
  categories: readonly Category[],
): string {
  if (!isItem(categories.find(({ key }) => key === category))) return '';
  return unit === null ? `Rev.\u00a0${revision}` : `Rev.\u00a0${revision}, in\u00a0${unit}`;
}
