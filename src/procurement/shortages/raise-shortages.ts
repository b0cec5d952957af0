/** Raises requirements for what a project is short of, all in one. */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, resolveEntityIds } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { MICRO_MAX, type Micro, microUp } from '../../quantity.ts';
import { lockProject } from '../records/find-procured.ts';
import type { Requirement } from '../records/requirement.ts';
import { createRequirements } from '../requirements/raise-requirements.ts';
import { findShortages } from './find-shortages.ts';
import type { Named } from './show-shortages.ts';
import { selectNames } from './structure.sql.ts';

/** Requirements that one call raises. */
const REQUIREMENTS_MAX = 10_000;

export interface WantedForShortages {
  project: EntityRef;
  items: readonly EntityRef[] | null;
  leavesOnly: boolean;
  requiredBy: string | null;
}

/**
 * For each shortage what is not in an open requirement of the project already, so that asking twice raises
 * nothing twice: the project's row is locked. Throws `entity_not_found`, `not_a_project`, `tree_too_large`,
 * `quantity_out_of_range`.
 */
export async function raiseShortages(
  tx: Tx,
  actor: Actor,
  { project: ref, items, leavesOnly, requiredBy }: WantedForShortages,
  limits: { linksMax: number },
): Promise<Requirement[]> {
  const project = await lockProject(tx, ref);
  const chosen = items === null ? null : new Set((await resolveEntityIds(tx, items)).values());
  const needs = await findShortages(tx, project.id, limits);
  const slices = new Slices(tx.gone);
  const wanted: { id: string; amount: Micro }[] = [];
  for (const { id, isAssembly, short, openRequired } of needs) {
    if (slices.areDue) await slices.next();
    if ((leavesOnly && isAssembly) || (chosen !== null && !chosen.has(id))) continue;
    const amount = microUp(short) - openRequired;
    if (amount > 0n) wanted.push({ id, amount });
  }
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
  return createRequirements(
    tx,
    wanted.map(({ id, amount }) => {
      const item = itemOf.get(id) ?? { id, number: null, name: '' };
      return { actor, project, line: null, item, amount, requiredBy };
    }),
  );
}
