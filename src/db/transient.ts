/** Tells a server that is away, starting or overloaded from a statement that is wrong. */
import { sqlState } from './transaction.ts';

/** Classes 08 (connection), 53 (resources), 57P (shutdown, starting up, cancelled sessions) and what retries. */
const transientState = /^(08|53|57P|40001|40P01|55P03)/;
const transientCode = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const transientMessage =
  /connection terminated|timeout exceeded when trying to connect|connection timeout|connection is closed|Client has encountered a connection error|does not answer/i;

/** Whether the same work may succeed later without anything being changed. */
export function isTransient(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null && transientState.test(state)) return true;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && transientCode.has(code)) return true;
    if (transientMessage.test(at.message)) return true;
  }
  return false;
}
