/**
 * Gives the memory of large values back at once. It lies outside the heap, and the collector, which goes by what lies in it, would let a
 * lot of it gather first, in the threads that apply batches tens of megabytes each.
 */

/** Only of what nobody reads any more, by whatever view of the same memory. Small values may share the memory of others, and stay. */
export function giveBack({ buffer }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
