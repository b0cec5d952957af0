/**
 * Kysely's PostgreSQL dialect with two changes. A transaction begins with its scope (workspace or role, access
 * mode) and the statements that are called for next, in one burst, and nobody waits for its beginning: where that
 * failed, they fail. And whoever opens a transaction gets hold of its connection, for statements of their own.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type ControlledTransaction, type DatabaseConnection, PostgresDialect, PostgresDriver } from 'kysely';
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import type { Logger } from 'pino';
import { type DatabaseHosts, requireWritable } from './database-hosts.ts';
import { runAlone, runInBurst, type Statement, sendBurst } from './statement-burst.ts';
import { type AnswerWatch, LeftAloneError, watchAnswers } from './watch-answers.ts';

/** A transaction on its connection. */
export interface OpenTransaction {
  readonly transaction: ControlledTransaction<unknown>;
  /** Settles when the transaction has begun; a rejection is never left unhandled. */
  readonly begun: Promise<unknown>;
  run(statement: Statement): Promise<unknown[]>;
  /** Gives the connection up with whatever runs on it. */
  leave(): void;
}

interface Opening {
  readonly statements: readonly Statement[];
  client: PoolClient | null;
  leave: (client: PoolClient) => void;
  begun: Promise<unknown>;
}

/** What is being opened, from the caller through Kysely to the driver. */
const openings = new AsyncLocalStorage<Opening>();
/** The `pg` client of a connection whose transaction was opened here. */
const clients = new WeakMap<DatabaseConnection, PoolClient>();

/** Opens a transaction by `open`, which begins with these statements. */
export async function beginningWith(
  statements: readonly Statement[],
  open: () => Promise<ControlledTransaction<unknown>>,
): Promise<OpenTransaction> {
  const opening: Opening = { statements, client: null, leave: () => {}, begun: Promise.resolve() };
  const transaction = await openings.run(opening, open);
  const { client, leave, begun } = opening;
  if (client === null) throw new Error('The transaction is on a connection of another pool');
  return {
    transaction,
    begun,
    run: (statement) => runInBurst(client, getTypeParser, statement),
    leave: () => leave(client),
  };
}

const commit: Statement = { text: 'commit', values: [] };

class ScopedDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: Parameters<PostgresDriver['beginTransaction']>[1],
  ): Promise<void> {
    const opening = openings.getStore();
    if (opening?.client == null) return super.beginTransaction(connection, settings);
    const { client, statements } = opening;
    clients.set(connection, client);
    opening.begun = Promise.all(statements.map((statement) => runInBurst(client, getTypeParser, statement)));
    opening.begun.catch(() => {});
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const client = clients.get(connection);
    if (client === undefined) return super.commitTransaction(connection);
    await runInBurst(client, getTypeParser, commit);
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A connection that is gone cannot roll back; the server has done so by itself. Thrown from here the error
    // would keep the connection's place in the pool taken for ever.
    await super.rollbackTransaction(connection).catch(() => {});
  }
}

/** What a host may take to let a connection in. */
const CONNECT_MS_MAX = 10_000;

/** Connects to the host that is believed to take writes at that moment. */
function clientOf(hosts: DatabaseHosts) {
  return class extends Client {
    constructor(settings: ClientConfig = {}) {
      super({ ...settings, connectionString: hosts.url });
    }
  };
}

export class ScopedDialect extends PostgresDialect {
  readonly #pool: Pool;
  readonly #hosts: DatabaseHosts;
  readonly #answers: AnswerWatch;
  readonly #readOnly = new WeakSet<PoolClient>();

  constructor(hosts: DatabaseHosts, config: PoolConfig, answerMsMax: number, log: Pick<Logger, 'warn'>) {
    const pool = new Pool({
      ...config,
      Client: clientOf(hosts),
      connectionTimeoutMillis: hosts.patienceMs(CONNECT_MS_MAX),
      pipeline: true,
      types: { getTypeParser },
      ...(hosts.count > 1 ? { onConnect: requireWritable } : {}),
    });
    const answers = watchAnswers(answerMsMax);
    const readOnly = new WeakSet<PoolClient>();
    pool.on('connect', (client) => {
      // A connection that the server drops is an `error` event; without a listener it would end the process.
      client.on('error', (error) => {
        if (!(error instanceof LeftAloneError)) log.warn({ err: error }, 'a connection broke');
      });
      answers.watch(client);
      noteReadOnly(client, readOnly);
      keepOrder(client, answers);
    });
    pool.on('error', (error) => log.warn({ err: error }, 'an idle connection broke'));
    super({ pool });
    this.#pool = pool;
    this.#hosts = hosts;
    this.#answers = answers;
    this.#readOnly = readOnly;
  }

  connections(): { open: number; idle: number; waiting: number } {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { open, idle, waiting };
  }

  /** Runs statements as one transaction, in one burst; resolves to the rows of the last. */
  async runAlone(statements: readonly Statement[]): Promise<unknown[]> {
    const client = await this.#connect();
    try {
      return await runAlone(client, getTypeParser, statements);
    } finally {
      client.release();
    }
  }

  async #connect(): Promise<PoolClient> {
    const client = await this.#hosts.first(() => this.#pool.connect());
    const release = client.release.bind(client);
    // The pool connects anew, and whoever knows where the primary is now leads it there.
    client.release = (reason) => release(reason ?? this.#readOnly.has(client));
    return client;
  }

  override createDriver(): PostgresDriver {
    const pool = this.#pool;
    const answers = this.#answers;
    return new ScopedDriver({
      pool: {
        options: pool.options,
        connect: async () => {
          const opening = openings.getStore();
          const client = await this.#connect();
          if (opening !== undefined) Object.assign(opening, { client, leave: answers.leave });
          return client;
        },
        end: async () => {
          await pool.end();
          answers.close();
        },
      },
    });
  }
}

/** Whatever else is sent on the connection (by MikroORM) comes behind the statements that were called for before it. */
function keepOrder(client: PoolClient, answers: AnswerWatch): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((...given: unknown[]) => {
    sendBurst(client);
    answers.asked(client);
    return query(...given);
  }) as PoolClient['query'];
}

/** A server that has become a standby, or was never anything else, refuses what writes with this. */
const READ_ONLY_STATE = '25006';

function noteReadOnly(client: PoolClient, found: WeakSet<PoolClient>): void {
  const { connection } = client as unknown as {
    connection: { on(event: 'errorMessage', listen: (message: { code?: string }) => void): void };
  };
  connection.on('errorMessage', ({ code }) => {
    if (code === READ_ONLY_STATE) found.add(client);
  });
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
