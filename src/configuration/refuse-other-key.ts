/** Keys never change: other configuration, entities and connectors hold on to them. */
import { AppError } from '../errors.ts';

/** The key may come back as it was read; another one is an attempt to rename, and must not be lost silently. */
export function refuseOtherKey(present: string, given: string | undefined): void {
  if (given === undefined || given === present) return;
  const message = `The key is "${present}" and cannot change.`;
  throw new AppError('validation_failed', {
    detail: `The request is not valid. ${message}`,
    errors: [{ pointer: '/key', code: 'key_immutable', message }],
  });
}
