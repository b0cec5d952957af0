/**
 * The way to PostgreSQL: a pool per process or thread, and plain parameterised queries. Nothing else in the project opens a
 * connection. A process that maps has MikroORM on the same pool (connect-mapped.ts); the threads map nothing, and what they need
 * not load is two thirds of what their start would cost.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { FairShare } from '../fairness/fair-share.ts';
import { openShare } from '../fairness/shares.ts';
import { StartError } from '../process/start-error.ts';
import { type ScopeStatement, scopeStatement } from './scope-statement.ts';
import { refuseInTransaction } from './transaction-mark.ts';
import { ConnectionPool, type Lease } from './wire/connection-pool.ts';
import { DatabaseHosts } from './wire/database-hosts.ts';
import { prepared } from './wire/statement.ts';
import type { WireOptions } from './wire/wire.ts';

export interface DbOptions {
  /** Address of one host, or of several of which one accepts writes. */
  url: string;
  /** Any of the hosts will do, because nothing but reads is done there. */
  readsOnly?: boolean;
  /** Connections at most. */
  poolMax: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  log: Pick<Logger, 'warn'>;
  /** Further server settings for each transaction, such as plan_cache_mode. */
  settings?: Record<string, string>;
  /**
   * Every statement of a transaction is prepared: for connections that run the same few all the time. Their texts must be
   * constants, and their form must leave the planner no choice that an empty table would make wrong, or the settings have them planned anew.
   */
  preparesAll?: boolean;
  /** How long a statement of a transaction waits for a lock, where the transaction says nothing else. */
  lockTimeoutMs?: number;
  /** How long PostgreSQL may say nothing while an answer is owed, before the connection is given up. */
  answerMsMax?: number;
  /** How long a party waits for its share of the connections. */
  patienceMs?: number;
  /** Pipelined where nothing else is said. */
  wire?: WireOptions;
}

export interface Db {
  /** A connection, for whoever has a share. */
  lease(): Promise<Lease>;
  /** MikroORM on it, within its transaction; throws where nothing is mapped. */
  mapOn(lease: Lease): EntityManager;
  /** Fair shares of the connections; every use of a connection goes through it. */
  readonly shares: FairShare;
  readonly lockTimeoutMs: number;
  /** Beginning of a transaction: its role, workspace and settings. */
  readonly scope: ScopeStatement;
  /** Connections that are open, those of them that nobody uses, and who waits for one. */
  connections(): { open: number; idle: number; waiting: number };
  /** When PostgreSQL last said something to anybody here, by `performance.now()`. */
  heardAt(): number;
  readonly preparesAll: boolean;
  /**
   * Runs one prepared statement by itself, outside any workspace: only for the few that row-level security does not
   * govern (authentication functions, health checks). Everything else uses `inTransaction`.
   */
  query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** The role without rights of ownership that all ordinary work runs as (migrations create it). */
export const APPLICATION_ROLE = 'partbook_app';

/** The party of what is of no workspace: authentication, relays, healing, the operator. All of it is short. */
export const INSTANCE_PARTY = 'instance';
const LOCK_TIMEOUT_MS = 10_000;
/** A statement looks so often whether whoever sent it is still there, and ends otherwise. */
const CONNECTION_CHECK_MS = '500';
/**
 * Time after which a silent transaction is ended: its process is frozen or its machine unreachable, and everybody
 * would wait for its locks. Much longer than any step computes between two statements.
 */
const IDLE_IN_TRANSACTION = '10min';
/** For threads and workers, whose statements may be long. */
const ANSWER_MS_MAX = 300_000;
/** Pools with at least so many connections keep one for work of no workspace, such as authentication. */
const RESERVE_FROM = 4;

/** Connects, for work that maps nothing; throws when the server does not answer. */
export function connectDb(options: DbOptions): Promise<Db> {
  return openDb(openPool(options), options, () => {
    throw new Error('Nothing is mapped on these connections: they are not from connectMapped');
  });
}

export function openPool(options: DbOptions): ConnectionPool {
  return new ConnectionPool(
    new DatabaseHosts(options.url),
    {
      max: options.poolMax,
      idleTimeoutMillis: 30_000,
      application_name: options.applicationName,
      keepAlive: true,
    },
    {
      answerMsMax: options.answerMsMax ?? ANSWER_MS_MAX,
      readsOnly: options.readsOnly === true,
      wire: options.wire ?? { mode: 'pipelined', nices: false },
    },
    options.log,
  );
}

/** Closes the pool where the server does not answer, and throws. */
export async function openDb(pool: ConnectionPool, options: DbOptions, mapOn: Db['mapOn']): Promise<Db> {
  try {
    await pool.check();
  } catch (error) {
    await pool.end();
    if (error instanceof StartError) throw error;
    throw new Error(`PostgreSQL does not answer: ${(error as Error).message}`, { cause: error });
  }
  const shares = openShare('connections', {
    units: options.poolMax,
    reserved: options.poolMax >= RESERVE_FROM ? 1 : 0,
    privileged: INSTANCE_PARTY,
    ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
  });
  const lockTimeoutMs = options.lockTimeoutMs ?? LOCK_TIMEOUT_MS;
  const always = {
    timezone: 'UTC',
    client_connection_check_interval: CONNECTION_CHECK_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION,
    // A prepared statement keeps the plan that it got while its table was nearly empty until the table is counted anew, and what was
    // counted then says so of every other: of a small table an index reads as little.
    enable_seqscan: 'off',
    // A workspace is taken for the whole table, and thousands of probes for dear: what is estimated above `jit_above_cost` would be
    // compiled, for each call anew and for longer than it runs.
    jit: 'off',
  };
  const scope = scopeStatement({ ...always, ...options.settings });
  const ofNoWorkspace = scope({
    role: APPLICATION_ROLE,
    workspaceId: null,
    lockTimeoutMs,
    keepsPlans: true,
  });
  return {
    lease: () => pool.lease(),
    mapOn,
    shares,
    lockTimeoutMs,
    scope,
    connections: () => pool.connections(),
    heardAt: () => pool.heardAt,
    preparesAll: options.preparesAll ?? false,
    query: async <Row>(sql: string, params: readonly unknown[] = []) => {
      refuseInTransaction('A statement on another connection is awaited');
      const alone = () => pool.runSeparately([ofNoWorkspace, prepared(sql, params)]);
      return (await shares.run(INSTANCE_PARTY, alone)) as Row[];
    },
    close: () => pool.end(),
  };
}
