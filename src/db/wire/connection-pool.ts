/** The pool of connections to PostgreSQL. A transaction is a connection and the statements on it. */
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { letBackendStandBack } from './backend-priority.ts';
import { getTypeParser } from './column-types.ts';
import { type DatabaseHosts, requireWritable } from './database-hosts.ts';
import { PipelinedWire } from './pipelined-wire.ts';
import { PlainWire } from './plain-wire.ts';
import type { Statement } from './statement.ts';
import { LeftAloneError } from './watch-answers.ts';
import type { Wire, WireOptions } from './wire.ts';

/** A connection that one caller has until it is released. */
export interface Lease {
  run(statement: Statement): Promise<unknown[]>;
  /** Runs a COPY to this side and resolves to all of its bytes, in the same order as statements. */
  copy(text: string): Promise<Buffer>;
  /** Statements that are sent together without `begin` are one transaction. */
  readonly isPipelined: boolean;
  /** Whether a statement that is called for now goes out together with earlier ones. */
  readonly isGathering: boolean;
  /** The connection itself, for the mapping. Its statements come behind those that were called for before them. */
  readonly client: PoolClient;
  /** Gives the connection up together with what runs on it. */
  leave(): void;
  release(): void;
}

export interface PoolOptions {
  /** How long PostgreSQL may be silent while an answer is owed. */
  answerMsMax: number;
  /** Any of the hosts will do, because only reads are sent. */
  readsOnly: boolean;
  wire: WireOptions;
}

/** How long a host may take to accept a connection. */
const CONNECT_MS_MAX = 10_000;

/** Connects to the host that takes writes as far as is known at that moment. */
function clientOf(hosts: DatabaseHosts) {
  return class extends Client {
    constructor(settings: ClientConfig = {}) {
      super({ ...settings, connectionString: hosts.url });
    }
  };
}

export class ConnectionPool {
  readonly #pool: Pool;
  readonly #connect: () => Promise<PoolClient>;
  readonly #wire: Wire;
  readonly #lost = new WeakSet<PoolClient>();

  constructor(
    hosts: DatabaseHosts,
    config: PoolConfig,
    { answerMsMax, readsOnly, wire: { mode, nices, copyBytesMax } }: PoolOptions,
    log: Pick<Logger, 'warn'>,
  ) {
    const Kind = mode === 'plain' ? PlainWire : PipelinedWire;
    const wire = new Kind(answerMsMax, copyBytesMax);
    const pool = new Pool({
      ...config,
      ...wire.poolConfig,
      Client: clientOf(hosts),
      connectionTimeoutMillis: hosts.patienceMs(CONNECT_MS_MAX),
      types: { getTypeParser },
      ...(hosts.count > 1 && !readsOnly ? { onConnect: requireWritable } : {}),
    });
    pool.on('connect', (client) => {
      // A connection that the server closes emits `error`, which would end the process without a listener. While the pool ends, an
      // embedded server may break connections off that it has not seen end yet: that is no fault.
      client.on('error', (error) => {
        if (!pool.ending && !(error instanceof LeftAloneError))
          log.warn({ err: error }, 'a connection broke');
      });
      wire.admit(client, () => this.#lost.add(client));
      if (nices) void letBackendStandBack(client);
    });
    pool.on('error', (error) => {
      if (!pool.ending) log.warn({ err: error }, 'an idle connection broke');
    });
    this.#pool = pool;
    this.#connect = () => hosts.first(() => pool.connect());
    this.#wire = wire;
  }

  get options(): PoolConfig {
    return this.#pool.options;
  }

  /** A connection that the caller releases itself, as the mapping does. */
  connect(): Promise<PoolClient> {
    return this.#connect();
  }

  async end(): Promise<void> {
    await this.#pool.end();
    this.#wire.close();
  }

  connections(): { open: number; idle: number; waiting: number } {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { open, idle, waiting };
  }

  /** When PostgreSQL last answered on any connection, by `performance.now()`. */
  get heardAt(): number {
    return this.#wire.heardAt;
  }

  /** Throws when PostgreSQL does not answer, or `pg` is not what the wire relies on. */
  check(): Promise<void> {
    return this.#with((client) => this.#wire.check(client));
  }

  async lease(): Promise<Lease> {
    const client = await this.#connect();
    return new LeasedConnection(client, this.#wire, () => this.#release(client));
  }

  /** Runs statements as one transaction. Resolves to the rows of the last one. */
  runSeparately(statements: readonly Statement[]): Promise<unknown[]> {
    return this.#with((client) => this.#wire.runSeparately(client, statements));
  }

  async #with<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    try {
      return await work(client);
    } finally {
      this.#release(client);
    }
  }

  /** A lost connection is closed: the next one goes to the host that takes writes now. */
  #release(client: PoolClient): void {
    client.release(this.#lost.has(client));
  }
}

class LeasedConnection implements Lease {
  readonly client: PoolClient;
  readonly release: () => void;
  readonly #wire: Wire;

  constructor(client: PoolClient, wire: Wire, release: () => void) {
    this.client = client;
    this.release = release;
    this.#wire = wire;
  }

  run(statement: Statement): Promise<unknown[]> {
    return this.#wire.run(this.client, statement);
  }

  copy(text: string): Promise<Buffer> {
    return this.#wire.copy(this.client, text);
  }

  get isPipelined(): boolean {
    return this.#wire.isPipelined;
  }

  get isGathering(): boolean {
    return this.#wire.isGathering(this.client);
  }

  leave(): void {
    this.#wire.leave(this.client);
  }
}
