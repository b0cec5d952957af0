/** Sends an answer as it is made, no faster than the client takes it. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { WorkspaceCall } from '../../http/route.ts';

/** `{ "items": [...] }` of portions of serialised items. */
export function streamItems(call: WorkspaceCall, portions: AsyncIterable<string[]>): Promise<void> {
  return streamJson(call, textOf(portions));
}

/** JSON in pieces. What fails half-way cuts the connection: half an answer must not pass as whole. */
export async function streamJson(call: WorkspaceCall, pieces: AsyncIterable<string>): Promise<void> {
  const { req, res } = call;
  res.statusCode = 200;
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Cache-Control', 'no-store');
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  await pipeline(Readable.from(pieces, { objectMode: false, highWaterMark: 64 * 1024 }), res);
}

async function* textOf(portions: AsyncIterable<string[]>): AsyncGenerator<string> {
  let before = '{"items":[';
  for await (const portion of portions) {
    yield before + portion.join(',');
    before = ',';
  }
  yield ']}';
}
