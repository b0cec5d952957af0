/**
 * Answers that go on as long as their reader likes: each holds a socket, and a page of what it sends. How many are open at
 * once is bounded for the process and shared by workspace.
 */
import { AppError } from '../errors.ts';
import { type FairShare, ShareError } from '../fairness/fair-share.ts';

interface StreamCall {
  ctx: { streams: FairShare };
  workspace: { id: string };
}

/** Does the work of a stream. Throws `too_many_streams`, before anything of it is sent. */
export async function inStream<T>({ ctx, workspace }: StreamCall, work: () => Promise<T>): Promise<T> {
  try {
    return await ctx.streams.run(workspace.id, work);
  } catch (error) {
    if (!(error instanceof ShareError) || error.share !== ctx.streams) throw error;
    throw new AppError('too_many_streams', {
      detail:
        'This workspace has as many streams and downloads open as it can have at once. Close some, or ask for ' +
        'pages instead.',
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  }
}
