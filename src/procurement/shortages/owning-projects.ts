/** Finds the projects that a part is for, and how many of it each needs. */
import type { Tx } from '../../db/transaction.ts';
import { accumulate, type Step, stepsByStart } from '../../entities/structure/accumulate.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { type Exact, exactOfDecimal, one } from '../../quantity.ts';
import { type LinkRow, selectLinksAbove } from './structure.sql.ts';

/** Ways up that one transition looks at; a part in more places is procured by hand. */
const LINKS_MAX = 100_000;

/**
 * The nearest ancestors whose category has the role `project`, each with the quantities along all paths added
 * up. Throws `feature_failed` where the part is used in too many places, or in too great a quantity.
 */
export async function owningProjects(tx: Tx, partId: string): Promise<Map<string, Exact>> {
  const links = await tx.query<LinkRow>(selectLinksAbove, [tx.workspaceId, partId, LINKS_MAX + 1]);
  if (links.length > LINKS_MAX) {
    throw new AppError('feature_failed', `The part is used through more than ${LINKS_MAX} links.`);
  }
  const slices = new Slices(tx.gone);
  const projects = new Set<string>();
  const steps: Step[] = [];
  for (const { role, parent_id: to, child_id: from, quantity } of links) {
    if (slices.areDue) await slices.next();
    if (role === 'project') projects.add(to);
    steps.push({ from, to, quantity: exactOfDecimal(quantity) });
  }
  const found = new Map<string, Exact>();
  try {
    await accumulate(partId, one, await stepsByStart(steps, slices), slices, (id, amount) => {
      if (projects.has(id)) found.set(id, amount);
      return amount;
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'quantity_out_of_range') {
      throw new AppError('feature_failed', error.message);
    }
    throw error;
  }
  return found;
}
