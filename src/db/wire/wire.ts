/** How statements travel to PostgreSQL on the connections of a pool. There are two ways: pipelined (the default) and plain. */
import type { PoolClient, PoolConfig } from 'pg';
import type { Statement } from './statement.ts';

export interface WireOptions {
  /**
   * `pipelined` sends the statements of one turn of the event loop together and waits once; it relies on parts of `pg` that its
   * documentation does not promise. `plain` sends one after the other through the documented interface of `pg`.
   */
  mode: 'pipelined' | 'plain';
  /** Whether PostgreSQL's processes get the priority of the thread that they work for, where both run on this machine. */
  nices: boolean;
  /** Bytes of the result of one COPY; by default those of `COPY_BYTES_MAX`. */
  copyBytesMax?: number;
}

export interface Wire {
  readonly poolConfig: Partial<PoolConfig>;
  /** Statements that are sent together without `begin` are one transaction. */
  readonly isPipelined: boolean;
  /** When PostgreSQL last answered on any connection, by `performance.now()`. */
  readonly heardAt: number;
  /** Takes a new connection in. Calls `lost` when the server says that the connection cannot be used any longer. */
  admit(client: PoolClient, lost: () => void): void;
  /** Throws `StartError` when `pg` is not what this wire relies on, and any error when PostgreSQL does not answer. */
  check(client: PoolClient): Promise<void>;
  /** Statements of one connection run in the order of the calls. When one fails, those sent behind it fail with it. */
  run(client: PoolClient, statement: Statement): Promise<unknown[]>;
  /** Runs a COPY to this side and resolves to all of its bytes, in the same order as statements. Throws `CopyTooLargeError`. */
  copy(client: PoolClient, text: string): Promise<Buffer>;
  /** Runs the statements as one transaction. Resolves, when it is committed, to the rows of the last one. */
  runSeparately(client: PoolClient, statements: readonly Statement[]): Promise<unknown[]>;
  /** Whether a statement that is called for now goes out together with earlier ones. */
  isGathering(client: PoolClient): boolean;
  /** Gives up a connection whose answer nobody waits for. PostgreSQL notices, and ends the statement. */
  leave(client: PoolClient): void;
  close(): void;
}

/**
 * States with which a connection is given up. A server that has become a standby refuses writes with 25006. The others end the
 * connection, which is seen only later: the next transaction on it would be told that the server is away.
 */
const LOST_STATES = /^(25006|25P0[34]|57P0[1-5]|08...)$/;

export function isLost(error: { code?: unknown }): boolean {
  return typeof error.code === 'string' && LOST_STATES.test(error.code);
}

/** The SQLSTATE of an error that comes from PostgreSQL; null for others. */
export function sqlStateOf(error: unknown): string | null {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** The class of an error's SQLSTATE; 08, the class of connections, for errors that do not come from PostgreSQL. */
export function classOf(error: unknown): string {
  return sqlStateOf(error)?.slice(0, 2) ?? '08';
}

/** PostgreSQL answers `commit` with a rollback, and no error, when a statement of the transaction has failed. */
export function commitFailed(): Error {
  return new Error('Nothing was committed: a statement of the transaction had failed');
}

export function failedBehind(cause: unknown): Error {
  return new Error('A statement before it in the transaction failed', { cause });
}
