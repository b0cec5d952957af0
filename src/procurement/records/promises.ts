/** The parts of a purchase line that its supplier has promised, each for a day. */
import { type AppError, invalidValue } from '../../errors.ts';
import { decimalOf, type Micro, microOfDecimal, numberOf } from '../../quantity.ts';
import { atLeastZero, least } from './amounts.ts';

export interface LinePromise {
  readonly on: string;
  readonly quantity: Micro;
}

export interface StoredPromise {
  on: string;
  quantity: string;
}

export function promisesOf(stored: readonly StoredPromise[] | null): LinePromise[] {
  return (stored ?? []).map(({ on, quantity }) => ({ on, quantity: microOfDecimal(quantity) }));
}

export function storedPromises(promises: readonly LinePromise[]): string | null {
  if (promises.length === 0) return null;
  return JSON.stringify(promises.map(({ on, quantity }) => ({ on, quantity: decimalOf(quantity) })));
}

export function showPromises(promises: readonly LinePromise[]) {
  return promises.map(({ on, quantity }) => ({ on, quantity: numberOf(quantity) }));
}

/** Requires that together they are not more than the line. Throws `validation_failed`. */
export function requirePromises(promises: readonly LinePromise[], quantity: Micro): void {
  const promised = promises.reduce((sum, part) => sum + part.quantity, 0n);
  if (promised <= quantity) return;
  throw invalidPromises(`${numberOf(promised)} are promised of a line of ${numberOf(quantity)}.`);
}

export function invalidPromises(message: string): AppError {
  return invalidValue('/promises', message, 'The promises are not valid.');
}

/** Returns the promises of a line that has become smaller: the latest parts are the first that are no longer needed. */
export function promisesWithin(promises: readonly LinePromise[], quantity: Micro): readonly LinePromise[] {
  let left = quantity;
  const kept = promises.map(({ on, quantity: part }) => {
    const taken = least(part, left);
    left -= taken;
    return { on, quantity: taken };
  });
  return kept.filter((part) => part.quantity > 0n);
}

export function promisesText(promises: readonly LinePromise[]): string | null {
  if (promises.length === 0) return null;
  return promises.map(({ on, quantity }) => `${on}: ${numberOf(quantity)}`).join(', ');
}

/** Returns the parts of the open quantity that are still to come after so much has been received, and the rest: what was promised first comes first. */
export function partsToCome(
  promises: readonly LinePromise[],
  received: Micro,
  open: Micro,
): { parts: LinePromise[]; rest: Micro } {
  let come = atLeastZero(received);
  let rest = open;
  const parts = promises.flatMap(({ on, quantity }) => {
    const taken = least(come, quantity);
    come -= taken;
    const left = quantity - taken < rest ? quantity - taken : rest;
    rest -= left;
    return left > 0n ? [{ on, quantity: left }] : [];
  });
  return { parts, rest };
}
