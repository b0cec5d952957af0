/**
 * The handler of `webhook.deliver`: sends what is due for one webhook. Deliveries are leased, sent outside of
 * any transaction, and noted: one that was sent by a process that died then is sent again with the same
 * `webhook-id`, by which receivers tell.
 */
import type { Actor } from '../access/actor.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { leaseSeconds } from './announce-deliveries.ts';
import { disableWebhook } from './change-webhook.ts';
import type { WebhookWorker } from './expand-events.ts';
import { type Attempt, postMessage } from './post-message.ts';
import { retryDelay } from './retry-delay.ts';
import { messageIdOf } from './show-webhook.ts';
import { signatureHeaders } from './sign-message.ts';
import {
  beginTurn,
  endTurn,
  leaseDeliveries,
  noteFailure,
  noteSuccess,
  recordAttempt,
} from './webhook.sql.ts';

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
  payload: string;
  attempts: number;
}

/** Rounds of the lanes in one turn; the lease has room for twice as many. */
const ROUNDS = 2;
const GONE = 410;
const service: Actor = { type: 'system', id: '00000000-0000-0000-0000-000000000001', name: 'Partbook' };

export async function deliverMessages(worker: WebhookWorker, ref: DeliverRef): Promise<void> {
  const { config, db, queues } = worker;
  const { workspaceId, webhookId } = ref;
  const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, { workspaceId }, work);
  const begun = await inWorkspace(async (tx) => {
    const [target] = await tx.query<Target>(beginTurn, [workspaceId, webhookId, ref.turn]);
    if (target === undefined) return null;
    // One that fails is asked with one message at a time: it shall not hold what others could use.
    const count = target.failing_since === null ? config.WEBHOOK_LANES * ROUNDS : 1;
    const lease = [workspaceId, webhookId, count, leaseSeconds(config)];
    return { target, due: await tx.query<Leased>(leaseDeliveries, lease) };
  });
  if (begun === null) return;
  const waiting = [...begun.due];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const delivery = next;
      const attempt = await send(worker, begun.target, delivery);
      await inWorkspace((tx) => noteAttempt(worker, tx, webhookId, delivery, attempt));
    }
  };
  await Promise.all(Array.from({ length: config.WEBHOOK_LANES }, lane));
  const [ended] = await inWorkspace((tx) =>
    tx.query<{ turn: string; due: boolean }>(endTurn, [workspaceId, webhookId]),
  );
  if (ended?.due === true) {
    await queues.announce('webhook.deliver', { workspaceId, webhookId, turn: String(ended.turn) });
  }
}

async function send({ config }: WebhookWorker, target: Target, delivery: Leased): Promise<Attempt> {
  const { secret, previous_secret: previous, url } = target;
  const secrets = previous === null ? [secret] : [secret, previous];
  const now = Math.floor(Date.now() / 1000);
  return postMessage(
    {
      url,
      headers: signatureHeaders(messageIdOf(delivery.id), now, delivery.payload, secrets),
      body: delivery.payload,
    },
    { timeoutMs: config.WEBHOOK_TIMEOUT_MS, allowPrivate: config.WEBHOOK_ALLOW_PRIVATE },
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
  const delayMs = error === null ? null : retryDelay(delivery.attempts + 1, config.WEBHOOK_RETRY_BASE_MS);
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
    await tx.query(noteSuccess, [tx.workspaceId, webhookId]);
    return;
  }
  const [failing] = await tx.query<{ minutes: number; enabled: boolean }>(noteFailure, [
    tx.workspaceId,
    webhookId,
  ]);
  if (failing?.enabled !== true) return;
  const reason = reasonToDisable(attempt, failing.minutes, config.WEBHOOK_DISABLE_AFTER_MINUTES);
  if (reason !== null) await disableWebhook(tx, service, webhookId, reason);
}

function reasonToDisable({ status, error }: Attempt, minutes: number, minutesMax: number): string | null {
  if (status === GONE) return 'The receiver answered 410: it wants no more messages.';
  if (minutes < minutesMax) return null;
  const since = minutes >= 120 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes)} minutes`;
  return `No delivery has succeeded for ${since}. The last one failed: ${error}.`;
}
