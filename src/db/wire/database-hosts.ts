/**
 * Which of the hosts of `DATABASE_URL` takes writes. A fail-over manager makes another one the primary at any time, and the
 * driver knows one host only: so every new connection goes to the host that was found last, is asked whether it takes
 * writes, and where it does not, or is not there, the next one is tried.
 */
import { Client, type ClientBase, type ClientConfig, type QueryConfig } from 'pg';
import { databaseHostUrls } from '../../server-urls/database-host-urls.ts';

/** A connection without roles and settings: for the owner of the schema. */
export type OwnerConnection = ClientBase;

/** Time in which one of several hosts must accept a connection; a single one may take all of the time. */
const HOST_MS_MAX = 3_000;

const POOL_FULL = /^timeout exceeded when trying to connect/;

export class DatabaseHosts {
  readonly #urls: readonly string[];
  #at = 0;

  constructor(url: string) {
    this.#urls = databaseHostUrls(url);
  }

  get count(): number {
    return this.#urls.length;
  }

  /** The one that is believed to take writes. */
  get url(): string {
    return this.#urls[this.#at] as string;
  }

  patienceMs(ofOneMs: number): number {
    return this.count === 1 ? ofOneMs : Math.min(ofOneMs, HOST_MS_MAX);
  }

  /** That one was refused: the next is believed to. What was believed before, by others too, is no news. */
  passOver(url: string): void {
    if (url === this.url) this.#at = (this.#at + 1) % this.count;
  }

  /** Tries one host after the other, each once, from the one that is believed on. */
  async first<T>(attempt: (url: string) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      const { url } = this;
      try {
        return await attempt(url);
      } catch (error) {
        // A pool that is used up says nothing of its host.
        if (POOL_FULL.test((error as Error).message)) throw error;
        this.passOver(url);
        if (tried >= this.count) throw error;
      }
    }
  }
}

/** A host that answers and is a standby, or has become one. */
class StandbyError extends Error {
  override name = 'StandbyError';
  /** That of a host which refuses connections: the server is away, and worth another try. */
  readonly code = 'ECONNREFUSED';
}

/** Throws where the server behind the connection takes no writes. */
export async function requireWritable(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>({
    text: 'show transaction_read_only',
    query_timeout: HOST_MS_MAX,
  } as QueryConfig);
  if (rows[0]?.transaction_read_only !== 'off') throw new StandbyError('The server takes no writes');
}

/** Runs the work on a connection of its own to the host that takes writes. */
export async function onWritableHost<T>(
  hosts: DatabaseHosts,
  settings: ClientConfig,
  work: (client: Client, url: string) => Promise<T>,
): Promise<T> {
  const { client, url } = await hosts.first(async (one) => {
    const candidate = new Client({
      ...settings,
      connectionString: one,
      connectionTimeoutMillis: hosts.patienceMs(10_000),
    });
    // A connection that breaks fails the query that is under way; without a listener it would end the process.
    candidate.on('error', () => {});
    try {
      await candidate.connect();
      if (hosts.count > 1) await requireWritable(candidate);
      return { client: candidate, url: one };
    } catch (error) {
      await candidate.end().catch(() => {});
      throw error;
    }
  });
  try {
    return await work(client, url);
  } finally {
    await client.end().catch(() => {});
  }
}
