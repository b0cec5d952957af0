/**
 * The pool of connections, which transactions take from by themselves: a transaction is a connection and bursts of
 * statements on it.
 */
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import type { Logger } from 'pino';
import { letBackendStandBack } from './backend-priority.ts';
import { type DatabaseHosts, requireWritable } from './database-hosts.ts';
import { hasOpenBurst, runAlone, runInBurst, type Statement, sendBurst } from './statement-burst.ts';
import { type AnswerWatch, LeftAloneError, watchAnswers } from './watch-answers.ts';
import { receiveWholeRows } from './whole-rows.ts';

/** A connection that is somebody's until it is released. */
export interface Lease {
  run(statement: Statement): Promise<unknown[]>;
  /** Whether what is called for now goes out with statements that were called for before. */
  readonly isGathering: boolean;
  /** The connection itself, for a mapping, whose statements come behind those that were called for before them. */
  readonly client: PoolClient;
  /** Gives the connection up with whatever runs on it. */
  leave(): void;
  release(): void;
}

/** What a host may take to let a connection in. */
const CONNECT_MS_MAX = 10_000;

/** Connects to the host that is believed to take writes at that moment. */
function clientOf(hosts: DatabaseHosts) {
  return class extends Client {
    constructor(settings: ClientConfig = {}) {
      super({ ...settings, connectionString: hosts.url });
      receiveWholeRows(this);
    }
  };
}

export class ConnectionPool {
  readonly #pool: Pool;
  readonly #connect: () => Promise<PoolClient>;
  readonly #answers: AnswerWatch;
  readonly #lost: WeakSet<PoolClient>;

  constructor(
    hosts: DatabaseHosts,
    config: PoolConfig,
    { answerMsMax, readsOnly }: { answerMsMax: number; readsOnly: boolean },
    log: Pick<Logger, 'warn'>,
  ) {
    const pool = new Pool({
      ...config,
      Client: clientOf(hosts),
      connectionTimeoutMillis: hosts.patienceMs(CONNECT_MS_MAX),
      pipeline: true,
      types: { getTypeParser },
      ...(hosts.count > 1 && !readsOnly ? { onConnect: requireWritable } : {}),
    });
    const answers = watchAnswers(answerMsMax);
    const lost = new WeakSet<PoolClient>();
    // The pool has ended before the server has read that its connections have: an embedded one that ends next breaks them off, which is no fault.
    pool.on('connect', (client) => {
      // A connection that the server drops is an `error` event; without a listener it would end the process.
      client.on('error', (error) => {
        if (!pool.ending && !(error instanceof LeftAloneError))
          log.warn({ err: error }, 'a connection broke');
      });
      answers.watch(client);
      noteLost(client, lost);
      keepOrder(client, answers);
      void letBackendStandBack(client);
    });
    pool.on('error', (error) => {
      if (!pool.ending) log.warn({ err: error }, 'an idle connection broke');
    });
    const connect = () => hosts.first(() => pool.connect());
    this.#pool = pool;
    this.#connect = connect;
    this.#answers = answers;
    this.#lost = lost;
  }

  get options(): PoolConfig {
    return this.#pool.options;
  }

  /** A connection for whoever releases it itself, as a mapping does. */
  connect(): Promise<PoolClient> {
    return this.#connect();
  }

  async end(): Promise<void> {
    await this.#pool.end();
    this.#answers.close();
  }

  connections(): { open: number; idle: number; waiting: number } {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { open, idle, waiting };
  }

  /** When PostgreSQL last said something on any connection, by `performance.now()`. */
  get heardAt(): number {
    return this.#answers.heardAt;
  }

  /** A connection out of the pool. */
  async lease(): Promise<Lease> {
    const client = await this.#connect();
    return new LeasedConnection(client, {
      leave: () => this.#answers.leave(client),
      release: () => this.#release(client),
    });
  }

  /** Runs statements as one transaction, in one burst; resolves to the rows of the last. */
  async runAlone(statements: readonly Statement[]): Promise<unknown[]> {
    const client = await this.#connect();
    try {
      return await runAlone(client, getTypeParser, statements);
    } finally {
      this.#release(client);
    }
  }

  /** The pool connects anew where a standby was found, and whoever knows where the primary is now leads it there. */
  #release(client: PoolClient): void {
    client.release(this.#lost.has(client));
  }
}

class LeasedConnection implements Lease {
  readonly client: PoolClient;
  readonly leave: () => void;
  readonly release: () => void;

  constructor(client: PoolClient, { leave, release }: Pick<Lease, 'leave' | 'release'>) {
    this.client = client;
    this.leave = leave;
    this.release = release;
  }

  run(statement: Statement): Promise<unknown[]> {
    return runInBurst(this.client, getTypeParser, statement);
  }

  get isGathering(): boolean {
    return hasOpenBurst(this.client);
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

/**
 * A server that has become a standby, or was never anything else, refuses what writes with 25006. With the others it ends the connection,
 * which is seen only later: who has it by then would be told that the server is away.
 */
const LOST_STATES = /^(25006|25P0[34]|57P0[1-5]|08...)$/;

function noteLost(client: PoolClient, found: WeakSet<PoolClient>): void {
  const { connection } = client as unknown as {
    connection: { on(event: 'errorMessage', listen: (message: { code?: string }) => void): void };
  };
  connection.on('errorMessage', ({ code }) => {
    if (code !== undefined && LOST_STATES.test(code)) found.add(client);
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
