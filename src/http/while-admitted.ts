/**
 * What takes long goes on for as long as its caller may call: a download, or a body that arrives slowly, outlives neither its key
 * nor its session by more than a moment.
 */
interface AdmittedCall {
  ctx: { config: { STREAM_HEARTBEAT_SECONDS: number } };
  /** Throws when the caller may not call any more. */
  authoriseAgain(): Promise<void>;
}

/**
 * The same pieces. As often as a stream of events does, it asks whether the caller may still have them, and throws what it
 * would be refused with now; what has been read by then is not passed on.
 */
export async function* whileAdmitted<Piece>(
  { ctx, authoriseAgain }: AdmittedCall,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece, void, undefined> {
  const periodMs = ctx.config.STREAM_HEARTBEAT_SECONDS * 1000;
  let admittedAt = Date.now();
  const ask = async () => {
    if (Date.now() - admittedAt < periodMs) return;
    await authoriseAgain();
    admittedAt = Date.now();
  };
  for await (const piece of pieces) {
    await ask();
    yield piece;
  }
  // Of a body the end is what makes it count.
  await ask();
}
