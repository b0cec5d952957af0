/** The worker role: consumers, the threads behind them, the relay of events, healing. */
import { startChecking } from './access/groups/check-identities.ts';
import { lazyScriptPool } from './automation/conductor/lazy-script-pool.ts';
import { scriptLimits } from './automation/conductor/script-pool.ts';
import { startMailing } from './automation/mail/send-mails.ts';
import { announceTurn } from './automation/runs/take-turn.ts';
import { startCountingViews } from './automation/schedules/count-views.ts';
import { startSchedules } from './automation/schedules/fire-schedules.ts';
import { startBulkEditing } from './cleanup/bulk-edits/run-bulk-edits.ts';
import { startInboxMailing } from './collaboration/mail/mail-inboxes.ts';
import { threadNice } from './config.ts';
import { startRecording } from './console/actions/record-series.ts';
import type { Resources } from './context.ts';
import { startFilling } from './entities/values/fill-value-indexes.ts';
import { startRelay } from './events/relay-events.ts';
import { openShare } from './fairness/shares.ts';
import { handlersOf } from './jobs.ts';
import { startSettling } from './operations/settle-statistics.ts';
import { startPlanning } from './planning/runs/run-planning.ts';
import { startWatchingReorderPoints } from './procurement/reorder/watch-reorder-points.ts';
import { openConsumers } from './queue/queues.ts';
import { startRetention } from './retention.ts';
import { startDailyDigests } from './stock/digest/daily-digests.ts';
import { startClockWatch } from './stock/watch-clock.ts';
import { startHealing } from './sync/batch/heal-batches.ts';
import { HeldBatches } from './sync/batch/held-batches.ts';
import { ProgressNotes } from './sync/batch/progress-notes.ts';
import { openSyncPool } from './sync/batch/sync-pool.ts';
import { startAnnouncing } from './webhooks/announce-deliveries.ts';
import { openSending } from './webhooks/open-sending.ts';
import { nameResolver } from './webhooks/resolve-name.ts';

/** Fair share of the two threads that Node uses for the operating system's name look-ups. */
const SYSTEM_LOOKUPS = { units: 2, ofOneMax: 1 };
/** Events of so many workspaces become deliveries at once. */
const WEBHOOK_EXPANSIONS = 4;
/** Number of workspaces whose members are notified of events concurrently. */
const INBOX_TURNS = 2;

export interface RunningWorker {
  /** Takes no new job, lets those under way finish, and ends the threads. */
  close(): Promise<void>;
}

export interface WorkerOptions {
  /** Delete old rows at times. Tests that age rows turn it off, because it starts at a random moment. True if absent. */
  prunes?: boolean;
}

export function startWorker(resources: Resources, { prunes = true }: WorkerOptions = {}): RunningWorker {
  const { config, log, db, databaseUrl, queues, costs, moverOf } = resources;
  const pool = openSyncPool(config, databaseUrl, costs);
  const scripts = lazyScriptPool({
    threads: config.SCRIPT_THREADS,
    limits: scriptLimits(config),
    nice: threadNice(config),
  });
  const lookups = openShare('nameLookups', SYSTEM_LOOKUPS);
  const sending = openSending(
    log,
    nameResolver({ asksSystem: config.WEBHOOK_ALLOW_PRIVATE, threads: lookups }),
  );
  const worker = {
    config,
    log,
    db,
    queues,
    pool,
    scripts,
    sending,
    progress: new ProgressNotes(),
    held: new HeldBatches(),
    // One more than threads: while chunks keep these busy, the next job's look at its batch need not wait.
    jobs: { max: config.SYNC_THREADS + 1, underWay: 0 },
    costs,
    moverOf,
  };
  const concurrency = {
    sync: worker.jobs.max,
    // They wait in the queue for the one thread that they have, not in a place of the others.
    'sync-long': 1,
    automation: config.SCRIPT_THREADS,
    // Never all threads: quick scripts find one that is free, or free again within a run.
    'automation-slow': Math.max(1, config.SCRIPT_THREADS - 1),
    webhook: config.WEBHOOK_CONCURRENCY,
    'webhook-expand': WEBHOOK_EXPANSIONS,
    inbox: INBOX_TURNS,
  };
  const consumers = openConsumers(queues.server, handlersOf(worker), concurrency, log);
  const healing = startHealing(worker);
  const relay = startRelay({
    db,
    log,
    pollMs: config.EVENT_POLL_MS,
    healSeconds: config.EVENT_HEAL_SECONDS,
    announce: {
      automation: ({ workspaceId, turn, slow }) => announceTurn(queues, { workspaceId, turn }, slow),
      webhook: ({ workspaceId, turn }) => queues.announce('webhook.expand', { workspaceId, turn }),
      inbox: ({ workspaceId, turn }) => queues.announce('inbox.tell', { workspaceId, turn }),
    },
  });
  const schedules = startSchedules({ db, log });
  const viewCounts = startCountingViews({ db, log });
  const mailing = startMailing({ db, log, config });
  const inboxMailing = startInboxMailing({ db, log, config });
  const announcing = startAnnouncing(worker);
  const retention = prunes ? startRetention({ db, log, config }) : null;
  const checking = startChecking(resources);
  const digests = startDailyDigests({ db, log, config });
  const clock = startClockWatch({ db, log });
  const recording = startRecording(db, log);
  const settling = startSettling(db, log);
  const filling = startFilling({ db, log });
  const bulkEditing = startBulkEditing({ db, log, config, moverOf });
  const reorderPoints = startWatchingReorderPoints({ db, log });
  const planning = startPlanning({ db, databaseUrl, log, config });
  return {
    close: async () => {
      await planning.close();
      await reorderPoints.close();
      await bulkEditing.close();
      await filling.close();
      await settling.close();
      await recording.close();
      await clock.close();
      await digests?.close();
      await checking?.close();
      await retention?.close();
      await announcing.close();
      await inboxMailing?.close();
      await mailing?.close();
      await schedules.close();
      await viewCounts.close();
      await relay.close();
      await healing.close();
      // What is being sent would hold the last jobs for as long as receivers like.
      await Promise.all([consumers.close(), sending.close()]);
      await sending.close();
      await scripts.close();
      await pool.close();
    },
  };
}
