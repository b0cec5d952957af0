/**
 * Before a tree is streamed: loads the structure below its root, each entity's links once, and counts what
 * the explosion will have, so that a tree over the limits is refused before the first byte of an answer.
 */
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { type EntityRef, resolveEntityId } from './resolve-entity.ts';
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
  /** Of every entity above the last level: its links, packed (see `unpackLinks`), or '' without any. */
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
  let occurrences = new Map([[rootId, 1]]);
  let items = 1;
  for (let level = 0; level < shown && occurrences.size > 0; level++) {
    await loadLinks(tx, [...occurrences.keys()], links, items, limits);
    const next = new Map<string, number>();
    for (const [id, times] of occurrences) {
      for (const { childId } of unpackLinks(links.get(id) ?? '')) {
        items += times;
        if (items > limits.itemsMax) throw tooLarge(limits);
        next.set(childId, (next.get(childId) ?? 0) + times);
      }
    }
    occurrences = next;
  }
  if ((depth === null || depth > shown) && occurrences.size > 0) {
    const [more] = await tx.query<{ any: boolean }>(anyChildren, [tx.workspaceId, [...occurrences.keys()]]);
    if (more?.any !== false) throw tooDeep(limits);
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
  const room = limits.itemsMax - items + 1;
  const rows = await tx.query<{ parent_id: string; links: number; children: string }>(selectChildren, [
    tx.workspaceId,
    unknown,
    room,
  ]);
  if (rows.reduce((sum, row) => sum + row.links, 0) >= room) throw tooLarge(limits);
  for (const id of unknown) links.set(id, '');
  for (const row of rows) links.set(row.parent_id, row.children);
}

export interface PackedLink {
  childId: string;
  /** numeric(15, 6) as text. */
  quantity: string;
}

/** The links in order of the child ids. Kept packed, a structure takes 50 bytes a link and no objects. */
export function unpackLinks(packed: string): PackedLink[] {
  if (packed === '') return [];
  return packed.split(',').map((link) => ({ childId: link.slice(0, 36), quantity: link.slice(37) }));
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
