/**
 * Reads of callers who take what is a moment old, from a PostgreSQL that follows the primary. How old is known of each read, without
 * trust in clocks, positions of the log or in which standby answers: the process writes a number of its own to the primary each second
 * while it reads, and remembers when. The snapshot of a read that shows the number has everything that was acknowledged before then.
 * Whatever speaks against a standby (it is away, silent, too far behind, or refuses), the primary is asked as ever.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { ShareError } from '../fairness/fair-share.ts';
import { staleAsked } from '../telemetry/signals.ts';
import { checkRoleInForce } from './check-login.ts';
import type { Db } from './connect.ts';
import { isServerAway } from './server-away.ts';
import { selectMark, writeMark } from './standby.sql.ts';
import { inTransaction, sqlState, type Tx } from './transaction.ts';

export interface StandbyOptions {
  primary: Db;
  /** Connects; called when a read is to go there and nothing is connected. */
  open: () => Promise<Db>;
  /** Maximum age of data read from a standby. */
  lagMsMax: number;
  log: Pick<Logger, 'warn'>;
  /** Milliseconds that only go forward. */
  now?: () => number;
}

export interface StandbyRead<T> {
  value: T;
  /** All that was acknowledged so long ago has been seen. */
  ageMs: number;
}

const BETWEEN_MARKS_MS = 1000;
/** Time in which a standby must report its progress; a call that waited longer is answered by the primary. */
const LOOK_MS_MAX = 1000;
/** Time for which a failed standby is not asked: one call waits for it in that time, not each. */
const REST_MS = 5000;

class SilentError extends Error {
  override name = 'SilentError';
}

export class StandbyReads {
  readonly #options: StandbyOptions;
  readonly #now: () => number;
  readonly #webId = randomUUID();
  /** Numbers in their order, and when each was sent: none is older than what may be read. */
  readonly #marks: { mark: number; sentAt: number }[] = [];
  #lastMark = 0;
  #marking: Promise<void> | null = null;
  #db: Db | null = null;
  #opening: Promise<void> | null = null;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: StandbyOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Runs `work` in one snapshot of a standby: the one that shows the number, and no later burst, which a balancer
   * or pooler may send to another standby. Returns null if the primary has to be asked, also if `work` throws, so
   * that nobody is refused for data that has not arrived yet. `work` must tolerate running in vain.
   */
  async read<T>(
    workspaceId: string,
    work: (tx: Tx) => Promise<T>,
    callerGone?: AbortSignal,
  ): Promise<StandbyRead<T> | null> {
    const read = this.#isClosed ? null : await this.#read(workspaceId, work, callerGone);
    staleAsked.send(() => ({ answered: read === null ? 'primary' : 'standby' }));
    return read;
  }

  async #read<T>(
    workspaceId: string,
    work: (tx: Tx) => Promise<T>,
    callerGone: AbortSignal | undefined,
  ): Promise<StandbyRead<T> | null> {
    this.#mark();
    const db = this.#standby();
    if (db === null || this.#marks.length === 0) return null;
    const late = new AbortController();
    const gone = callerGone === undefined ? late.signal : AbortSignal.any([callerGone, late.signal]);
    const timer = setTimeout(() => late.abort(new SilentError('The standby says nothing')), LOOK_MS_MAX);
    const isLate = new Promise<never>((_, reject) => {
      late.signal.addEventListener('abort', () => reject(late.signal.reason), { once: true });
    });
    const reading = inTransaction(
      db,
      { workspaceId },
      async (tx) => {
        const [seen] = await tx.queryPrepared<{ mark: number }>(selectMark, [this.#webId, workspaceId]);
        const ageMs = this.#ageOf(seen?.mark ?? null);
        clearTimeout(timer);
        // The standby works but lags: the next reads may try it without waiting.
        if (ageMs === null) return null;
        return { value: await work(tx), ageMs };
      },
      { readOnly: true, snapshot: true, gone },
    );
    try {
      return await Promise.race([reading, isLate]);
    } catch (error) {
      if (callerGone?.aborted !== true && isAway(error)) this.#rest(error);
      return null;
    } finally {
      clearTimeout(timer);
      reading.catch(() => {});
      isLate.catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#marking;
    await this.#opening;
    await this.#db?.close();
  }

  /** Sends the next number, where the last was a while ago and is no longer under way. Nobody waits for it. */
  #mark(): void {
    const now = this.#now();
    const last = this.#marks.at(-1);
    if (this.#marking !== null || (last !== undefined && now - last.sentAt < BETWEEN_MARKS_MS)) return;
    const oldest = now - this.#options.lagMsMax;
    while (this.#marks[0] !== undefined && this.#marks[0].sentAt < oldest) this.#marks.shift();
    const mark = ++this.#lastMark;
    // Before it is known whether it is written: one that is seen was.
    this.#marks.push({ mark, sentAt: now });
    this.#marking = inTransaction(this.#options.primary, 'instance', (tx) =>
      tx.query(writeMark, [this.#webId, mark]),
    ).then(
      () => {
        this.#marking = null;
      },
      () => {
        // The primary is away, which its callers are told; the next call tries again.
        this.#marking = null;
      },
    );
  }

  /** Returns null if the number is not one of the recent ones. */
  #ageOf(seen: number | null): number | null {
    const mark = this.#marks.find((one) => one.mark === seen);
    const ageMs = mark === undefined ? Number.POSITIVE_INFINITY : this.#now() - mark.sentAt;
    return ageMs <= this.#options.lagMsMax ? ageMs : null;
  }

  /** Returns null until one is connected, and while a failed one is not asked. */
  #standby(): Db | null {
    if (this.#now() < this.#restsUntil) return null;
    if (this.#db === null && this.#opening === null) {
      this.#opening = this.#open().then(
        () => {
          this.#opening = null;
        },
        (error: unknown) => {
          this.#opening = null;
          this.#rest(error);
        },
      );
    }
    return this.#db;
  }

  async #open(): Promise<void> {
    const db = await this.#options.open();
    try {
      // What holds for the primary holds there: a pooler on the way may have made somebody mightier of the login.
      await checkRoleInForce(db);
    } catch (error) {
      await db.close();
      throw error;
    }
    this.#db = db;
  }

  #rest(error: unknown): void {
    this.#restsUntil = this.#now() + REST_MS;
    this.#options.log.warn({ err: error }, 'the standby is left alone for a while: the primary is asked');
  }
}

/** Whether others would meet it too: not a full pool, nor what is wrong with this read alone. */
function isAway(error: unknown): boolean {
  if (error instanceof SilentError) return true;
  if (error instanceof ShareError) return false;
  const state = sqlState(error);
  return state === null ? isServerAway(error) : /^(08|53|57P)/.test(state);
}
