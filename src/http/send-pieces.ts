/** Sends an answer as it is made: no faster than its reader takes it, and no longer than the caller may have it. */
import { Readable, type ReadableOptions } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { WorkspaceCall } from './route.ts';
import { whileAdmitted } from './while-admitted.ts';

/** What fails half-way cuts the connection: half an answer must not pass as whole. */
export async function sendPieces(
  call: WorkspaceCall,
  pieces: AsyncIterable<string | Uint8Array>,
  buffering: Pick<ReadableOptions, 'objectMode' | 'highWaterMark'>,
): Promise<void> {
  await pipeline(Readable.from(whileAdmitted(call, pieces), buffering), call.res);
}
