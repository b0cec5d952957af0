/** Turns a handler's answer into bytes and headers, and sends it; conditional reads are answered here. */
import type { Request, Response } from 'express';
import type { KeptAnswer } from '../../idempotency/idempotency-key.ts';
import type { Answer } from '../answer.ts';
import { matchesNone } from '../entity-tag.ts';

const nothing = Buffer.alloc(0);

export function encodeAnswer(answer: Answer): KeptAnswer {
  const bytes =
    answer.bytes ?? (answer.body === undefined ? nothing : Buffer.from(JSON.stringify(answer.body)));
  return { status: answer.status, headers: headersOf(answer, bytes.length), bytes };
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
  const body = answer.bytes ?? (answer.body === undefined ? nothing : JSON.stringify(answer.body));
  const length = Buffer.byteLength(body);
  const headers = headersOf(answer, length);
  // What a key may see is nobody else's; with a tag it may be kept, but is asked for again.
  res.setHeader('Cache-Control', headers.ETag === undefined ? 'no-store' : 'private, no-cache');
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  const reads = req.method === 'GET' || req.method === 'HEAD';
  if (reads && answer.etag !== undefined && matchesNone(req.get('if-none-match'), answer.etag)) {
    res.removeHeader('Content-Type');
    res.statusCode = 304;
    res.end();
    return length;
  }
  res.statusCode = status;
  if (status !== 204) res.setHeader('Content-Length', length);
  res.end(body);
  return length;
}
