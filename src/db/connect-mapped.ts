/** MikroORM on the pool of a process: as Kysely's PostgreSQL dialect, and within a transaction on the transaction's own connection. */
import { type EntityManager, type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { type Db, type DbOptions, openDb, openPool } from './connect.ts';
import type { Lease } from './wire/connection-pool.ts';
import { DatabaseHosts } from './wire/database-hosts.ts';

/** Connects, for work that maps these entities; throws when the server does not answer. */
export async function connectMapped(options: DbOptions, entities: EntitySchema[]): Promise<Db> {
  const pool = openPool(options);
  const orm = await MikroORM.init({
    // Of which it takes the name of the database: the dialect connects.
    clientUrl: new DatabaseHosts(options.url).url,
    entities,
    discovery: { warnWhenNoEntities: false },
    // The pool is closed with what has opened it.
    driverOptions: dialectOf({ options: pool.options, connect: () => pool.connect(), end: async () => {} }),
    logger: (message) => options.log.warn({ component: 'mikro-orm' }, message),
    debug: false,
  });
  return openDb(pool, options, (lease) => {
    const em = orm.em.fork() as EntityManager;
    em.setTransactionContext(transactionOn(lease));
    return em;
  });
}

function transactionOn({ client }: Lease): Kysely<unknown> {
  const own: PostgresPoolClient = Object.assign(Object.create(client), { release: () => {} });
  return new Kysely({ dialect: dialectOf({ options: {}, connect: async () => own, end: async () => {} }) });
}

function dialectOf(pool: PostgresPool): PostgresDialect {
  return new PostgresDialect({ pool });
}
