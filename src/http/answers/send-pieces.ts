/** Sends an answer as it is made: no faster than its reader takes it, and no longer than the caller may have it. */
import { Readable, type ReadableOptions } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { WorkspaceCall } from '../route.ts';
import { untilGone } from '../until-gone.ts';
import { compressLong } from './compress-long.ts';

type Piece = string | Uint8Array;

/** Pieces read before the head is sent: a header line and the first page. */
const PIECES_AHEAD = 2;

export interface PiecesSent {
  headers: Readonly<Record<string, string>>;
  buffering: Pick<ReadableOptions, 'objectMode' | 'highWaterMark'>;
}

/**
 * The answer of a route is written when this resolves. Throws what the first pieces throw, before anything is sent: what cannot
 * be read is refused, and is no answer that breaks off. What fails later cuts the connection: half an answer must not pass as
 * whole.
 */
export async function sendPieces(
  { res, gone }: Pick<WorkspaceCall, 'res' | 'gone'>,
  pieces: AsyncIterable<Piece>,
  { headers, buffering }: PiecesSent,
): Promise<void> {
  const source = pieces[Symbol.asyncIterator]();
  const rest = untilGone(gone, { [Symbol.asyncIterator]: () => source });
  try {
    const begun: IteratorResult<Piece>[] = [];
    while (begun.length < PIECES_AHEAD && begun.at(-1)?.done !== true) begun.push(await rest.next());
    res.statusCode = 200;
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    compressLong(res, null);
    res.flushHeaders();
    // A HEAD ends with its headers.
    if (res.writableEnded) return;
    await pipeline(Readable.from(all(begun, rest), buffering), res, { signal: gone });
  } catch (error) {
    throw gone.aborted ? gone.reason : error;
  } finally {
    // What has been begun and is not read to its end may hold something.
    await source.return?.();
  }
}

async function* all(
  begun: IteratorResult<Piece>[],
  rest: AsyncIterator<Piece>,
): AsyncGenerator<Piece, void, undefined> {
  for (;;) {
    const next = begun.shift() ?? (await rest.next());
    if (next.done === true) return;
    yield next.value;
  }
}
