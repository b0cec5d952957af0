/** Requires the components of a manufacturing line: one material requirement for each. */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { MICRO_MAX } from '../../quantity.ts';
import type { Line } from '../records/line.ts';
import { createRequirements } from '../requirements/raise-requirements.ts';
import { explodeItem, neededFor } from './explode-item.ts';

/** Creates the requirements of what is open, at the revision of the item that the line has. Throws `feature_failed`, `tree_too_large`. */
export async function requireComponents(tx: Tx, actor: Actor, line: Line): Promise<void> {
  const components = await explodeItem(tx, line.itemId, line.itemRevision);
  const open = line.quantity - line.received;
  if (open <= 0n) return;
  const wanted = components.map((component) => ({
    actor,
    project: null,
    line,
    item: component,
    amount: neededFor(component, open),
    requiredBy: line.requiredBy,
    component,
  }));
  if (wanted.some(({ amount }) => amount > MICRO_MAX)) {
    throw new AppError(
      'feature_failed',
      'A component would be required in a quantity beyond what one can be.',
    );
  }
  await createRequirements(tx, wanted);
}
