/** Ends a read when its caller has gone. */

/** How long a statement of a read runs on after its caller has disconnected: a new connection costs more than a short statement. */
const LEFT_ALONE_MS = 100;

/** Gives the connection up when the caller has gone and the transaction has not ended soon after. */
export function whenGone(gone: AbortSignal | undefined, leave: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(leave, LEFT_ALONE_MS);
  };
  if (gone?.aborted === true) wait();
  else gone?.addEventListener('abort', wait, { once: true });
  return () => {
    clearTimeout(timer);
    gone?.removeEventListener('abort', wait);
  };
}
