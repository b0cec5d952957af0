/**
 * A set of what is under way: each call enters it and leaves it. A `Set` does not serve for that. When it has filled with what has left,
 * V8 makes another table for it, and the former one leads to its successor and to all that was in it at that moment: once one of them
 * has outlived a collection of the young generation, all that come behind it do, with the calls in them, until all of the heap is
 * collected (ADR 81).
 */
export class LinkedSet<T> {
  #first: Link<T> | null = null;
  #last: Link<T> | null = null;

  /** Returns what takes it out again; that says whether it was still in. */
  add(value: T): () => boolean {
    const link: Link<T> = { value, before: this.#last, behind: null, isIn: true };
    if (this.#last === null) this.#first = link;
    else this.#last.behind = link;
    this.#last = link;
    return () => this.#remove(link);
  }

  /** Returns the current values in the order in which they were added. */
  values(): T[] {
    const values: T[] = [];
    for (let link = this.#first; link !== null; link = link.behind) values.push(link.value);
    return values;
  }

  #remove(link: Link<T>): boolean {
    if (!link.isIn) return false;
    link.isIn = false;
    if (link.before === null) this.#first = link.behind;
    else link.before.behind = link.behind;
    if (link.behind === null) this.#last = link.before;
    else link.behind.before = link.before;
    // One that has left leads to nobody, for the reason that is said above.
    link.before = null;
    link.behind = null;
    return true;
  }
}

interface Link<T> {
  readonly value: T;
  before: Link<T> | null;
  behind: Link<T> | null;
  isIn: boolean;
}
