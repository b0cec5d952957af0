/**
 * Work that reads all of a ledger, once at a time: whoever asks for the same while it runs gets the same result, and
 * it ends when nobody waits for it any more. A process does a few at a time for all workspaces, and one of a kind
 * for each.
 */
import { AppError } from '../../errors.ts';

export interface Wanted<T> {
  workspaceId: string;
  kind: 'verify' | 'digest';
  /** Distinguishes it from others of its kind. */
  subject?: string;
  /** Aborted when the caller leaves or the service stops. */
  gone: AbortSignal;
  closing: AbortSignal;
  work(signal: AbortSignal): Promise<T>;
}

interface Run {
  subject: string;
  result: Promise<unknown>;
  waiting: number;
  end: AbortController;
}

const RETRY_SECONDS = 15;

/** Concurrent reads of a process: at most `most`. */
export class LedgerReads {
  readonly #most: number;
  readonly #underWay = new Map<string, Run>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Throws `ledger_busy` where too much runs already. */
  async run<T>(wanted: Wanted<T>): Promise<T> {
    const { gone } = wanted;
    const key = keyOf(wanted);
    // A run that everybody has left was told to end: what it ends with is the answer of nobody who comes after.
    for (let run = this.#underWay.get(key); run?.end.signal.aborted === true; run = this.#underWay.get(key)) {
      await run.result.catch(() => {});
    }
    const run = this.#find(wanted);
    const leave = () => {
      run.waiting -= 1;
      if (run.waiting === 0) run.end.abort(new Error('Nobody waits for it any more'));
    };
    run.waiting += 1;
    const left = Promise.withResolvers<never>();
    const onGone = () => {
      leave();
      left.reject(gone.reason);
    };
    if (gone.aborted) onGone();
    else gone.addEventListener('abort', onGone, { once: true });
    try {
      // Others may go on waiting for it: whoever has left, or may not have it any more, gets nothing of it.
      return (await Promise.race([run.result, left.promise])) as T;
    } finally {
      gone.removeEventListener('abort', onGone);
    }
  }

  /** The one that is under way, or a new one. */
  #find<T>({ workspaceId, kind, subject = '', closing, work }: Wanted<T>): Run {
    const key = keyOf({ workspaceId, kind });
    const known = this.#underWay.get(key);
    if (known === undefined ? this.#underWay.size >= this.#most : known.subject !== subject)
      throw ledgerBusy();
    if (known !== undefined) return known;
    const end = new AbortController();
    const result = work(AbortSignal.any([end.signal, closing])).finally(() => this.#underWay.delete(key));
    // Whoever has left no longer listens.
    result.catch(() => {});
    const run = { subject, result, waiting: 0, end };
    this.#underWay.set(key, run);
    return run;
  }
}

function keyOf({ workspaceId, kind }: Pick<Wanted<unknown>, 'workspaceId' | 'kind'>): string {
  return `${kind} ${workspaceId}`;
}

export function ledgerBusy(): AppError {
  return new AppError('ledger_busy', {
    detail: 'Ledgers are being verified already, this one or others. Ask again when they are done.',
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
}
