/** Compresses answers that are long enough for it, as their readers ask for it. */
import { constants } from 'node:zlib';
import compression from 'compression';
import type { Request, Response } from 'express';

/** Shorter ones fit a packet as they are. */
const COMPRESSED_BYTES_MIN = 1024;

/**
 * The least that pays: of a list of 1.7 MB brotli of quality 4 takes 43 ms of processor time and gzip of level 6 takes 24, which are
 * those packages' defaults; these take 7 and 14 for 3 and 7 % more bytes. Pieces are large, since the event loop hears of each.
 */
const chunkSize = 64 * 1024;

/** For whatever sends its own answers. */
export const compressAnswers = compression({
  threshold: COMPRESSED_BYTES_MIN,
  level: 1,
  chunkSize,
  brotli: { chunkSize, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  filter: isCompressible,
});

/**
 * To be called when the headers of an answer are set and nothing is sent. Its length in bytes, where that is known: what is short, and
 * what nobody wants compressed, is not made ready for it. Four functions on each answer are not much, but what has them outlives collections of
 * the young generation (ADR 81).
 */
export function compressLong(res: Response, bytes: number | null): void {
  // The compressor is let go of when the answer closes, which it must be there to see.
  if (res.closed) return;
  const { req } = res;
  const isLong = bytes === null || bytes >= COMPRESSED_BYTES_MIN;
  if (isLong && req.headers['accept-encoding'] !== undefined) compressAnswers(req, res, () => {});
  else if (isCompressible(req, res)) res.vary('Accept-Encoding');
}

/** Server-Sent Events would wait in the compressor's buffer. */
function isCompressible(req: Request, res: Response): boolean {
  const type = String(res.getHeader('Content-Type') ?? '');
  return !type.startsWith('text/event-stream') && compression.filter(req, res);
}
