/** The handler of `webhook.expand`: what the outbox holds becomes deliveries, portion by portion. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { newId } from '../db/ids.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import {
  anyUnread,
  type Lane,
  markPart,
  markRead,
  passLane,
  selectUnread,
  takeLane,
} from '../events/outbox.sql.ts';
import { eventKindOf, unpackEvents } from '../events/record-events.ts';
import type { Queues } from '../queue/queues.ts';
import { announceDeliveries } from './announce-deliveries.ts';
import { type EventType, eventTypes } from './webhook.schema.ts';
import { insertDeliveries, selectListening } from './webhook.sql.ts';

export interface EventExpander {
  config: Config;
  log: Logger;
  db: Db;
  queues: Queues;
}

interface OutboxRow {
  id: string;
  context_type: number;
  events: Buffer;
  recorded_at: string;
  traceparent: string | null;
  next: number;
}

interface Listening {
  id: string;
  events: EventType[];
  enabled_at: string | null;
}

const READER = 'webhook';
const ROWS_MAX = 20;
/** Deliveries that one turn writes. */
const DELIVERIES_MAX = 1000;

export async function expandEvents(
  worker: EventExpander,
  { workspaceId, turn }: { workspaceId: string; turn: string },
): Promise<void> {
  const next = await inTransaction(worker.db, { workspaceId }, async (tx) => {
    const [lane] = await tx.query<Lane>(takeLane, [workspaceId, READER, turn]);
    return lane === undefined ? null : expandPortion(tx);
  });
  if (next === null) return;
  await announceDeliveries(worker, { workspaceId });
  if (next.turn !== null) await worker.queues.announce('webhook.expand', { workspaceId, turn: next.turn });
}

async function expandPortion(tx: Tx): Promise<{ turn: string | null }> {
  const rows = await tx.query<OutboxRow>(selectUnread(READER), [tx.workspaceId, ROWS_MAX]);
  const webhooks = await tx.query<Listening>(selectListening, [tx.workspaceId]);
  const deliveries: object[] = [];
  const read: string[] = [];
  for (const row of rows) {
    const stopped = expandRow(row, webhooks, deliveries);
    if (stopped !== null) {
      await tx.query(markPart(READER), [tx.workspaceId, row.id, stopped]);
      break;
    }
    read.push(row.id);
  }
  if (deliveries.length > 0) await tx.query(insertDeliveries, [tx.workspaceId, JSON.stringify(deliveries)]);
  if (read.length > 0) await tx.query(markRead(READER), [tx.workspaceId, read]);
  const [left] = await tx.query<{ any: boolean }>(anyUnread(READER), [tx.workspaceId]);
  const goesOn = left?.any === true;
  const [lane] = await tx.query<{ turn: string }>(passLane, [tx.workspaceId, READER, goesOn, false, 0, 0]);
  return { turn: goesOn ? String(lane?.turn) : null };
}

/** Adds the row's deliveries; where there are enough, the event to go on with the next time. */
function expandRow(row: OutboxRow, webhooks: readonly Listening[], deliveries: object[]): number | null {
  const type = eventTypes[eventKindOf(row.context_type)];
  const recordedAt = Date.parse(row.recorded_at);
  const listening = webhooks.filter(
    (one) => one.events.includes(type) && one.enabled_at !== null && Date.parse(one.enabled_at) <= recordedAt,
  );
  if (listening.length === 0) return null;
  const events = unpackEvents(row.events);
  for (let index = row.next; index < events.length; index++) {
    if (deliveries.length >= DELIVERIES_MAX) return index;
    const payload = JSON.stringify({
      type,
      timestamp: new Date(recordedAt).toISOString(),
      data: events[index],
    });
    for (const { id: webhookId } of listening)
      deliveries.push({ webhook_id: webhookId, id: newId(), type, payload, traceparent: row.traceparent });
  }
  return null;
}
