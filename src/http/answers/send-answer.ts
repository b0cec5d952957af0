/** Turns a handler's answer into bytes and headers, and sends it; conditional reads are answered here. */
import type { Request, Response } from 'express';
import type { KeptAnswer } from '../../idempotency/idempotency-key.ts';
import type { Answer } from '../answer.ts';
import { matchesNone, tagOfBody } from '../entity-tag.ts';
import { compressLong } from './compress-long.ts';
import { endWithTexts } from './end-with-texts.ts';

const nothing = Buffer.alloc(0);

/** Longer answers are written in pieces. */
const PIECE_BYTES_MAX = 64 * 1024;

export function encodeAnswer(answer: Answer): KeptAnswer {
  const written = answer.bytes ?? textOf(answer);
  const bytes = typeof written === 'string' ? Buffer.from(written) : written;
  return { status: answer.status, headers: headersOf(withTagOf(answer, written), bytes.length), bytes };
}

function textOf({ texts, body }: Answer): string {
  if (texts !== undefined) return texts.join('');
  return body === undefined ? '' : JSON.stringify(body);
}

function headersOf({ headers: own, etag }: Answer, length: number): Record<string, string> {
  const headers: Record<string, string> = { ...own };
  if (length > 0 && headers['Content-Type'] === undefined) headers['Content-Type'] = 'application/json';
  if (etag !== undefined) headers.ETag = `"${etag}"`;
  return headers;
}

/** Returns how many bytes the answer has. */
export function sendAnswer(req: Request, res: Response, answer: Answer): number {
  const { status } = answer;
  // What has not been written yet stays text: Node sends it in one piece with the headers.
  const { texts } = answer;
  const long = texts === undefined ? null : longOf(texts);
  const body = long === null ? (answer.bytes ?? textOf(answer)) : nothing;
  const length = long?.length ?? Buffer.byteLength(body);
  const headers = headersOf(withTagOf(answer, texts ?? body), length);
  // What a key may see is nobody else's; with a tag it may be kept, but is asked for again.
  res.setHeader('Cache-Control', headers.ETag === undefined ? 'no-store' : 'private, no-cache');
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  const reads = req.method === 'GET' || req.method === 'HEAD';
  if (
    reads &&
    headers.ETag !== undefined &&
    matchesNone(req.get('if-none-match'), headers.ETag.slice(1, -1))
  ) {
    res.removeHeader('Content-Type');
    res.statusCode = 304;
    res.end();
    return length;
  }
  res.statusCode = status;
  if (status !== 204) res.setHeader('Content-Length', length);
  compressLong(res, length);
  if (long === null || req.method === 'HEAD') res.end(body);
  else endWithTexts(res, long.texts);
  return length;
}

/** Bytes (pictures, documents) are named by their own hash already. */
function withTagOf(answer: Answer, shown: string | Buffer | readonly string[]): Answer {
  if (answer.etag === undefined || shown.length === 0 || Buffer.isBuffer(shown)) return answer;
  return { ...answer, etag: tagOfBody(answer.etag, typeof shown === 'string' ? [shown] : shown) };
}

/** Returns null if they fit in one piece. */
function longOf(texts: readonly string[]): { texts: readonly string[]; length: number } | null {
  const length = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return length > PIECE_BYTES_MAX ? { texts, length } : null;
}
