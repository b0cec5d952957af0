/** A set of links between nodes, as sorted numbers in one typed array: a Set of millions would be too much of a heap. */

/** Nodes are below 2 ** 26, of which a batch has a thirteenth. */
const NODES_MAX = 2 ** 26;

export class PairSet {
  readonly #keys: Float64Array;

  constructor(parents: Int32Array, children: Int32Array) {
    this.#keys = Float64Array.from(parents, (parent, place) =>
      keyOf(parent, children[place] as number),
    ).sort();
  }

  has(parent: number, child: number): boolean {
    const key = keyOf(parent, child);
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return this.#keys[low] === key;
  }
}

function keyOf(parent: number, child: number): number {
  return parent * NODES_MAX + child;
}
