/** Says which setting names a server that a start could not reach, and what is wrong with it. */
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

/** Throws a `StartError` in place of a fault of the connection; any other error stays what it is. */
export async function namingServer<T>(setting: string, url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = faultOf(error);
    if (fault === null) throw error;
    throw new StartError(`${setting}: ${fault} ${hostsOf(url)}`);
  }
}

function faultOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const fault = faults[String((error as { code?: unknown }).code)];
  if (fault !== undefined) return fault;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return faultOf(inner);
}

/** What stands between the login and the database: several hosts are no address that `URL` can read. */
function hostsOf(url: string): string {
  return /^[\w+.-]+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(url)?.[1] ?? 'the server';
}
