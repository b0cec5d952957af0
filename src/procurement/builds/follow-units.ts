/** Lets the components of a manufacturing line follow a change of the units that take them. */
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { decimalOf, type Micro } from '../../quantity.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import { gatherProcured } from '../../stock/events/gather-changes.ts';
import { recordMovements } from '../../stock/movements/record-movements.ts';
import { atLeastZero, least } from '../records/amounts.ts';
import { EntityMoves } from '../records/entity-moves.ts';
import type { Line } from '../records/line.ts';
import { updateRequirements } from './builds.sql.ts';
import type { ComponentStock } from './component-stock.ts';
import { type Build, type Component, heldFor, requiredFor, unitsInAll } from './components.ts';
import { lockBuilds, lockStock } from './open-builds.ts';

/**
 * `formerly` and `afterwards` are what the units that take components are beyond those of the line as it is. The line is locked. Throws
 * `quantity_out_of_range`.
 */
export async function followUnits(
  tx: Tx,
  by: Mover,
  line: Line,
  { formerly, afterwards, note }: { formerly: Micro; afterwards: Micro; note: string | null },
): Promise<void> {
  const opened = await lockBuilds(tx, [line], { from: null });
  const build = opened.builds.get(line.id) as Build;
  if (build.components.length === 0) return;
  const { stock } = await lockStock(tx, opened);
  const [before, after] = [unitsInAll(build) + formerly, unitsInAll(build) + afterwards];
  const movements: Movement[] = [];
  const changes: { id: string; required: Micro }[] = [];
  for (const component of build.components) {
    const { requirement } = component;
    const required = requiredAfter(component, before, after);
    const releases = releasesOf(component, stock, excessOf(component, required), note);
    const released = releases.reduce((sum, one) => sum + (one.coveredQuantity ?? one.amount), 0n);
    const more = { required: required - requirement.required, reserved: -released };
    opened.requirements.raise(requirement.id, by, more);
    changes.push({ id: requirement.id, required });
    movements.push(...releases);
  }
  const moves = new EntityMoves(tx, [by]);
  opened.requirements.keep(moves);
  gatherProcured(
    tx,
    changes.map(({ id }) => id),
  );
  tx.withCommit(
    tx.query(updateRequirements, [
      tx.workspaceId,
      changes.map(({ id }) => id),
      changes.map(({ required }) => decimalOf(required)),
    ]),
  );
  await recordMovements(tx, by.actor, movements);
  await moves.write();
}

/** Releases what is held beyond the requirement: substitutes before the component itself, and not more than what stays covers. */
function releasesOf(
  { requirement }: Pick<Component, 'requirement'>,
  stock: ComponentStock,
  excess: Micro,
  note: string | null,
): Movement[] {
  const held = stock
    .heldOf({ requirement })
    .toSorted((a, b) => Number(a.substitute === null) - Number(b.substitute === null));
  const releases: Movement[] = [];
  let left = excess;
  for (const { locationId, substitute, amount, covers } of held) {
    if (left <= 0n) break;
    const covered = least(covers, left);
    const some = covered === covers ? amount : (amount * covered) / covers;
    if (some === 0n) continue;
    left -= covered;
    releases.push({
      type: 'MRRelease',
      itemId: substitute?.id ?? requirement.itemId,
      locationId,
      amount: some,
      ...(substitute === null ? {} : { coveredQuantity: covered }),
      note,
      orderId: requirement.orderId,
      requirementId: requirement.id,
    });
  }
  return releases;
}

/** A requirement is above zero. */
function requiredAfter(component: Component, before: Micro, after: Micro): Micro {
  const required = requiredFor(component, before, after);
  return required > 0n ? required : 1n;
}

/** Returns the quantity that is reserved beyond the requirement, as far as it was not issued. */
function excessOf(component: Component, required: Micro): Micro {
  const beyond = component.requirement.reserved - required;
  const held = heldFor(component);
  return atLeastZero(least(beyond, held));
}
