/** A write of which nobody knows whether it was done: the connection broke, or something before the service answered for it. */
import { Refusal } from './request.ts';

export class Unanswered extends Error {
  override name = 'Unanswered';
  /** Sends the very same request with the same key, whatever the page shows by now; null where the form does so by itself. */
  readonly again: (() => void) | null;
  constructor(cause: unknown, again: (() => void) | null = null) {
    super('No answer came: it may have been done. Press again to be sure: it is not done twice.', { cause });
    this.again = again;
  }
}

/** Something else is to be done while nobody could see yet whether the first was. */
export class LookFirst extends Error {
  override name = 'LookFirst';
  constructor() {
    super(
      'What was sent before had no answer. The page is being read anew: look whether it was done, then press again.',
    );
  }
}

export function isUnanswered(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof Unanswered) return true;
  if (!(error instanceof Refusal)) return false;
  // The first of two is still at work, or the words are not the service's; what a proxy refuses by itself does not reach it.
  const isRefusedBefore = error.status >= 400 && error.status < 500;
  return error.code === 'idempotency_in_progress' || (error.code === 'no_problem' && !isRefusedBefore);
}
