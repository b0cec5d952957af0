/**
 * Sends the statements that are called for within one turn of the event loop together: one packet to PostgreSQL and one back
 * (extended query protocol, "Pipelining"). `pg` by itself asks for an answer after each statement, and each answer wakes a
 * process on either side.
 */
import pg, { type FieldDef, type PoolClient } from 'pg';
import { burstFailed } from '../../telemetry/signals.ts';
import { currentTraceparent, type OpenSpan, openSpan } from '../../telemetry/tracing.ts';
import type { GetTypeParser, Parser } from './column-types.ts';
import type { Statement } from './statement.ts';
import { classOf, commitFailed, failedBehind, sqlStateOf } from './wire.ts';

interface Waiting extends Statement {
  /** The values in the form in which the driver sends them. */
  readonly sent: unknown[];
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** Members of `pg` that its types lack; its own cursors are built on them. self-test.ts checks that they are there. */
interface Connection {
  /** Every message below goes through it, by itself to the stream. */
  _send?: (message: Buffer) => boolean;
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  close(statement: { type: 'S'; name: string }): void;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: unknown[] }): void;
  describe(what: { type: 'P' }): void;
  execute(portal: object): void;
  sync(): void;
}
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

interface Stream {
  readonly writable: boolean;
  cork(): void;
  write(bytes: Buffer): boolean;
  uncork(): void;
}

/** A burst of up to so many bytes becomes one buffer: forty small buffers cost Node and the kernel twice as much as one. */
const ONE_PIECE_BYTES_MAX = 64 * 1024;

/** The burst of each connection that has not been sent yet. */
const open = new WeakMap<PoolClient, StatementBurst>();
/**
 * The names of each connection that were sent and then skipped, because a statement before them had failed. PostgreSQL does not
 * know them, but a pooler in between has seen them, and ends a connection that uses one again.
 */
const skipped = new WeakMap<Connection, Set<string>>();

/**
 * Runs a statement and resolves to its rows. Statements run in the order of the calls. When one fails, those behind it in its
 * burst do not run and fail with it.
 */
export function runInBurst(
  client: PoolClient,
  parsers: GetTypeParser,
  statement: Statement,
): Promise<unknown[]> {
  let burst = open.get(client);
  if (burst === undefined) {
    burst = new StatementBurst(parsers);
    open.set(client, burst);
    process.nextTick(() => sendBurst(client));
  }
  return burst.add(statement);
}

/**
 * Runs statements in a burst of their own, without `begin`: PostgreSQL makes one transaction of all that comes before it is asked for
 * an answer. Resolves, when it is committed, to the rows of the last one.
 */
export async function runSeparately(
  client: PoolClient,
  parsers: GetTypeParser,
  statements: readonly Statement[],
): Promise<unknown[]> {
  const ended = Promise.withResolvers<void>();
  const burst = new StatementBurst(parsers, ended);
  const answers = statements.map((statement) => burst.add(statement));
  burst.trace();
  client.query(burst as never);
  const [rows] = await Promise.all([Promise.all(answers), ended.promise]);
  return rows.at(-1) ?? [];
}

/** Whether statements wait on the connection, so that what is called for now goes out with them. */
export function hasOpenBurst(client: PoolClient): boolean {
  return open.has(client);
}

/** Sends the statements that wait, before anything else is sent. */
export function sendBurst(client: PoolClient): void {
  const burst = open.get(client);
  if (burst === undefined) return;
  open.delete(client);
  burst.trace();
  client.query(burst as never);
}

/** To `pg` a burst is one query: it gets every message until the server is ready for the next query. */
class StatementBurst {
  readonly #parsers: GetTypeParser;
  readonly #statements: Waiting[] = [];
  /** The place of the statement that is being answered. */
  #at = 0;
  #fields: { name: string; parse: Parser }[] = [];
  #rows: unknown[] = [];
  /** It settles when the server is ready for the next burst. */
  readonly #ended: PromiseWithResolvers<void> | null;
  #span: OpenSpan | null = null;

  constructor(parsers: GetTypeParser, ended: PromiseWithResolvers<void> | null = null) {
    this.#parsers = parsers;
    this.#ended = ended;
  }

  /**
   * Opens a span below the span of the caller: by the time the statements are sent, another caller may have its turn. Statements
   * without a span above them (a look at the outbox, seven times a second) get none.
   */
  trace(): void {
    if (currentTraceparent() === null) return;
    this.#span = openSpan({
      name: 'postgresql',
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql', 'db.operation.batch.size': this.#statements.length },
    });
  }

  add(statement: Statement): Promise<unknown[]> {
    // Now, before anything is sent: a value that cannot be sent must not leave half a message.
    const sent = statement.values.map(prepareValue);
    return new Promise((resolve, reject) => {
      this.#statements.push({ ...statement, sent, resolve, reject });
    });
  }

  /** `pg` asks the query that is being answered for name and text, to remember which statements the connection has prepared. */
  get name(): string | undefined {
    return this.#statements[this.#at]?.name;
  }

  get text(): string | undefined {
    return this.#statements[this.#at]?.text;
  }

  submit(connection: unknown): void {
    const wire = connection as Connection;
    const { stream } = connection as { stream: Stream };
    const messages: Buffer[] = [];
    wire._send = (message) => {
      messages.push(message);
      return true;
    };
    try {
      for (const { name, text, sent } of this.#statements) {
        const prepared =
          name !== undefined && (name in wire.parsedStatements || name in wire.submittedNamedStatements);
        if (!prepared) {
          // PostgreSQL confirms the close of a name that it does not know.
          if (name !== undefined && skipped.get(wire)?.delete(name) === true) wire.close({ type: 'S', name });
          wire.parse({ name: name ?? '', text });
          if (name !== undefined) wire.submittedNamedStatements[name] = text;
        }
        wire.bind({ statement: name ?? '', values: sent });
        wire.describe({ type: 'P' });
        wire.execute({});
      }
      wire.sync();
    } finally {
      // The method of the class shows again.
      delete wire._send;
      if (stream.writable) writeAll(stream, messages);
    }
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#fields = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#parsers(dataTypeID, 'text') }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    for (let place = 0; place < this.#fields.length; place++) {
      const { name, parse } = this.#fields[place] as { name: string; parse: Parser };
      const text = fields[place] ?? null;
      row[name] = text === null ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const answered = this.#statements[this.#at];
    if (answered?.text === 'commit' && text === 'ROLLBACK') answered.reject(commitFailed());
    else answered?.resolve(this.#rows);
    this.#at++;
    this.#fields = [];
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleError(error: unknown, connection: unknown): void {
    const wire = connection as Connection;
    const unanswered = this.#statements.slice(this.#at);
    this.#at = this.#statements.length;
    for (const [place, { name, reject }] of unanswered.entries()) {
      if (name !== undefined) forget(name, wire);
      reject(place === 0 ? error : failedBehind(error));
    }
    burstFailed.send(() => ({ sqlStateClass: classOf(error) }));
    this.#span?.end({ failure: sqlStateOf(error) ?? 'connection' });
    this.#span = null;
    this.#ended?.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#at < this.#statements.length) throw new Error('PostgreSQL did not answer every statement');
    this.#ended?.resolve();
    this.#span?.end();
    this.#span = null;
  }
}

function writeAll(stream: Stream, messages: readonly Buffer[]): void {
  let bytes = 0;
  for (const message of messages) bytes += message.length;
  if (bytes <= ONE_PIECE_BYTES_MAX) {
    stream.write(Buffer.concat(messages, bytes));
    return;
  }
  stream.cork();
  for (const message of messages) stream.write(message);
  stream.uncork();
}

/** Forgets a statement that may or may not be prepared now. One that was prepared before still is. */
function forget(name: string, wire: Connection): void {
  if (name in wire.parsedStatements) return;
  delete wire.submittedNamedStatements[name];
  const names = skipped.get(wire) ?? new Set();
  skipped.set(wire, names.add(name));
}
