/**
 * Reading a request's body: decompressed as it arrives, counted as it is decompressed. A bomb is refused
 * at the limit and not a byte later, because nothing reads ahead of the count.
 */
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { FairShare } from '../../fairness/fair-share.ts';
import { untilGone } from '../until-gone.ts';
import { decompressed, requireEncoding } from './decompress.ts';
import { type ArrivalRate, incompleteBody, rawChunks } from './receive-body.ts';

/** How bodies are read in this process, and for whom. */
export interface BodyReading {
  /** Bytes that all decompressors may use. */
  decompressors: FairShare;
  /** Whom a decompressor counts as. */
  party: string;
  rate: ArrivalRate;
  /** A sentence for the sender of a body that is too large: how to send it instead. */
  wayRound?: string;
}

/** Resources of the process and its configuration for reading bodies. */
interface BodyResources {
  decompressors: FairShare;
  config: Pick<Config, 'UPLOAD_BYTES_PER_SECOND_MIN' | 'UPLOAD_RATE_WINDOW_SECONDS'>;
}

/** How a body is read, for a workspace or for a caller of none. */
export function readingFor({ decompressors, config }: BodyResources, workspaceId = 'instance'): BodyReading {
  const { UPLOAD_BYTES_PER_SECOND_MIN: bytesPerSecond, UPLOAD_RATE_WINDOW_SECONDS: seconds } = config;
  return { decompressors, party: workspaceId, rate: { bytesPerSecond, windowMs: seconds * 1000 } };
}

/** A refused body is read on and thrown away within these bounds, so that the client gets to read the answer. */
const DISCARD_BYTES_MAX = 16 * 1024 * 1024;
const DISCARD_MS_MAX = 2_000;
/** Bytes read after that answer, for clients that have not noticed it yet. */
const LINGER_BYTES_MAX = 64 * 1024 * 1024;
const LINGER_MS_MAX = 5_000;

/**
 * The body's bytes, decompressed, as they arrive: at most `bytesMax` of them, then `payload_too_large`.
 * Also throws `unsupported_media_type`, `invalid_encoding`, `incomplete_body`, `request_timeout` where they arrive too
 * slowly, and a `ShareError` where there is no memory to decompress them. Ends early when `ended` is aborted, also
 * while it waits for the sender. Leaving early leaves the rest unread; the connection stays usable for the answer.
 */
async function* decodedBody(
  req: IncomingMessage,
  bytesMax: number,
  reading: BodyReading,
  ended?: AbortSignal,
): AsyncGenerator<Buffer> {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const tooLarge = () => tooLargeError(bytesMax, reading.wayRound);
  if (encoding === 'identity' || encoding === '') {
    if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge();
    const there = arrived(req, bytesMax);
    if (there !== null) {
      yield there;
      return;
    }
    yield* counted(rawChunks(req, reading.rate, ended), bytesMax, tooLarge);
    return;
  }
  requireEncoding(encoding);
  const left = new AbortController();
  const over = ended === undefined ? left.signal : AbortSignal.any([ended, left.signal]);
  const chunks = rawChunks(req, reading.rate, over);
  const { decompressors: memory, party } = reading;
  try {
    yield* counted(decompressed(chunks, { encoding, memory, party, ended: over }), bytesMax, tooLarge);
  } catch (error) {
    if (ended?.aborted === true) return;
    throw error;
  } finally {
    // Wakes what still waits for the sender.
    left.abort();
    await chunks.return();
  }
}

/** A body for a reader that pauses. The reader learns meanwhile when the sender disconnects. */
export function bodySource(req: IncomingMessage, bytesMax: number, reading: BodyReading) {
  const gone = new AbortController();
  // Complete or not: what has arrived and is not read goes with the connection.
  const onClose = () => {
    if (!req.readableEnded) gone.abort(incompleteBody(req.errored));
  };
  if (req.destroyed) onClose();
  else req.once('close', onClose);
  return {
    read: (ended: AbortSignal) => decodedBody(req, bytesMax, reading, ended),
    cut: gone.signal,
    arrived: () => arrived(req, bytesMax),
  };
}

/**
 * The whole body in one buffer of at most `bytesMax` bytes. Throws as `decodedBody` does, and
 * `request_timeout` when it has not arrived in time: a small body that trickles in holds a connection; and the reason of `gone`.
 */
export async function readBody(
  req: IncomingMessage,
  bytesMax: number,
  timeoutMs: number,
  reading: BodyReading,
  gone: AbortSignal = new AbortController().signal,
): Promise<Buffer> {
  const there = arrived(req, bytesMax);
  if (there !== null) return there;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AppError('request_timeout', `The body did not arrive within ${timeoutMs / 1000} s.`));
    }, timeoutMs);
  });
  const whole = collect(untilGone(gone, decodedBody(req, bytesMax, reading, gone)));
  // Given up when late wins; it then ends with the connection.
  whole.catch(() => {});
  try {
    return await Promise.race([whole, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A plain body that has arrived as a whole, as nearly every small one has when its caller is known; else null. */
function arrived(req: IncomingMessage, bytesMax: number): Buffer | null {
  const { 'content-encoding': encoding, 'content-length': announced } = req.headers;
  if (encoding !== undefined || announced === undefined) return null;
  const bytes = Number(announced);
  if (!req.complete || bytes > bytesMax || bytes === 0 || req.readableLength !== bytes) return null;
  return req.read() as Buffer | null;
}

async function collect(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/** Whether the request announces a body at all. */
export function announcesBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/**
 * Answers `Expect: 100-continue`, which serve.ts leaves open until a body is really wanted: whoever is not
 * authorised is refused before sending it.
 */
export function wantBody(req: Request, res: Response): void {
  if (req.get('expect')?.toLowerCase() === '100-continue' && !res.headersSent) res.writeContinue();
}

/**
 * Gets rid of a body that nobody will read, before an error is answered. What is too long or too slow for
 * that closes the connection after the answer, but not in the face of whoever still sends.
 */
export async function discardBody(req: Request, res: Response): Promise<void> {
  if (req.readableEnded || req.destroyed || !announcesBody(req)) return;
  // Not asked for yet, so not sent: the client waits for the answer instead.
  if (req.get('expect') !== undefined && !req.readableDidRead) {
    res.shouldKeepAlive = false;
    return;
  }
  const done = await discard(req, { bytesMax: DISCARD_BYTES_MAX, forMs: DISCARD_MS_MAX });
  if (done) return;
  res.shouldKeepAlive = false;
  closeSlowly(req);
}

/** Whether the body has ended within the bounds; what comes beyond them waits unread. */
function discard(
  req: IncomingMessage,
  { bytesMax, forMs }: { bytesMax: number; forMs: number },
): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) finish(false);
    };
    const whole = () => finish(true);
    const broken = () => finish(false);
    const timer = setTimeout(broken, forMs);
    const finish = (ended: boolean) => {
      clearTimeout(timer);
      req.pause();
      req.off('data', count).off('end', whole).off('close', broken).off('error', broken);
      resolve(ended);
    };
    req.on('data', count).once('end', whole).once('close', broken).once('error', broken);
    req.resume();
  });
}

/**
 * Node destroys the socket behind a last answer. Where something of the body waits unread then, the kernel resets the
 * connection, and a client that is in the middle of a write hears of that before it has read the answer. So only our side
 * ends, and what still comes is thrown away until the client ends its own.
 */
function closeSlowly(req: IncomingMessage): void {
  const { socket } = req;
  socket.destroySoon = () => {
    socket.end();
    void discard(req, { bytesMax: LINGER_BYTES_MAX, forMs: LINGER_MS_MAX }).then(() => socket.destroy());
  };
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number,
  tooLarge: () => AppError,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge();
    yield chunk;
  }
}

function tooLargeError(bytesMax: number, wayRound?: string): AppError {
  const sentence = `The body has more than ${bytesMax} bytes (counted after decompression).`;
  return new AppError('payload_too_large', {
    detail: wayRound === undefined ? sentence : `${sentence} ${wayRound}`,
    extensions: { limit: bytesMax },
  });
}
