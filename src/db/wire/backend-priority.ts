/**
 * Lets the process of PostgreSQL behind a connection stand as far back as the thread that it works for. A search waits for a processor
 * at each turn that it takes, and beside an import the database's processes are those that it waits behind. PostgreSQL itself knows
 * no priorities. It goes where its processes are ones of this machine that this process may tell so, above all those of the servers
 * that come with the service; everywhere else they stay as they are.
 */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import type { PoolClient } from 'pg';

export async function letBackendStandBack(client: PoolClient): Promise<void> {
  // Linux alone has priorities of threads.
  if (process.platform !== 'linux' || isMainThread) return;
  const nice = getPriority();
  if (nice <= 0) return;
  const { processID, connection } = client as unknown as {
    processID: number | null;
    connection: { stream: Socket };
  };
  // Whose number that is here is said by its title, which names the port of the other side: on another machine, in a container or
  // behind a pooler the same number is somebody else's.
  const title = await readFile(`/proc/${processID}/cmdline`, 'utf8').catch(() => '');
  if (processID === null || !title.startsWith('postgres: ')) return;
  if (!title.includes(`(${connection.stream.localPort})`)) return;
  try {
    setPriority(processID, nice);
  } catch {
    // It runs as another user.
  }
}
