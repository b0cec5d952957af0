/**
 * One transaction for work in several workspaces, each of which sees its own alone: what its beginning, its commit and its round trips
 * cost is paid once for all of them. Statements of one turn of the event loop go out together, workspace by workspace, and row-level
 * security is told of the next workspace between them. It is all or nothing: where one fails nothing of any is left, and whoever asked
 * does each by itself.
 */
import { APPLICATION_ROLE, type Db } from './connect.ts';
import type { Lease } from './scoped-dialect.ts';
import { prepared, type Statement } from './statement-burst.ts';
import { sqlState, type Tx } from './transaction.ts';
import { insideTransaction, refuseInTransaction } from './transaction-mark.ts';

export interface Part<T> {
  workspaceId: string;
  /** As of `inTransaction`: it has no effect outside the database, since it may run again. */
  work(tx: Tx): Promise<T>;
}

/** The values in the order of the parts; or, where nothing of it is left, the place of the part that failed, if it was one. */
export type CommonEnd<T> = { values: T[] } | { failed: number | null };

export interface CommonOptions {
  /** How long a statement waits for a lock that somebody else holds: as long as that all of them wait. */
  lockTimeoutMs: number;
  /** Round trips, the commit's among them. Of more than that most of them would be waiting for one. */
  roundsMax: number;
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
      return await new CommonTransaction(db, lease, options).run(parts);
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

const BEGIN: Statement = { text: 'begin', values: [] };
const COMMIT: Statement = { text: 'commit', values: [] };
const ROLLBACK: Statement = { text: 'rollback', values: [] };

/** What the work of one workspace may have set for itself goes with it. */
const SWITCH = `set_config('partbook.workspace_id', $1, true), set_config('partbook.configuration_held', '', true)`;
const switchTo = `select ${SWITCH}`;
const enter = `select ${SWITCH}, enter_workspace($1::uuid)`;

class CommonTransaction {
  readonly #db: Db;
  readonly #lease: Lease;
  readonly #options: CommonOptions;
  readonly #sent: Promise<unknown>[] = [];
  #lanes: Lane[] = [];
  #rounds = 0;
  #isWaiting = false;
  #hasBegun = false;
  #isOver = false;
  /** The first that failed. */
  #failure: Failure | null = null;

  constructor(db: Db, lease: Lease, options: CommonOptions) {
    this.#db = db;
    this.#lease = lease;
    this.#options = options;
  }

  async run<T>(parts: readonly Part<T>[]): Promise<CommonEnd<T>> {
    this.#lanes = parts.map(({ workspaceId }) => ({ workspaceId, called: [], hasEntered: false }));
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
    if (failure === null) return { values: settled.map((one) => (one as PromiseFulfilledResult<T>).value) };
    if (this.#hasBegun) await this.#lease.run(ROLLBACK).catch(() => {});
    // Whatever the server refused was before the commit.
    if (commits && !isRefusal(failure.error)) throw failure.error;
    return { failed: failure.place };
  }

  #txOf(place: number): Tx {
    const db = this.#db;
    const { workspaceId } = this.#lanes[place] as Lane;
    const call = (statement: Statement) => this.#call(place, statement);
    return {
      db,
      get em(): never {
        throw new FailedTogetherError('What is mapped has a transaction of its own');
      },
      workspaceId,
      gone: null,
      query: <Row>(text: string, params: readonly unknown[] = []) =>
        call(db.preparesAll ? prepared(text, params) : { text, values: params }) as Promise<Row[]>,
      queryPrepared: <Row>(text: string, params: readonly unknown[] = []) =>
        call(prepared(text, params)) as Promise<Row[]>,
      // All that is sent is waited for.
      withCommit: (statement) => this.#note(place, statement),
    };
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
    for (const [place, lane] of this.#lanes.entries()) {
      const { called } = lane;
      if (called.length === 0) continue;
      lane.called = [];
      if (this.#failure !== null || this.#rounds > this.#options.roundsMax) {
        const error = new FailedTogetherError('It takes too many round trips');
        this.#fail(place, error);
        for (const { answer } of called) answer.reject(error);
        continue;
      }
      this.#enter(place, lane);
      for (const { statement, answer } of called) {
        const running = this.#lease.run(statement);
        this.#note(place, running);
        running.then(answer.resolve, answer.reject);
      }
    }
  }

  #enter(place: number, lane: Lane): void {
    const { workspaceId } = lane;
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#note(null, this.#lease.run(BEGIN));
      const { lockTimeoutMs } = this.#options;
      const scope = this.#db.scope({ role: APPLICATION_ROLE, workspaceId, enters: true, lockTimeoutMs });
      this.#note(place, this.#lease.run(scope));
    } else {
      this.#note(place, this.#lease.run(prepared(lane.hasEntered ? switchTo : enter, [workspaceId])));
    }
    lane.hasEntered = true;
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
