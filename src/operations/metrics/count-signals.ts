/**
 * The metrics of a process: what is counted as it happens, from the signals of the service, and what `sample-state.ts`
 * looks up from time to time. Labels have few values, and none names a workspace: their number grows with customers, and
 * with it what Prometheus has to hold. The console (`/admin`) is for questions about one of them.
 */
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
  type RegistryContentType,
} from 'prom-client';
import { queueNames } from '../../queue/catalogue.ts';
import {
  announceFailed,
  answerMissed,
  batchEnded,
  batchStatuses,
  burstFailed,
  callEnded,
  deliveryOutcomes,
  deliveryTried,
  ledgerAhead,
  ledgerVerified,
  ledgerWritten,
  mailOutcomes,
  mailTried,
  scriptEnded,
  scriptOutcomes,
  staleAnswerers,
  staleAsked,
  stepEnded,
  stepNames,
} from '../../telemetry/signals.ts';
import { type StateGauges, stateGauges } from './state-gauges.ts';

/** Buckets of call durations, in seconds: those of OpenTelemetry's HTTP conventions. */
const CALL_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const WORK_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Any other would be the caller's to choose. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface Metrics {
  readonly registry: Registry<RegistryContentType>;
  readonly state: StateGauges;
  /** Counts no further. */
  close(): void;
}

export function countSignals(role: string, version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Gauges by names of counters, which promtool objects to; and they walk over all that is open at each scrape.
  for (const kind of ['handles', 'requests', 'resources'])
    for (const end of ['', '_total']) registry.removeSingleMetric(`nodejs_active_${kind}${end}`);
  new Gauge({
    name: 'partbook_process_info',
    help: 'Always 1: the role and the version of this process.',
    labelNames: ['role', 'version'],
    registers,
  }).set({ role, version }, 1);
  const counted = countersOf(registers);
  startAtZero(counted);
  const stops = [
    callEnded.listen(({ method, route, status, seconds }) =>
      counted.calls.observe(
        {
          http_request_method: METHODS.has(method) ? method : '_OTHER',
          http_route: route,
          http_response_status_code: status,
        },
        seconds,
      ),
    ),
    batchEnded.listen(({ status }) => counted.batches.inc({ status })),
    stepEnded.listen(({ pass, seconds, isFailed }) => {
      counted.steps.observe({ pass }, seconds);
      if (isFailed) counted.stepFailures.inc({ pass });
    }),
    ledgerWritten.listen(({ entries }) => counted.entries.inc(entries)),
    ledgerVerified.listen(({ isSound }) => {
      if (isSound) counted.verified.setToCurrentTime();
      else counted.contradictions.inc();
    }),
    ledgerAhead.listen(({ seconds }) => counted.ahead.set(Math.max(0, seconds))),
    scriptEnded.listen(({ outcome, seconds }) => {
      counted.scripts.inc({ outcome });
      counted.scriptTime.observe(seconds);
    }),
    deliveryTried.listen(({ outcome, seconds }) => {
      counted.deliveries.inc({ outcome });
      counted.deliveryTime.observe(seconds);
    }),
    mailTried.listen(({ outcome }) => counted.mails.inc({ outcome })),
    announceFailed.listen(({ queue }) => counted.announceFailures.inc({ queue })),
    burstFailed.listen(({ sqlStateClass }) => counted.burstFailures.inc({ sqlstate_class: sqlStateClass })),
    answerMissed.listen(() => counted.burstTimeouts.inc()),
    staleAsked.listen(({ answered }) => counted.staleReads.inc({ answered })),
  ];
  return {
    registry,
    state: stateGauges(registers),
    close: () => {
      for (const stop of stops) stop();
      registry.clear();
    },
  };
}

/** The classes of SQLSTATE that statements of the service can end with; 08 stands for a connection that was lost. */
const SQLSTATE_CLASSES = ['08', '22', '23', '25', '26', '40', '42', '53', '54', '55', '57', '58', 'XX', 'P0'];

/** Exports every counter from the start: an alert on an increase sees none where the series begins with the first event. */
function startAtZero(counted: ReturnType<typeof countersOf>): void {
  for (const status of batchStatuses) counted.batches.inc({ status }, 0);
  for (const pass of stepNames) counted.stepFailures.inc({ pass }, 0);
  for (const outcome of scriptOutcomes) counted.scripts.inc({ outcome }, 0);
  for (const outcome of mailOutcomes) counted.mails.inc({ outcome }, 0);
  for (const outcome of deliveryOutcomes) counted.deliveries.inc({ outcome }, 0);
  for (const queue of queueNames) counted.announceFailures.inc({ queue }, 0);
  for (const sqlStateClass of SQLSTATE_CLASSES)
    counted.burstFailures.inc({ sqlstate_class: sqlStateClass }, 0);
  for (const answered of staleAnswerers) counted.staleReads.inc({ answered }, 0);
}

function countersOf(registers: Registry[]) {
  return {
    calls: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Calls by route, from their headers to the end of their answer.',
      labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
      buckets: CALL_BUCKETS,
      registers,
    }),
    batches: new Counter({
      name: 'partbook_sync_batches_total',
      help: 'Batches that this worker has ended, by what they ended as.',
      labelNames: ['status'],
      registers,
    }),
    steps: new Histogram({
      name: 'partbook_sync_chunk_duration_seconds',
      help: 'Steps of batches by pass, with their wait for a thread.',
      labelNames: ['pass'],
      buckets: WORK_BUCKETS,
      registers,
    }),
    stepFailures: new Counter({
      name: 'partbook_sync_chunk_failures_total',
      help: 'Steps of batches that failed, by pass; they are tried again.',
      labelNames: ['pass'],
      registers,
    }),
    entries: new Counter({
      name: 'partbook_ledger_entries_total',
      help: 'Entries of the ledger handed to transactions; one that is run again counts again.',
      registers,
    }),
    verified: new Gauge({
      name: 'partbook_ledger_verified_timestamp_seconds',
      help: 'When this worker last found every ledger that was due in accord with its digest; 0 before the first time.',
      registers,
    }),
    contradictions: new Counter({
      name: 'partbook_ledger_contradictions_total',
      help: 'Ledgers that were found to contradict their last digest.',
      registers,
    }),
    ahead: new Gauge({
      name: 'partbook_ledger_ahead_seconds',
      help: 'How far ahead of the clock of PostgreSQL the last entry had to be dated, because its position was.',
      registers,
    }),
    scripts: new Counter({
      name: 'partbook_script_runs_total',
      help: 'Runs of automations by what became of them; killed: a limit of time or memory ended it.',
      labelNames: ['outcome'],
      registers,
    }),
    scriptTime: new Histogram({
      name: 'partbook_script_duration_seconds',
      help: 'Runs of automations, without their wait for a thread.',
      buckets: WORK_BUCKETS,
      registers,
    }),
    mails: new Counter({
      name: 'partbook_mail_attempts_total',
      help: 'Attempts at sending mails of automations.',
      labelNames: ['outcome'],
      registers,
    }),
    deliveries: new Counter({
      name: 'partbook_webhook_attempts_total',
      help: 'Attempts at deliveries to webhooks.',
      labelNames: ['outcome'],
      registers,
    }),
    deliveryTime: new Histogram({
      name: 'partbook_webhook_attempt_duration_seconds',
      help: 'Attempts at deliveries to webhooks.',
      buckets: WORK_BUCKETS,
      registers,
    }),
    announceFailures: new Counter({
      name: 'partbook_queue_announce_failures_total',
      help: 'Jobs that could not be announced; healing announces them.',
      labelNames: ['queue'],
      registers,
    }),
    burstFailures: new Counter({
      name: 'partbook_db_burst_failures_total',
      help: 'Bursts of statements that failed, by the class of their SQLSTATE.',
      labelNames: ['sqlstate_class'],
      registers,
    }),
    burstTimeouts: new Counter({
      name: 'partbook_db_burst_timeouts_total',
      help: 'Connections given up because PostgreSQL said nothing while an answer was owed.',
      registers,
    }),
    staleReads: new Counter({
      name: 'partbook_db_stale_reads_total',
      help: 'Reads that might be a moment old, by who answered them: a standby, or the primary where none could.',
      labelNames: ['answered'],
      registers,
    }),
  };
}
