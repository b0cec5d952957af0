/**
 * `inTransaction` is the only function that opens transactions. It binds a transaction to one workspace (row-level security reads the
 * setting) or to the instance as a whole, and retries what PostgreSQL asks to retry.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { APPLICATION_ROLE, type Db, INSTANCE_PARTY } from './connect.ts';
import { Mapping } from './mapping.ts';
import { insideTransaction, refuseInTransaction } from './transaction-mark.ts';
import { whenGone } from './when-gone.ts';
import { BinaryRows } from './wire/binary-rows.ts';
import type { Lease } from './wire/connection-pool.ts';
import { copyText } from './wire/copy-out.ts';
import { prepared, type Statement } from './wire/statement.ts';

/** A transaction of a workspace or of the instance: what works in either takes this. */
export interface AnyTx {
  /** The way to the database that it was opened by. */
  readonly db: Db;
  /** MikroORM's entity manager, bound to this transaction. */
  readonly em: EntityManager;
  /** The workspace that row-level security confines this transaction to; null for the whole instance. */
  readonly workspaceId: string | null;
  /** Aborted when whoever wanted the transaction has gone; null where nobody waits for it. */
  readonly gone: AbortSignal | null;
  /**
   * Runs one statement with `$1` parameters on this transaction's connection. Statements are sent when they are
   * called for and run in that order: several that need nothing of each other cost one round trip if the first
   * is awaited after the last was called.
   */
  query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs a prepared statement that is planned once per connection, for the few that run all the time. Its form must
   * leave the planner no choice that an empty table would make wrong, and its text must be one of a few constants.
   */
  queryPrepared<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Runs one statement likewise and resolves to its rows in binary form, all at once: read thousands of them, in portions (ADR 98). */
  copy(sql: string, params?: readonly unknown[]): Promise<BinaryRows>;
  /**
   * Lets the commit follow a statement without waiting for its answer: for a write that has no answer but its failure. Whatever comes later
   * sees its effect. Where `statement` rejects, nothing is committed and the transaction fails with its reason.
   */
  withCommit(statement: Promise<unknown>): void;
  /** Runs work when the rest of the transaction has succeeded, before its commit. */
  atEnd(work: () => Promise<void>): void;
  /** Rolls back in place of the commit: a dry run is refused as the call would be, and its value says what would be written. */
  discard(): void;
}

/** A transaction of one workspace: nearly all there are. */
export interface Tx extends AnyTx {
  readonly workspaceId: string;
}

/** A transaction of the instance as a whole. */
export interface InstanceTx extends AnyTx {
  readonly workspaceId: null;
}

/** A workspace's id, or the instance as a whole (only relays, healing and operator calls need that). */
export type Scope = { workspaceId: string } | 'instance';

/** Argument of work in a scope. */
export type TxOf<S extends Scope> = S extends 'instance' ? InstanceTx : Tx;

/** The role that may see every workspace (migrations create it). */
export const SYSTEM_ROLE = 'partbook_system';

const ATTEMPTS_MAX = 5;
/** serialization_failure, deadlock_detected; and unique_violation where the caller says it is a race. */
const RETRYABLE = new Set(['40001', '40P01']);

export interface TransactionOptions {
  readOnly?: boolean;
  /** All statements see the database as it was at the first (REPEATABLE READ). */
  snapshot?: boolean;
  /**
   * Only reads, and no more of a transaction than each burst of statements is by itself: it costs neither its beginning
   * nor its end. What is set for a transaction, or locked, in one burst is not so in the next.
   */
  glance?: boolean;
  /** All of its statements probe indexes, whatever their parameters: those that are prepared are planned once a connection. */
  keepsPlans?: boolean;
  /**
   * Aborted when whoever wants the transaction has gone: long work in it ends then (see `Slices`), and one that only
   * reads sends no further statement, and gives up its connection where one has run for long.
   */
  gone?: AbortSignal;
  /** Further SQLSTATEs to retry on, such as 23505 where a unique violation can only be a race. */
  retryOn?: readonly string[];
  /** How long a statement waits for a lock that somebody else holds; then it fails with 55P03. */
  lockTimeoutMs?: number;
  /** Scripts run inside: the only thing besides the database that may be awaited there. */
  runsScripts?: boolean;
}

/**
 * Runs `work` in one transaction and commits. On a serialization failure or deadlock the whole of `work`
 * runs again, up to 5 times: it must have no effect outside the database. Transactions do not nest, and nothing
 * is awaited inside but the database (transaction-mark.ts). Rejects with a `ShareError` where the workspace gets no
 * connection in time.
 */
export async function inTransaction<S extends Scope, T>(
  db: Db,
  scope: S,
  work: (tx: TxOf<S>) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  refuseInTransaction('Another transaction is opened');
  const party = scope === 'instance' ? INSTANCE_PARTY : scope.workspaceId;
  for (let attempt = 1; ; attempt++) {
    try {
      const waits = isReadOnly(options) ? options.gone : undefined;
      return await db.shares.run(party, () => once(db, scope, work, options), waits);
    } catch (error) {
      const state = sqlState(error);
      const retryable = state !== null && (RETRYABLE.has(state) || options.retryOn?.includes(state));
      if (!retryable || attempt >= ATTEMPTS_MAX) throw error;
      await delay(Math.random() * 10 * 2 ** attempt);
    }
  }
}

async function once<S extends Scope, T>(
  db: Db,
  scope: S,
  work: (tx: TxOf<S>) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const beginning = beginningOf(db, scope, options);
  const lease = await db.lease();
  try {
    return await onLease(lease, db, scope, work, { ...options, beginning });
  } finally {
    lease.release();
  }
}

async function onLease<S extends Scope, T>(
  lease: Lease,
  db: Db,
  scope: S,
  work: (tx: TxOf<S>) => Promise<T>,
  options: TransactionOptions & { beginning: Beginning },
): Promise<T> {
  const { begin, setScope } = options.beginning;
  const sent: Promise<unknown>[] = [];
  let hasFailed = false;
  const withCommit = (statement: Promise<unknown>) => {
    statement.catch(() => {
      hasFailed = true;
    });
    sent.push(statement);
  };
  const endings: (() => Promise<void>)[] = [];
  let end = COMMIT;
  let hasBegun = false;
  const beginNow = () => {
    hasBegun = true;
    for (const statement of [begin, setScope]) withCommit(lease.run(statement));
  };
  // Without a pipeline each statement by itself would be a transaction.
  const needsBegin = options.glance !== true || !lease.isPipelined;
  if (needsBegin) beginNow();
  let last: Promise<unknown> = Promise.resolve();
  let isOver = false;
  const send = <T>(run: () => Promise<T>, isAlone = false): Promise<T> => {
    // The connection may be in somebody else's transaction by now.
    if (isOver) return refused(new Error('The transaction is over'));
    if (isReadOnly(options) && options.gone?.aborted === true) return refused(options.gone.reason);
    // What goes out together is a transaction, as PostgreSQL has it, up to its end.
    if (!hasBegun && isAlone) beginNow();
    if (!hasBegun && !lease.isGathering) withCommit(lease.run(setScope));
    const answer = run();
    last = answer;
    // Whoever sends several and awaits them one by one may never come to the later ones; the commit fails then.
    answer.catch(() => {});
    return answer;
  };
  const stopWatching = isReadOnly(options) ? whenGone(options.gone, () => lease.leave()) : () => {};
  let em: EntityManager | null = null;
  const mapping = new Mapping(() => {
    // Made at its first use: most transactions are a statement or two and map nothing.
    if (!hasBegun) beginNow();
    em ??= db.mapOn(lease);
    return em;
  });
  const tx: AnyTx = Object.assign(mapping, {
    db,
    workspaceId: scope === 'instance' ? null : scope.workspaceId,
    gone: options.gone ?? null,
    query: <Row>(sql: string, params: readonly unknown[] = []) =>
      send(() =>
        lease.run(db.preparesAll ? prepared(sql, params) : { text: sql, values: params }),
      ) as Promise<Row[]>,
    queryPrepared: <Row>(sql: string, params: readonly unknown[] = []) =>
      send(() => lease.run(prepared(sql, params))) as Promise<Row[]>,
    copy: async (sql: string, params = []) =>
      new BinaryRows(await send(() => lease.copy(copyText(sql, params)), true)),
    withCommit,
    atEnd: (ending: () => Promise<void>) => void endings.push(ending),
    discard: () => {
      end = ROLLBACK;
    },
  });
  const mark = { isOver: false, runsScripts: options.runsScripts === true };
  let isCommitted = false;
  try {
    const workToEnd = async () => {
      const value = await work(tx as TxOf<S>);
      for (const ending of endings) await ending();
      return value;
    };
    const value = await insideTransaction(mark, workToEnd).finally(() => {
      mark.isOver = true;
    });
    await (em as EntityManager | null)?.flush();
    // PostgreSQL would commit what is left where a rollback to a savepoint undid one that failed, or where
    // one could not even be sent.
    if (hasFailed) await Promise.all(sent);
    isOver = true;
    if (hasBegun) {
      await lease.run(end);
      isCommitted = true;
    }
    // One that failed has made a rollback of the commit.
    await Promise.all(sent);
    return value;
  } catch (error) {
    isOver = true;
    // A connection that is gone cannot roll back; the server has done so by itself.
    if (hasBegun && !isCommitted) await lease.run(ROLLBACK).catch(() => {});
    if (isReadOnly(options)) options.gone?.throwIfAborted();
    // What failed first says why; whatever came behind it says only that the transaction is over.
    throw (await firstFailure(sent)) ?? error;
  } finally {
    // Nothing of it is under way when the next has the connection.
    await last.catch(() => {});
    stopWatching();
  }
}

const COMMIT: Statement = { text: 'commit', values: [] };
const ROLLBACK: Statement = { text: 'rollback', values: [] };

function refused(reason: unknown): Promise<never> {
  const answer = Promise.reject(reason);
  answer.catch(() => {});
  return answer;
}

function isReadOnly({ readOnly, glance }: TransactionOptions): boolean {
  return readOnly === true || glance === true;
}

/** The reason of the first that was rejected; null where none was. All have settled, or will without waiting. */
async function firstFailure(sent: readonly Promise<unknown>[]): Promise<unknown> {
  for (const one of await Promise.allSettled(sent)) if (one.status === 'rejected') return one.reason;
  return null;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Beginning = Record<'begin' | 'setScope', Statement>;

function beginningOf(db: Db, scope: Scope, options: TransactionOptions): Beginning {
  const { snapshot, glance, keepsPlans, lockTimeoutMs = db.lockTimeoutMs } = options;
  const modes = [
    ...(snapshot === true ? ['isolation level repeatable read'] : []),
    ...(isReadOnly(options) ? ['read only'] : []),
  ];
  // Without a name, which a connection can lose: what comes behind it must never run outside.
  const begin = { text: ['begin', modes.join(', ')].join(' ').trim(), values: [] };
  const means = { lockTimeoutMs, readOnly: glance === true, keepsPlans: keepsPlans === true };
  if (scope === 'instance')
    return { begin, setScope: db.scope({ role: SYSTEM_ROLE, workspaceId: null, ...means }) };
  const { workspaceId } = scope;
  if (!uuid.test(workspaceId)) throw new Error(`Not a workspace id: ${workspaceId}`);
  const enters = !isReadOnly(options);
  return { begin, setScope: db.scope({ role: APPLICATION_ROLE, workspaceId, enters, ...means }) };
}

/** The SQLSTATE of a database error, however it is wrapped; null for anything else. */
export function sqlState(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return code;
  }
  return null;
}

/** The name of the violated constraint, where the error is a constraint violation. */
export function violatedConstraint(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const constraint = (at as { constraint?: unknown }).constraint;
    if (typeof constraint === 'string') return constraint;
  }
  return null;
}
