/** Refusals of what would cover a requirement beyond what it needs. */
import { AppError } from '../errors.ts';
import { type Micro, numberOf } from '../quantity.ts';
import type { Requirement } from './requirement.ts';

/** Throws `requirement_cancelled`, or `over_requirement` with the figures where the amount is above `limit`. */
export function requireRoom(requirement: Requirement, amount: Micro, limit: Micro, what: string): void {
  if (requirement.status === 'cancelled') {
    throw new AppError(
      'requirement_cancelled',
      `Requirement ${requirement.number ?? requirement.id} is cancelled.`,
    );
  }
  if (amount <= limit) return;
  const figures = {
    requiredQty: numberOf(requirement.required),
    reservedQty: numberOf(requirement.reserved),
    orderedQty: numberOf(requirement.ordered),
    openQty: numberOf(requirement.open),
  };
  throw new AppError('over_requirement', {
    detail: `${what} ${numberOf(amount)} is more than the ${numberOf(limit)} that requirement ${requirement.number ?? requirement.id} has left (required ${figures.requiredQty}, reserved ${figures.reservedQty}, ordered ${figures.orderedQty}).`,
    extensions: figures,
  });
}
