/**
 * Lists of quantities of days, each with a number, in common columns: a million objects cost more to collect than what they say. A list that is
 * removed leaves its room to others.
 */

const FIRST_ROOM = 1024;
const NONE = -1;

/** The places of its first and its last part; -1: it has none. */
export class PartList {
  first = NONE;
  last = NONE;
  length = 0;
}

export class PartLists {
  #day = new Int32Array(FIRST_ROOM);
  #quantity = new Float64Array(FIRST_ROOM);
  #node = new Uint32Array(FIRST_ROOM);
  #next = new Int32Array(FIRST_ROOM);
  #used = 0;
  #free = NONE;

  dayOf(place: number): number {
    return this.#day[place] as number;
  }

  quantityOf(place: number): number {
    return this.#quantity[place] as number;
  }

  nodeOf(place: number): number {
    return this.#node[place] as number;
  }

  take(place: number, quantity: number): void {
    this.#quantity[place] = (this.#quantity[place] as number) - quantity;
  }

  /** Adds to the last part if that has the same day and number. Returns whether the list has a part more. */
  add(list: PartList, day: number, quantity: number, node: number): boolean {
    const { last } = list;
    if (last !== NONE && this.#day[last] === day && this.#node[last] === node) {
      this.#quantity[last] = (this.#quantity[last] as number) + quantity;
      return false;
    }
    const place = this.#newPlace();
    this.#day[place] = day;
    this.#quantity[place] = quantity;
    this.#node[place] = node;
    this.#next[place] = NONE;
    if (last === NONE) list.first = place;
    else this.#next[last] = place;
    list.last = place;
    list.length += 1;
    return true;
  }

  /** Returns the places of its parts by day; those of one day keep their order. */
  byDay({ first, length }: PartList): number[] {
    const places = new Array<number>(length);
    let isSorted = true;
    for (let place = first, at = 0; place !== NONE; place = this.#next[place] as number) {
      places[at] = place;
      if (at > 0 && this.dayOf(places[at - 1] as number) > this.dayOf(place)) isSorted = false;
      at++;
    }
    return isSorted ? places : places.sort((a, b) => this.dayOf(a) - this.dayOf(b));
  }

  remove(list: PartList): void {
    if (list.last === NONE) return;
    this.#next[list.last] = this.#free;
    this.#free = list.first;
    list.first = NONE;
    list.last = NONE;
    list.length = 0;
  }

  #newPlace(): number {
    const free = this.#free;
    if (free !== NONE) {
      this.#free = this.#next[free] as number;
      return free;
    }
    if (this.#used === this.#day.length) this.#grow();
    return this.#used++;
  }

  /** Moves the columns to more room, so that no copies of them wait to be freed. */
  #grow(): void {
    const room = Math.ceil(1.5 * this.#used);
    this.#day = new Int32Array(this.#day.buffer.transfer(4 * room));
    this.#quantity = new Float64Array(this.#quantity.buffer.transfer(8 * room));
    this.#node = new Uint32Array(this.#node.buffer.transfer(4 * room));
    this.#next = new Int32Array(this.#next.buffer.transfer(4 * room));
  }
}
