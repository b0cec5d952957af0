/** Streams the changes of a workspace as Server-Sent Events, for as long as the caller may see them. */
import type { Response } from 'express';
import { openEventStream, STILL_HERE, UNREAD_HEARTBEATS } from '../http/answers/open-event-stream.ts';
import type { Change } from './compare-looks.ts';
import type { Tell } from './follow-workspaces.ts';

export interface ChangeStream {
  follow(tell: Tell): () => void;
  res: Response;
  /** Aborted when the caller has gone or may not read it any more; the client comes back, and is told then why it may not. */
  gone: AbortSignal;
  /** How often a quiet stream says that it lives. */
  heartbeatMs: number;
  /** Aborted when the service stops; the client reconnects elsewhere. */
  closing: AbortSignal;
}

export async function streamChanges({
  follow,
  res,
  gone,
  heartbeatMs,
  closing,
}: ChangeStream): Promise<void> {
  if (!openEventStream(res)) return;
  res.write('event: open\ndata: {}\n\n');
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let missed = false;
  let unreadSince: number | null = null;
  const send = ({ event, data }: Change) => res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const leave = follow((changes) => {
    if (changes === null) return end();
    // A reader that takes nothing gets no further events, which would pile up. It is told so when it reads again.
    if (res.writableNeedDrain) missed = true;
    else for (const change of changes) send(change);
  });
  res.on('drain', () => {
    unreadSince = null;
    if (missed) res.write('event: missed\ndata: {}\n\n');
    missed = false;
  });
  const beat = setInterval(() => {
    if (res.writableNeedDrain) {
      unreadSince ??= Date.now();
      if (Date.now() - unreadSince >= UNREAD_HEARTBEATS * heartbeatMs) res.destroy();
      return;
    }
    res.write(STILL_HERE);
  }, heartbeatMs);
  res.once('close', end);
  const over = AbortSignal.any([closing, gone]);
  over.addEventListener('abort', () => end());
  try {
    if (!over.aborted) await ended;
  } finally {
    clearInterval(beat);
    leave();
    res.end();
  }
}
