/** The web process's thread that takes bodies in, so that the event loop does not. */
import { type MessagePort, workerData } from 'node:worker_threads';
import type { Db } from '../src/db/connect.ts';
import { restingState } from '../src/db/resting.ts';
import { isServerAway, lacksRoom } from '../src/db/server-away.ts';
import { AppError, awayError, restingError } from '../src/errors.ts';
import type { Refusal, TracedStaged, WebThreadOptions } from '../src/sync/batch/web-pool.ts';
import { GuidHash } from '../src/sync/graph/guid-hash.ts';
import type { Intake, IntakeThread } from '../src/sync/intake/accept-batch.ts';
import { BrokenBodyError, receiveBody } from '../src/sync/intake/body-channel.ts';
import type { Staged } from '../src/sync/intake/claim-batch.ts';
import { connectIntake } from '../src/sync/intake/connect-intake.ts';
import { HeldBudget } from '../src/sync/intake/held-budget.ts';
import { stageBatch } from '../src/sync/intake/stage-batch.ts';
import { readSent, type SentPage, type SentQuery } from '../src/sync/sent/read-sent.ts';
import { type ChosenElements, stageResend } from '../src/sync/sent/stage-resend.ts';
import { recordSpans } from '../src/telemetry/record-spans.ts';

let db: Promise<Db> | null = null;
const budget = new HeldBudget();
/** A signal that never aborts, for bodies that have arrived whole. */
const never = new AbortController().signal;
let recorder: ReturnType<typeof recordSpans> | null = null;
const options = workerData as WebThreadOptions;

function connected(): Promise<Db> {
  db ??= connectIntake(options).catch((error: unknown) => {
    db = null;
    throw error;
  });
  return db;
}

/** Accepts a body that has arrived whole as a batch. */
export async function stageWhole(task: {
  bytes: Uint8Array;
  /** The digest of what was sent, where the bytes were made from it. */
  digest: Uint8Array | null;
  intake: Intake;
  /** The trace that the call belongs to; null where there is none. */
  traceparent: string | null;
}): Promise<TracedStaged> {
  if (task.traceparent === null) return { staged: await staged(task), spans: [] };
  recorder ??= recordSpans();
  let spans: TracedStaged['spans'] = [];
  const answer = await recorder.record(
    task.traceparent,
    () => staged(task),
    (recorded) => {
      spans = recorded;
    },
  );
  return { staged: answer, spans };
}

async function staged(task: {
  bytes: Uint8Array;
  digest: Uint8Array | null;
  intake: Intake;
}): Promise<Staged | { refusal: Refusal }> {
  try {
    return await stageBatch(await opened(), task.intake, {
      pieces: (async function* () {
        if (task.bytes.length > 0) yield task.bytes;
      })(),
      cut: never,
      digest: () => task.digest,
    });
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

async function opened(): Promise<IntakeThread> {
  const { limits, inlineElementsMax } = options;
  return { db: await connected(), budget, limits, inlineElementsMax, hashOfBody: () => new GuidHash() };
}

/** Reads the body from the port and accepts it as a batch. */
export async function stage(task: {
  port: MessagePort;
  intake: Intake;
}): Promise<Staged | { refusal: Refusal }> {
  try {
    const body = receiveBody(task.port);
    return await stageBatch(await opened(), task.intake, body);
  } catch (error) {
    return { refusal: refusalOf(error) };
  } finally {
    task.port.close();
  }
}

/** Stages elements of an earlier batch as a new one. */
export async function resend(task: {
  intake: Intake;
  chosen: ChosenElements;
}): Promise<Staged | { refusal: Refusal }> {
  try {
    return await stageResend(await opened(), task.intake, task.chosen);
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

/** A page of elements as they were sent; null where they are no longer kept. */
export async function sent(query: SentQuery): Promise<SentPage | null | { refusal: Refusal }> {
  try {
    return await readSent(await connected(), query);
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

/** Structured cloning drops classes: an AppError crosses as its parts, of everything else its stack for the log. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof AppError) {
    const { code, message, errors, extensions, headers } = error;
    return { code, detail: message, errors, extensions, headers };
  }
  const stack = error instanceof Error ? error.stack : String(error);
  if (error instanceof BrokenBodyError) {
    return { code: 'incomplete_body', detail: 'The connection ended within the body.', stack };
  }
  const resting = restingState(error);
  if (resting !== null) return refusalOf(restingError(resting));
  if (!isServerAway(error)) return { code: 'internal_error', detail: 'The intake failed.', stack };
  const away = awayError({ lacksRoom: lacksRoom(error) });
  return { ...refusalOf(away), lacksRoom: lacksRoom(error), stack };
}
