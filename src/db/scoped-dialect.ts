/**
 * Kysely's PostgreSQL dialect with two changes. A transaction begins together with its scope (workspace, role,
 * access mode) in one message, and nobody waits for that: connections are pipelined, so the first statement
 * follows at once and fails by itself where the beginning did. And whoever opens a transaction gets hold of its
 * connection, for statements that are sent without waiting for those before them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Duplex } from 'node:stream';
import { type ControlledTransaction, type DatabaseConnection, PostgresDialect, PostgresDriver } from 'kysely';
import { Pool, type PoolClient, type PoolConfig, types } from 'pg';
import type { Logger } from 'pino';

/** A transaction on its connection. */
export interface OpenTransaction {
  readonly transaction: ControlledTransaction<unknown>;
  readonly client: PoolClient;
  /** Settles when the transaction has begun; a rejection is never left unhandled. */
  readonly begun: Promise<unknown>;
}

interface Opening {
  readonly statements: string;
  client: PoolClient | null;
  begun: Promise<unknown>;
}

/** What is being opened, from the caller through Kysely to the driver. */
const openings = new AsyncLocalStorage<Opening>();

/** Opens a transaction by `open`, which begins with these statements; they take no parameters. */
export async function beginningWith(
  statements: string,
  open: () => Promise<ControlledTransaction<unknown>>,
): Promise<OpenTransaction> {
  const opening: Opening = { statements, client: null, begun: Promise.resolve() };
  const transaction = await openings.run(opening, open);
  const { client, begun } = opening;
  if (client === null) throw new Error('The transaction is on a connection of another pool');
  return { transaction, client, begun };
}

/** What is sent on the connection until the event loop goes on goes out in one packet. */
export function sendTogether(client: PoolClient): void {
  // Of `pg`, and not of its types; it corks for each statement itself, and corks count.
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

class ScopedDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: Parameters<PostgresDriver['beginTransaction']>[1],
  ): Promise<void> {
    const opening = openings.getStore();
    if (opening?.client == null) return super.beginTransaction(connection, settings);
    sendTogether(opening.client);
    opening.begun = opening.client.query(opening.statements);
    opening.begun.catch(() => {});
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
    const pool = new Pool({ ...config, pipeline: true, types: { getTypeParser } });
    // A connection that the server drops is an `error` event; without a listener it would end the process.
    pool.on('connect', (client) =>
      client.on('error', (error) => log.warn({ err: error }, 'a connection broke')),
    );
    pool.on('error', (error) => log.warn({ err: error }, 'an idle connection broke'));
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    const pool = this.#pool;
    return new ScopedDriver({
      pool: {
        options: pool.options,
        connect: async () => {
          const opening = openings.getStore();
          const client = await pool.connect();
          if (opening !== undefined) opening.client = client;
          return client;
        },
        end: () => pool.end(),
      },
    });
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
