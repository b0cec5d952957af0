/**
 * The handler of `webhook.deliver`: sends what is due for one webhook. Deliveries are leased, sent outside of
 * any transaction, and noted: one that was sent by a process that died then is sent again with the same
 * `webhook-id`, by which receivers tell.
 */
import type { Actor } from '../actor.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { deliveryTried } from '../telemetry/signals.ts';
import { currentTraceparent, inSpan } from '../telemetry/tracing.ts';
import { announceDeliveries, leaseSeconds } from './announce-deliveries.ts';
import { bringWaitingForward, wasAway } from './bring-forward.ts';
import { disableWebhook } from './change-webhook.ts';
import type { EventExpander } from './expand-events.ts';
import type { Sending } from './open-sending.ts';
import { type Attempt, postMessage } from './post-message.ts';
import { hostOf } from './public-address.ts';
import { retryDelay } from './retry-delay.ts';
import { messageIdOf } from './show-webhook.ts';
import { signatureHeaders } from './sign-message.ts';
import { TEST_TYPE } from './webhook.schema.ts';
import {
  beginTurn,
  endTurn,
  leaseDeliveries,
  noteFailure,
  noteSuccess,
  putTurnOff,
  recordAttempt,
  returnDeliveries,
} from './webhook.sql.ts';

export interface WebhookWorker extends EventExpander {
  sending: Sending;
}

export interface DeliverRef {
  workspaceId: string;
  webhookId: string;
  turn: string;
}

interface Target {
  turn: string;
  url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  failing_since: string | null;
}

interface Leased {
  id: string;
  type: string;
  payload: string;
  attempts: number;
  traceparent: string | null;
}

/** Deliveries after one another in one turn, of those that are sent at once; the lease has room for twice as many. */
const ROUNDS = 2;
/** A receiver that answers within it is done with before the job ends. */
const PATIENCE_MS = 500;
const GONE = 410;
const service: Actor = { type: 'system', id: '00000000-0000-0000-0000-000000000001', name: 'Partbook' };

export async function deliverMessages(worker: WebhookWorker, ref: DeliverRef): Promise<void> {
  const { config, db, sending } = worker;
  const { workspaceId, webhookId } = ref;
  const begun = await inTransaction(db, { workspaceId }, async (tx) => {
    const [target] = await tx.query<Target>(beginTurn, [workspaceId, webhookId, ref.turn]);
    if (target === undefined) return null;
    const host = hostOf(new URL(target.url)).toLowerCase();
    if (!sending.hasRoom(workspaceId, host)) {
      await tx.query(putTurnOff, [workspaceId, webhookId, leaseSeconds(config)]);
      return null;
    }
    // One that fails is asked with one message at a time: it shall not hold what others could use.
    const count = target.failing_since === null ? config.WEBHOOK_SENDS_AT_ONCE * ROUNDS : 1;
    const lease = [workspaceId, webhookId, count, leaseSeconds(config)];
    return { target, host, due: await tx.query<Leased>(leaseDeliveries, lease) };
  });
  if (begun === null) return;
  const { target, host, due } = begun;
  const patienceMs = target.failing_since === null ? PATIENCE_MS : 0;
  await sending.run(workspaceId, host, patienceMs, () => sendAll(worker, ref, target, due));
}

/** Sends what was leased, several at a time; after the first failure no further one is begun. */
async function sendAll(
  worker: WebhookWorker,
  { workspaceId, webhookId }: DeliverRef,
  target: Target,
  due: readonly Leased[],
): Promise<void> {
  const { config, db, sending } = worker;
  const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, { workspaceId }, work);
  const waiting = [...due];
  const unsent: Leased[] = [];
  const sendInOrder = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const delivery = next;
      const attempt = await inSpan(
        () => ({
          name: 'webhook delivery',
          kind: 'client',
          traceparent: delivery.traceparent,
          attributes: { 'partbook.workspace.id': workspaceId, 'partbook.webhook.id': webhookId },
        }),
        () => send(worker, workspaceId, target, delivery),
      );
      deliveryTried.send(() => ({
        outcome: attempt.error === null ? 'delivered' : 'failed',
        seconds: attempt.durationMs / 1000,
      }));
      if (attempt.error !== null) unsent.push(...waiting.splice(0));
      // Nobody knows whether it would have been answered: it is not held against the receiver.
      if (attempt.error !== null && sending.stopping.aborted) unsent.push(delivery);
      else await inWorkspace((tx) => noteAttempt(worker, tx, webhookId, delivery, attempt));
    }
  };
  await Promise.all(Array.from({ length: config.WEBHOOK_SENDS_AT_ONCE }, sendInOrder));
  await inWorkspace(async (tx) => {
    const ids = unsent.map(({ id }) => id);
    if (ids.length > 0) await tx.query(returnDeliveries, [workspaceId, webhookId, ids]);
    await tx.query(endTurn, [workspaceId, webhookId]);
  });
  if (!sending.stopping.aborted) await announceDeliveries(worker, { workspaceId });
}

async function send(
  { config, sending }: WebhookWorker,
  workspaceId: string,
  target: Target,
  delivery: Leased,
): Promise<Attempt> {
  const { secret, previous_secret: previous, url } = target;
  const secrets = previous === null ? [secret] : [secret, previous];
  const now = Math.floor(Date.now() / 1000);
  const traceparent = currentTraceparent();
  return postMessage(
    {
      url,
      headers: {
        ...signatureHeaders(messageIdOf(delivery.id), now, delivery.payload, secrets),
        ...(traceparent === null ? {} : { traceparent }),
      },
      body: delivery.payload,
    },
    {
      timeoutMs: config.WEBHOOK_TIMEOUT_MS,
      allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
      stopping: sending.stopping,
      resolve: (host, signal) => sending.resolve({ workspaceId, host, signal }),
    },
  );
}

async function noteAttempt(
  { config }: WebhookWorker,
  tx: Tx,
  webhookId: string,
  delivery: Leased,
  attempt: Attempt,
): Promise<void> {
  const { status, error, durationMs } = attempt;
  const isTest = delivery.type === TEST_TYPE;
  const delayMs =
    error === null || isTest ? null : retryDelay(delivery.attempts + 1, config.WEBHOOK_RETRY_BASE_MS);
  const becomes = error === null ? 'delivered' : delayMs === null ? 'failed' : 'pending';
  const entry = { at: new Date().toISOString(), status, error, durationMs };
  await tx.query(recordAttempt, [
    tx.workspaceId,
    webhookId,
    delivery.id,
    becomes,
    delayMs,
    status,
    error,
    durationMs,
    JSON.stringify([entry]),
  ]);
  if (error === null) {
    const [ended] = await tx.query<{ failing_since: string }>(noteSuccess, [tx.workspaceId, webhookId]);
    if (isTest || (ended !== undefined && (await wasAway(tx, webhookId, ended.failing_since))))
      await bringWaitingForward(tx, webhookId, config);
    return;
  }
  if (isTest) return;
  const [failing] = await tx.query<{ minutes: number }>(noteFailure, [
    tx.workspaceId,
    webhookId,
    delivery.id,
  ]);
  if (failing === undefined) return;
  const reason = reasonToDisable(attempt, failing.minutes, config.WEBHOOK_DISABLE_AFTER_MINUTES);
  if (reason !== null) await disableWebhook(tx, service, webhookId, reason);
}

function reasonToDisable({ status, error }: Attempt, minutes: number, minutesMax: number): string | null {
  if (status === GONE) return 'The receiver answered 410: it wants no more messages.';
  if (minutes < minutesMax) return null;
  const since = minutes >= 120 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes)} minutes`;
  return `No delivery has succeeded for ${since}. The last one failed: ${error}.`;
}
