/** Finds which projects a part is for, and how many of it each takes. */
import type { Tx } from '../../db/transaction.ts';
import { explodeAll } from '../../entities/explosion/exact-structure.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { type Exact, one, zero } from '../../quantity.ts';
import { type StructureRow, selectLinksAbove } from './structure.sql.ts';
import { buildStructure, type PackedStructure, packedStructure } from './structure-below.ts';

/** Links on the ways up that one transition looks at; a part in more places is procured by hand. */
const LINKS_MAX = 100_000;
/** The number of these links, where one that lies below several projects counts for each of them. */
const FOLLOWED_MAX = 2_000_000;

const refusals: readonly ErrorCode[] = ['quantity_out_of_range', 'tree_too_large'];

/**
 * Returns the nearest ancestors whose category has the role `project`, each with the quantity that its structure takes: the same as its
 * shortages say, with losses and phantoms, and nothing for assemblies that are bought. Throws `feature_failed` where the part is used in too many
 * places, or in too great a quantity.
 */
export async function owningProjects(tx: Tx, partId: string): Promise<Map<string, Exact>> {
  const rows = await tx.query<StructureRow>(selectLinksAbove, [tx.workspaceId, partId, LINKS_MAX + 1]);
  if (rows.reduce((sum, { links }) => sum + links, 0) > LINKS_MAX)
    throw new AppError('feature_failed', `The part is used through more than ${LINKS_MAX} links.`);
  const slices = new Slices(tx.gone);
  const packed = await packedStructure(tx, rows, slices);
  const found = new Map<string, Exact>();
  let room = FOLLOWED_MAX;
  try {
    for (const { id, role } of rows) {
      if (role !== 'project') continue;
      const { taken, links } = await takenOf(id, partId, packed, slices);
      found.set(id, taken);
      room -= links;
      if (room < 0)
        throw new AppError(
          'feature_failed',
          `The part is used through more than ${FOLLOWED_MAX} links, counted for each project.`,
        );
    }
  } catch (error) {
    if (error instanceof AppError && refusals.includes(error.code))
      throw new AppError('feature_failed', error.message);
    throw error;
  }
  return found;
}

/** Explodes what lies between a project and the part: all that was read leads to the part. */
async function takenOf(
  projectId: string,
  partId: string,
  packed: PackedStructure,
  slices: Slices,
): Promise<{ taken: Exact; links: number }> {
  const structure = await buildStructure([projectId], packed, slices);
  let taken = zero;
  await explodeAll(structure, one, slices, {
    visit: (node, amount) => {
      if (structure.ids[node] === partId) taken = amount;
      return structure.isMade[node] === 1 ? amount : zero;
    },
  });
  return { taken, links: structure.links.child.length };
}
