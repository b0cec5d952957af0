/** Sends a table as a download, page by page, one of few that a process has open at a time. */

import { inStream } from '../in-stream.ts';
import type { WorkspaceCall } from '../route.ts';
import { sendPieces } from './send-pieces.ts';

/** Call of a workspace, by a key or a link. */
type TableCall = Pick<WorkspaceCall, 'ctx' | 'req' | 'res' | 'workspace' | 'gone'>;

/** The answer of a route is written when this resolves. Throws `too_many_streams`, and what the first of the lines throws. */
export async function sendTable(
  call: TableCall,
  fileName: string,
  lines: AsyncIterable<string>,
): Promise<null> {
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'no-store',
    Vary: 'Accept',
  };
  await inStream(call, () => sendPieces(call, lines, { headers, buffering: { highWaterMark: 2 } }));
  return null;
}
