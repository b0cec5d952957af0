/**
 * Events leave a transaction through the outbox, in the same transaction as their cause, many in a row; and
 * only where somebody listens, so that a workspace without automations pays nothing.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { actorOf } from '../db/acting.ts';
import { newId } from '../db/ids.ts';
import { jsonPortions } from '../db/json-portions.ts';
import type { Tx } from '../db/transaction.ts';
import { currentTraceparent } from '../telemetry/tracing.ts';
import { causeOf } from './cause.ts';
import { insertOutboxRow, replaceListening, selectListened, selectListenedHere } from './outbox.sql.ts';

/** The numeric context types of the interface (contract §5.1). */
export const contextTypes = {
  lifecycleTransition: 1,
  importCompleted: 2,
  entityCreated: 3,
  entityUpdated: 4,
  feature: 5,
  stockMoved: 6,
  orderChanged: 7,
  schedule: 8,
  thresholdCrossed: 9,
  importNotClean: 10,
  belowReorderPoint: 11,
  planningFinished: 12,
} as const;

/** Kinds of events for webhooks alone, numbered separately. */
const outwardTypes = { ledgerDigest: 101 } as const;
const eventKinds = { ...contextTypes, ...outwardTypes };

/** Kinds of events for the inbox of members alone. */
const inboxTypes = { commentWritten: 201 } as const;
const recordedKinds = { ...eventKinds, ...inboxTypes };

export type ContextType = keyof typeof contextTypes;
export type EventKind = keyof typeof eventKinds;
/** Kinds of events that are recorded. */
export type RecordedKind = keyof typeof recordedKinds;
export const eventKindNames = Object.keys(eventKinds) as EventKind[];
export const contextTypeNames = Object.keys(contextTypes) as ContextType[];

export function isContextType(id: number): boolean {
  return contextTypeNames.some((name) => contextTypes[name] === id);
}

export function contextTypeOf(id: number): ContextType {
  const name = contextTypeNames.find((one) => contextTypes[one] === id);
  if (name === undefined) throw new Error(`${id} is no context type`);
  return name;
}

export function eventKindOf(id: number): EventKind {
  const name = eventKindNames.find((one) => eventKinds[one] === id);
  if (name === undefined) throw new Error(`${id} is no kind of event`);
  return name;
}

export function numberOfEvent(kind: RecordedKind): number {
  return recordedKinds[kind];
}

/** The context types that some enabled automation or webhook of the workspace listens to. */
export async function listenedTo(tx: Tx): Promise<ReadonlySet<ContextType>> {
  const rows = await tx.query<{ context_type: number }>(selectListened, [tx.workspaceId]);
  return contextTypesOf(rows.map((row) => row.context_type));
}

export function contextTypesOf(numbers: readonly number[]): ReadonlySet<ContextType> {
  return new Set(contextTypeNames.filter((name) => numbers.includes(contextTypes[name])));
}

/** The slug of the transaction's workspace where somebody listens to such events there; null where nobody does. */
export async function listeningSlug(tx: Tx, kind: RecordedKind): Promise<string | null> {
  const [slug = null] = await listeningSlugs(tx, [kind]);
  return slug;
}

/** Returns the slugs for several kinds, in their order, in one statement. */
export async function listeningSlugs(tx: Tx, kinds: readonly RecordedKind[]): Promise<(string | null)[]> {
  const numbers = kinds.map(numberOfEvent);
  const rows = await tx.queryPrepared<{ context_type: number; slug: string }>(selectListenedHere, [
    tx.workspaceId,
    numbers,
  ]);
  return numbers.map((number) => rows.find((row) => row.context_type === number)?.slug ?? null);
}

export interface RecordOptions {
  /** The event is this queued run's alone: it is handed to no other automation. */
  targetRunId?: string;
  /** It repeats an event that webhooks have already received. */
  silent?: boolean;
  /** Automations do not hear it. */
  webhooksOnly?: boolean;
  /** Id of the row, for a single event. */
  id?: string;
  /** The actor that caused the events, where it is not that of the transaction. */
  actorId?: string | null;
}

/**
 * Writes events of one kind; each is the `context` object that automations receive. Inside a run of an
 * automation they carry the run as their cause.
 */
export async function recordEvents(
  tx: Tx,
  kind: RecordedKind,
  events: readonly object[],
  options: RecordOptions = {},
): Promise<void> {
  const cause = causeOf(tx);
  const isOfInbox = kind in inboxTypes;
  const actorId = options.actorId === undefined ? actorOf(tx) : options.actorId;
  for (const { json, rows } of jsonPortions(events)) {
    await tx.queryPrepared(insertOutboxRow, [
      tx.workspaceId,
      options.id ?? newId(),
      recordedKinds[kind],
      packEvents(json),
      rows,
      cause?.depth ?? 0,
      cause?.runId ?? null,
      cause?.rootId ?? null,
      options.targetRunId ?? null,
      isOfInbox || options.silent === true,
      isOfInbox || kind in outwardTypes || options.webhooksOnly === true,
      currentTraceparent(),
      options.silent === true || options.targetRunId !== undefined,
      actorId,
    ]);
  }
}

function packEvents(json: string): Buffer {
  return zstdCompressSync(Buffer.from(json), {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  });
}

export function unpackEvents(packed: Uint8Array): Record<string, unknown>[] {
  return JSON.parse(zstdDecompressSync(packed).toString());
}

/**
 * Keeps in step who listens to what, in the transaction that makes, changes or removes a listener. It hears these and
 * no others; none at all where it is disabled or gone.
 */
export async function setListening(
  tx: Tx,
  listenerId: string,
  kinds: readonly RecordedKind[],
): Promise<void> {
  const numbers = kinds.map(numberOfEvent);
  await tx.query(replaceListening, [tx.workspaceId, listenerId, numbers]);
}
