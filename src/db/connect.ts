/**
 * The way to PostgreSQL: one MikroORM per process or thread, its pool, and plain parameterised queries.
 * Nothing else in the project opens a connection.
 */
import { type EntitySchema, MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { FairShare } from '../fair-share.ts';
import { ScopedDialect } from './scoped-dialect.ts';
import { prepared } from './statement-burst.ts';
import { refuseInTransaction } from './transaction-mark.ts';

export interface DbOptions {
  url: string;
  /** Connections at most. */
  poolMax: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  log: Pick<Logger, 'warn'>;
  entities?: EntitySchema[];
  /** The role that statements run as; null for the login itself (migrations). */
  role?: string | null;
  /** Further server settings for each connection, such as plan_cache_mode. */
  settings?: Record<string, string>;
  /** How long a statement of a transaction waits for a lock, where the transaction says nothing else. */
  lockTimeoutMs?: number;
  /** How long PostgreSQL may say nothing while an answer is owed, before the connection is given up. */
  answerMsMax?: number;
  /** How long a party waits for its share of the connections. */
  patienceMs?: number;
}

export interface Db {
  readonly orm: MikroORM;
  /** The same connections without the mapping. */
  readonly kysely: Kysely<unknown>;
  /** Who may have how many of the connections at once; every use of one goes through it. */
  readonly shares: FairShare;
  readonly lockTimeoutMs: number;
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
  const role = options.role === undefined ? APPLICATION_ROLE : options.role;
  const settings: Record<string, string> = { timezone: 'UTC', ...options.settings };
  if (role !== null) settings.role = role;
  const orm = await MikroORM.init({
    clientUrl: options.url,
    entities: options.entities ?? [],
    discovery: { warnWhenNoEntities: false },
    driverOptions: new ScopedDialect(
      {
        connectionString: options.url,
        max: options.poolMax,
        idleTimeoutMillis: 30_000,
        application_name: options.applicationName,
        connectionTimeoutMillis: 10_000,
        keepAlive: true,
        options: Object.entries(settings)
          .map(([name, value]) => `-c ${name}=${value.replaceAll(/([\\ ])/g, '\\$1')}`)
          .join(' '),
      },
      options.answerMsMax ?? ANSWER_MS_MAX,
      options.log,
    ),
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
  const kysely = connection.getClient() as Kysely<unknown>;
  const shares = new FairShare({
    units: options.poolMax,
    reserved: options.poolMax >= RESERVE_FROM ? 1 : 0,
    privileged: INSTANCE_PARTY,
    waitingMax: CONNECTION_WAITING_MAX,
    patienceMs: options.patienceMs ?? CONNECTION_PATIENCE_MS,
  });
  return {
    orm,
    kysely,
    shares,
    lockTimeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
    query: async <Row>(sql: string, params: readonly unknown[] = []) => {
      refuseInTransaction('A statement on another connection is awaited');
      return shares.run(
        INSTANCE_PARTY,
        async () => (await kysely.executeQuery<Row>(CompiledQuery.raw(preparedText(sql), [...params]))).rows,
      );
    },
    close: () => orm.close(true),
  };
}

/** Kysely hands the text to `pg` as it is, and `pg` takes a name with it: the only way to a prepared statement. */
function preparedText(sql: string): string {
  const { name, text } = prepared(sql, []);
  return { name, text } as unknown as string;
}
