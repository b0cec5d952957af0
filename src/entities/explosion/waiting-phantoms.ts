/** Phantoms whose needs are yet to be passed on, in a heap by their places: very many can lie below one item. */
export class WaitingPhantoms<Quantity> {
  readonly #place: Uint32Array;
  readonly #needs = new Map<number, Quantity>();
  readonly #add: (a: Quantity, b: Quantity) => Quantity;
  readonly #heap: number[] = [];

  constructor(place: Uint32Array, add: (a: Quantity, b: Quantity) => Quantity) {
    this.#place = place;
    this.#add = add;
  }

  /** Adds to what is needed of a phantom. */
  add(item: number, quantity: Quantity): void {
    const before = this.#needs.get(item);
    this.#needs.set(item, before === undefined ? quantity : this.#add(before, quantity));
    if (before === undefined) this.#rise(item);
  }

  /** Returns the first phantom with what is needed of it, and removes it; null: none waits. */
  take(): { item: number; quantity: Quantity } | null {
    const [first] = this.#heap;
    if (first === undefined) return null;
    const last = this.#heap.pop() as number;
    if (this.#heap.length > 0) this.#sink(last);
    const quantity = this.#needs.get(first) as Quantity;
    this.#needs.delete(first);
    return { item: first, quantity };
  }

  #rise(item: number): void {
    let at = this.#heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(item, this.#heap[above] as number)) break;
      this.#heap[at] = this.#heap[above] as number;
      at = above;
    }
    this.#heap[at] = item;
  }

  /** Puts an item in the place of the first. */
  #sink(item: number): void {
    const count = this.#heap.length;
    let at = 0;
    for (let below = 1; below < count; below = 2 * at + 1) {
      const right = below + 1;
      if (right < count && this.#isBefore(this.#heap[right] as number, this.#heap[below] as number))
        below = right;
      if (!this.#isBefore(this.#heap[below] as number, item)) break;
      this.#heap[at] = this.#heap[below] as number;
      at = below;
    }
    this.#heap[at] = item;
  }

  #isBefore(one: number, other: number): boolean {
    return (this.#place[one] as number) < (this.#place[other] as number);
  }
}
