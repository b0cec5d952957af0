/**
 * A worker listens on no port, so it shows that it lives by touching a file as long as its event loop turns
 * and its database answers; the container's health check looks at the file's age.
 */
import { utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../db/connect.ts';

export const HEARTBEAT_FILE = join(tmpdir(), 'partbook-worker-heartbeat');
export const HEARTBEAT_PERIOD_MS = 5_000;

export function startHeartbeat(db: Db): { close(): Promise<void> } {
  const beat = async () => {
    try {
      await db.query('select 1');
      const now = new Date();
      writeFileSync(HEARTBEAT_FILE, '', { flag: 'a' });
      utimesSync(HEARTBEAT_FILE, now, now);
    } catch {
      // No heartbeat is the message.
    }
  };
  let last = beat();
  const timer = setInterval(() => {
    last = beat();
  }, HEARTBEAT_PERIOD_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await last;
    },
  };
}
