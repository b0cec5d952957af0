/**
 * A bound on how long PostgreSQL may be silent while an answer is owed. A server that hangs, or a network that
 * drops what is sent, says nothing; `statement_timeout` cannot help there, and does not end a commit that waits
 * for a standby. So the connection is given up on this side: whoever waits is told that the server is away, and
 * nothing is cancelled, because a cancelled commit would be acknowledged without its standby.
 */
import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';
import { answerMissed } from '../../telemetry/signals.ts';

/** Takes the code of a connection that timed out, so that it counts as a server that is away. */
export class SilentServerError extends Error {
  override name = 'SilentServerError';
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number, options: ErrorOptions = {}) {
    super(`PostgreSQL does not answer: nothing for ${Math.round(limitMs / 1000)} s`, options);
  }
}

/** Thrown when nobody waits for the answer of the connection any more. */
export class LeftAloneError extends Error {
  override name = 'LeftAloneError';
}

interface Owed {
  socket: Socket;
  /** When the server last said something, or was first asked; null while no answer is owed. */
  since: number | null;
}

export interface AnswerWatch {
  /** Watches a connection from now on until it ends. */
  watch(client: PoolClient): void;
  /** A query has been handed to the connection. */
  asked(client: PoolClient): void;
  /** Gives up a connection whose answer nobody waits for: PostgreSQL notices, and ends the statement. */
  leave(client: PoolClient): void;
  /** When any of the connections last heard something, by `performance.now()`. */
  readonly heardAt: number;
  close(): void;
}

/** Looks a few times within the limit: a silent connection is given up after at most a quarter more. */
const LOOKS_PER_LIMIT = 4;

export function watchAnswers(limitMs: number): AnswerWatch {
  const connections = new Map<PoolClient, Owed>();
  let heardAt = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    const now = performance.now();
    for (const owed of connections.values()) {
      if (owed.since === null || now - owed.since < limitMs) continue;
      owed.since = null;
      answerMissed.send(() => ({}));
      owed.socket.destroy(new SilentServerError(limitMs));
    }
  }, limitMs / LOOKS_PER_LIMIT);
  timer.unref();
  return {
    watch: (client) => {
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
      const owed: Owed = { socket: stream, since: null };
      connections.set(client, owed);
      stream.on('data', () => {
        heardAt = performance.now();
        if (owed.since !== null) owed.since = heardAt;
      });
      client.on('drain', () => {
        owed.since = null;
      });
      stream.on('close', () => connections.delete(client));
    },
    asked: (client) => {
      const owed = connections.get(client);
      if (owed !== undefined) owed.since ??= performance.now();
    },
    leave: (client) => {
      connections.get(client)?.socket.destroy(new LeftAloneError('Nobody waits for the answer any more'));
    },
    get heardAt() {
      return heardAt;
    },
    close: () => clearInterval(timer),
  };
}
