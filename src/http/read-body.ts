/**
 * Reading a request's body: decompressed as it arrives, counted as it is decompressed. A bomb is refused
 * at the limit and not a byte later, because nothing reads ahead of the count.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Request, Response } from 'express';
import { AppError } from '../errors.ts';
import { locateJsonFault } from './locate-json-fault.ts';

const decompressors: Record<string, () => Duplex> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
  deflate: () => createInflate(),
};

/** A refused body is read on and thrown away within these bounds, so that the client gets to read the answer. */
const DISCARD_BYTES_MAX = 16 * 1024 * 1024;
const DISCARD_MS_MAX = 2_000;

/**
 * The body's bytes, decompressed, as they arrive: at most `bytesMax` of them, then `payload_too_large`.
 * Also throws `unsupported_media_type`, `invalid_encoding` and `incomplete_body`. Ends early when `ended` is
 * aborted, also while it waits for the sender. Leaving early leaves the rest unread; the connection stays usable for
 * the answer.
 */
export async function* decodedBody(
  req: IncomingMessage,
  bytesMax: number,
  ended?: AbortSignal,
): AsyncGenerator<Buffer> {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const tooLarge = () => tooLargeError(bytesMax);
  if (encoding === 'identity' || encoding === '') {
    if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge();
    yield* counted(rawChunks(req, ended), bytesMax, tooLarge);
    return;
  }
  const make = decompressors[encoding];
  if (make === undefined) {
    throw new AppError('unsupported_media_type', {
      detail: 'The Content-Encoding is not one of gzip, br, zstd, deflate.',
      headers: { 'Accept-Encoding': 'gzip, br, zstd, deflate' },
    });
  }
  yield* counted(decompressed(req, make(), ended), bytesMax, tooLarge);
}

/** A body for whoever reads it with pauses, and is told meanwhile when its sender has gone. */
export function bodySource(req: IncomingMessage, bytesMax: number) {
  const gone = new AbortController();
  // Complete or not: what has arrived and is not read goes with the connection.
  const onClose = () => {
    if (!req.readableEnded) gone.abort(incompleteBody(req.errored));
  };
  if (req.destroyed) onClose();
  else req.once('close', onClose);
  return { read: (ended: AbortSignal) => decodedBody(req, bytesMax, ended), cut: gone.signal };
}

/**
 * The whole body in one buffer of at most `bytesMax` bytes. Throws as `decodedBody` does, and
 * `request_timeout` when it has not arrived in time: a small body that trickles in holds a connection.
 */
export async function readBody(req: IncomingMessage, bytesMax: number, timeoutMs: number): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AppError('request_timeout', `The body did not arrive within ${timeoutMs / 1000} s.`));
    }, timeoutMs);
  });
  const whole = collect(decodedBody(req, bytesMax));
  // Given up when late wins; it then ends with the connection.
  whole.catch(() => {});
  try {
    return await Promise.race([whole, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function collect(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a body; throws `invalid_json` with line and column. */
export function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new AppError('invalid_json', 'The body is not valid UTF-8.');
  }
  try {
    return JSON.parse(text);
  } catch {
    const { line, column, expected } = locateJsonFault(text) ?? { line: 1, column: 1, expected: 'JSON' };
    throw new AppError('invalid_json', {
      detail: `The body is not valid JSON: at line ${line}, column ${column}, ${expected} was expected.`,
      extensions: { line, column },
    });
  }
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
 * that closes the connection after the answer.
 */
export async function discardBody(req: Request, res: Response): Promise<void> {
  if (req.readableEnded || req.destroyed || !announcesBody(req)) return;
  // Not asked for yet, so not sent: the client waits for the answer instead.
  if (req.get('expect') !== undefined && !req.readableDidRead) {
    res.shouldKeepAlive = false;
    return;
  }
  const done = await new Promise<boolean>((resolve) => {
    let bytes = 0;
    const timer = setTimeout(() => resolve(false), DISCARD_MS_MAX);
    const finish = (whole: boolean) => () => {
      clearTimeout(timer);
      resolve(whole);
    };
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > DISCARD_BYTES_MAX) finish(false)();
    });
    req.once('end', finish(true));
    req.once('close', finish(false));
    req.once('error', finish(false));
    req.resume();
  });
  if (!done) {
    req.pause();
    res.shouldKeepAlive = false;
  }
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

async function* rawChunks(req: IncomingMessage, ended?: AbortSignal): AsyncGenerator<Buffer> {
  const arrived: Buffer[] = [];
  let wake = () => {};
  const onEvent = () => wake();
  // Chunk by chunk as they came: read() would join all that wait, and leave them to be collected.
  const onData = (chunk: Buffer) => {
    req.pause();
    arrived.push(chunk);
    wake();
  };
  req.on('data', onData);
  for (const event of endings) req.on(event, onEvent);
  ended?.addEventListener('abort', onEvent);
  try {
    while (ended?.aborted !== true) {
      const chunk = arrived.shift();
      if (chunk !== undefined) {
        yield chunk;
        continue;
      }
      if (req.readableEnded) return;
      if (req.destroyed) throw incompleteBody(req.errored);
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      req.resume();
      await woken;
    }
  } finally {
    // Destroying the request would take the socket, and the answer, with it.
    req.pause();
    req.off('data', onData);
    for (const event of endings) req.off(event, onEvent);
    ended?.removeEventListener('abort', onEvent);
  }
}

const endings = ['end', 'error', 'close'] as const;

async function* decompressed(
  req: IncomingMessage,
  decompressor: Duplex,
  ended?: AbortSignal,
): AsyncGenerator<Buffer> {
  const isOver = () => ended?.aborted === true;
  // Neither event comes a second time.
  if (isOver()) return;
  if (req.destroyed && !req.readableEnded) throw incompleteBody(req.errored);
  let cutOff = false;
  // A body that has arrived whole is cut off too, where the connection takes what is not read of it along.
  const onCut = (error?: Error) => {
    if (req.readableEnded) return;
    cutOff = true;
    decompressor.destroy(error ?? new Error('aborted'));
  };
  const onEnded = () => decompressor.destroy(new Error('ended'));
  req.on('error', onCut);
  req.on('close', onCut);
  ended?.addEventListener('abort', onEnded);
  req.pipe(decompressor);
  try {
    for await (const chunk of decompressor) yield chunk as Buffer;
  } catch (error) {
    if (isOver()) return;
    if (cutOff) throw incompleteBody(error);
    if (error instanceof AppError) throw error;
    throw new AppError('invalid_encoding', {
      detail: `The body is not valid ${req.headers['content-encoding']}.`,
      cause: error,
    });
  } finally {
    req.unpipe(decompressor);
    req.off('error', onCut);
    req.off('close', onCut);
    ended?.removeEventListener('abort', onEnded);
    decompressor.destroy();
  }
}

function incompleteBody(cause: unknown): AppError {
  return new AppError('incomplete_body', { detail: 'The connection ended within the body.', cause });
}

function tooLargeError(bytesMax: number): AppError {
  return new AppError('payload_too_large', {
    detail: `The body has more than ${bytesMax} bytes (counted after decompression).`,
    extensions: { limit: bytesMax },
  });
}
