/** Statements of one turn of the event loop together, by parts of `pg` that its documentation does not promise (self-test.ts). */
import type { PoolClient } from 'pg';
import { getTypeParser } from './column-types.ts';
import { COPY_BYTES_MAX, CopyOut } from './copy-out.ts';
import { requireKnownPg } from './self-test.ts';
import type { Statement } from './statement.ts';
import { hasOpenBurst, runInBurst, runSeparately, sendBurst } from './statement-burst.ts';
import { type AnswerWatch, watchAnswers } from './watch-answers.ts';
import { isLost, type Wire } from './wire.ts';

export class PipelinedWire implements Wire {
  readonly isPipelined = true;
  readonly poolConfig = { pipeline: true };
  readonly #answers: AnswerWatch;
  readonly #copyBytesMax: number;

  constructor(answerMsMax: number, copyBytesMax = COPY_BYTES_MAX) {
    this.#copyBytesMax = copyBytesMax;
    this.#answers = watchAnswers(answerMsMax);
  }

  get heardAt(): number {
    return this.#answers.heardAt;
  }

  admit(client: PoolClient, lost: () => void): void {
    this.#answers.watch(client);
    const { connection } = client as unknown as {
      connection: { on(event: 'errorMessage', listen: (message: { code?: string }) => void): void };
    };
    connection.on('errorMessage', (message) => {
      if (isLost(message)) lost();
    });
    // What the mapping sends on the client comes behind the statements that were called for before it.
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      sendBurst(client);
      this.#answers.asked(client);
      return query(...given);
    }) as PoolClient['query'];
  }

  check(client: PoolClient): Promise<void> {
    return requireKnownPg(client, {
      run: (statement) => this.run(client, statement),
      copy: (text) => this.copy(client, text),
    });
  }

  copy(client: PoolClient, text: string): Promise<Buffer> {
    const copy = new CopyOut(text, this.#copyBytesMax);
    client.query(copy as never);
    return copy.ended;
  }

  run(client: PoolClient, statement: Statement): Promise<unknown[]> {
    return runInBurst(client, getTypeParser, statement);
  }

  runSeparately(client: PoolClient, statements: readonly Statement[]): Promise<unknown[]> {
    return runSeparately(client, getTypeParser, statements);
  }

  isGathering(client: PoolClient): boolean {
    return hasOpenBurst(client);
  }

  leave(client: PoolClient): void {
    this.#answers.leave(client);
  }

  close(): void {
    this.#answers.close();
  }
}
