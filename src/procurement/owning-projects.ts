/** Which projects a part is for, and how many of it each takes. */
import type { Tx } from '../db/transaction.ts';
import { type Exact, one } from '../entities/exact-product.ts';
import { AppError } from '../errors.ts';
import { accumulate } from './accumulate.ts';
import { exactOfDecimal, times } from './exact-sum.ts';
import { type LinkRow, selectLinksAbove } from './structure.sql.ts';

/** Ways up that one transition looks at; a part in more places is procured by hand. */
const LINKS_MAX = 100_000;

/**
 * The nearest ancestors whose category has the role `project`, each with the quantities along all paths added
 * up. Throws `feature_failed` where the part is used in too many places.
 */
export async function owningProjects(tx: Tx, partId: string): Promise<Map<string, Exact>> {
  const links = await tx.query<LinkRow>(selectLinksAbove, [tx.workspaceId, partId, LINKS_MAX + 1]);
  if (links.length > LINKS_MAX) {
    throw new AppError('feature_failed', `The part is used through more than ${LINKS_MAX} links.`);
  }
  const projects = new Set(links.filter((link) => link.role === 'project').map((link) => link.parent_id));
  const found = new Map<string, Exact>();
  const steps = links.map((link) => ({
    from: link.child_id,
    to: link.parent_id,
    quantity: exactOfDecimal(link.quantity),
  }));
  accumulate(partId, one, steps, times, (id, amount) => {
    if (projects.has(id)) found.set(id, amount);
    return amount;
  });
  return found;
}
