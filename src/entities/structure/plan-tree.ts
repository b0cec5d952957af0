/**
 * Before a tree is streamed: loads the structure below its root, each entity's links once, and counts what
 * the explosion will have, so that a tree over the limits is refused before the first byte of an answer.
 */
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import { releasedStates } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { type EntityRef, resolveEntityId } from '../resolve-entity.ts';
import type { Configuration } from './configuration.schema.ts';
import { selectConfiguredChildren } from './configured-tree.sql.ts';
import { newestReleased } from './configured-uses.ts';
import { IDS_AT_ONCE, nodeOf, partsOfNode, unpackLinks } from './packed-links.ts';
import { selectChildren } from './tree.sql.ts';

export interface TreeLimits {
  /** Occurrences, the root included. */
  itemsMax: number;
  /** Levels below the root. */
  depthMax: number;
}

export interface TreePlan {
  configuration: Configuration;
  /** The node of the root (see `nodeOf`). */
  root: string;
  /** Levels below the root that are shown. */
  depth: number;
  /** The links of every node above the last level, packed (see `unpackLinks`), or '' without any. */
  links: ReadonlyMap<string, string>;
}

export interface WantedTree {
  root: EntityRef;
  /** Levels below the root; null for the whole tree. */
  depth: number | null;
  configuration: Configuration;
}

/** Returns the links of these nodes, at most `room`. */
type Load = (nodes: readonly string[], room: number) => Promise<LoadedLinks[]>;

interface LoadedLinks {
  parent_id: string;
  links: number;
  children: string;
}

/**
 * Level by level: how often each entity occurs in one gives how often its children do in the next. Every link
 * that is read stands for an occurrence at least, so that no more work is done than the limit allows items.
 * Throws `entity_not_found`, `tree_too_large`; in a configuration other than the current one also `revision_not_found`, and `cycle`: released
 * revisions of different times can contain each other.
 */
export async function planTree(
  tx: Tx,
  { root: ref, depth, configuration }: WantedTree,
  limits: TreeLimits,
): Promise<TreePlan> {
  const id = await resolveEntityId(tx, ref);
  const root = configuration === 'current' ? id : nodeOf(id, await newestReleased(tx, id), 'r');
  const load = await loaderOf(tx, configuration);
  const shown = Math.min(depth ?? limits.depthMax, limits.depthMax);
  const links = new Map<string, string>();
  const slices = new Slices(tx.gone);
  let occurrences = new Map([[root, 1]]);
  let items = 1;
  for (let level = 0; level < shown && occurrences.size > 0; level++) {
    await loadLinks(load, [...occurrences.keys()], links, items, limits);
    // A path of so many levels would have met every node that there is.
    if (level >= links.size) throw containsItself(configuration);
    const next = new Map<string, number>();
    for (const [parent, times] of occurrences) {
      for (const { node } of unpackLinks(links.get(parent) ?? '')) {
        if (slices.areDue) await slices.next();
        items += times;
        if (items > limits.itemsMax) throw tooLarge(limits);
        next.set(node, (next.get(node) ?? 0) + times);
      }
    }
    occurrences = next;
  }
  if ((depth === null || depth > shown) && occurrences.size > 0) {
    const last = [...occurrences.keys()];
    for (let from = 0; from < last.length; from += IDS_AT_ONCE) {
      if ((await load(last.slice(from, from + IDS_AT_ONCE), 1)).length > 0) throw tooDeep(limits);
    }
  }
  return { configuration, root, depth: shown, links };
}

async function loaderOf(tx: Tx, configuration: Configuration): Promise<Load> {
  if (configuration === 'current')
    return (nodes, room) => tx.query<LoadedLinks>(selectChildren, [tx.workspaceId, nodes, room]);
  const states = releasedStates(await loadConfiguration(tx));
  return (nodes, room) => {
    const parts = nodes.map(partsOfNode);
    const [ids, revisions] = [parts.map(({ id }) => id), parts.map(({ revision }) => revision)];
    const params = [tx.workspaceId, ids, room, revisions, nodes, configuration, ...states];
    return tx.query<LoadedLinks>(selectConfiguredChildren, params);
  };
}

async function loadLinks(
  load: Load,
  nodes: readonly string[],
  links: Map<string, string>,
  items: number,
  limits: TreeLimits,
): Promise<void> {
  const unknown = nodes.filter((node) => !links.has(node));
  if (unknown.length === 0) return;
  for (const node of unknown) links.set(node, '');
  let room = limits.itemsMax - items + 1;
  for (let from = 0; from < unknown.length; from += IDS_AT_ONCE) {
    const rows = await load(unknown.slice(from, from + IDS_AT_ONCE), room);
    for (const row of rows) {
      room -= row.links;
      links.set(row.parent_id, row.children);
    }
    if (room <= 0) throw tooLarge(limits);
  }
}

function containsItself(configuration: Configuration): AppError {
  return new AppError(
    'cycle',
    `In the configuration ${configuration} the assembly contains itself: it and an assembly in it were released at different times, each with the other. Ask for the children of one revision with GET …/uses, or for another configuration.`,
  );
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
