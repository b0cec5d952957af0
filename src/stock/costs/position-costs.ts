/** Keeps the cost layers of one position, as movements take and bring them. Pure. */
import type { CostMethod } from '../../configuration/stock-settings/stock-settings.ts';
import type { Money } from '../../money/money.ts';
import type { Micro } from '../../quantity.ts';
import { LOWEST_ID } from '../entries/ledger-entry.ts';

/** Goods with what they cost; null: unknown. */
export interface Piece {
  /** The entry by which they came into the workspace. */
  readonly originId: string;
  readonly quantity: Micro;
  readonly cost: Money | null;
}

/** A layer, as far as it is left. Layer 0 is the average of all layers whose cost is known. */
export interface Layer extends Piece {
  readonly layer: bigint;
  /** The entry that brought it to the position. */
  readonly entryId: string;
  readonly lineId: string | null;
}

export interface Use extends Piece {
  readonly layer: bigint;
}

export const POOL = 0n;

/** A position before it has any layer. */
export interface CostState {
  readonly onHand: Micro;
  readonly layers: bigint;
  readonly known: Micro;
  readonly value: Money;
}

/** The standard cost of an item; without a cost it was removed. */
export interface Standard {
  readonly id: string;
  /** The cost of a base unit. */
  readonly cost: Money | null;
}

export const nothingCosted: CostState = { onHand: 0n, layers: 0n, known: 0n, value: 0n };

/** Returns the part of a cost that so much of the quantity has, rounded half up: the parts of a layer add up to it. */
export function partOf({ quantity, cost }: Pick<Piece, 'quantity' | 'cost'>, some: Micro): Money | null {
  if (cost === null || some === quantity) return cost;
  return (2n * cost * some + quantity) / (2n * quantity);
}

export class PositionCosts {
  /** The last that was set for the item; null: never one. */
  readonly standard: Standard | null;
  readonly #method: CostMethod;
  /** The layers as they were stored. */
  readonly #stored: readonly Layer[];
  /** Layers in the order in which they are used. */
  #open: Layer[];
  #state: CostState;

  /** `stored` are layers in the order in which they are used: with FIFO as many as are taken, with the average those without a cost. */
  constructor(
    method: CostMethod,
    state: CostState,
    stored: readonly Layer[],
    standard: Standard | null = null,
  ) {
    this.standard = standard;
    this.#method = method;
    this.#state = state;
    this.#stored = stored;
    this.#open = [...stored];
    if (method === 'average') this.#pool();
  }

  /** Returns the costs as a later step finds them: the remaining layers go on with its method, and with its standard cost. */
  goingOn(method: CostMethod, standard: Standard | null): PositionCosts {
    const isSame = method === this.#method && standard?.id === this.standard?.id;
    return isSame ? this : new PositionCosts(method, this.#state, this.#open, standard);
  }

  get state(): CostState {
    return this.#state;
  }

  get open(): readonly Layer[] {
    return this.#open;
  }

  /** Layers to be stored, and layers to be removed. */
  get changes(): { kept: Layer[]; gone: Layer[] } {
    const stored = new Set(this.#stored);
    const left = new Set(this.#open.map(keyOf));
    return {
      kept: this.#open.filter((layer) => !stored.has(layer)),
      gone: this.#stored.filter((layer) => !left.has(keyOf(layer))),
    };
  }

  /** Adds a layer. Returns its number. */
  put(piece: Piece, from: { entryId: string; lineId: string | null }): bigint {
    const layer = this.#state.layers + 1n;
    const added = { ...piece, ...from, layer };
    this.#count(piece, 1n, layer);
    if (this.#method === 'average' && piece.cost !== null) this.#addToPool();
    else this.#open.splice(this.#open.findLastIndex((one) => isBefore(one, added)) + 1, 0, added);
    return layer;
  }

  /**
   * Takes a quantity: first from layers that are preferred, then the oldest first. With the average method known and unknown costs are taken
   * in proportion, unless `own` says what the goods cost that are taken back: with a standard cost they cost that. What no layer has is not
   * taken.
   */
  take(quantity: Micro, prefers: (layer: Layer) => boolean, own: Piece | null = null): Use[] {
    const uses: Use[] = [];
    let left = quantity;
    // All that is taken leaves the list at once: a position may have layers by the hundred thousand.
    const rests = new Map<Layer, Layer | null>();
    const takeFrom = (layer: Layer, most: Micro, cost?: Money | null) => {
      const found = rests.get(layer);
      if (found === null) return;
      const one = found ?? layer;
      const some = one.quantity < most ? one.quantity : most;
      if (some <= 0n) return;
      const part = some === one.quantity ? one.cost : (cost ?? partOf(one, some));
      const { originId, layer: number } = one;
      uses.push({ originId, layer: number, quantity: some, cost: part });
      rests.set(layer, restOf(one, some, part));
      this.#count({ quantity: some, cost: part }, -1n, this.#state.layers);
      left -= some;
    };
    const takeAll = (wanted: (layer: Layer) => boolean) => {
      for (const layer of this.#open) {
        if (left === 0n) break;
        if (wanted(layer)) takeFrom(layer, left);
      }
    };
    takeAll(prefers);
    if (this.#method === 'average' && left > 0n) {
      const pool = this.#open.find(({ layer }) => layer === POOL);
      if (pool !== undefined) {
        const { onHand, known } = this.#state;
        const isOwn = own !== null && own.cost !== null && (this.standard?.cost ?? null) === null;
        const share = isOwn ? left : left >= onHand ? known : (left * known) / onHand;
        takeFrom(pool, share, isOwn ? leastOf(partOf(own, share), pool.cost) : undefined);
      }
      takeAll(({ cost }) => cost === null);
    }
    takeAll(() => true);
    if (rests.size > 0) {
      const open: Layer[] = [];
      for (const layer of this.#open) {
        const rest = rests.get(layer);
        if (rest !== null) open.push(rest ?? layer);
      }
      this.#open = open;
    }
    return uses;
  }

  /** Merges all layers whose cost is known. */
  #pool(): void {
    this.#open = this.#open.filter((layer) => layer.cost === null);
    this.#addToPool();
  }

  /** Makes the pool what all known costs are together; no other layer has a known one. */
  #addToPool(): void {
    const { known: quantity, value: cost } = this.#state;
    if (quantity === 0n) return;
    const pool = { originId: LOWEST_ID, layer: POOL, entryId: LOWEST_ID, lineId: null, quantity, cost };
    this.#open.splice(0, this.#open[0]?.layer === POOL ? 1 : 0, pool);
  }

  /** Gives what is left of layers other costs. */
  revalue(costs: ReadonlyMap<Layer, Money>): void {
    let { known, value } = this.#state;
    for (const [layer, cost] of costs) {
      if (layer.cost === null) known += layer.quantity;
      value += cost - (layer.cost ?? 0n);
    }
    this.#state = { ...this.#state, known, value };
    this.#open = this.#open.map((layer) => {
      const cost = costs.get(layer);
      return cost === undefined ? layer : { ...layer, cost };
    });
    if (this.#method === 'average') this.#pool();
  }

  #count({ quantity, cost }: Pick<Piece, 'quantity' | 'cost'>, sign: bigint, layers: bigint): void {
    const { onHand, known, value } = this.#state;
    this.#state = {
      layers,
      onHand: onHand + sign * quantity,
      known: cost === null ? known : known + sign * quantity,
      value: cost === null ? value : value + sign * cost,
    };
  }
}

function keyOf({ originId, layer }: Layer): string {
  return `${originId} ${layer}`;
}

function restOf(layer: Layer, some: Micro, part: Money | null): Layer | null {
  const quantity = layer.quantity - some;
  if (quantity === 0n) return null;
  return { ...layer, quantity, cost: layer.cost === null ? null : layer.cost - (part as Money) };
}

function isBefore(one: Layer, other: Layer): boolean {
  return one.originId < other.originId || (one.originId === other.originId && one.layer < other.layer);
}

function leastOf(a: Money | null, b: Money | null): Money | null {
  return a === null || b === null || a > b ? b : a;
}
