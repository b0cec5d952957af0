/** Finds the items that take others as components when they are made: their parents, and parents of phantoms that contain them. */
import type { Tx } from '../../db/transaction.ts';
import { type InputChoice, readsRevisions } from '../input/input-choice.ts';
import { type LinkRow, selectLinksUp, selectPlannedLinksUp } from '../input/planning-input.sql.ts';
import { compareLinks, tooLarge } from './find-ancestors.ts';
import { selectPhantomLinks } from './timeline.sql.ts';

const ITEMS_AT_ONCE = 200;
/** Links that are found, and links that are looked at for phantoms, for each item that may be planned at once. */
const LINKS_OF_ITEM = 10;
const LOOKED_AT_OF_ITEM = 200;

export interface Takers {
  /** Items that take some of them, without these themselves. */
  readonly items: readonly string[];
  /** The links by which they are taken, also by one another, in the order of their parents. */
  readonly links: readonly LinkRow[];
}

/** Throws `tree_too_large`. */
export async function findTakers(
  tx: Tx,
  items: readonly string[],
  max: number,
  choice: InputChoice,
): Promise<Takers> {
  const [upwards, revisions] = readsRevisions(choice)
    ? [selectPlannedLinksUp, choice.revisions]
    : [selectLinksUp, []];
  const linksMax = max * LINKS_OF_ITEM;
  const links: LinkRow[] = [];
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const some = items.slice(from, from + ITEMS_AT_ONCE);
    const params = [tx.workspaceId, ...revisions, some, linksMax - links.length + 1];
    for (const link of await tx.query<LinkRow>(upwards, params)) links.push(link);
    if (links.length > linksMax) throw tooLarge(max);
  }
  const taken = new Set(items);
  const found = new Set(links.flatMap(({ parent_id: parent }) => (taken.has(parent) ? [] : [parent])));
  let left = max * LOOKED_AT_OF_ITEM;
  for (let level = [...found]; level.length > 0; ) {
    const above = new Set<string>();
    for (let from = 0; from < level.length; from += ITEMS_AT_ONCE) {
      const some = level.slice(from, from + ITEMS_AT_ONCE);
      const [row] = await tx.query<{ seen: number; links: LinkRow[] }>(selectPhantomLinks(upwards), [
        tx.workspaceId,
        ...revisions,
        some,
        left + 1,
      ]);
      left -= row?.seen ?? 0;
      for (const link of row?.links ?? []) {
        links.push(link);
        if (!found.has(link.parent_id) && !taken.has(link.parent_id)) above.add(link.parent_id);
      }
      if (left < 0 || links.length > linksMax) throw tooLarge(max);
    }
    for (const one of above) found.add(one);
    level = [...above];
  }
  return { items: [...found].sort(), links: links.sort(compareLinks) };
}
