/**
 * What happens in the workspace, as it happens. A browser opens six connections to one origin: of all tabs one holds
 * the stream (Web Locks) and passes it on (BroadcastChannel). Where a page may not use locks, which browsers allow on
 * secure origins alone, each tab holds a stream while it is looked at.
 */
import type { WorkspaceEvent } from './operations.ts';
import { addressOf, call } from './request.ts';
import { currentSlug } from './workspace.ts';

export type LiveEvent =
  | Extract<WorkspaceEvent, { event: 'batch' | 'run' | 'plan' | 'inbox' }>
  /** Something may have been missed: what is shown is to be asked anew. */
  | { event: 'missed' };

const AGAIN_MS = 5000;

/** Tells of what happens until it is ended. */
export function followWorkspace(tell: (event: LiveEvent) => void, ended: AbortSignal): void {
  const name = `partbook ${currentSlug()}`;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<LiveEvent>) => tell(data);
  ended.addEventListener('abort', () => channel.close());
  const pass = (event: LiveEvent) => {
    if (ended.aborted) return;
    tell(event);
    channel.postMessage(event);
  };
  if ('locks' in navigator) {
    navigator.locks
      .request(name, { signal: ended }, () => holdStream(pass, ended))
      .catch((error: unknown) => {
        // The tab has gone on before its turn came.
        if (!ended.aborted) throw error;
      });
  } else holdWhileVisible(tell, ended);
}

/** Until it is ended; a stream that the service ended is opened again, after a new sign-in where that is wanted. */
async function holdStream(tell: (event: LiveEvent) => void, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await readStream(tell, ended);
    if (ended.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    if (ended.aborted) return;
    // Where the session has ended this asks for a key, and goes on behind it.
    await call('getSession', {}, { signal: ended }).catch(() => undefined);
  }
}

/** Resolves when the browser has given the stream up. */
function readStream(tell: (event: LiveEvent) => void, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stream = new EventSource(addressOf('streamEvents', {}));
    const close = () => {
      stream.close();
      resolve();
    };
    ended.addEventListener('abort', close);
    for (const event of ['batch', 'run', 'plan', 'inbox'] as const) {
      stream.addEventListener(event, ({ data }: MessageEvent<string>) =>
        tell({ event, data: JSON.parse(data) } as LiveEvent),
      );
    }
    for (const event of ['open', 'missed']) {
      // The event that the service sends at the beginning, and the browser's own of that name, say the same.
      stream.addEventListener(event, () => tell({ event: 'missed' }));
    }
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED) close();
    });
  });
}

function holdWhileVisible(tell: (event: LiveEvent) => void, ended: AbortSignal): void {
  let held: AbortController | null = null;
  const look = () => {
    const wanted = document.visibilityState === 'visible' && !ended.aborted;
    if (wanted && held === null) {
      held = new AbortController();
      void holdStream(tell, AbortSignal.any([held.signal, ended]));
    } else if (!wanted) {
      held?.abort();
      held = null;
    }
  };
  document.addEventListener('visibilitychange', look);
  ended.addEventListener('abort', () => document.removeEventListener('visibilitychange', look));
  look();
}
