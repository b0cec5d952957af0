/** Sends a table as a download, page by page, one of few that a process has open at a time. */
import { inStream } from './in-stream.ts';
import type { WorkspaceCall } from './route.ts';
import { sendPieces } from './send-pieces.ts';

/** The answer of a route is written when this resolves. Throws `too_many_streams`. */
export async function sendTable(
  call: WorkspaceCall,
  fileName: string,
  lines: AsyncIterable<string>,
): Promise<null> {
  const { req, res } = call;
  await inStream(call, async () => {
    res.statusCode = 200;
    res.setHeader('Content-Type', 'text/csv; charset=utf-8');
    res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Vary', 'Accept');
    res.flushHeaders();
    if (req.method !== 'HEAD') await sendPieces(call, lines, { highWaterMark: 2 });
  });
  return null;
}
