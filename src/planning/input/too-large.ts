/** More items or links than a run plans. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}
