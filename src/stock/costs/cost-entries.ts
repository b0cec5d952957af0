/**
 * Values entries of the ledger in their order: what leaves takes layers, what arrives brings some. Pure. An entry that arrives may cost what others
 * of its booking take that stand behind it: these are valued first.
 */
import { amountAt, type Money } from '../../money/money.ts';
import type { Micro } from '../../quantity.ts';
import { ONE } from '../../units/rational.ts';
import { type CostedEntry, type CostSources, isTransfer, type StatedPrice } from './cost-sources.ts';
import { quantityOf, takeFront } from './pieces.ts';
import { placeKey } from './place-key.ts';
import { type Piece, type PositionCosts, partOf, type Use } from './position-costs.ts';

export type LayerKind = 'opening' | 'priced' | 'unpriced' | 'moved' | 'returned' | 'built';

export interface CostedLayer extends Piece {
  readonly layer: bigint;
  readonly entry: Pick<CostedEntry, 'id' | 'itemId' | 'locationId' | 'lineId'>;
  readonly kind: LayerKind;
  readonly price: StatedPrice | null;
  /** The standard cost of a base unit at which it came in, and what it would have cost without; null: at its own cost. */
  readonly standard: { readonly cost: Money; readonly paid: Money | null } | null;
}

export interface CostedUse extends Use {
  readonly entry: CostedEntry;
  readonly number: number;
}

export interface CostedStep {
  readonly entry: CostedEntry;
  readonly layers: bigint;
  readonly known: Micro;
  readonly value: Money;
  readonly standardId: string | null;
}

type Bringing = Piece & { kind: LayerKind; price?: StatedPrice };

/** A build in a booking: what it makes, and what it takes. */
interface Build {
  readonly lineId: string;
  readonly outputs: number[];
  readonly issues: number[];
  /** The outputs cost this together; undefined until it was calculated. */
  cost?: Money | null;
  /** How much of it outputs have got. */
  shared: Micro;
  sharedCost: Money;
}

export class CostEntries {
  readonly layers: CostedLayer[] = [];
  readonly uses: CostedUse[] = [];
  readonly steps: CostedStep[] = [];
  readonly #entries: readonly CostedEntry[];
  readonly #costs: ReadonlyMap<string, PositionCosts>;
  readonly #sources: CostSources;
  /** Entries of each position that are not valued yet, by their place. */
  readonly #waiting = new Map<string, number[]>();
  readonly #state: ('waiting' | 'begun' | 'done')[];
  readonly #usesOf = new Map<string, Use[]>();
  /** Pieces on the way in each booking of a transfer, and the entries that are yet to send some. */
  readonly #onTheWay = new Map<string, Piece[]>();
  readonly #senders = new Map<string, number[]>();
  /** Pieces that come back, by the entry that is taken back. */
  readonly #back = new Map<string, Piece[]>();
  readonly #builds = new Map<number, Build>();

  /** `costs` has the position of each entry. All entries change what is on hand. */
  constructor(
    entries: readonly CostedEntry[],
    costs: ReadonlyMap<string, PositionCosts>,
    sources: CostSources,
  ) {
    this.#entries = entries;
    this.#costs = costs;
    this.#sources = sources;
    this.#state = entries.map(() => 'waiting');
    const building = new Map<string, Build>();
    for (const [at, entry] of entries.entries()) {
      const key = placeKey(entry);
      const waiting = this.#waiting.get(key);
      if (waiting === undefined) this.#waiting.set(key, [at]);
      else waiting.push(at);
      const { bookingId, movementType, lineId, onHandDelta, reversesId } = entry;
      if (bookingId === null) continue;
      if (isTransfer(entry) && onHandDelta < 0n) {
        const senders = this.#senders.get(bookingId);
        if (senders === undefined) this.#senders.set(bookingId, [at]);
        else senders.push(at);
      }
      if (reversesId !== null) continue;
      const open = building.get(bookingId);
      if (lineId !== null && onHandDelta > 0n && (movementType === 'MOReceipt' || open?.lineId === lineId)) {
        const build =
          open?.lineId === lineId ? open : { lineId, outputs: [], issues: [], shared: 0n, sharedCost: 0n };
        build.outputs.push(at);
        building.set(bookingId, build);
        this.#builds.set(at, build);
      } else if (movementType === 'MRIssue' && onHandDelta < 0n) open?.issues.push(at);
    }
  }

  /** Values the entry at that place, and those before it of its position. */
  value(at: number): void {
    const waiting = this.#waiting.get(placeKey(this.#entries[at] as CostedEntry)) ?? [];
    while (this.#state[at] === 'waiting' && waiting.length > 0) {
      const next = waiting.shift() as number;
      if (this.#state[next] === 'waiting') this.#valueOne(next);
    }
  }

  #valueOne(at: number): void {
    this.#state[at] = 'begun';
    const entry = this.#entries[at] as CostedEntry;
    const costs = this.#costs.get(placeKey(entry)) as PositionCosts;
    this.#openStock(entry, costs);
    if (entry.onHandDelta < 0n) this.#take(entry, costs);
    else for (const piece of this.#brought(entry, at)) this.#put(entry, costs, piece);
    const { layers, known, value } = costs.state;
    this.steps.push({ entry, layers, known, value, standardId: costs.standard?.id ?? null });
    this.#state[at] = 'done';
  }

  /** Stock that was there before the workspace knew costs has no cost yet. */
  #openStock(entry: CostedEntry, costs: PositionCosts): void {
    const before = entry.onHandAfter - entry.onHandDelta;
    const quantity = before - costs.state.onHand;
    if (quantity > 0n) this.#put(entry, costs, { originId: entry.id, quantity, cost: null, kind: 'opening' });
  }

  #put(entry: CostedEntry, costs: PositionCosts, { kind, price, ...brought }: Bringing): void {
    const unit = comesAtStandard(kind) ? (costs.standard?.cost ?? null) : null;
    const standard = unit === null ? null : { cost: unit, paid: brought.cost };
    const piece = unit === null ? brought : { ...brought, cost: amountAt(unit, brought.quantity, ONE) };
    const from = { entryId: kind === 'opening' ? piece.originId : entry.id, lineId: entry.lineId };
    const layer = costs.put(piece, kind === 'opening' ? { ...from, lineId: null } : from);
    this.layers.push({ ...piece, layer, entry, kind, price: price ?? null, standard });
  }

  #take(entry: CostedEntry, costs: PositionCosts): void {
    const { id, reversesId, lineId, bookingId, onHandDelta } = entry;
    const own = reversesId === null ? null : this.#sources.broughtBy(reversesId);
    const uses = costs.take(
      -onHandDelta,
      (layer) =>
        reversesId !== null ? layer.entryId === reversesId : lineId !== null && layer.lineId === lineId,
      own,
    );
    this.#usesOf.set(id, uses);
    this.uses.push(...uses.map((use, index) => ({ ...use, entry, number: index + 1 })));
    if (bookingId === null || !isTransfer(entry)) return;
    this.#wayOf(bookingId).push(...uses);
  }

  #wayOf(bookingId: string): Piece[] {
    const known = this.#onTheWay.get(bookingId);
    if (known !== undefined) return known;
    const pieces = [...this.#sources.onTheWay(bookingId)];
    this.#onTheWay.set(bookingId, pieces);
    return pieces;
  }

  #brought(entry: CostedEntry, at: number): Bringing[] {
    const { id, bookingId, reversesId, lineId, movementType, onHandDelta: quantity } = entry;
    if (isTransfer(entry) && bookingId !== null) {
      const way = this.#wayOf(bookingId);
      const senders = this.#senders.get(bookingId) ?? [];
      while (quantityOf(way) < quantity && senders.length > 0) this.value(senders.shift() as number);
      return arriving(entry, takeFront(way, quantity), 'moved');
    }
    if (reversesId !== null) {
      const back = this.#back.get(reversesId) ?? [
        ...(this.#usesOf.get(reversesId)?.toReversed() ?? this.#sources.takenBy(reversesId)),
      ];
      this.#back.set(reversesId, back);
      return arriving(entry, takeFront(back, quantity), 'returned');
    }
    const stated = this.#sources.statedOf(entry);
    if (stated !== null) {
      const { cost, price } = stated;
      return [{ originId: id, quantity, cost, price, kind: 'priced' }];
    }
    const build = this.#builds.get(at);
    if (build !== undefined || (movementType === 'MOReceipt' && lineId !== null))
      return [{ originId: id, quantity, cost: this.#builtFor(at, build, entry), kind: 'built' }];
    if (movementType === 'SOReturn' && lineId !== null) {
      const shipped = this.#sources.shippedBy(lineId);
      const cost = shipped === null ? null : partOf(shipped, quantity);
      return [{ originId: id, quantity, cost, kind: 'returned' }];
    }
    return [{ originId: id, quantity, cost: null, kind: 'unpriced' }];
  }

  /** Returns the share of an output in what its build took: in this booking all of it, of what was issued before its part of what the line has still to make. */
  #builtFor(at: number, build: Build | undefined, entry: CostedEntry): Money | null {
    const { onHandDelta: quantity } = entry;
    const one = build ?? {
      lineId: entry.lineId as string,
      outputs: [at],
      issues: [],
      shared: 0n,
      sharedCost: 0n,
    };
    const made = one.outputs.reduce((sum, output) => sum + this.#deltaAt(output), 0n);
    if (!('cost' in one)) one.cost = this.#costOf(one, made);
    const { cost = null } = one;
    if (cost === null) return null;
    one.shared += quantity;
    const upTo = partOf({ quantity: made, cost }, one.shared) as Money;
    const own = upTo - one.sharedCost;
    one.sharedCost = upTo;
    return own;
  }

  #costOf(build: Build, made: Micro): Money | null {
    for (const issue of build.issues) this.value(issue);
    const taken = build.issues.flatMap((issue): readonly Piece[] => {
      const { id, onHandDelta } = this.#entries[issue] as CostedEntry;
      const uses = this.#usesOf.get(id);
      return uses ?? [{ originId: id, quantity: -onHandDelta, cost: null }];
    });
    const before = this.#sources.inWork(build.lineId);
    if (taken.length === 0 && (before === null || before.cost === 0n)) return null;
    const share =
      before === null || before.cost === 0n
        ? 0n
        : partOf({ quantity: before.open > made ? before.open : made, cost: before.cost }, made);
    return [...taken.map(({ cost }) => cost), share].reduce(
      (sum, cost) => (sum === null || cost === null ? null : sum + cost),
      0n,
    );
  }

  #deltaAt(at: number): Micro {
    return (this.#entries[at] as CostedEntry).onHandDelta;
  }
}

/** A transfer keeps costs, and stock that was there has not arrived. */
export function comesAtStandard(kind: string): boolean {
  return kind !== 'moved' && kind !== 'opening';
}

/** Goods that no piece accounts for have no known cost. */
function arriving({ id, onHandDelta }: CostedEntry, pieces: readonly Piece[], kind: LayerKind): Bringing[] {
  const rest = onHandDelta - quantityOf(pieces);
  const all = rest > 0n ? [...pieces, { originId: id, quantity: rest, cost: null }] : pieces;
  return all.map(({ originId, quantity, cost }) => ({ originId, quantity, cost, kind }));
}
