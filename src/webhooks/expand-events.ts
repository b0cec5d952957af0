/** The handler of `webhook.expand`: what the outbox holds becomes deliveries, portion by portion. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { newId } from '../db/ids.ts';
import { jsonPortions } from '../db/json-portions.ts';
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
/** Characters of JSON of all deliveries of a turn, beyond which no further event is taken. */
const TURN_CHARS_MAX = 64 * 1024 * 1024;
/** Characters of one message. The largest part of a longer one is left out. */
export const MESSAGE_CHARS_MAX = 4 * 1024 * 1024;

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
  const deliveries = new Deliveries();
  const read: string[] = [];
  for (const row of rows) {
    const stopped = expandRow(row, webhooks, deliveries);
    if (stopped !== null) {
      await tx.query(markPart(READER), [tx.workspaceId, row.id, stopped]);
      break;
    }
    read.push(row.id);
  }
  for (const { json } of jsonPortions(deliveries.rows))
    await tx.query(insertDeliveries, [tx.workspaceId, json]);
  if (read.length > 0) await tx.query(markRead(READER), [tx.workspaceId, read]);
  const [left] = await tx.query<{ any: boolean }>(anyUnread(READER), [tx.workspaceId]);
  const goesOn = left?.any === true;
  const [lane] = await tx.query<{ turn: string }>(passLane, [tx.workspaceId, READER, goesOn, false, 0, 0]);
  return { turn: goesOn ? String(lane?.turn) : null };
}

/** Adds the row's deliveries; where there are enough, the event to go on with the next time. */
function expandRow(row: OutboxRow, webhooks: readonly Listening[], deliveries: Deliveries): number | null {
  const type = eventTypes[eventKindOf(row.context_type)];
  const recordedAt = Date.parse(row.recorded_at);
  const listening = webhooks.filter(
    (one) => one.events.includes(type) && one.enabled_at !== null && Date.parse(one.enabled_at) <= recordedAt,
  );
  if (listening.length === 0) return null;
  const events = unpackEvents(row.events);
  for (let index = row.next; index < events.length; index++) {
    if (deliveries.isFull) return index;
    const payload = messageOf(type, new Date(recordedAt).toISOString(), events[index] ?? {});
    for (const { id: webhookId } of listening)
      deliveries.add({ webhook_id: webhookId, id: newId(), type, payload, traceparent: row.traceparent });
  }
  return null;
}

/** The text of a message. What makes it too large is left out, and the message says so. */
function messageOf(type: EventType, timestamp: string, event: Record<string, unknown>): string {
  const whole = JSON.stringify({ type, timestamp, data: event });
  if (whole.length <= MESSAGE_CHARS_MAX) return whole;
  const data = {
    ...event,
    ...('changes' in event ? { changes: [], changesOmitted: true } : {}),
    ...('parameters' in event ? { parameters: {}, parametersOmitted: true } : {}),
  };
  return JSON.stringify({ type, timestamp, data });
}

/** The deliveries of one turn, counted in rows and characters. */
class Deliveries {
  readonly rows: object[] = [];
  #chars = 0;

  get isFull(): boolean {
    return this.rows.length >= DELIVERIES_MAX || this.#chars >= TURN_CHARS_MAX;
  }

  add(row: { payload: string; [column: string]: unknown }): void {
    this.rows.push(row);
    this.#chars += row.payload.length;
  }
}
