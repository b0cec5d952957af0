/** Finds the items whose actions the scope of a planning run asks for. */
import { itemsBelow } from '../netting/items-below.ts';
import type { PlanLinks } from '../netting/planning-input.ts';
import type { PlanningScope } from '../options/planning-options.schema.ts';
import type { ReadItems } from './read-items.ts';

interface Scoped {
  scope: PlanningScope | null;
  read: Pick<ReadItems, 'index' | 'category'>;
  /** Categories of items, as `category` counts them. */
  categories: readonly string[];
  links: PlanLinks;
  /** Items that requirements of the projects need. */
  ofProjects: readonly number[];
}

/**
 * Returns 1 for each item that is in all lists of the scope, and 2 for one that stands for a project (`roots`): of that only exceptions are
 * wanted, whatever the scope, because the run names it. Null: all items are wanted, and none stands for a project.
 */
export function itemsInScope(scoped: Scoped, roots: readonly number[]): Uint8Array | null {
  const listed = inLists(scoped);
  if (roots.length === 0) return listed;
  const found = listed ?? new Uint8Array(scoped.links.from.length - 1).fill(1);
  // A project that has become an item since the run was accepted is planned as one.
  for (const root of roots) if (scoped.read.category[root] === 0) found[root] = 2;
  return found;
}

function inLists({ scope, read, categories: all, links, ofProjects }: Scoped): Uint8Array | null {
  if (scope === null) return null;
  const { items, categories, projects } = scope;
  const lists: Uint8Array[] = [];
  if (items !== null)
    lists.push(
      itemsBelow(
        items.map((id) => read.index.ofText(id)).filter((item) => item >= 0),
        links,
      ),
    );
  if (projects !== null) lists.push(itemsBelow(ofProjects, links));
  if (categories !== null) {
    const chosen = new Set(categories);
    lists.push(Uint8Array.from(read.category, (place) => Number(chosen.has(all[place - 1] ?? ''))));
  }
  const [first, ...others] = lists;
  return first?.map((one, at) => (others.every((list) => list[at] === 1) ? one : 0)) ?? null;
}
