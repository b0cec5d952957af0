/** Begins an answer of Server-Sent Events. */
import type { Response } from 'express';

/** After this time a client connects again when its stream ended. */
const RECONNECT_MS = 2000;
/** A reader that takes nothing for so many heartbeats is given up. */
export const UNREAD_HEARTBEATS = 4;
/** A comment by which a quiet stream says that it lives. */
export const STILL_HERE = ': still here\n\n';

/** Returns whether events can follow: the answer to a HEAD ends with its headers. */
export function openEventStream(res: Response): boolean {
  res.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  res.flushHeaders();
  if (res.writableEnded) return false;
  res.write(`retry: ${RECONNECT_MS}\n\n`);
  return true;
}
