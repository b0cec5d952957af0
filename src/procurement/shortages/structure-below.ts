/** Reads the structure below an entity, and below other items, down to its leaves and to other projects, so that it can be exploded. */
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import { releasedStates } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { ExactNeeds, type ExactStructure } from '../../entities/explosion/exact-structure.ts';
import { withLoss } from '../../entities/explosion/losses.ts';
import { orderItems } from '../../entities/explosion/order-items.ts';
import type { Configuration } from '../../entities/structure/configuration.schema.ts';
import { LinkQuantities, unpackLinks } from '../../entities/structure/packed-links.ts';
import { AppError } from '../../errors.ts';
import type { Slices } from '../../fairness/slices.ts';
import { type Exact, exactOfDecimal } from '../../quantity.ts';
import {
  type StructureRow,
  selectBought,
  selectConfiguredBelow,
  selectStructureBelow,
} from './structure.sql.ts';

/** Assemblies whose planning is read at once. */
const ASSEMBLIES_AT_ONCE = 5000;

export interface StructureBasis {
  linksMax: number;
  /** The configuration; by default the current one. */
  configuration?: Configuration;
  /** Whether quantities are what is contained, and losses are left out; by default they are what is consumed. */
  isContained?: boolean;
  /** A revision of the root whose structure is read as it was released; null: the present one. */
  revision?: number | null;
  /** Items that need not be below the root: what lies below them is read, too. By default there are none. */
  also?: readonly string[];
}

export interface StructureBelow extends BuiltStructure {
  /** The role of each entity by its id. */
  readonly roles: ReadonlyMap<string, string>;
}

export interface BuiltStructure extends ExactStructure {
  /** 1 for each node that is made: it has components, and its planning does not say that it is bought. The root and phantoms are always made. */
  readonly isMade: Uint8Array;
}

/** Throws `tree_too_large`, and `cycle` where released revisions contain each other. */
export async function readStructureBelow(
  tx: Tx,
  rootId: string,
  basis: StructureBasis,
  slices: Slices,
): Promise<StructureBelow> {
  const rows = await readRows(tx, rootId, basis);
  const packed = await packedStructure(tx, rows, slices);
  const built = await buildStructure([rootId, ...(basis.also ?? [])], packed, slices);
  return { ...built, roles: new Map(rows.map(({ id, role }) => [id, role])) };
}

/** Links as they are packed, by parent; and the assemblies that are bought. */
export interface PackedStructure {
  readonly childrenOf: ReadonlyMap<string, string>;
  readonly bought: ReadonlySet<string>;
}

export async function packedStructure(
  tx: Tx,
  rows: readonly StructureRow[],
  slices: Slices,
): Promise<PackedStructure> {
  const childrenOf = new Map(rows.map(({ id, children }) => [id, children ?? '']));
  const assemblies = [...childrenOf].flatMap(([id, children]) => (children === '' ? [] : [id]));
  const bought = new Set<string>();
  for (let at = 0; at < assemblies.length; at += ASSEMBLIES_AT_ONCE) {
    const some = assemblies.slice(at, at + ASSEMBLIES_AT_ONCE);
    for (const { id } of await tx.query<{ id: string }>(selectBought, [tx.workspaceId, some])) bought.add(id);
    if (slices.areDue) await slices.next();
  }
  return { childrenOf, bought };
}

/** Builds what lies below the roots, of which the first is always made. Throws `cycle` as `readStructureBelow`. */
export async function buildStructure(
  roots: readonly string[],
  { childrenOf, bought }: PackedStructure,
  slices: Slices,
): Promise<BuiltStructure> {
  const found = await joinLinks(roots, childrenOf, slices);
  const { order, place, inCycle } = orderItems(found.ids.length, found.links, 'depth');
  if (inCycle.length > 0)
    throw new AppError(
      'cycle',
      'In this configuration assemblies contain each other: their revisions were released at different times. Ask for another configuration, or for the present structure.',
    );
  return {
    ...found,
    order,
    place,
    arithmetic: new ExactNeeds(found.links),
    isMade: madeOf(found, bought),
  };
}

async function readRows(
  tx: Tx,
  rootId: string,
  { linksMax, configuration = 'current', revision = null, isContained = false, also = [] }: StructureBasis,
): Promise<StructureRow[]> {
  const params = [tx.workspaceId, rootId, 2 * (linksMax + 1)];
  const rows =
    configuration === 'current' && revision === null
      ? await tx.query<StructureRow>(selectStructureBelow(isContained), [...params, also])
      : await tx.query<StructureRow>(selectConfiguredBelow(isContained), [
          ...params,
          revision === null ? configuration : 'asReleased',
          ...releasedStates(await loadConfiguration(tx)),
          revision,
          also,
        ]);
  const linkCount = rows.reduce((sum, { links }) => sum + links, 0);
  if (linkCount > linksMax || rows.length > linksMax) {
    throw new AppError('tree_too_large', {
      detail: `The structure has more than ${linksMax} links.`,
      extensions: { limit: linksMax },
    });
  }
  return rows;
}

/** Nodes in the order in which they are found, with their links in the same order. */
async function joinLinks(
  roots: readonly string[],
  childrenOf: PackedStructure['childrenOf'],
  slices: Slices,
): Promise<Pick<ExactStructure, 'ids' | 'isPhantom' | 'links'>> {
  // Ids and quantities are held once each, and not once a link: the fewer objects, the shorter the loop stands to collect.
  const factors = new LinkQuantities(readFactor);
  const losses = new LinkQuantities();
  const ids = [...roots];
  const nodes = { kept: new Map(roots.map((id, node) => [id, node])), phantom: new Map<string, number>() };
  const from = [0];
  const child: number[] = [];
  const isPassedOn: number[] = [];
  const factor: Exact[] = [];
  const fixed: (Exact | undefined)[] = [];
  // Nodes that are added while it runs are visited, too.
  for (const parent of ids) {
    for (const link of unpackLinks(childrenOf.get(parent) ?? '')) {
      if (slices.areDue) await slices.next();
      // A phantom without components is a component itself.
      const isPhantom = link.hasLine && (childrenOf.get(link.id) ?? '') !== '';
      const known = isPhantom ? nodes.phantom : nodes.kept;
      let node = known.get(link.id);
      if (node === undefined) {
        node = ids.push(link.id) - 1;
        known.set(link.id, node);
      }
      const [quantity = '', lost] = link.quantity.split('+');
      child.push(node);
      isPassedOn.push(Number(isPhantom));
      factor.push(factors.of(quantity));
      fixed.push(lost === undefined ? undefined : losses.of(lost));
    }
    from.push(child.length);
  }
  const links = {
    from: Uint32Array.from(from),
    child: Uint32Array.from(child),
    isPhantom: Uint8Array.from(isPassedOn),
    factor,
    fixed,
  };
  const isPhantom = new Uint8Array(ids.length);
  for (const node of nodes.phantom.values()) isPhantom[node] = 1;
  return { ids, isPhantom, links };
}

function madeOf(
  { ids, isPhantom, links: { from } }: Pick<ExactStructure, 'ids' | 'isPhantom' | 'links'>,
  bought: ReadonlySet<string>,
): Uint8Array {
  const hasComponents = (node: number) => from[node] !== from[node + 1];
  const canBeBought = (node: number) => node > 0 && isPhantom[node] === 0;
  return Uint8Array.from(ids, (id, node) =>
    Number(hasComponents(node) && !(canBeBought(node) && bought.has(id))),
  );
}

/** Reads a quantity, and behind `%` its loss in percent. */
function readFactor(packed: string): Exact {
  const [quantity = '', percent] = packed.split('%');
  return withLoss(exactOfDecimal(quantity), exactOfDecimal(percent ?? '0'));
}
