/** Remembers what covers each need while a plan of few items is computed, and follows needs up to what they are for in the end. */
import type { Coming, NeedSource, PlanRecorder } from './covering.ts';

/** The end of a chain. `owed`: stock that is reserved beyond what is there. */
export type Root = { readonly demand: number } | 'owed' | 'minimum';

export interface Need {
  readonly day: number;
  readonly quantity: number;
  readonly source: NeedSource | 'owed' | 'minimum';
  /** The covers, in the order of use: less than the quantity, if the rest is not planned. */
  readonly coveredBy: { by: Coming | 'stock'; quantity: number }[];
}

/** A quantity of something that comes, and what it is for. */
export interface Chain {
  readonly quantity: number;
  readonly root: Root;
  /** Items that are made on the way, the nearest first. */
  readonly path: readonly number[];
}

export interface PegsOf {
  readonly chains: readonly Chain[];
  /** Quantity whose chains are left out, because there are too many. */
  readonly others: number;
}

export type MadeSource = Extract<NeedSource, { madeItem: number }>;

/** Chains of one thing that comes. */
const CHAINS_MAX = 100;

/** A quantity of something that comes, and the need that it covers. */
interface Use {
  readonly source: Need['source'];
  readonly quantity: number;
}

interface OfItem {
  readonly needs: { day: number; quantity: number; source: NeedSource }[];
  readonly covers: { day: number; isFloor: boolean; quantity: number; by: Coming | 'stock' }[];
  /** Leftovers that went into stock, in the order of use, and the first that is not used up. */
  readonly lots: { quantity: number; by: Coming }[];
  nextLot: number;
}

export class Pegs implements PlanRecorder {
  readonly #ofItem = new Map<number, OfItem>();
  readonly #opening: Float64Array;
  readonly #owed: Float64Array;
  readonly #needs = new Map<number, readonly Need[]>();
  /** The needs that each supply and each action covers, by its key. An item can have as many needs as lines. */
  readonly #uses = new Map<number, ReadonlyMap<string, readonly Use[]>>();
  readonly #chains = new Map<string, PegsOf>();
  readonly #madeFor: ReadonlyMap<number, MadeSource>;
  /** Chains that are being followed: a line can need the item that it makes. */
  readonly #following = new Set<string>();

  /** `available` is the stock of each item; `madeFor` names what demands are components of. */
  constructor(available: Float64Array, madeFor: ReadonlyMap<number, MadeSource> = new Map()) {
    this.#madeFor = madeFor;
    this.#opening = available.map((quantity) => Math.max(0, quantity));
    this.#owed = available.map((quantity) => Math.max(0, -quantity));
  }

  need(item: number, day: number, quantity: number, source: NeedSource): void {
    this.#of(item).needs.push({ day, quantity, source });
  }

  cover(
    item: number,
    { day, isFloor }: { day: number; isFloor: boolean },
    quantity: number,
    by: Coming | 'stock',
  ): void {
    const own = this.#of(item);
    const { covers, lots } = own;
    if (by !== 'stock') {
      covers.push({ day, isFloor, quantity, by });
      return;
    }
    // Stock that was there is used first, then leftovers in their order.
    let open = quantity;
    const opening = Math.min(open, this.#opening[item] as number);
    if (opening > 0) covers.push({ day, isFloor, quantity: opening, by });
    this.#opening[item] = (this.#opening[item] as number) - opening;
    open -= opening;
    while (open > 0) {
      const lot = lots[own.nextLot];
      if (lot === undefined) return;
      const taken = Math.min(open, lot.quantity);
      covers.push({ day, isFloor, quantity: taken, by: lot.by });
      lot.quantity -= taken;
      if (lot.quantity === 0) own.nextLot += 1;
      open -= taken;
    }
  }

  left(item: number, quantity: number, by: Coming): void {
    this.#of(item).lots.push({ quantity, by });
  }

  /** Returns the needs of an item in the order of days, with what covers them. */
  needsOf(item: number): readonly Need[] {
    const known = this.#needs.get(item);
    if (known !== undefined) return known;
    const { needs, covers } = this.#of(item);
    const owed = this.#owed[item] as number;
    const first = owed > 0 ? [{ day: 0, quantity: owed, source: 'owed' as const }] : [];
    // Sorting keeps the order of the needs of one day.
    const ordered = [...first, ...needs].sort((a, b) => a.day - b.day);
    const byDay = Map.groupBy(covers, ({ day, isFloor }) => (isFloor ? 'minimum' : day));
    const floor = byDay.get('minimum') ?? [];
    byDay.delete('minimum');
    // The end of a list is taken off at no cost, and its front is not.
    for (const some of byDay.values()) some.reverse();
    const found: Need[] = ordered.map((one) => ({
      ...one,
      coveredBy: take(byDay.get(one.day) ?? [], one.quantity),
    }));
    const quantity = floor.reduce((sum, one) => sum + one.quantity, 0);
    const [{ day } = { day: 0 }] = floor;
    if (quantity > 0)
      found.push({
        day,
        quantity,
        source: 'minimum',
        coveredBy: floor.map(({ by, quantity: own }) => ({ by, quantity: own })),
      });
    this.#needs.set(item, found);
    return found;
  }

  /** Returns what something that comes is for. The quantities add up to what is used of it. */
  chainsOf(item: number, by: Coming): PegsOf {
    const key = keyOf(by);
    const known = this.#chains.get(key);
    if (known !== undefined) return known;
    const chains: Chain[] = [];
    let others = 0;
    this.#following.add(key);
    for (const { source, quantity } of this.#usesOf(item).get(key) ?? []) {
      const made = typeof source === 'string' ? undefined : this.#madeSourceOf(source);
      if (made === undefined) chains.push({ quantity, root: source as Root, path: [] });
      else {
        const above = this.#shareOf(made, quantity);
        chains.push(...above.chains);
        others += above.others;
      }
    }
    this.#following.delete(key);
    const merged = mergeEqual(chains);
    const kept = merged.length <= CHAINS_MAX ? merged : merged.slice(0, CHAINS_MAX);
    others += merged.slice(CHAINS_MAX).reduce((sum, one) => sum + one.quantity, 0);
    const found = { chains: kept, others };
    this.#chains.set(key, found);
    return found;
  }

  #usesOf(item: number): ReadonlyMap<string, readonly Use[]> {
    const known = this.#uses.get(item);
    if (known !== undefined) return known;
    const uses = new Map<string, Use[]>();
    for (const { source, coveredBy } of this.needsOf(item))
      for (const { by, quantity } of coveredBy) {
        if (by === 'stock') continue;
        const key = keyOf(by);
        const own = uses.get(key);
        if (own === undefined) uses.set(key, [{ source, quantity }]);
        else own.push({ source, quantity });
      }
    this.#uses.set(item, uses);
    return uses;
  }

  #madeSourceOf(source: NeedSource): MadeSource | undefined {
    if (!('demand' in source)) return source;
    const made = this.#madeFor.get(source.demand);
    return made === undefined || this.#following.has(keyOf(made.madeBy)) ? undefined : made;
  }

  /** Divides a need of what is made by what that is for. What is made beyond all needs fills up the stock. */
  #shareOf({ madeItem, madeBy }: MadeSource, quantity: number): PegsOf {
    const { chains, others } = this.chainsOf(madeItem, madeBy);
    const whole = chains.reduce((sum, one) => sum + one.quantity, others);
    if (whole === 0) return { chains: [{ quantity, root: 'minimum', path: [madeItem] }], others: 0 };
    let left = quantity;
    const share = (part: number) => {
      const own = Number((BigInt(quantity) * BigInt(part)) / BigInt(whole));
      left -= own;
      return own;
    };
    const rest = share(others);
    const shares = chains.map((one) => ({
      ...one,
      quantity: share(one.quantity),
      path: [madeItem, ...one.path],
    }));
    const [first] = shares;
    if (first === undefined) return { chains: [], others: rest + left };
    // The first share takes the remainder of the rounding.
    shares[0] = { ...first, quantity: first.quantity + left };
    return { chains: shares.filter((one) => one.quantity > 0), others: rest };
  }

  #of(item: number): OfItem {
    const known = this.#ofItem.get(item);
    if (known !== undefined) return known;
    const made: OfItem = { needs: [], covers: [], lots: [], nextLot: 0 };
    this.#ofItem.set(item, made);
    return made;
  }
}

function keyOf(by: Coming): string {
  return 'supply' in by ? `supply ${by.supply}` : `action ${by.action}`;
}

/** Takes so much from the end of the covers. */
function take(
  covers: { quantity: number; by: Coming | 'stock' }[],
  quantity: number,
): { by: Coming | 'stock'; quantity: number }[] {
  const found: { by: Coming | 'stock'; quantity: number }[] = [];
  for (let open = quantity; open > 0; ) {
    const next = covers.at(-1);
    if (next === undefined) break;
    const taken = Math.min(open, next.quantity);
    found.push({ by: next.by, quantity: taken });
    next.quantity -= taken;
    if (next.quantity === 0) covers.pop();
    open -= taken;
  }
  return found;
}

function mergeEqual(chains: readonly Chain[]): Chain[] {
  const merged = new Map<string, Chain>();
  for (const one of chains) {
    const root = typeof one.root === 'string' ? one.root : one.root.demand;
    const key = `${root} ${one.path.join(' ')}`;
    merged.set(key, { ...one, quantity: one.quantity + (merged.get(key)?.quantity ?? 0) });
  }
  return [...merged.values()];
}
