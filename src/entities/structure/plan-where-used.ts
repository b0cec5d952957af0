/**
 * Finds all assemblies that contain an entity, at any level: each assembly once, with the total quantity of the entity in one of it.
 * Loads the links upwards, those of each entity once, so that a result that is too large is refused before the first byte of the answer.
 */

import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import { releasedStates } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { type Exact, one } from '../../quantity.ts';
import { type EntityRef, resolveEntityId } from '../resolve-entity.ts';
import { accumulate, type Outgoing } from './accumulate.ts';
import type { RevisionsUsing } from './configuration.schema.ts';
import { selectReleasedParents } from './configured-uses.sql.ts';
import { IDS_AT_ONCE, LinkQuantities, unpackLinks } from './packed-links.ts';
import { selectParents } from './tree.sql.ts';

export interface WhereUsedLimits {
  /** Links that lead up. */
  linksMax: number;
  /** Levels above the entity. */
  levelsMax: number;
}

export interface PlannedAssembly {
  id: string;
  /** The smallest number of links between the entity and the assembly. */
  level: number;
  /** The quantity of the entity in one assembly, added up over all paths; as exact as sums of material are. */
  extended: Exact;
  hasParents: boolean;
  /** Only its newest released revision contains the entity, or released revisions were asked for. */
  isOfReleased: boolean;
}

/** The parents of each entity, packed (see `unpackLinks`), or '' without any. */
type Parents = ReadonlyMap<string, string>;

/**
 * Returns the nearest assemblies first, and within a level those in the order of the links. Needs a transaction with a snapshot: links of
 * two moments can form a cycle, whose quantities would never be added up. Throws `entity_not_found`, `tree_too_large`, and
 * `quantity_out_of_range` where quantities multiply beyond all measure.
 */
export async function planWhereUsed(
  tx: Tx,
  of: EntityRef,
  { onlyTop, revisions, ...limits }: WhereUsedLimits & { onlyTop: boolean; revisions: RevisionsUsing },
): Promise<PlannedAssembly[]> {
  const id = await resolveEntityId(tx, of);
  const slices = new Slices(tx.gone);
  const { parents, levels, current } = await loadUpwards(
    tx,
    id,
    limits,
    await parentsBy(tx, revisions),
    slices,
  );
  const totals = new Map<string, Exact>();
  const nearest = revisions === 'current' ? {} : { nearest: levels.keys() };
  await accumulate(id, one, { ...stepsOf(parents), ...nearest }, slices, (at, amount) => {
    totals.set(at, amount);
    return amount;
  });
  const assemblies: PlannedAssembly[] = [];
  for (const [at, level] of levels) {
    if (slices.areDue) await slices.next();
    const hasParents = parents.get(at) !== '';
    if (level === 0 || (onlyTop && hasParents)) continue;
    const extended = totals.get(at);
    if (extended === undefined) throw new Error(`The structure above ${id} has a circle through ${at}`);
    const isOfReleased = revisions === 'released' || !current.has(at);
    assemblies.push({ id: at, level, extended, hasParents, isOfReleased });
  }
  return assemblies;
}

interface ParentsBy {
  sql: string;
  more: readonly unknown[];
}

async function parentsBy(tx: Tx, revisions: RevisionsUsing): Promise<ParentsBy> {
  if (revisions === 'current') return { sql: selectParents, more: [] };
  return {
    sql: selectReleasedParents,
    more: [revisions === 'all', ...releasedStates(await loadConfiguration(tx))],
  };
}

/** Level by level: a link that is read is never read again. The levels come out in their order. */
async function loadUpwards(
  tx: Tx,
  id: string,
  limits: WhereUsedLimits,
  by: ParentsBy,
  slices: Slices,
): Promise<{ parents: Parents; levels: ReadonlyMap<string, number>; current: ReadonlySet<string> }> {
  const parents = new Map<string, string>();
  const levels = new Map([[id, 0]]);
  const current = new Set<string>();
  let room = limits.linksMax;
  let last = [id];
  for (let level = 1; last.length > 0; level++) {
    const next: string[] = [];
    for (let from = 0; from < last.length; from += IDS_AT_ONCE) {
      const asked = last.slice(from, from + IDS_AT_ONCE);
      for (const child of asked) parents.set(child, '');
      const rows = await tx.query<{ child_id: string; links: number; parents: string }>(by.sql, [
        tx.workspaceId,
        asked,
        room + 1,
        ...by.more,
      ]);
      for (const row of rows) {
        room -= row.links;
        if (room < 0) throw tooMany(limits);
        parents.set(row.child_id, row.parents);
        for (const { id: parent, hasLine: isKept } of unpackLinks(row.parents)) {
          if (slices.areDue) await slices.next();
          if (!isKept) current.add(parent);
          if (levels.has(parent)) continue;
          levels.set(parent, level);
          next.push(parent);
        }
      }
    }
    if (next.length > 0 && level > limits.levelsMax) throw tooHigh(limits);
    last = next;
  }
  return { parents, levels, current };
}

function stepsOf(parents: Parents): Outgoing {
  const quantities = new LinkQuantities();
  return {
    keys: () => parents.keys(),
    *get(id) {
      for (const { id: to, quantity } of unpackLinks(parents.get(id) ?? ''))
        yield { to, quantity: quantities.of(quantity) };
    },
  };
}

const instead = 'Ask for its parents with GET …/where-used, and for what is above each of them.';

function tooMany({ linksMax }: WhereUsedLimits): AppError {
  return new AppError('tree_too_large', {
    detail: `More than ${linksMax} links lead up from it. ${instead}`,
    extensions: { limit: linksMax },
  });
}

function tooHigh({ levelsMax }: WhereUsedLimits): AppError {
  return new AppError('tree_too_large', {
    detail: `There are more than ${levelsMax} levels above it. ${instead}`,
    extensions: { depthLimit: levelsMax },
  });
}
