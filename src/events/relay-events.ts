/**
 * Announces workspaces whose events wait in the outbox: at most one job for each and reader, however many
 * events there are. PostgreSQL is looked into, so that nothing has to be announced by whoever records events,
 * and what Redis loses is announced again.
 */
import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import { isServerAway } from '../db/server-away.ts';
import { inTransaction } from '../db/transaction.ts';
import { type PeriodicLoop, startPeriodic } from '../process/start-periodic.ts';
import { claimLanes, openLanes, type Reader, unreadAnywhere } from './outbox.sql.ts';

export interface DueLane {
  workspaceId: string;
  turn: string;
  slow: boolean | null;
}

export interface RelayOptions {
  db: Db;
  log: Logger;
  pollMs: number;
  /** An announcement that is older counts as lost. */
  healSeconds: number;
  announce: Readonly<Record<Reader, (lane: DueLane) => Promise<void>>>;
}

const readers: readonly Reader[] = ['automation', 'webhook', 'inbox'];

/**
 * Looks once, seven times a second: nearly always there is nothing, which is one prepared statement. What claims lanes is planned by what the
 * tables hold, for longer than it runs. Returns how many lanes were announced.
 */
export async function relayEvents(
  { db, announce }: Pick<RelayOptions, 'db' | 'announce'>,
  healSeconds: number,
): Promise<number> {
  const [unread] = await inTransaction(
    db,
    'instance',
    (tx) => tx.queryPrepared<Record<Reader, boolean>>(unreadAnywhere),
    { glance: true },
  );
  let announced = 0;
  for (const reader of readers) {
    if (unread?.[reader] === false) continue;
    const due = await claimDue(db, reader, healSeconds);
    for (const { workspace_id: workspaceId, turn, slow } of due) {
      await announce[reader]({ workspaceId, turn: String(turn), slow });
    }
    announced += due.length;
  }
  return announced;
}

interface ClaimedLane {
  workspace_id: string;
  turn: string;
  slow: boolean | null;
}

function claimDue(db: Db, reader: Reader, healSeconds: number): Promise<ClaimedLane[]> {
  return inTransaction(db, 'instance', async (tx) => {
    // In one round trip: one after the other all the same.
    const opening = tx.query(openLanes(reader));
    const claiming = tx.query<ClaimedLane>(claimLanes(reader), [healSeconds]);
    await opening;
    return claiming;
  });
}

/** Looks at once, taking every earlier announcement for lost because the worker before may have died of it. */
export function startRelay(options: RelayOptions): PeriodicLoop {
  const { log, pollMs } = options;
  let healSeconds = 0;
  return startPeriodic({
    periodMs: pollMs,
    first: 'at once',
    run: async () => {
      try {
        await relayEvents(options, healSeconds);
        healSeconds = options.healSeconds;
      } catch (error) {
        // A job that is due may have used up its attempts on the same thing.
        if (isServerAway(error)) healSeconds = 0;
        throw error;
      }
    },
    failure: { log, message: 'events have to wait' },
  });
}
