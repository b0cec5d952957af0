/**
 * Writes a large answer no faster than its reader takes it, through one piece of memory: an answer of megabytes in a buffer of its own
 * is as much to be collected, and a compressor that is given all of it at once takes twice as much besides.
 */
import type { Response } from 'express';

const PIECE_BYTES = 64 * 1024;
const encoder = new TextEncoder();

/** Ends the answer with them. Returns without waiting; a caller that disconnects gets no more. */
export function endWithTexts(res: Response, texts: readonly string[]): void {
  let piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  let filled = 0;
  let text = 0;
  let at = 0;
  let isWaiting = false;

  /** Writes as much as there is room for; returns false when nothing is left. */
  const fill = (): boolean => {
    for (;;) {
      const whole = texts[text];
      if (whole === undefined) return false;
      const some = slice(whole, at);
      const { read, written } = encoder.encodeInto(some, piece.subarray(filled));
      at += read;
      filled += written;
      if (at === whole.length) {
        text++;
        at = 0;
      } else if (read < some.length || filled === PIECE_BYTES) return true;
    }
  };
  const go = () => {
    while (!res.destroyed) {
      if (!fill()) {
        res.end(piece.subarray(0, filled));
        return;
      }
      const taken = res.write(piece.subarray(0, filled));
      filled = 0;
      if (!taken) {
        // When there is room again, all that was written has been sent or compressed, and its memory is free.
        isWaiting = true;
        return;
      }
      piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    }
  };
  res.on('drain', () => {
    if (!isWaiting) return;
    isWaiting = false;
    go();
  });
  go();
}

/** Some of the text, which never ends between the halves of a character. */
function slice(text: string, at: number): string {
  const end = at + PIECE_BYTES;
  if (end >= text.length) return at === 0 ? text : text.slice(at);
  const isHigh = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return text.slice(at, isHigh ? end - 1 : end);
}
