/** Changes how much is required, and by when. */
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { type Mover, transitionEntity } from '../../entities/transition-entity.ts';
import { AppError, invalidValue } from '../../errors.ts';
import type { EventChange } from '../../events/record-entity-events.ts';
import { decimalOf, type Micro, numberOf } from '../../quantity.ts';
import { findRequirement, lockRequirement } from '../records/find-procured.ts';
import { refreshRequirement } from '../records/follow-state.ts';
import { nameOfLine } from '../records/line.ts';
import { type Requirement, requirementStates } from '../records/requirement.ts';
import { updateRequirement } from '../records/requirements.sql.ts';
import { tellChange } from '../records/tell-change.ts';

export interface RequirementChange {
  requirement: EntityRef;
  /** Absent: as it is. */
  amount: Micro | undefined;
  /** Required date; null clears it, absent keeps it. */
  requiredBy: string | null | undefined;
  /** Why; the audit trail keeps it. */
  note: string | null;
  /** Sees the requirement as it is locked, and may refuse. */
  check: (requirement: Requirement) => Promise<void>;
}

/**
 * Changes a requirement; its state and its name follow. A change to the present values writes nothing. Throws `requirement_not_found`,
 * `requirement_cancelled`, `quantity_below_done`, and `validation_failed` for the quantity of a component, which follows its line.
 */
export async function changeRequirement(
  tx: Tx,
  by: Mover,
  { requirement: ref, amount, requiredBy, note, check }: RequirementChange,
): Promise<Requirement> {
  const requirement = await lockRequirement(tx, ref);
  await check(requirement);
  const wanted = {
    ...requirement,
    required: amount ?? requirement.required,
    requiredBy: requiredBy === undefined ? requirement.requiredBy : requiredBy,
  };
  const changes = differences(requirement, wanted);
  if (changes.length === 0) return requirement;
  if (wanted.required !== requirement.required) requireQuantity(requirement, wanted.required);
  else if (requirement.status === 'cancelled') throw refuseCancelled(requirement);
  await tx.query(updateRequirement, [
    tx.workspaceId,
    requirement.id,
    decimalOf(wanted.required),
    wanted.requiredBy,
  ]);
  await tellChange(tx, by.actor, {
    id: requirement.id,
    subjectType: 'materialRequirement',
    changes,
    before: shown(requirement, null),
    after: shown(wanted, note),
    formerName: nameOfLine(requirement.required, requirement.itemName),
    name: nameOfLine(wanted.required, requirement.itemName),
  });
  return refreshRequirement(tx, by, requirement.id);
}

/**
 * Takes back so much of what a requirement needs: it becomes less, or is cancelled where nothing of it is left. The amount is not above
 * its open need. Returns the requirement after it.
 */
export async function requireLess(
  tx: Tx,
  by: Mover,
  id: string,
  amount: Micro,
  note: string,
): Promise<Requirement> {
  const { required } = await lockRequirement(tx, id);
  if (amount < required) {
    const wanted = { amount: required - amount, requiredBy: undefined, note, check: async () => {} };
    return changeRequirement(tx, by, { requirement: id, ...wanted });
  }
  await transitionEntity(tx, by, { entity: id, toState: requirementStates.cancelled, note });
  return findRequirement(tx, id);
}

function differences(before: Requirement, after: Requirement): EventChange[] {
  const changes: EventChange[] = [];
  if (after.required !== before.required) {
    changes.push({
      property: 'requiredQty',
      from: numberOf(before.required),
      to: numberOf(after.required),
    });
  }
  if (after.requiredBy !== before.requiredBy)
    changes.push({ property: 'requiredBy', from: before.requiredBy, to: after.requiredBy });
  return changes;
}

function shown({ number, required, requiredBy }: Requirement, note: string | null) {
  return { number, requiredQty: numberOf(required), requiredBy, ...(note === null ? {} : { note }) };
}

function requireQuantity(requirement: Requirement, quantity: Micro): void {
  const { id, number, lineId, status, required, reserved, ordered, open } = requirement;
  if (status === 'cancelled') throw refuseCancelled(requirement);
  if (lineId !== null) {
    const message = 'The quantity of a component follows its manufacturing line. Change the line.';
    throw invalidValue('/requiredQty', message);
  }
  const covered = required - open;
  if (quantity >= covered) return;
  const message = `${numberOf(covered)} of requirement ${number ?? id} are reserved or ordered: it cannot be for ${numberOf(quantity)}. Release reservations or change the order first.`;
  throw new AppError('quantity_below_done', {
    detail: message,
    errors: [{ pointer: '/requiredQty', code: 'quantity_below_done', message }],
    extensions: { reservedQty: numberOf(reserved), orderedQty: numberOf(ordered) },
  });
}

function refuseCancelled({ id, number }: Requirement): AppError {
  return new AppError('requirement_cancelled', `Requirement ${number ?? id} is cancelled.`);
}
