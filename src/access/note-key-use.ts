/**
 * `last_used_at` of API keys, written late and in batches: a write in every request would cost more than
 * the request. A process that is killed loses at most the last few seconds of it.
 */
import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { startPeriodic } from '../process/start-periodic.ts';

const FLUSH_MS = 5_000;
/** Beyond it a flush starts at once; what comes while it runs is dropped, and noted at the key's next use. */
const KEYS_MAX = 10_000;

export interface KeyUses {
  note(workspaceId: string, keyId: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function openKeyUses(db: Db, log: Logger): KeyUses {
  let noted = new Map<string, { workspaceId: string; at: number }>();
  let flushing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    if (noted.size === 0) return;
    const batch = noted;
    noted = new Map();
    try {
      await inTransaction(db, 'instance', (tx) =>
        tx.query(
          // Ordered locks: two processes that write the same keys must not meet crosswise.
          `with used as (
             select k.workspace_id, k.id, t.at
             from unnest($1::uuid[], $2::uuid[], $3::float8[]) as u (workspace_id, id, ms)
             cross join lateral (select to_timestamp(u.ms / 1000) as at) as t
             join api_key k on k.workspace_id = u.workspace_id and k.id = u.id
             where k.last_used_at is null or k.last_used_at < t.at
             order by k.workspace_id, k.id
             for update of k skip locked
           )
           update api_key k set last_used_at = used.at from used
           where k.workspace_id = used.workspace_id and k.id = used.id`,
          [
            [...batch.values()].map((use) => use.workspaceId),
            [...batch.keys()],
            [...batch.values()].map((use) => use.at),
          ],
        ),
      );
    } catch (error) {
      log.warn({ err: error, keys: batch.size }, 'the last use of API keys could not be written');
    }
  };
  const flush = (): Promise<void> => {
    flushing = flushing.then(write);
    return flushing;
  };
  const flushes = startPeriodic({
    periodMs: FLUSH_MS,
    first: 'after a period',
    run: flush,
    failure: null,
    isIncidental: true,
  });

  return {
    note: (workspaceId, keyId) => {
      if (noted.size >= KEYS_MAX && !noted.has(keyId)) return;
      noted.set(keyId, { workspaceId, at: Date.now() });
      if (noted.size === KEYS_MAX) void flush();
    },
    flush,
    close: async () => {
      await flushes.close();
      await flush();
    },
  };
}
