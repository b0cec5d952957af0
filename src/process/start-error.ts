/** A start that fails for a reason which its message explains in full: main logs the message without a stack. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
