/** How an operation on many requests of different callers is told of them, and what it says of each. */
import { AppError } from '../errors.ts';

/** The outcome of a request: what was done, a refusal, or `separately` if it needs a transaction of its own; null if it was passed over. */
export type Outcome<Done> = { readonly done: Done } | AppError | 'separately' | null;

export interface Gathering {
  /** For each request, whether it has an answer already and is passed over. */
  readonly answered: Promise<readonly boolean[]>;
  /**
   * Whether the transaction is for one request only. It then waits for rows that somebody else holds; a request that
   * would have to wait inside a group would keep all others of the group waiting.
   */
  readonly isSingle: boolean;
}

/** For an operation that is called with one request, as a part of a transaction. */
export function singleCall(): Gathering {
  return { answered: Promise.resolve([false]), isSingle: true };
}

/** Returns what was done with the only request. Throws its refusal. */
export function singleDone<Done>([outcome]: readonly Outcome<Done>[]): Done {
  if (outcome instanceof AppError) throw outcome;
  if (outcome === undefined || outcome === null || outcome === 'separately')
    throw new Error('A request that has its own transaction was not carried out');
  return outcome.done;
}

/** A refusal as a value: it concerns one request and must not end the transaction of the others. */
export function orRefusal<T>(work: () => T): T | AppError {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
