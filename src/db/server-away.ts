/** Tells a server that is away, starting or overloaded from a request or a statement that is wrong. */
import { ShareError } from '../fairness/fair-share.ts';
import { restingState } from './resting.ts';
import { sqlState } from './transaction.ts';

const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
]);
// admin_shutdown, crash_shutdown, cannot_connect_now; and what remains when the
// retries of inTransaction are used up: serialization_failure, deadlock_detected; and what a server that is
// too busy gives up: query_canceled (statement_timeout), lock_not_available (lock_timeout); and what a server says
// that has become a standby: read_only_sql_transaction; and to whoever was frozen: idle_in_transaction_session_timeout.
const AWAY_STATES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '40001',
  '40P01',
  '57014',
  '55P03',
  '25006',
  '25P03',
]);
// The pool of pg and ioredis say these without a code.
const AWAY_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Connection is closed|Stream isn't writeable|Client has encountered a connection error|Reached the max retries per request|PostgreSQL does not answer)/;

/** Whether a statement waited for others for too long, or lost against them. PostgreSQL is there; only this work has to wait. */
export function isHeldUp(error: unknown): boolean {
  return /^(40|55P03|57014)/.test(sqlState(error) ?? '');
}

/** disk_full: PostgreSQL answers, and cannot write. */
const NO_ROOM = '53100';

export function lacksRoom(error: unknown): boolean {
  return sqlState(error) === NO_ROOM;
}

/**
 * Whether PostgreSQL or Redis is away, overloaded or restarting: worth the same request a little later. To work in a
 * workspace that is being moved it is as if they were: nothing is wrong with the work.
 */
export function isServerAway(error: unknown): boolean {
  const state = sqlState(error);
  // Class 08 is the connection, class 53 its resources: connections, memory, disk.
  if (state !== null && (AWAY_STATES.has(state) || /^(08|53)/.test(state))) return true;
  if (restingState(error) !== null) return true;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && AWAY_CODES.has(code)) return true;
    // Every connection that the workspace may have is taken.
    if (at instanceof ShareError) return true;
    if (at.name === 'MaxRetriesPerRequestError' || AWAY_MESSAGES.test(at.message)) return true;
    if (at instanceof AggregateError && at.errors.some(isServerAway)) return true;
  }
  return false;
}
