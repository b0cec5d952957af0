/**
 * A batch's progress as Server-Sent Events. Every event is the whole envelope, so resuming needs no history:
 * the id says what the client has seen, and what differs from it is sent.
 */
import type { Response } from 'express';
import { openEventStream, STILL_HERE, UNREAD_HEARTBEATS } from '../../http/answers/open-event-stream.ts';
import type { SyncBatch } from './sync.schema.ts';

export interface ProgressStream {
  /** The batch as it is now. */
  read(): Promise<SyncBatch>;
  /** The batch a little later; null where it is gone, `ended` where nothing more is to be had now. */
  next(ended: AbortSignal): Promise<SyncBatch | null | 'ended'>;
  res: Response;
  /** Aborted when the caller has gone or may not read it any more; the client comes back, and is told then why it may not. */
  gone: AbortSignal;
  /** A stream that says nothing says at least so often that it lives, for proxies cut it. */
  heartbeatMs: number;
  lastEventId: string | undefined;
  /** Aborted when the service stops; the client reconnects elsewhere. */
  closing: AbortSignal;
}

/** Sends `progress` while something changes, then `completed`, `cancelled` or `failed`, and ends. */
export async function streamProgress(stream: ProgressStream): Promise<void> {
  const { read, next, res, lastEventId, closing, heartbeatMs } = stream;
  let seen = lastEventId;
  let spokenAt = Date.now();
  const ended = AbortSignal.any([closing, stream.gone]);
  // The first read may refuse (no such batch): nothing has been sent by then.
  let batch = await read();
  if (batch.finishedAt !== null && seen === idOf(batch)) {
    // The one answer after which a browser's EventSource does not come back.
    res.writeHead(204).end();
    return;
  }
  if (!openEventStream(res)) return;
  for (;;) {
    const finished = batch.finishedAt !== null;
    const id = idOf(batch);
    if (res.writableNeedDrain) {
      // The reader takes nothing: it gets the newest envelope when it goes on, and is given up when it does not.
      if (Date.now() - spokenAt >= UNREAD_HEARTBEATS * heartbeatMs) res.destroy();
    } else if (id !== seen) {
      const event = finished ? batch.status : 'progress';
      res.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(batch)}\n\n`);
      seen = id;
      spokenAt = Date.now();
    } else if (Date.now() - spokenAt >= heartbeatMs) {
      res.write(STILL_HERE);
      spokenAt = Date.now();
    }
    if (finished || ended.aborted) break;
    const later = await next(ended);
    if (ended.aborted || later === null || later === 'ended') break;
    batch = later;
  }
  res.end();
}

/** Differs whenever anything that is shown does. */
function idOf({ status, finishedAt, counts }: SyncBatch): string {
  const { created, updated, skipped, error } = counts;
  return [status, created, updated, skipped, error, finishedAt === null ? '' : Date.parse(finishedAt)].join(
    '-',
  );
}
