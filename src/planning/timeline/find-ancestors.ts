/** Finds what an item is part of, level by level: its needs depend on nothing else. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { type InputChoice, readsRevisions } from '../input/input-choice.ts';
import { type LinkRow, selectLinksUp, selectPlannedLinksUp } from '../input/planning-input.sql.ts';
import { selectComponents } from './timeline.sql.ts';

/** Items of one statement, and links that a climb reads for each item that it may find. */
const ITEMS_AT_ONCE = 200;
const LINKS_OF_ITEM = 10;
/** Order lines, and requirements, that are read for each item that may be found. */
export const ROWS_OF_ITEM = 200;

export interface Ancestors {
  /** The items themselves too, in the order of their ids. */
  readonly items: readonly string[];
  /** The links between them, in the order of their parents. */
  readonly links: readonly LinkRow[];
  /** How many of their order lines, and of their requirements, may be read. */
  readonly rowsMax: number;
}

/** Throws `tree_too_large`. */
export async function findAncestors(
  tx: Tx,
  items: readonly string[],
  max: number,
  choice: InputChoice,
): Promise<Ancestors> {
  const [upwards, revisions] = readsRevisions(choice)
    ? [selectPlannedLinksUp, choice.revisions]
    : [selectLinksUp, []];
  const found = new Set(items);
  const links: LinkRow[] = [];
  const linksMax = max * LINKS_OF_ITEM;
  for (let level = [...items]; level.length > 0; ) {
    const above: string[] = [];
    for (let from = 0; from < level.length; from += ITEMS_AT_ONCE) {
      const some = level.slice(from, from + ITEMS_AT_ONCE);
      const params = [tx.workspaceId, ...revisions, some, linksMax - links.length + 1];
      for (const link of await tx.query<LinkRow>(upwards, params)) {
        links.push(link);
        if (found.has(link.parent_id)) continue;
        found.add(link.parent_id);
        above.push(link.parent_id);
      }
      if (found.size > max || links.length > linksMax) throw tooLarge(max);
    }
    level = above;
  }
  return { items: [...found].sort(), links: links.sort(compareLinks), rowsMax: max * ROWS_OF_ITEM };
}

/** Compares links by their parents, and then by their children. */
export function compareLinks(a: LinkRow, b: LinkRow): number {
  return byText(a.parent_id, b.parent_id) || byText(a.child_id, b.child_id);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns an item and all that it is made of. Throws `tree_too_large`. */
export async function findBelow(tx: Tx, item: string, max: number): Promise<string[]> {
  const found = new Set([item]);
  for (let level = [item]; level.length > 0; ) {
    const below: string[] = [];
    for (let from = 0; from < level.length; from += ITEMS_AT_ONCE) {
      const params = [tx.workspaceId, level.slice(from, from + ITEMS_AT_ONCE), max * LINKS_OF_ITEM + 1];
      for (const { id } of await tx.query<{ id: string }>(selectComponents, params)) {
        if (found.has(id)) continue;
        found.add(id);
        below.push(id);
      }
      if (found.size > max) throw tooLarge(max);
    }
    level = below;
  }
  return [...found];
}

export function tooLarge(max: number): AppError {
  return new AppError('tree_too_large', {
    detail: `The item and its components are part of more than ${max} others, or have too many links to them, for their needs to be followed at once. A planning run plans them all.`,
    extensions: { limit: max },
  });
}
