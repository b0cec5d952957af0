/** The handler of `webhook.expand`: turns events of the outbox into deliveries, portion by portion (src/events/read-lane.ts). */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { newId } from '../db/ids.ts';
import { jsonPortions } from '../db/json-portions.ts';
import type { Tx } from '../db/transaction.ts';
import { type OutboxRow, type Portion, readLane, type TurnRef } from '../events/read-lane.ts';
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

interface Listening {
  id: string;
  events: EventType[];
  enabled_at: string | null;
}

const ROWS_MAX = 20;
/** Deliveries that one turn writes. */
const DELIVERIES_MAX = 1000;
/** Characters of JSON of all deliveries of a turn, beyond which no further event is taken. */
const TURN_CHARS_MAX = 64 * 1024 * 1024;
/** Characters of one message. The largest part of a longer one is left out. */
export const MESSAGE_CHARS_MAX = 4 * 1024 * 1024;

export async function expandEvents(worker: EventExpander, ref: TurnRef): Promise<void> {
  const { db, log, queues } = worker;
  const passed = await readLane({ db, log, reader: 'webhook', rowsMax: ROWS_MAX }, ref, expandPortion);
  if (passed === null) return;
  const { workspaceId } = ref;
  await announceDeliveries(worker, { workspaceId });
  if (passed.turn !== null) await queues.announce('webhook.expand', { workspaceId, turn: passed.turn });
}

async function expandPortion(tx: Tx, rows: readonly OutboxRow[]): Promise<Portion<null>> {
  const webhooks = await tx.query<Listening>(selectListening, [tx.workspaceId]);
  const deliveries = new Deliveries();
  let next: Portion<null>['next'] = null;
  for (const row of rows) {
    const index = expandRow(row, webhooks, deliveries);
    if (index === null) continue;
    next = { row, index };
    break;
  }
  for (const { json } of jsonPortions(deliveries.rows))
    await tx.query(insertDeliveries, [tx.workspaceId, json]);
  return { next, slow: false, answer: null };
}

/** Adds the row's deliveries. Returns the event to go on with next time, or null if the row is read. */
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
