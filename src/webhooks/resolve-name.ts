/**
 * Names of receivers to their addresses. The resolver of the operating system waits in a thread of which a process has
 * a handful: names that nobody answers for kept everybody else's from being asked. So questions go to the configured
 * name servers directly, as many at once as there are messages, and end when their message does.
 *
 * What only the operating system knows is kept: names in its hosts file count before name servers, as everywhere. Others
 * (search domains, multicast DNS) are asked for where messages may stay in a closed network, one of a workspace at a time,
 * for as long as the thread is taken, whoever still waits.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { FairShare } from '../fairness/fair-share.ts';

export interface Address {
  address: string;
  family: number;
}

export interface NameWanted {
  workspaceId: string;
  host: string;
  signal: AbortSignal;
}

export type ResolveName = (wanted: NameWanted) => Promise<Address[]>;

export interface ResolverOptions {
  /** Whether the operating system may be asked where name servers know nothing. */
  asksSystem: boolean;
  /** Shares the threads that resolve names; two of them serve the whole process. */
  threads: FairShare;
  /** In place of the machine's own, as `address:port`. */
  servers?: readonly string[];
  hostsFile?: string;
}

/** The time for one question to one server; it is asked twice. */
const TIMEOUT_MS = 2500;
const TRIES = 2;
const HOSTS_FILE = '/etc/hosts';
/** The servers have answered, and there is no such address. */
const nothingThere = new Set(['ENOTFOUND', 'ENODATA']);

/** IPv4 before IPv6: a network without the latter is no rarity. */
export function nameResolver({
  asksSystem,
  threads,
  servers,
  hostsFile = HOSTS_FILE,
}: ResolverOptions): ResolveName {
  return async ({ workspaceId, host, signal }) => {
    const listed = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), host);
    if (listed.length > 0) return listed;
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const stop = () => resolver.cancel();
    signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await askServers(resolver, host);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!asksSystem || signal.aborted || !nothingThere.has(code ?? '')) throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    return threads.run(workspaceId, () => lookup(host, { all: true }), signal);
  };
}

async function askServers(resolver: Resolver, host: string): Promise<Address[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length > 0) return found;
  // Where one was not answered, that there is none of the other says nothing.
  const failed = [four, six].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  throw failed.find(({ code }) => !nothingThere.has(code)) ?? failed[0];
}

/** The addresses that a hosts file gives a name: an address a line, behind it its names, then remarks. */
function addressesIn(text: string, host: string): Address[] {
  const wanted = host.replace(/\.$/, '').toLowerCase();
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/s, '').trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.includes(wanted) ? [{ address, family }] : [];
  });
}
