/** Raises requirements for what a project is short of, all in one, and lets those raised before follow its structure. */
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, resolveEntityIds } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { MICRO_MAX, type Micro, microUp } from '../../quantity.ts';
import { greatest, least } from '../records/amounts.ts';
import { lockProject, type Project } from '../records/find-procured.ts';
import { type Requirement, requirementOfRow } from '../records/requirement.ts';
import { type RequirementRow, selectRequirementsOfProjects } from '../records/requirements.sql.ts';
import { requireLess } from '../requirements/change-requirement.ts';
import { createRequirements } from '../requirements/raise-requirements.ts';
import { findShortages, type ItemNeed } from './find-shortages.ts';
import type { Named } from './show-shortages.ts';
import { selectNames } from './structure.sql.ts';
import type { StructureBasis } from './structure-below.ts';

/** Requirements that one call raises. */
const REQUIREMENTS_MAX = 10_000;
/** Requirements that one call takes less of, each with its trace. */
const CHANGES_MAX = 1000;

export interface WantedForShortages {
  project: EntityRef;
  items: readonly EntityRef[] | null;
  leavesOnly: boolean;
  requiredBy: string | null;
}

/**
 * Raises for each shortage what is not in an open requirement of the project already, so that asking twice raises
 * nothing twice: the project's row is locked. Requirements that were raised for the structure and exceed what it needs now become less, or
 * are cancelled. Throws `entity_not_found`, `not_a_project`, `tree_too_large`, `quantity_out_of_range`.
 */
export async function raiseShortages(
  tx: Tx,
  by: Mover,
  { project: ref, items, leavesOnly, requiredBy }: WantedForShortages,
  basis: StructureBasis,
): Promise<{ raised: Requirement[]; changed: Requirement[] }> {
  const { actor } = by;
  const project = await lockProject(tx, ref);
  const chosen = items === null ? null : new Set((await resolveEntityIds(tx, items)).values());
  const slices = new Slices(tx.gone);
  const needs: ItemNeed[] = [];
  const wanted: { id: string; amount: Micro }[] = [];
  for (const need of await findShortages(tx, project.id, basis)) {
    if (slices.areDue) await slices.next();
    const { id, isAssembly, short, openRequired } = need;
    if ((leavesOnly && isAssembly) || (chosen !== null && !chosen.has(id))) continue;
    needs.push(need);
    const amount = microUp(short) - openRequired;
    if (amount > 0n) wanted.push({ id, amount });
  }
  const changed = await followStructure(tx, by, project, needs, slices);
  if (wanted.length > REQUIREMENTS_MAX) {
    throw new AppError('tree_too_large', {
      detail: `More than ${REQUIREMENTS_MAX} requirements would be raised. Name the items, or only leaves.`,
      extensions: { limit: REQUIREMENTS_MAX },
    });
  }
  const tooMuch = wanted.find(({ amount }) => amount > MICRO_MAX);
  if (tooMuch !== undefined) {
    throw new AppError(
      'quantity_out_of_range',
      `Item ${tooMuch.id} is short by more than a quantity can be.`,
    );
  }
  const names = await tx.query<Named>(selectNames, [tx.workspaceId, wanted.map(({ id }) => id)]);
  const itemOf = new Map(names.map((row) => [row.id, row]));
  const raised = await createRequirements(
    tx,
    wanted.map(({ id, amount }) => {
      const item = itemOf.get(id) ?? { id, number: null, name: '', picture: null };
      return { actor, project, line: null, item, amount, requiredBy, followsStructure: true };
    }),
  );
  return { raised, changed };
}

/**
 * Takes back what requirements were raised for and the structure does not need any more: the newest first, and never what is covered.
 * Returns those that have changed.
 */
async function followStructure(
  tx: Tx,
  by: Mover,
  project: Project,
  needs: readonly ItemNeed[],
  slices: Slices,
): Promise<Requirement[]> {
  const excess = new Map<string, Micro>();
  for (const { id, gross, needed, required, openRequired } of needs) {
    if (slices.areDue) await slices.next();
    const most = required - greatest(microUp(gross), microUp(needed));
    const amount = least(most, openRequired);
    if (amount > 0n) excess.set(id, amount);
  }
  if (excess.size === 0) return [];
  const rows = await tx.query<RequirementRow>(selectRequirementsOfProjects, [
    tx.workspaceId,
    [project.id],
    [...excess.keys()],
  ]);
  const changes: { id: string; amount: Micro }[] = [];
  for (const { id, itemId, status, needed, followsStructure } of rows.map(requirementOfRow).toReversed()) {
    const left = excess.get(itemId) ?? 0n;
    const amount = least(needed, left);
    if (!followsStructure || status === 'cancelled' || amount <= 0n) continue;
    excess.set(itemId, left - amount);
    changes.push({ id, amount });
  }
  if (changes.length > CHANGES_MAX) {
    throw new AppError('tree_too_large', {
      detail: `More than ${CHANGES_MAX} requirements would become less. Name the items, or only leaves.`,
      extensions: { limit: CHANGES_MAX },
    });
  }
  const changed: Requirement[] = [];
  // In the order in which requirements are locked.
  for (const { id, amount } of changes.toReversed())
    changed.push(
      await requireLess(tx, by, id, amount, `The structure of ${project.number ?? project.name} needs less.`),
    );
  return changed;
}
