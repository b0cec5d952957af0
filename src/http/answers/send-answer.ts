/** Turns a handler's answer into bytes and headers, and sends it; conditional reads are answered here. */
import type { Request, Response } from 'express';
import type { KeptAnswer } from '../../idempotency/idempotency-key.ts';
import type { Answer } from '../answer.ts';
import { matchesNone } from '../entity-tag.ts';

const nothing = Buffer.alloc(0);

export function encodeAnswer(answer: Answer): KeptAnswer {
  const bytes =
    answer.bytes ?? (answer.body === undefined ? nothing : Buffer.from(JSON.stringify(answer.body)));
  const headers: Record<string, string> = { ...answer.headers };
  if (bytes.length > 0 && headers['Content-Type'] === undefined) headers['Content-Type'] = 'application/json';
  if (answer.etag !== undefined) headers.ETag = `"${answer.etag}"`;
  return { status: answer.status, headers, bytes };
}

/** Returns how many bytes the answer has. */
export function sendAnswer(req: Request, res: Response, answer: Answer): number {
  const { status, headers, bytes } = encodeAnswer(answer);
  // What a key may see is nobody else's; with a tag it may be kept, but is asked for again.
  res.setHeader('Cache-Control', headers.ETag === undefined ? 'no-store' : 'private, no-cache');
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  const reads = req.method === 'GET' || req.method === 'HEAD';
  if (reads && answer.etag !== undefined && matchesNone(req.get('if-none-match'), answer.etag)) {
    res.removeHeader('Content-Type');
    res.statusCode = 304;
    res.end();
    return bytes.length;
  }
  res.statusCode = status;
  if (status !== 204) res.setHeader('Content-Length', bytes.length);
  res.end(bytes);
  return bytes.length;
}
