/** The web process's thread that takes bodies in, so that the event loop does not. */
import { workerData } from 'node:worker_threads';
import { restingState } from '../src/db/resting.ts';
import { isServerAway, lacksRoom } from '../src/db/server-away.ts';
import { AppError, awayError, restingError } from '../src/errors.ts';
import type { Refusal, StageTask, TracedStaged } from '../src/sync/batch/web-pool.ts';
import type { Intake, IntakeThread } from '../src/sync/intake/accept-batch.ts';
import { BrokenBodyError, receiveBody, wholeBody } from '../src/sync/intake/body-channel.ts';
import type { Staged } from '../src/sync/intake/claim-batch.ts';
import { type IntakeOptions, openIntake } from '../src/sync/intake/open-intake.ts';
import { stageBatch } from '../src/sync/intake/stage-batch.ts';
import { readSent, type SentPage, type SentQuery } from '../src/sync/sent/read-sent.ts';
import { type ChosenElements, stageResend } from '../src/sync/sent/stage-resend.ts';
import { spanRecorder } from '../src/telemetry/record-spans.ts';

const withSpans = spanRecorder();
let thread: Promise<IntakeThread> | null = null;

function opened(): Promise<IntakeThread> {
  thread ??= openIntake(workerData as IntakeOptions).catch((error: unknown) => {
    thread = null;
    throw error;
  });
  return thread;
}

/** Accepts a body as a batch. */
export async function stage({ body, intake, traceparent }: StageTask): Promise<TracedStaged> {
  const arriving = 'port' in body ? receiveBody(body.port) : wholeBody(body.bytes, body.digest);
  const work = async () => {
    try {
      return await stageBatch(await opened(), intake, arriving);
    } catch (error) {
      return { refusal: refusalOf(error) };
    } finally {
      if ('port' in body) body.port.close();
    }
  };
  const { answer, spans } = await withSpans(traceparent, work);
  return { staged: answer, spans };
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
    return await readSent((await opened()).db, query);
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
