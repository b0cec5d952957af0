/**
 * Work that reads all of a ledger, once at a time: whoever asks for the same while it runs gets the same result, and
 * it ends when nobody waits for it any more. A process does a few at a time for all workspaces, and one of a kind
 * for each.
 */
import type { Db } from '../db/connect.ts';
import { AppError } from '../errors.ts';

export interface Wanted<T> {
  workspaceId: string;
  kind: 'verify' | 'digest';
  /** What tells it from others of its kind. */
  subject?: string;
  /** Of the caller, and of the service. */
  gone: AbortSignal;
  closing: AbortSignal;
  /** Of a process at once. */
  most: number;
  work(signal: AbortSignal): Promise<T>;
}

interface Run {
  subject: string;
  result: Promise<unknown>;
  waiting: number;
  end: AbortController;
}

const RETRY_SECONDS = 15;
const underWay = new WeakMap<Db, Map<string, Run>>();

/** Throws `ledger_busy` where too much runs already. */
export async function runOnce<T>(db: Db, wanted: Wanted<T>): Promise<T> {
  const { workspaceId, kind, subject = '', gone, closing, most, work } = wanted;
  const runs = underWay.get(db) ?? new Map<string, Run>();
  underWay.set(db, runs);
  const key = `${kind} ${workspaceId}`;
  let run = runs.get(key);
  if (run === undefined ? runs.size >= most : run.subject !== subject) throw ledgerBusy();
  if (run === undefined) {
    const end = new AbortController();
    const result = work(AbortSignal.any([end.signal, closing])).finally(() => runs.delete(key));
    // Whoever has left no longer listens.
    result.catch(() => {});
    run = { subject, result, waiting: 0, end };
    runs.set(key, run);
  }
  const joined = run;
  const leave = () => {
    joined.waiting -= 1;
    if (joined.waiting === 0) joined.end.abort(new Error('Nobody waits for it any more'));
  };
  joined.waiting += 1;
  if (gone.aborted) leave();
  else gone.addEventListener('abort', leave, { once: true });
  try {
    return (await joined.result) as T;
  } finally {
    gone.removeEventListener('abort', leave);
  }
}

export function ledgerBusy(): AppError {
  return new AppError('ledger_busy', {
    detail: 'Ledgers are being verified already, this one or others. Ask again when they are done.',
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
}
