/** Whole numbers in one growing typed array: millions of them would be too much for the heap of a thread. */
export class IntList {
  #values = new Int32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The numbers so far; valid until the next one is pushed. */
  get values(): Int32Array {
    return this.#values.subarray(0, this.#length);
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      this.#values = new Int32Array(this.#values.buffer.transfer(2 * this.#values.byteLength));
    }
    this.#values[this.#length++] = value;
  }
}

/** A whole number for each node, 0 where none was set. */
export class NodeValues {
  #values = new Int32Array(1024);

  get(node: number): number {
    return this.#values[node] ?? 0;
  }

  set(node: number, value: number): void {
    if (node >= this.#values.length) {
      const bytes = Math.max(2 * this.#values.byteLength, 4 * (node + 1));
      this.#values = new Int32Array(this.#values.buffer.transfer(bytes));
    }
    this.#values[node] = value;
  }

  add(node: number, more: number): void {
    this.set(node, this.get(node) + more);
  }
}

/** Nodes are below 2 ** 26, of which a batch has a thirteenth. */
const NODES_MAX = 2 ** 26;

/** A set of links between nodes, as sorted numbers in one typed array: a Set of millions would be too much of a heap. */
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
