/**
 * The way to PostgreSQL: one MikroORM per process or thread, its pool, and plain parameterised queries.
 * Nothing else in the project opens a connection.
 */
import { type EntitySchema, MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { FairShare } from '../fair-share.ts';
import { DatabaseHosts } from './database-hosts.ts';
import { type ScopeStatement, scopeStatement } from './scope-statement.ts';
import { type Lease, ScopedDialect } from './scoped-dialect.ts';
import { prepared } from './statement-burst.ts';
import { refuseInTransaction } from './transaction-mark.ts';

export interface DbOptions {
  /** Of one host, or of several of which one takes writes. */
  url: string;
  /** Any of the hosts will do, because nothing but reads is done there. */
  readsOnly?: boolean;
  /** Connections at most. */
  poolMax: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  log: Pick<Logger, 'warn'>;
  entities?: EntitySchema[];
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
}

export interface Db {
  readonly orm: MikroORM;
  /** A connection without the mapping, for whoever has a share. */
  lease(): Promise<Lease>;
  /** Who may have how many of the connections at once; every use of one goes through it. */
  readonly shares: FairShare;
  readonly lockTimeoutMs: number;
  /** What a transaction begins with: its role, its workspace and the settings. */
  readonly scope: ScopeStatement;
  /** Connections that are open, those of them that nobody uses, and who waits for one. */
  connections(): { open: number; idle: number; waiting: number };
  /** When PostgreSQL last said something to anybody here, by `performance.now()`. */
  heardAt(): number;
  readonly preparesAll: boolean;
  /**
   * One statement on its own, outside any workspace and prepared: only for the few that row security does not
   * govern (functions that authenticate, health checks). Everything else goes through `inTransaction`.
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
 * Whoever is in a transaction and says nothing for so long is not there any more: a process that is frozen, or a machine that cannot be reached,
 * whose locks everybody would wait for until it comes back. Longer by far than any step computes between two statements.
 */
const IDLE_IN_TRANSACTION = '10min';
/** For threads and workers, whose statements may be long. */
const ANSWER_MS_MAX = 300_000;
/** A caller that is not served within it is told to come back: the next one would wait as long. */
const CONNECTION_PATIENCE_MS = 10_000;
/** Requests of one workspace that wait for a connection of this process. */
const CONNECTION_WAITING_MAX = 1000;
/** From so many connections on, one is kept for what is of no workspace: nobody is let in without it. */
const RESERVE_FROM = 4;

/** Connects; throws when the server does not answer. */
export async function connectDb(options: DbOptions): Promise<Db> {
  const hosts = new DatabaseHosts(options.url);
  const dialect = new ScopedDialect(
    hosts,
    {
      max: options.poolMax,
      idleTimeoutMillis: 30_000,
      application_name: options.applicationName,
      keepAlive: true,
    },
    { answerMsMax: options.answerMsMax ?? ANSWER_MS_MAX, readsOnly: options.readsOnly === true },
    options.log,
  );
  const orm = await MikroORM.init({
    // Of which it takes the name of the database: the dialect connects.
    clientUrl: hosts.url,
    entities: options.entities ?? [],
    discovery: { warnWhenNoEntities: false },
    driverOptions: dialect,
    logger: (message) => options.log.warn({ component: 'mikro-orm' }, message),
    debug: false,
  });
  const connection = orm.em.getConnection() as PostgreSqlConnection;
  await connection.connect();
  const check = await connection.checkConnection();
  if (!check.ok) {
    await orm.close(true);
    throw new Error(`PostgreSQL does not answer: ${check.reason}`, { cause: check.error });
  }
  const shares = new FairShare({
    units: options.poolMax,
    reserved: options.poolMax >= RESERVE_FROM ? 1 : 0,
    privileged: INSTANCE_PARTY,
    waitingMax: CONNECTION_WAITING_MAX,
    patienceMs: options.patienceMs ?? CONNECTION_PATIENCE_MS,
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
    orm,
    lease: () => dialect.lease(),
    shares,
    lockTimeoutMs,
    scope,
    connections: () => dialect.connections(),
    heardAt: () => dialect.heardAt,
    preparesAll: options.preparesAll ?? false,
    query: async <Row>(sql: string, params: readonly unknown[] = []) => {
      refuseInTransaction('A statement on another connection is awaited');
      const alone = () => dialect.runAlone([ofNoWorkspace, prepared(sql, params)]);
      return (await shares.run(INSTANCE_PARTY, alone)) as Row[];
    },
    close: () => orm.close(true),
  };
}
