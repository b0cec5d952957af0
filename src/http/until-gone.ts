/** Pieces of an answer or of a body, for as long as the caller is there and may have them (`Call.gone`). */

/**
 * Yields the same pieces. Throws the reason of `gone` when it is aborted, also while it waits for the next piece;
 * pieces read by then are not passed on. It does not wait for the reader, which ends by the same signal.
 */
export async function* untilGone<Piece>(
  gone: AbortSignal,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece, void, undefined> {
  const source = pieces[Symbol.asyncIterator]();
  let leave: (reason: unknown) => void = () => {};
  const onGone = () => leave(gone.reason);
  gone.addEventListener('abort', onGone);
  try {
    for (;;) {
      gone.throwIfAborted();
      const next = await new Promise<IteratorResult<Piece>>((resolve, reject) => {
        leave = reject;
        source.next().then(resolve, reject);
      });
      // Of a body the end is what makes it count.
      gone.throwIfAborted();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    gone.removeEventListener('abort', onGone);
    const ended = source.return?.();
    if (gone.aborted) ended?.catch(() => {});
    else await ended;
  }
}
