/** Sends an answer as it is made, no faster than the client takes it. */

import { sendPieces } from '../../http/answers/send-pieces.ts';
import type { WorkspaceCall } from '../../http/route.ts';

/** `{ "items": [...] }` of portions of serialised items. */
export function streamItems(call: WorkspaceCall, portions: AsyncIterable<string[]>): Promise<void> {
  return streamJson(call, textOf(portions));
}

/** JSON in pieces. */
export function streamJson(call: WorkspaceCall, pieces: AsyncIterable<string>): Promise<void> {
  return sendPieces(call, pieces, {
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    buffering: { objectMode: false, highWaterMark: 64 * 1024 },
  });
}

async function* textOf(portions: AsyncIterable<string[]>): AsyncGenerator<string> {
  let before = '{"items":[';
  for await (const portion of portions) {
    const isEmpty = portion.length === 0;
    if (isEmpty && before.length <= 1) continue;
    yield before + portion.join(',');
    before = isEmpty ? '' : ',';
  }
  yield ']}';
}
