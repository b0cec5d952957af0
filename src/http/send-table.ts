/** Sends a table as a download, page by page, one of few that a process has open at a time. */
import { inStream } from './in-stream.ts';
import type { WorkspaceCall } from './route.ts';
import { sendPieces } from './send-pieces.ts';

/** The answer of a route is written when this resolves. Throws `too_many_streams`, and what the first of the lines throws. */
export async function sendTable(
  call: WorkspaceCall,
  fileName: string,
  lines: AsyncIterable<string>,
): Promise<null> {
  const { req, res } = call;
  await inStream(call, async () => {
    const table = await begin(lines);
    res.statusCode = 200;
    res.setHeader('Content-Type', 'text/csv; charset=utf-8');
    res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Vary', 'Accept');
    res.flushHeaders();
    if (req.method !== 'HEAD') await sendPieces(call, table, { highWaterMark: 2 });
  });
  return null;
}

/** The same, when the header line and the first page are there: what cannot be read is refused, and is not a table that breaks off. */
async function begin(lines: AsyncIterable<string>): Promise<AsyncIterable<string>> {
  const rest = lines[Symbol.asyncIterator]();
  const begun = [await rest.next(), await rest.next()];
  async function* all() {
    for (let piece = begun.shift(); piece?.done === false; piece = begun.shift() ?? (await rest.next()))
      yield piece.value;
  }
  return all();
}
