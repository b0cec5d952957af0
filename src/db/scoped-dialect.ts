/**
 * Kysely's PostgreSQL dialect with one change: a transaction begins together with its scope (workspace, role,
 * access mode) in a single round trip. Every call of the API is a transaction, so the trip is worth saving.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type DatabaseConnection, PostgresDialect, PostgresDriver } from 'kysely';
import { Pool, type PoolConfig, types } from 'pg';
import type { Logger } from 'pino';

/** The statements, without parameters, that begin the transaction that is being opened. */
const opening = new AsyncLocalStorage<string>();

/** Opens a transaction by `open`, which begins with these statements. */
export function beginningWith<T>(statements: string, open: () => Promise<T>): Promise<T> {
  return opening.run(statements, open);
}

class ScopedDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw(opening.getStore() ?? 'begin'));
    } catch (error) {
      // Kysely gives a connection back only when a transaction ends; one that never began has no end.
      await this.releaseConnection(connection as Parameters<PostgresDriver['releaseConnection']>[0]);
      throw error;
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A connection that is gone cannot roll back; the server has done so by itself. Thrown from here the error
    // would keep the connection's place in the pool taken for ever.
    await super.rollbackTransaction(connection).catch(() => {});
  }
}

export class ScopedDialect extends PostgresDialect {
  readonly #pool: Pool;

  constructor(config: PoolConfig, log: Pick<Logger, 'warn'>) {
    const pool = new Pool({ ...config, types: { getTypeParser } });
    // A connection that the server drops is an `error` event; without a listener it would end the process.
    pool.on('connect', (client) =>
      client.on('error', (error) => log.warn({ err: error }, 'a connection broke')),
    );
    pool.on('error', (error) => log.warn({ err: error }, 'an idle connection broke'));
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new ScopedDriver({ pool: this.#pool });
  }
}

/** Dates, times and their arrays stay text, as MikroORM's own driver reads them: nothing is lost to `Date`. */
const asText = new Set([1082, 1114, 1184, 1186]);
const asTextArray = new Set([1182, 1115, 1185, 1187]);
/** Known to pg's parsers though not to its list of type names. */
const TEXT_ARRAY = 1009 as Parameters<typeof types.getTypeParser>[0];

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (asText.has(oid)) return (text: string) => text;
  if (asTextArray.has(oid)) return types.getTypeParser(TEXT_ARRAY);
  return types.getTypeParser(oid, format as 'text');
}
