/**
 * What lines and requirements should do to stock, in as few words as possible: a model that the service is held
 * against. Quantities are whole tenths.
 */
import fc from 'fast-check';

export const ITEMS = 2;
export const LOCATIONS = 2;
const QUANTITY_MAX = 60;

type Kind = 'purchaseOrder' | 'salesOrder' | 'manufacturingOrder';

export type Operation =
  | { do: 'adjust'; item: number; location: number; quantity: number }
  | {
      do: 'line';
      kind: Kind;
      item: number;
      location: number;
      quantity: number;
      draft: boolean;
      of: number | null;
    }
  | { do: 'receipts' | 'shipments' | 'reservations' | 'releases'; line: number; quantity: number }
  | { do: 'change'; line: number; quantity: number }
  | { do: 'close' | 'cancel' | 'begin' | 'finish'; line: number }
  | { do: 'raise'; item: number; quantity: number }
  | {
      do: 'MRReservation' | 'MRRelease' | 'MRIssue' | 'order';
      of: number;
      location: number;
      quantity: number;
    }
  | { do: 'drop'; of: number };

const item = fc.nat(ITEMS - 1);
const location = fc.nat(LOCATIONS - 1);
const quantity = fc.integer({ min: 1, max: QUANTITY_MAX });
const line = fc.nat(50);
const of = fc.nat(20);
const kind = fc.constantFrom<Kind>('purchaseOrder', 'salesOrder', 'manufacturingOrder');

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      item,
      location,
      quantity: fc.integer({ min: -40, max: 200 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('line' as const),
      kind,
      item,
      location,
      quantity,
      draft: fc.boolean(),
      of: fc.option(of, { freq: 2 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'receipts' as const,
        'shipments' as const,
        'reservations' as const,
        'releases' as const,
      ),
      line,
      quantity: fc.integer({ min: 1, max: 25 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), line, quantity }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('close' as const, 'cancel' as const, 'begin' as const, 'finish' as const),
      line,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('raise' as const), item, quantity }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'MRReservation' as const,
        'MRRelease' as const,
        'MRIssue' as const,
        'order' as const,
      ),
      of,
      location,
      quantity: fc.integer({ min: 1, max: 30 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), of }) },
);

export interface ModelLine {
  kind: Kind;
  item: number;
  location: number;
  quantity: number;
  of: number | null;
  state: string;
  received: number;
  shipped: number;
  reserved: number;
  onOrder: number;
  /** The part of it that is for the requirement of the line. */
  onOrderFor: number;
}

export interface ModelRequirement {
  item: number;
  required: number;
  cancelled: boolean;
  reserved: number;
  issued: number;
  /** By location: reserved and not issued. */
  held: number[];
  ordered: number;
  received: number;
  /** What of `ordered` came and was reserved by hand. */
  converted: number;
  /** What of `ordered` was reserved as it came. */
  arrived: number;
}

export class StockModel {
  readonly #reserves: boolean;

  /** `reserves`: whether what is received for a requirement is reserved for it at once. */
  constructor({ reserves }: { reserves: boolean }) {
    this.#reserves = reserves;
  }

  readonly positions = Array.from({ length: ITEMS }, () =>
    Array.from({ length: LOCATIONS }, () => ({ onHand: 0, reserved: 0, onOrder: 0 })),
  );
  readonly lines: ModelLine[] = [];
  readonly requirements: ModelRequirement[] = [];

  at(place: { item: number; location: number }) {
    const found = this.positions[place.item]?.[place.location];
    if (found === undefined) throw new Error('No such place');
    return found;
  }

  /** Whether it can be done; when it can, it is. Null: there is nothing that it could be about. */
  perform(op: Operation): boolean | null {
    switch (op.do) {
      case 'adjust':
        return op.quantity === 0 ? null : this.#adjust(op);
      case 'line':
        return this.#make(op.kind, op, op.quantity, op.draft, this.requirementFor(op));
      case 'raise':
        this.requirements.push({
          item: op.item,
          required: op.quantity,
          cancelled: false,
          reserved: 0,
          issued: 0,
          held: Array(LOCATIONS).fill(0),
          ordered: 0,
          received: 0,
          converted: 0,
          arrived: 0,
        });
        return true;
      case 'MRReservation':
      case 'MRRelease':
      case 'MRIssue':
      case 'order':
      case 'drop': {
        const requirement = this.requirements[op.of];
        return requirement === undefined ? null : this.#require(op, requirement);
      }
      default: {
        const line = this.lines[op.line];
        return line === undefined ? null : this.#move(op, line);
      }
    }
  }

  /** Which requirement a line is for: one that is for its item, and none for a sale. */
  requirementFor({ kind, item, of }: { kind: Kind; item: number; of: number | null }): number | null {
    if (of === null || kind === 'salesOrder') return null;
    return this.requirements[of]?.item === item ? of : null;
  }

  openOf({ required, reserved, ordered, converted, arrived }: ModelRequirement): number {
    return Math.max(0, required - reserved - (ordered - converted - arrived));
  }

  openOfLine({ state, quantity, received, shipped }: ModelLine): number {
    return ['Draft', 'Ordered', 'Reserved'].includes(state) ? quantity - received - shipped : 0;
  }

  #adjust(op: Operation & { do: 'adjust' }): boolean {
    const place = this.at(op);
    if (place.onHand + op.quantity < 0) return false;
    place.onHand += op.quantity;
    return true;
  }

  #make(
    kind: Kind,
    place: { item: number; location: number },
    quantity: number,
    draft: boolean,
    of: number | null,
  ): boolean {
    const { item, location } = place;
    const made: ModelLine = {
      kind,
      item,
      location,
      quantity,
      of,
      state: 'Draft',
      received: 0,
      shipped: 0,
      reserved: 0,
      onOrder: 0,
      onOrderFor: 0,
    };
    if (!draft && !this.#begin(made)) return false;
    this.lines.push(made);
    return true;
  }

  #begin(line: ModelLine): boolean {
    if (line.state !== 'Draft') return false;
    const place = this.at(line);
    if (line.kind === 'salesOrder') {
      if (place.onHand - place.reserved < line.quantity) return false;
      place.reserved += line.quantity;
      line.reserved = line.quantity;
      line.state = 'Reserved';
      return true;
    }
    const requirement = line.of === null ? undefined : this.requirements[line.of];
    if (requirement !== undefined) {
      if (requirement.cancelled || this.openOf(requirement) <= 0) return false;
      this.#orderFor(requirement, line, line.quantity);
    }
    place.onOrder += line.quantity;
    line.onOrder = line.quantity;
    line.state = 'Ordered';
    return true;
  }

  /** A line is for its requirement up to what that needs, and the rest is for nobody. */
  #orderFor(requirement: ModelRequirement, line: ModelLine, amount: number): void {
    const own = Math.min(Math.max(0, this.openOf(requirement)), amount);
    requirement.ordered += own;
    line.onOrderFor += own;
  }

  #move(op: Operation & { line: number }, line: ModelLine): boolean {
    const place = this.at(line);
    const sale = line.kind === 'salesOrder';
    const working = line.state === (sale ? 'Reserved' : 'Ordered');
    const open = this.openOfLine(line);
    const amount = 'quantity' in op ? op.quantity : open;
    switch (op.do) {
      case 'begin':
        return this.#begin(line);
      case 'finish':
        return working && (sale ? this.#ship(line, open) : this.#receive(line, open));
      case 'receipts':
        return !sale && working && amount <= open && this.#receive(line, amount);
      case 'shipments':
        return sale && working && amount <= open && this.#ship(line, amount);
      case 'reservations':
        if (!sale || !working || amount > open - line.reserved) return false;
        if (place.onHand - place.reserved < amount) return false;
        place.reserved += amount;
        line.reserved += amount;
        return true;
      case 'change':
        return this.#change(line, op.quantity);
      case 'releases':
        if (!sale || !working || amount > line.reserved) return false;
        place.reserved -= amount;
        line.reserved -= amount;
        return true;
      default: {
        if (!working && !(op.do === 'cancel' && line.state === 'Draft')) return false;
        // What was delivered is closed, not cancelled.
        if (op.do === 'cancel' && line.received + line.shipped > 0) return false;
        place.reserved -= line.reserved;
        place.onOrder -= line.onOrder;
        const requirement = line.of === null ? undefined : this.requirements[line.of];
        if (requirement !== undefined) requirement.ordered -= line.onOrderFor;
        line.onOrderFor = 0;
        line.reserved = 0;
        line.onOrder = 0;
        line.state = op.do === 'close' ? 'Closed' : 'Cancelled';
        return true;
      }
    }
  }

  #change(line: ModelLine, quantity: number): boolean {
    if (quantity === line.quantity) return true;
    const done = line.received + line.shipped;
    if (!['Draft', 'Ordered', 'Reserved'].includes(line.state) || quantity < done) return false;
    const place = this.at(line);
    const more = quantity - line.quantity;
    if (line.state === 'Reserved') {
      const taken = more > 0 ? more : -Math.max(0, line.reserved - (quantity - done));
      if (place.onHand - place.reserved < taken) return false;
      place.reserved += taken;
      line.reserved += taken;
    }
    if (line.state === 'Ordered') {
      const requirement = line.of === null ? undefined : this.requirements[line.of];
      if (requirement !== undefined && more > 0) {
        if (requirement.cancelled) return false;
        this.#orderFor(requirement, line, more);
      }
      if (requirement !== undefined && more < 0) {
        // What was bought beyond the need is given back first.
        const own = Math.max(0, -more - (line.onOrder - line.onOrderFor));
        requirement.ordered -= own;
        line.onOrderFor -= own;
      }
      place.onOrder += more;
      line.onOrder += more;
    }
    line.quantity = quantity;
    if (line.state !== 'Draft' && quantity === done)
      line.state = line.kind === 'salesOrder' ? 'Shipped' : 'Received';
    return true;
  }

  #receive(line: ModelLine, amount: number): boolean {
    const place = this.at(line);
    place.onHand += amount;
    place.onOrder -= amount;
    line.onOrder -= amount;
    line.received += amount;
    const requirement = line.of === null ? undefined : this.requirements[line.of];
    if (requirement !== undefined) {
      const own = Math.min(line.onOrderFor, amount);
      requirement.received += own;
      line.onOrderFor -= own;
      // Where a count found less than is reserved, what is left of it.
      const arrived = Math.min(own, Math.max(0, place.onHand - place.reserved));
      if (this.#reserves && !requirement.cancelled && arrived > 0) {
        place.reserved += arrived;
        requirement.reserved += arrived;
        requirement.arrived += arrived;
        requirement.held[line.location] = (requirement.held[line.location] ?? 0) + arrived;
      }
    }
    if (line.received === line.quantity) line.state = 'Received';
    return true;
  }

  #ship(line: ModelLine, amount: number): boolean {
    const place = this.at(line);
    const own = Math.min(line.reserved, amount);
    if (place.onHand < amount) return false;
    if (amount > own && place.onHand - place.reserved < amount - own) return false;
    place.onHand -= amount;
    place.reserved -= own;
    line.reserved -= own;
    line.shipped += amount;
    if (line.shipped === line.quantity) line.state = 'Shipped';
    return true;
  }

  #require(op: Operation & { of: number }, requirement: ModelRequirement): boolean {
    if (op.do === 'drop') {
      if (requirement.cancelled) return false;
      for (const [location, held] of requirement.held.entries()) {
        this.at({ item: requirement.item, location }).reserved -= held;
        requirement.reserved -= held;
        requirement.converted = Math.max(0, requirement.converted - held);
        requirement.held[location] = 0;
      }
      requirement.cancelled = true;
      return true;
    }
    if (!('location' in op) || !('quantity' in op)) return false;
    const { location, quantity: amount } = op;
    const place = this.at({ item: requirement.item, location });
    const held = requirement.held[location] ?? 0;
    switch (op.do) {
      case 'order': {
        const wanted = { item: requirement.item, location };
        if (requirement.cancelled || this.openOf(requirement) <= 0) return false;
        return this.#make('purchaseOrder', wanted, amount, false, op.of);
      }
      case 'MRReservation': {
        const underWay = requirement.ordered - requirement.received;
        if (requirement.cancelled || amount > requirement.required - requirement.reserved - underWay)
          return false;
        if (place.onHand - place.reserved < amount) return false;
        place.reserved += amount;
        requirement.converted += Math.max(0, amount - this.openOf(requirement));
        requirement.reserved += amount;
        requirement.held[location] = held + amount;
        return true;
      }
      case 'MRRelease':
        if (amount > held) return false;
        place.reserved -= amount;
        requirement.converted = Math.max(0, requirement.converted - amount);
        requirement.reserved -= amount;
        requirement.held[location] = held - amount;
        return true;
      default:
        if (amount > held || place.onHand < amount) return false;
        place.onHand -= amount;
        place.reserved -= amount;
        requirement.issued += amount;
        requirement.held[location] = held - amount;
        return true;
    }
  }
}
