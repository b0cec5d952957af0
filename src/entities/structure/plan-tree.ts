/**
 * Before a tree is streamed: loads the structure below its root, each entity's links once, and counts what
 * the explosion will have, so that a tree over the limits is refused before the first byte of an answer.
 */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { type EntityRef, resolveEntityId } from '../resolve-entity.ts';
import { IDS_AT_ONCE, unpackLinks } from './packed-links.ts';
import { anyChildren, selectChildren } from './tree.sql.ts';

export interface TreeLimits {
  /** Occurrences, the root included. */
  itemsMax: number;
  /** Levels below the root. */
  depthMax: number;
}

export interface TreePlan {
  rootId: string;
  /** Levels below the root that are shown. */
  depth: number;
  /** The links of every entity above the last level, packed (see `unpackLinks`), or '' without any. */
  links: ReadonlyMap<string, string>;
}

/**
 * Level by level: how often each entity occurs in one gives how often its children do in the next. Every link
 * that is read stands for an occurrence at least, so that no more work is done than the limit allows items.
 * Throws `entity_not_found`, `tree_too_large`.
 */
export async function planTree(
  tx: Tx,
  root: EntityRef,
  depth: number | null,
  limits: TreeLimits,
): Promise<TreePlan> {
  const rootId = await resolveEntityId(tx, root);
  const shown = Math.min(depth ?? limits.depthMax, limits.depthMax);
  const links = new Map<string, string>();
  const slices = new Slices(tx.gone);
  let occurrences = new Map([[rootId, 1]]);
  let items = 1;
  for (let level = 0; level < shown && occurrences.size > 0; level++) {
    await loadLinks(tx, [...occurrences.keys()], links, items, limits);
    const next = new Map<string, number>();
    for (const [id, times] of occurrences) {
      for (const { id: childId } of unpackLinks(links.get(id) ?? '')) {
        if (slices.areDue) await slices.next();
        items += times;
        if (items > limits.itemsMax) throw tooLarge(limits);
        next.set(childId, (next.get(childId) ?? 0) + times);
      }
    }
    occurrences = next;
  }
  if ((depth === null || depth > shown) && occurrences.size > 0) {
    const last = [...occurrences.keys()];
    for (let from = 0; from < last.length; from += IDS_AT_ONCE) {
      const asked = last.slice(from, from + IDS_AT_ONCE);
      const [more] = await tx.query<{ any: boolean }>(anyChildren, [tx.workspaceId, asked]);
      if (more?.any !== false) throw tooDeep(limits);
    }
  }
  return { rootId, depth: shown, links };
}

async function loadLinks(
  tx: Tx,
  ids: readonly string[],
  links: Map<string, string>,
  items: number,
  limits: TreeLimits,
): Promise<void> {
  const unknown = ids.filter((id) => !links.has(id));
  if (unknown.length === 0) return;
  for (const id of unknown) links.set(id, '');
  let room = limits.itemsMax - items + 1;
  for (let from = 0; from < unknown.length; from += IDS_AT_ONCE) {
    const rows = await tx.query<{ parent_id: string; links: number; children: string }>(selectChildren, [
      tx.workspaceId,
      unknown.slice(from, from + IDS_AT_ONCE),
      room,
    ]);
    for (const row of rows) {
      room -= row.links;
      links.set(row.parent_id, row.children);
    }
    if (room <= 0) throw tooLarge(limits);
  }
}

function tooLarge({ itemsMax }: TreeLimits): AppError {
  return new AppError('tree_too_large', {
    detail: `The tree has more than ${itemsMax} items. Ask for fewer levels with ?depth=, or for the trees of its sub-assemblies.`,
    extensions: { limit: itemsMax },
  });
}

function tooDeep({ depthMax }: TreeLimits): AppError {
  return new AppError('tree_too_large', {
    detail: `The tree has more than ${depthMax} levels. Ask for at most as many with ?depth=, and for the trees of what is further down.`,
    extensions: { depthLimit: depthMax },
  });
}
