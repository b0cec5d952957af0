/** Reads the structure below an entity as steps with quantities, down to its leaves and to other projects. */
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import { releasedStates } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Step } from '../../entities/structure/accumulate.ts';
import type { Configuration } from '../../entities/structure/configuration.schema.ts';
import { LinkQuantities, unpackLinks } from '../../entities/structure/packed-links.ts';
import { AppError } from '../../errors.ts';
import type { Slices } from '../../fairness/slices.ts';
import { type StructureRow, selectConfiguredBelow, selectStructureBelow } from './structure.sql.ts';

export interface StructureBasis {
  linksMax: number;
  /** The configuration; by default the current one. */
  configuration?: Configuration;
  /** Whether quantities are what is contained, and losses are left out; by default they are what is consumed. */
  isContained?: boolean;
  /** A revision of the root whose structure is read as it was released; null: the present one. */
  revision?: number | null;
}

export interface StructureBelow {
  /** Steps between nodes: ids of entities, and ids with a star of phantoms. */
  readonly steps: readonly Step[];
  /** The role of each entity by its id. */
  readonly roles: ReadonlyMap<string, string>;
  readonly nodeCount: number;
}

/** A phantom stands for its components: nothing of it is in stock, and all that is needed of it is passed on. */
const AS_PHANTOM = '*';

/** Returns the entity of a node. */
export function itemOf(node: string): string {
  return node.endsWith(AS_PHANTOM) ? node.slice(0, -AS_PHANTOM.length) : node;
}

/** Throws `tree_too_large`. */
export async function readStructureBelow(
  tx: Tx,
  rootId: string,
  { linksMax, configuration = 'current', revision = null, isContained = false }: StructureBasis,
  slices: Slices,
): Promise<StructureBelow> {
  const params = [tx.workspaceId, rootId, 2 * (linksMax + 1)];
  const rows =
    configuration === 'current' && revision === null
      ? await tx.query<StructureRow>(selectStructureBelow(isContained), params)
      : await tx.query<StructureRow>(selectConfiguredBelow(isContained), [
          ...params,
          revision === null ? configuration : 'asReleased',
          ...releasedStates(await loadConfiguration(tx)),
          revision,
        ]);
  const linkCount = rows.reduce((sum, { links }) => sum + links, 0);
  if (linkCount > linksMax || rows.length > linksMax) {
    throw new AppError('tree_too_large', {
      detail: `The structure has more than ${linksMax} links.`,
      extensions: { limit: linksMax },
    });
  }
  const steps: Step[] = [];
  // Ids and quantities are held once each, and not once a link: the fewer objects, the shorter the loop stands to collect.
  const links = new Map(rows.map(({ id, children }) => [id, children ?? '']));
  const nodes = new Map([[rootId, rootId]]);
  const quantities = new LinkQuantities();
  const ahead = [rootId];
  for (let from = ahead.pop(); from !== undefined; from = ahead.pop()) {
    for (const { id, quantity: packed, hasLine: isPhantom } of unpackLinks(links.get(itemOf(from)) ?? '')) {
      if (slices.areDue) await slices.next();
      const node = isPhantom ? `${id}${AS_PHANTOM}` : id;
      const to = nodes.get(node) ?? node;
      if (!nodes.has(node)) {
        nodes.set(node, node);
        ahead.push(node);
      }
      const [quantity = '', fixed] = packed.split('+');
      steps.push({
        from,
        to,
        quantity: quantities.of(quantity),
        ...(fixed === undefined ? {} : { fixed: quantities.of(fixed) }),
      });
    }
  }
  return { steps, roles: new Map(rows.map(({ id, role }) => [id, role])), nodeCount: nodes.size };
}
