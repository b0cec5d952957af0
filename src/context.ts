/** The resources of a process, made once at start and handed down; tests put their own in. */
import type { Logger } from 'pino';
import { Passwords } from './access/persons/password.ts';
import { openProvider, type Provider } from './access/provider/provider.ts';
import { openSignInCodes, type SignInCodes } from './access/sessions/sign-in-codes.ts';
import { lazyScriptPool } from './automation/conductor/lazy-script-pool.ts';
import { type ScriptPool, scriptLimits } from './automation/conductor/script-pool.ts';
import { selectEndedRuns } from './automation/runs/run.sql.ts';
import { type ScriptThreads, shareScriptThreads } from './automation/share-script-threads.ts';
import { type Config, threadNice, wireOf } from './config.ts';
import type { Db } from './db/connect.ts';
import { connectMapped } from './db/connect-mapped.ts';
import { StandbyReads } from './db/standby-reads.ts';
import { type EndWatch, openEndWatch } from './db/watch-ends.ts';
import type { LabelDrawing } from './entities/labels/draw-label.ts';
import type { MoverOf } from './entities/transition-entity.ts';
import { CallsInHand } from './fairness/calls-in-hand.ts';
import { CostAccounts } from './fairness/cost-accounts.ts';
import type { FairShare } from './fairness/fair-share.ts';
import { LongReads } from './fairness/long-reads.ts';
import { SharedThread } from './fairness/shared-thread.ts';
import { openShare } from './fairness/shares.ts';
import { CombinedCalls } from './group-commit/combined-calls.ts';
import { type Attempts, openAttempts } from './http/guards/limit-attempts.ts';
import { type GuessLimit, openGuessLimit } from './http/guards/limit-guesses.ts';
import type { CsvReaders } from './imports/csv-as-elements.ts';
import { mappedEntities } from './mapped-entities.ts';
import { Readiness } from './operations/readiness.ts';
import { WorkspaceFollower } from './overview/follow-workspaces.ts';
import type { RenderedPicture } from './pictures/render-picture.ts';
import { letLibuvStandBack } from './process/thread-priority.ts';
import type { OrderDocument } from './procurement/documents/order-document.ts';
import { gatherProcurement, type ProcurementCalls } from './procurement/gather-calls.ts';
import { openQueues, type QueueServer, type Queues } from './queue/queues.ts';
import { openRedis, type RedisClient } from './queue/redis-client.ts';
import { type Adjusted, type AdjustmentRequest, adjusting } from './stock/adjustments/adjust-group.ts';
import { LedgerReads } from './stock/ledger/ledger-reads.ts';
import type { StockTransferred } from './stock/transfers/transfer.schema.ts';
import { type TransferRequest, transferring } from './stock/transfers/transfer-stock.ts';
import { type BatchFollower, followBatches } from './sync/batch/follow-batches.ts';
import { selectEnded as selectEndedBatches } from './sync/batch/read-batches.sql.ts';
import { readFollowed } from './sync/batch/read-batches.ts';
import { openWebPool, type WebPool } from './sync/batch/web-pool.ts';
import { moverOf } from './transition-effects.ts';

/** Resources of every role. */
export interface Resources {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  readonly databaseUrl: string;
  readonly queues: Queues;
  /** OpenID Connect provider of the installation; null without one. */
  readonly provider: Provider | null;
  /** Recent cost of the heavy work of each workspace in this process. */
  readonly costs: CostAccounts;
  /** Gives the actor the effects of each transition that it makes. */
  readonly moverOf: MoverOf;
}

/** Further resources of the web role, passed to every route. */
export interface Context extends Resources {
  /** For the rate limiter; null where BullMQ runs on PostgreSQL because no Redis could be had. */
  readonly redis: RedisClient | null;
  /** The operator's token: configured, or made at the first embedded start. */
  readonly operatorToken: string;
  /** Attempts to sign in, of workspaces and of the operator each for themselves. */
  readonly signIns: Attempts;
  readonly operatorSignIns: Attempts;
  /** Attempts at the password of one sign-in name. */
  readonly namedSignIns: Attempts;
  readonly passwords: Passwords;
  /** Passkeys and passwords that are being made, by address. */
  readonly ceremonies: Attempts;
  /** Guesses of keys and of the operator's token, in headers. */
  readonly guesses: GuessLimit;
  readonly signInCodes: SignInCodes;
  readonly webPool: WebPool;
  /** Draws QR codes of labels. */
  readonly labels: SharedThread<LabelDrawing, Uint8Array>;
  /** Prints orders. */
  readonly documents: SharedThread<OrderDocument, Uint8Array>;
  /** Decodes pictures. */
  readonly pictures: SharedThread<Uint8Array, RenderedPicture | { refusal: string }>;
  readonly batchWatch: EndWatch;
  readonly runWatch: EndWatch;
  /** Tests scripts and checks their syntax; what events set off runs in the worker. */
  readonly scripts: ScriptPool;
  /** The bytes that decompressors of bodies may hold. */
  readonly decompressors: FairShare;
  /** Answers that go on as long as their reader likes. */
  readonly streams: FairShare;
  /** Fair share of downloads by CSV links, for each link. */
  readonly linkDownloads: FairShare;
  readonly batchFollower: BatchFollower;
  readonly workspaceFollower: WorkspaceFollower;
  /** How workspaces share these threads. */
  readonly scriptThreads: ScriptThreads;
  /** Single adjustments of stock, several in a transaction. */
  readonly adjustments: CombinedCalls<AdjustmentRequest, Adjusted>;
  /** Transfers of stock, several in a transaction. */
  readonly transfers: CombinedCalls<TransferRequest, StockTransferred>;
  /** Calls that are worked on, by workspace. */
  readonly callsInHand: CallsInHand;
  /** Reads that may be a moment old; null where there is no standby for them. */
  readonly standby: StandbyReads | null;
  /** Limits reads that go through much data. */
  readonly longReads: LongReads;
  /** Calls of procurement, several in a transaction. */
  readonly procurement: ProcurementCalls;
  /** Limits reads of a whole ledger. */
  readonly ledgerReads: LedgerReads;
  readonly readiness: Readiness;
  /** Tables sent as CSV that are being read. */
  readonly csvReaders: CsvReaders;
}

export interface Servers {
  databaseUrl: string;
  queue: QueueServer;
}

export async function openResources(
  config: Config,
  log: Logger,
  { databaseUrl, queue }: Servers,
): Promise<Resources & { close(): Promise<void> }> {
  const options = {
    url: databaseUrl,
    poolMax: config.DATABASE_POOL_MAX,
    applicationName: 'partbook',
    lockTimeoutMs: config.LOCK_TIMEOUT_MS,
    answerMsMax: config.DATABASE_ANSWER_SECONDS * 1000,
    patienceMs: config.CONNECTION_PATIENCE_MS,
    wire: wireOf(config),
    log,
  };
  const db = await connectMapped(options, mappedEntities);
  const queues = openQueues(queue, log);
  return {
    config,
    log,
    db,
    databaseUrl,
    queues,
    provider: openProvider(config),
    costs: new CostAccounts({ pauses: config.HEAVY_PAUSES }),
    moverOf,
    close: async () => {
      await queues.close();
      await db.close();
    },
  };
}

/** The web role's part on top; `close` leaves the shared resources open. */
export function openContext(
  resources: Resources,
  operatorToken: string,
): Context & { closeWeb(): Promise<void> } {
  const { config, log, db, databaseUrl, queues, provider, costs, moverOf } = resources;
  const redis =
    queues.server.kind === 'redis' ? openRedis(queues.server.url, { maxRetriesPerRequest: 1 }) : null;
  redis?.on('error', (error) => log.debug({ err: error }, 'the rate limiter has no Redis'));
  const attempts = (
    name: string,
    requests = config.SIGN_IN_ATTEMPTS,
    windowSeconds = config.SIGN_IN_ATTEMPTS_SECONDS,
  ) => {
    const prefix = `${config.QUEUE_PREFIX}:${name}`;
    const patienceMs = config.RATE_LIMIT_PATIENCE_MS;
    return openAttempts(redis, { prefix, requests, windowSeconds, patienceMs });
  };
  const webPool = openWebPool(config, databaseUrl, costs);
  // A label of a workspace at a time, with room for one of another workspace beside it.
  const labels: Context['labels'] = new SharedThread({
    worker: 'label',
    task: 'draw',
    share: 'labels',
    units: 2,
    ofOneMax: 1,
  });
  // An order of a workspace at a time, with room for one of another workspace beside it.
  const documents: Context['documents'] = new SharedThread({
    worker: 'document',
    task: 'print',
    share: 'documents',
    units: 2,
    ofOneMax: 1,
  });
  // Uploads that are received, decoded or stored at once, with up to 10 MiB each; half of them of one workspace.
  const pictures: Context['pictures'] = new SharedThread({
    worker: 'picture',
    task: 'render',
    share: 'pictures',
    units: 4,
    ofOneMax: 2,
  });
  const batchWatch = openEndWatch(db, selectEndedBatches);
  const runWatch = openEndWatch(db, selectEndedRuns);
  void letLibuvStandBack(threadNice(config));
  const batchFollower = followBatches((batches) => readFollowed(db, batches));
  const workspaceFollower = new WorkspaceFollower(db);
  const scripts = lazyScriptPool({
    threads: config.SCRIPT_TEST_THREADS,
    limits: scriptLimits(config),
    nice: threadNice(config),
  });
  const callsInHand = new CallsInHand({ ofOneMax: config.CALLS_OF_ONE_MAX });
  const areSeveral = () => callsInHand.areSeveral;
  const standby = openStandby(config, db, log);
  return {
    config,
    log,
    db,
    databaseUrl,
    queues,
    provider,
    redis,
    operatorToken,
    signIns: attempts('workspace-sign-in'),
    namedSignIns: attempts('named-sign-in', config.SIGN_IN_ATTEMPTS_BY_NAME),
    passwords: new Passwords(),
    ceremonies: attempts('sign-in-ceremony', config.SIGN_IN_ATTEMPTS * 30),
    operatorSignIns: attempts('sign-in'),
    guesses: openGuessLimit(attempts('guess', config.GUESSES_MAX, config.GUESSES_SECONDS)),
    signInCodes: openSignInCodes(),
    webPool,
    labels,
    documents,
    pictures,
    batchWatch,
    runWatch,
    scripts,
    decompressors: openShare('decompressors', { units: config.DECOMPRESSION_BYTES_MAX }),
    streams: openShare('streams', { units: config.STREAMS_MAX }),
    linkDownloads: openShare('linkDownloads', {
      units: config.STREAMS_MAX,
      ofOneMax: config.CSV_LINK_DOWNLOADS,
    }),
    batchFollower,
    workspaceFollower,
    scriptThreads: shareScriptThreads(config.SCRIPT_TEST_THREADS, { areSeveral, costs }),
    costs,
    moverOf,
    callsInHand,
    standby,
    longReads: new LongReads({ most: config.LONG_READS_MAX, areSeveral, costs }),
    adjustments: new CombinedCalls(db, config, adjusting),
    transfers: new CombinedCalls(db, config, transferring),
    procurement: gatherProcurement(db, config),
    ledgerReads: new LedgerReads(config.LEDGER_PROOFS_MAX),
    readiness: new Readiness({ db, queues, config }),
    csvReaders: { busy: 0 },
    closeWeb: async () => {
      batchWatch.close();
      runWatch.close();
      batchFollower.close();
      workspaceFollower.close();
      await webPool.close();
      await labels.close();
      await documents.close();
      await pictures.close();
      await scripts.close();
      await standby?.close();
      redis?.disconnect();
    },
  };
}

/** How long a read waits for its share of a standby's connections: the primary answers it otherwise. */
const STANDBY_PATIENCE_MS = 1000;

function openStandby(config: Config, primary: Db, log: Logger): StandbyReads | null {
  const { DATABASE_STANDBY_URL: url, STANDBY_LAG_SECONDS, DATABASE_POOL_MAX, LOCK_TIMEOUT_MS } = config;
  if (url === undefined) return null;
  const options = {
    url,
    readsOnly: true,
    poolMax: DATABASE_POOL_MAX,
    applicationName: 'partbook',
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    answerMsMax: config.DATABASE_ANSWER_SECONDS * 1000,
    patienceMs: STANDBY_PATIENCE_MS,
    wire: wireOf(config),
    log,
  };
  const open = () => connectMapped(options, mappedEntities);
  return new StandbyReads({ primary, open, lagMsMax: STANDBY_LAG_SECONDS * 1000, log });
}
