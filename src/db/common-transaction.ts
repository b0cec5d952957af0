/**
 * One transaction for work in several workspaces, each of which sees its own alone: what its beginning, its commit and its round trips
 * cost is paid once for all of them. Statements of one turn of the event loop go out together, workspace by workspace, and row-level
 * security is told of the next workspace between them. It is all or nothing: where one fails nothing of any is left, and whoever asked
 * does each by itself.
 */
import { APPLICATION_ROLE, type Db } from './connect.ts';
import type { Lease } from './connection-pool.ts';
import { prepared, type Statement } from './statement-burst.ts';
import { sqlState, type Tx } from './transaction.ts';
import { insideTransaction, refuseInTransaction } from './transaction-mark.ts';

export interface Part<T> {
  workspaceId: string;
  /** As of `inTransaction`: it has no effect outside the database, since it may run again. */
  work(tx: Tx): Promise<T>;
}

/**
 * The values in the order of the parts; or, where nothing of it is left, the place of the part that failed, if it was one. `slow` are the
 * places of those for whose statements all others have waited for longer than is right, whether they failed or not.
 */
export type CommonEnd<T> = ({ values: T[] } | { failed: number | null }) & { slow: number[] };

export interface CommonOptions {
  /** How long a statement waits for a lock that somebody else holds: as long as that all of them wait. */
  lockTimeoutMs: number;
  /** Round trips, the commit's among them. Of more than that most of them would be waiting for one. */
  roundsMax: number;
  /** Of one statement, waiting for locks included: what takes longer fails. */
  statementTimeoutMs: number;
  /** Behind it nothing further is begun, and nothing of any is left. */
  deadlineMs: number;
  /** Of all statements of one part: who takes longer is slow. */
  slowMs: number;
}

/** Of the connections these have the share of one workspace. */
const COMMON_PARTY = 'several workspaces';

/** Parts of different workspaces. Rejects where nobody knows whether it was committed, or there is no connection. */
export async function inCommonTransaction<T>(
  db: Db,
  parts: readonly Part<T>[],
  options: CommonOptions,
): Promise<CommonEnd<T>> {
  refuseInTransaction('Another transaction is opened');
  return db.shares.run(COMMON_PARTY, async () => {
    const lease = await db.lease();
    try {
      const workspaceIds = parts.map(({ workspaceId }) => workspaceId);
      return await new CommonTransaction(db, lease, options, workspaceIds).run(parts);
    } finally {
      lease.release();
    }
  });
}

interface Called {
  statement: Statement;
  answer: PromiseWithResolvers<unknown[]>;
}

/** What has been called for in one workspace and not been sent. */
interface Lane {
  workspaceId: string;
  called: Called[];
  hasEntered: boolean;
}

interface Failure {
  /** Null where it was the work of none. */
  place: number | null;
  error: unknown;
}

class FailedTogetherError extends Error {
  override readonly name = 'FailedTogetherError';
}

class NoMapping {
  get em(): never {
    throw new FailedTogetherError('What is mapped has a transaction of its own');
  }
}

const BEGIN: Statement = { text: 'begin', values: [] };
const COMMIT: Statement = { text: 'commit', values: [] };
const ROLLBACK: Statement = { text: 'rollback', values: [] };

/** When the server came to it, in milliseconds: between two of them lies what was done for one workspace. */
const STAMP = `extract(epoch from clock_timestamp())::float8 * 1000 as at`;
/** What the work of one workspace may have set for itself goes with it. */
const SWITCH = `${STAMP}, set_config('partbook.workspace_id', $1, true), set_config('partbook.configuration_held', '', true)`;
const switchTo = `select ${SWITCH}`;
const enter = `select ${SWITCH}, enter_workspace($1::uuid)`;
const boundStatements = `select ${STAMP}, set_config('statement_timeout', $1, true)`;
const endOfRound = `select ${STAMP}`;

class CommonTransaction {
  readonly #db: Db;
  readonly #lease: Lease;
  readonly #options: CommonOptions;
  readonly #sent: Promise<unknown>[] = [];
  readonly #lanes: readonly Lane[];
  #rounds = 0;
  #isWaiting = false;
  #hasBegun = false;
  #isOver = false;
  /** The first that failed. */
  #failure: Failure | null = null;
  readonly #since = performance.now();
  /** By place, milliseconds of the server. */
  readonly #spent: number[];
  /** Whose statements the server has last come to. */
  #last: { place: number; at: number } | null = null;

  constructor(db: Db, lease: Lease, options: CommonOptions, workspaceIds: readonly string[]) {
    this.#db = db;
    this.#lease = lease;
    this.#options = options;
    this.#lanes = workspaceIds.map((workspaceId) => ({ workspaceId, called: [], hasEntered: false }));
    this.#spent = workspaceIds.map(() => 0);
  }

  async run<T>(parts: readonly Part<T>[]): Promise<CommonEnd<T>> {
    const mark = { isOver: false, runsScripts: false };
    const working = parts.map((part, place) =>
      insideTransaction(mark, () => part.work(this.#txOf(place))).catch((error: unknown) => {
        this.#fail(place, error);
        throw error;
      }),
    );
    const settled = await Promise.allSettled(working);
    mark.isOver = true;
    this.#send();
    const commits = this.#failure === null && this.#hasBegun;
    if (commits) this.#note(null, this.#lease.run(COMMIT));
    this.#isOver = true;
    await Promise.allSettled(this.#sent);
    const failure = this.#failure as Failure | null;
    const slow = this.#lanes
      .keys()
      .filter((place) => (this.#spent[place] ?? 0) > this.#options.slowMs)
      .toArray();
    if (failure === null)
      return { values: settled.map((one) => (one as PromiseFulfilledResult<T>).value), slow };
    if (this.#hasBegun) await this.#lease.run(ROLLBACK).catch(() => {});
    // Whatever the server refused was before the commit.
    if (commits && !isRefusal(failure.error)) throw failure.error;
    return { failed: failure.place, slow };
  }

  #txOf(place: number): Tx {
    const db = this.#db;
    const { workspaceId } = this.#lanes[place] as Lane;
    const call = (statement: Statement) => this.#call(place, statement);
    return Object.assign(new NoMapping(), {
      db,
      workspaceId,
      lane: place,
      gone: null,
      query: <Row>(text: string, params: readonly unknown[] = []) =>
        call(db.preparesAll ? prepared(text, params) : { text, values: params }) as Promise<Row[]>,
      queryPrepared: <Row>(text: string, params: readonly unknown[] = []) =>
        call(prepared(text, params)) as Promise<Row[]>,
      // All that is sent is waited for.
      withCommit: (statement: Promise<unknown>) => this.#note(place, statement),
    });
  }

  #call(place: number, statement: Statement): Promise<unknown[]> {
    const answer = Promise.withResolvers<unknown[]>();
    answer.promise.catch(() => {});
    if (this.#isOver || this.#failure !== null)
      answer.reject(new FailedTogetherError('The transaction is over'));
    else {
      (this.#lanes[place] as Lane).called.push({ statement, answer });
      if (!this.#isWaiting) {
        this.#isWaiting = true;
        // When all of them have had their answers of this turn.
        setImmediate(() => this.#send());
      }
    }
    return answer.promise;
  }

  #send(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#rounds++;
    // Whose fault it is the stamps say.
    if (performance.now() - this.#since > this.#options.deadlineMs)
      this.#fail(null, new FailedTogetherError('It takes too long'));
    for (const [place, lane] of this.#lanes.entries()) {
      const { called } = lane;
      if (called.length === 0) continue;
      lane.called = [];
      if (this.#failure === null && this.#rounds <= this.#options.roundsMax) {
        try {
          this.#sendLane(place, lane, called);
          continue;
        } catch (error) {
          // A value that cannot be sent: said at once, and here nobody would hear it.
          this.#fail(place, error);
        }
      }
      const error = this.#failure?.error ?? new FailedTogetherError('It takes too many round trips');
      this.#fail(place, error);
      for (const { answer } of called) answer.reject(error);
    }
    if (this.#failure === null && this.#hasBegun)
      this.#stamp(null, this.#lease.run(prepared(endOfRound, [])));
  }

  #sendLane(place: number, lane: Lane, called: readonly Called[]): void {
    this.#enter(place, lane);
    for (const { statement, answer } of called) {
      const running = this.#lease.run(statement);
      this.#note(place, running);
      running.then(answer.resolve, answer.reject);
    }
  }

  #enter(place: number, lane: Lane): void {
    const { workspaceId } = lane;
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#note(null, this.#lease.run(BEGIN));
      const { lockTimeoutMs, statementTimeoutMs } = this.#options;
      const scope = this.#db.scope({ role: APPLICATION_ROLE, workspaceId, enters: true, lockTimeoutMs });
      this.#note(place, this.#lease.run(scope));
      this.#stamp(place, this.#lease.run(prepared(boundStatements, [`${statementTimeoutMs}ms`])));
    } else {
      this.#stamp(place, this.#lease.run(prepared(lane.hasEntered ? switchTo : enter, [workspaceId])));
    }
    lane.hasEntered = true;
  }

  /** What the server does from now on is for the part at this place, or for none. */
  #stamp(place: number | null, running: Promise<unknown[]>): void {
    this.#note(place, running);
    running.then(
      ([row]) => {
        const { at } = row as { at: number };
        const last = this.#last;
        if (last !== null) this.#spent[last.place] = (this.#spent[last.place] ?? 0) + at - last.at;
        this.#last = place === null ? null : { place, at };
      },
      () => {},
    );
  }

  #note(place: number | null, statement: Promise<unknown>): void {
    this.#sent.push(statement);
    // Of those in one burst the first is told first.
    statement.catch((error: unknown) => this.#fail(place, error));
  }

  #fail(place: number | null, error: unknown): void {
    this.#failure ??= { place, error };
  }
}

/** Said by a server that has the connection still, and nothing behind it in the burst was done. */
function isRefusal(error: unknown): boolean {
  const state = sqlState(error);
  return state !== null && !/^(08|57P)/.test(state);
}
