/** Names the setting of a server that cannot be reached, and says what is wrong. */
import { StartError } from './start-error.ts';

const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused by',
  ENOTFOUND: 'there is no host',
  EAI_AGAIN: 'no name server could be asked for',
  ETIMEDOUT: 'no answer from',
  EHOSTUNREACH: 'there is no way to',
  ENETUNREACH: 'there is no way to',
  ECONNRESET: 'the connection was cut by',
  '28P01': 'the login is refused by',
  '28000': 'the login is refused by',
  '3D000': 'there is no such database on',
};

/** Redis has no codes for these. */
const redisLogin = /^(NOAUTH|WRONGPASS) /;

/** Throws a `StartError` in place of a fault of the connection; any other error stays what it is. */
export async function namingServer<T>(setting: string, url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = serverFault(setting, url, error);
    if (fault === null) throw error;
    throw new StartError(fault);
  }
}

/** Returns for example "REDIS_URL: connection refused by 127.0.0.1:6379", or null if the error is not one of the connection. */
export function serverFault(setting: string, url: string, error: unknown): string | null {
  const fault = faultOf(error);
  return fault === null ? null : `${setting}: ${fault} ${hostsOf(url)}`;
}

function faultOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const fault = faults[String((error as { code?: unknown }).code)];
  if (fault !== undefined) return fault;
  if (redisLogin.test(error.message)) return 'the login is refused by';
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return faultOf(inner);
}

/** Returns the part of an address between the login and the database. `URL` cannot read an address with several hosts. */
function hostsOf(url: string): string {
  return /^[\w+.-]+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(url)?.[1] ?? 'the server';
}
