/**
 * Statements one after the other, through the documented interface of `pg` alone. It costs a round trip for each statement, and works
 * with any version of `pg` that keeps its documentation.
 */
import type { PoolClient } from 'pg';
import { answerMissed, burstFailed } from '../../telemetry/signals.ts';
import { currentTraceparent, openSpan } from '../../telemetry/tracing.ts';
import { COPY_BYTES_MAX, CopyOut, CopyTooLargeError } from './copy-out.ts';
import type { Statement } from './statement.ts';
import { SilentServerError } from './watch-answers.ts';
import { classOf, commitFailed, failedBehind, isLost, sqlStateOf, type Wire } from './wire.ts';

type Query = (...given: unknown[]) => Promise<unknown>;

/** In a failed transaction PostgreSQL refuses each further statement with this state. */
const IN_FAILED_TRANSACTION = '25P02';

export class PlainWire implements Wire {
  readonly isPipelined = false;
  readonly poolConfig: { query_timeout: number };
  readonly #answerMsMax: number;
  readonly #copyBytesMax: number;
  /** The last failure of each connection: what statements behind it fail with. */
  readonly #failures = new WeakMap<PoolClient, unknown>();
  /** Connections on which a statement of the transaction could not be sent. */
  readonly #unsent = new WeakSet<PoolClient>();
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(answerMsMax: number, copyBytesMax = COPY_BYTES_MAX) {
    this.#copyBytesMax = copyBytesMax;
    this.#answerMsMax = answerMsMax;
    this.poolConfig = { query_timeout: answerMsMax };
  }

  get heardAt(): number {
    return this.#heardAt;
  }

  admit(client: PoolClient, lost: () => void): void {
    client.on('error', lost);
    const query = client.query.bind(client) as Query;
    let before: Promise<unknown> = Promise.resolve();
    // Here, because the mapping sends its statements on the client itself. `pg` would queue them, but warns that it will not for long.
    client.query = ((...given: unknown[]) => {
      const answer = before.then(() => this.#watch(client, this.#send(client, query, given), lost));
      before = answer.catch(() => {});
      return answer;
    }) as PoolClient['query'];
  }

  /** A transaction with a statement that could not be sent is rolled back: PostgreSQL does not know that it failed. */
  async #send(client: PoolClient, query: Query, given: unknown[]): Promise<unknown> {
    const { text } = Object(given[0]) as { text?: string };
    if (text?.startsWith('begin') === true) this.#unsent.delete(client);
    if (given[0] instanceof CopyOut) {
      void query(...given);
      return given[0].ended;
    }
    if (text !== 'commit' || !this.#unsent.has(client)) return query(...given);
    await query('rollback');
    throw commitFailed();
  }

  async #watch(client: PoolClient, asked: Promise<unknown>, lost: () => void): Promise<unknown> {
    try {
      const answer = await asked;
      this.#heardAt = performance.now();
      return answer;
    } catch (error) {
      if (sqlStateOf(error) !== null) this.#heardAt = performance.now();
      else this.#unsent.add(client);
      if (isLost(error as { code?: unknown })) lost();
      if ((error as Error).message !== 'Query read timeout') throw error;
      lost();
      answerMissed.send(() => ({}));
      throw new SilentServerError(this.#answerMsMax, { cause: error });
    }
  }

  async check(client: PoolClient): Promise<void> {
    await client.query('select 1');
  }

  async run(client: PoolClient, { name, text, values }: Statement): Promise<unknown[]> {
    const span =
      currentTraceparent() === null
        ? null
        : openSpan({
            name: 'postgresql',
            kind: 'client',
            attributes: { 'db.system.name': 'postgresql', 'db.operation.batch.size': 1 },
          });
    try {
      const config = { text, values: [...values], ...(name === undefined ? {} : { name }) };
      const { command, rows } = await client.query(config);
      if (text === 'commit' && command === 'ROLLBACK') throw commitFailed();
      span?.end();
      return rows;
    } catch (error) {
      span?.end({ failure: sqlStateOf(error) ?? 'connection' });
      if (sqlStateOf(error) === IN_FAILED_TRANSACTION)
        throw failedBehind(this.#failures.get(client) ?? error);
      this.#fail(client, error);
      throw error;
    }
  }

  #fail(client: PoolClient, error: unknown): void {
    burstFailed.send(() => ({ sqlStateClass: classOf(error) }));
    this.#failures.set(client, error);
  }

  async copy(client: PoolClient, text: string): Promise<Buffer> {
    try {
      const copy = new CopyOut(text, this.#copyBytesMax);
      return await (client.query(copy as never) as unknown as Promise<Buffer>);
    } catch (error) {
      if (!(error instanceof CopyTooLargeError)) this.#fail(client, error);
      throw error;
    }
  }

  async runSeparately(client: PoolClient, statements: readonly Statement[]): Promise<unknown[]> {
    const plain = (text: string) => this.run(client, { text, values: [] });
    await plain('begin');
    try {
      let rows: unknown[] = [];
      for (const statement of statements) rows = await this.run(client, statement);
      await plain('commit');
      return rows;
    } catch (error) {
      await plain('rollback').catch(() => {});
      throw error;
    }
  }

  isGathering(): boolean {
    return false;
  }

  leave(client: PoolClient): void {
    // It closes a connection at once on which a statement is under way.
    void (client as unknown as { end(): Promise<void> }).end().catch(() => {});
  }

  close(): void {}
}
