/** Webhooks and deliveries in the form of the API; never with a secret. */
import { rfc3339 } from '../db/time.ts';
import type { Delivery, DeliveryWithPayload, EventType, MessageType, Webhook } from './webhook.schema.ts';

export interface WebhookRow {
  id: string;
  url: string;
  description: string;
  events: EventType[];
  enabled: boolean;
  enabled_at: string | null;
  disabled_reason: string | null;
  failing_since: string | null;
  previous_expires_at: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}

export function showWebhook(row: WebhookRow): Webhook {
  const previous = row.previous_expires_at;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events,
    enabled: row.enabled,
    disabledReason: row.disabled_reason,
    failingSince: timeOf(row.failing_since),
    previousSecretUntil: previous !== null && Date.parse(previous) > Date.now() ? rfc3339(previous) : null,
    createdAt: rfc3339(row.created_at),
    updatedAt: rfc3339(row.updated_at),
  };
}

export function webhookTag(row: WebhookRow): string {
  return `${row.version}-${Date.parse(row.created_at).toString(36)}`;
}

export interface DeliveryRow {
  id: string;
  type: MessageType;
  status: Delivery['status'];
  attempts: number;
  next_attempt_at: string | null;
  last_attempt_at: string | null;
  last_status: number | null;
  last_error: string | null;
  last_duration_ms: number | null;
  created_at: string;
}

/** The `webhook-id` of a delivery's message. */
export function messageIdOf(deliveryId: string): string {
  return `msg_${deliveryId}`;
}

export function showDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    messageId: messageIdOf(row.id),
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.status === 'pending' ? timeOf(row.next_attempt_at) : null,
    lastAttemptAt: timeOf(row.last_attempt_at),
    lastStatus: row.last_status,
    lastError: row.last_error,
    lastDurationMs: row.last_duration_ms,
    createdAt: rfc3339(row.created_at),
  };
}

export function showDeliveryWithPayload(
  row: DeliveryRow & { payload: string; history: DeliveryWithPayload['history'] },
): DeliveryWithPayload {
  return { ...showDelivery(row), payload: JSON.parse(row.payload), history: row.history };
}

function timeOf(timestamp: string | null): string | null {
  return timestamp === null ? null : rfc3339(timestamp);
}
