/**
 * Statements that are called for within one turn of the event loop go to PostgreSQL together and are answered
 * together: one packet there, one back (extended query protocol, "Pipelining"). `pg` by itself asks for an
 * answer after each, and every answer wakes a process on either side.
 */
import { createHash } from 'node:crypto';
import pg, { type FieldDef, type PoolClient } from 'pg';
import { burstFailed } from '../telemetry/signals.ts';
import { currentTraceparent, type OpenSpan, openSpan } from '../telemetry/tracing.ts';

export interface Statement {
  /** Prepared under this name once a connection; without one it is planned each time. */
  name?: string | undefined;
  text: string;
  values: readonly unknown[];
}

const names = new Map<string, string>();

/** A statement that is planned once a connection. Its text must be one of a few constants: every one is kept. */
export function prepared(text: string, values: readonly unknown[]): Statement {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    names.set(text, name);
  }
  return { name, text, values };
}

interface Waiting extends Statement {
  /** As the driver sends them. */
  readonly sent: unknown[];
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** What `pg` has and its types lack: the means that its own cursors are made of. */
interface Wire {
  /** Where each of the messages below goes, to the stream by itself. */
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

type Parser = (text: string) => unknown;
type GetTypeParser = (oid: number, format?: 'text') => Parser;

interface Stream {
  readonly writable: boolean;
  cork(): void;
  write(bytes: Buffer): boolean;
  uncork(): void;
}

/** Up to so many bytes a burst is put together here: forty small buffers cost Node and the kernel twice what one does. */
const ONE_PIECE_BYTES_MAX = 64 * 1024;

/** By connection, the burst that has not gone out yet. */
const open = new WeakMap<PoolClient, StatementBurst>();
/**
 * By connection, names that were sent and then skipped, because a statement before them had failed. PostgreSQL knows
 * nothing of them; a pooler between here and there has seen them, and ends a connection that uses one again.
 */
const skipped = new WeakMap<Wire, Set<string>>();

/**
 * Runs a statement and resolves to its rows. Statements run in the order of the calls; where one fails, those
 * behind it in its burst do not run and fail with it.
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
 * Runs statements in a burst of their own, without `begin`: PostgreSQL makes one transaction of what comes before it is
 * asked for an answer, and it is committed when this resolves, to the rows of the last.
 */
export async function runAlone(
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

/** Whether statements wait on the connection: what is called for now goes out with them. */
export function hasOpenBurst(client: PoolClient): boolean {
  return open.has(client);
}

/** Sends what waits; nothing else may overtake it. */
export function sendBurst(client: PoolClient): void {
  const burst = open.get(client);
  if (burst === undefined) return;
  open.delete(client);
  burst.trace();
  client.query(burst as never);
}

/** A query to `pg`, which hands it every message until the server is ready for the next. */
class StatementBurst {
  readonly #parsers: GetTypeParser;
  readonly #statements: Waiting[] = [];
  /** The one that is being answered. */
  #at = 0;
  #fields: { name: string; parse: Parser }[] = [];
  #rows: unknown[] = [];
  /** Settled when the server is ready for the next burst. */
  readonly #ended: PromiseWithResolvers<void> | null;
  #span: OpenSpan | null = null;

  constructor(parsers: GetTypeParser, ended: PromiseWithResolvers<void> | null = null) {
    this.#parsers = parsers;
    this.#ended = ended;
  }

  /**
   * Below the span of whoever called for the statements: by the time they are sent, others may have their turn. What
   * belongs to no span (a look at the outbox, seven times a second) is no trace of its own.
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
    // Before anything is sent: a value that cannot be sent must not leave half a message.
    const sent = statement.values.map(prepareValue);
    return new Promise((resolve, reject) => {
      this.#statements.push({ ...statement, sent, resolve, reject });
    });
  }

  /** `pg` keeps which statements a connection has prepared by the name and text of the query that is being answered. */
  get name(): string | undefined {
    return this.#statements[this.#at]?.name;
  }

  get text(): string | undefined {
    return this.#statements[this.#at]?.text;
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
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
          // Of a name that it does not know PostgreSQL says that it is closed.
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
      // The connection's own is its class's.
      delete wire._send;
      if (stream.writable) writeAll(stream, messages);
    }
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#fields = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#parsers(dataTypeID, 'text') }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    for (const [place, { name, parse }] of this.#fields.entries()) {
      const text = fields[place] ?? null;
      row[name] = text === null ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const answered = this.#statements[this.#at];
    // The one statement that can fail without an error: of a commit where something failed before,
    // PostgreSQL makes a rollback.
    if (answered?.text === 'commit' && text === 'ROLLBACK')
      answered.reject(new Error('Nothing was committed: a statement of the transaction had failed'));
    else answered?.resolve(this.#rows);
    this.#at++;
    this.#fields = [];
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleError(error: unknown, connection: unknown): void {
    const wire = connection as Wire;
    const unanswered = this.#statements.slice(this.#at);
    this.#at = this.#statements.length;
    for (const [place, { name, reject }] of unanswered.entries()) {
      if (name !== undefined) forget(name, wire);
      reject(
        place === 0 ? error : new Error('A statement before it in the transaction failed', { cause: error }),
      );
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

/** What was not prepared before is not prepared now, or nobody knows whether it is. */
function forget(name: string, wire: Wire): void {
  if (name in wire.parsedStatements) return;
  delete wire.submittedNamedStatements[name];
  const names = skipped.get(wire) ?? new Set();
  skipped.set(wire, names.add(name));
}

/** Of what did not come from PostgreSQL: 08, the class of connections. */
function classOf(error: unknown): string {
  return sqlStateOf(error)?.slice(0, 2) ?? '08';
}

function sqlStateOf(error: unknown): string | null {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}
