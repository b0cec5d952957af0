/**
 * Explodes what is made into the needs of its components: the one rule of losses and phantoms, for shortages, cost and planning alike. A need
 * is the quantity of the link with its loss in percent, and its fixed loss once for whatever is made. A phantom passes its need on to its own
 * components.
 */
import { WaitingPhantoms } from './waiting-phantoms.ts';

/** Links by parent: those of item `i` stand from `from[i]` up to `from[i + 1]`. */
export interface LinkGraph {
  readonly from: Uint32Array;
  readonly child: Uint32Array;
  readonly isPhantom: Uint8Array;
}

/** The arithmetic of needs: whole millionths, or decimals of any length. */
export interface NeedArithmetic<Quantity> {
  /** Returns how much of its child a link takes for so many of its parent, with its losses. */
  needOf(link: number, quantity: Quantity): Quantity;
  add(a: Quantity, b: Quantity): Quantity;
}

export interface Structure<Quantity> {
  readonly links: LinkGraph;
  /** Orders items so that a phantom comes after all that need it. */
  readonly place: Uint32Array;
  readonly arithmetic: NeedArithmetic<Quantity>;
}

/** Takes the needs that arise by links. */
export interface NeedTaker<Quantity> {
  add(item: number, day: number, quantity: Quantity, link: number): void;
  /** Is told how much of a phantom is passed on to its components. */
  pass?(phantom: number, quantity: Quantity): void;
}

export interface MadeItem<Quantity> {
  readonly item: number;
  readonly day: number;
  readonly quantity: Quantity;
}

/** Explodes one item that is made. */
export function explode<Quantity>(
  structure: Structure<Quantity>,
  taker: NeedTaker<Quantity>,
  made: MadeItem<Quantity>,
): void {
  new Explosion(structure, taker, made).next(Number.MAX_SAFE_INTEGER);
}

/** Explodes one item in portions of links. */
export class Explosion<Quantity> {
  readonly #structure: Structure<Quantity>;
  readonly #taker: NeedTaker<Quantity>;
  readonly #day: number;
  #parent: number;
  #quantity: Quantity;
  #link: number;
  #phantoms: WaitingPhantoms<Quantity> | null = null;

  constructor(
    structure: Structure<Quantity>,
    taker: NeedTaker<Quantity>,
    { item, day, quantity }: MadeItem<Quantity>,
  ) {
    this.#structure = structure;
    this.#taker = taker;
    this.#day = day;
    this.#parent = item;
    this.#quantity = quantity;
    this.#link = structure.links.from[item] as number;
  }

  /** Follows at most so many links. Returns how many it has followed; fewer than that: all is done. */
  next(linksMax: number): number {
    let room = linksMax;
    for (;;) {
      room -= this.#addComponents(room);
      if (room <= 0) return linksMax;
      const phantom = this.#phantoms?.take() ?? null;
      if (phantom === null) return linksMax - room;
      this.#parent = phantom.item;
      this.#quantity = phantom.quantity;
      this.#link = this.#structure.links.from[phantom.item] as number;
      this.#taker.pass?.(phantom.item, phantom.quantity);
    }
  }

  /** Returns the number of links that it has followed. */
  #addComponents(linksMax: number): number {
    const { links, place, arithmetic } = this.#structure;
    const { child, isPhantom } = links;
    const taker = this.#taker;
    const quantity = this.#quantity;
    const day = this.#day;
    const first = this.#link;
    const last = Math.min(links.from[this.#parent + 1] as number, first + linksMax);
    for (let link = first; link < last; link++) {
      const item = child[link] as number;
      const need = arithmetic.needOf(link, quantity);
      // An item of a cycle has no place, and passes nothing on: the needs of a phantom would go round for ever.
      if (isPhantom[link] === 0 || place[item] === 0) taker.add(item, day, need, link);
      else {
        this.#phantoms ??= new WaitingPhantoms(place, (a, b) => arithmetic.add(a, b));
        this.#phantoms.add(item, need);
      }
    }
    this.#link = last;
    return last - first;
  }
}
