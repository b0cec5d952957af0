/** Takes components from the stock that a transaction has locked. Each take is seen by those after it. */
import type { Micro } from '../../quantity.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import { type Position, positionKey } from '../../stock/movements/decide-movements.ts';
import { atLeastZero } from '../records/amounts.ts';
import { type Component, divideUp } from './components.ts';
import { type ChosenSubstitute, type SubstituteUse, substituteUse } from './substitutes.ts';

/** A part of a component, or of a substitute for it, at one location. */
export interface Take {
  readonly component: Component;
  /** The substitute that is taken in place of the component; null for the component itself. */
  readonly substitute: Pick<ChosenSubstitute, 'id' | 'number' | 'name' | 'entered'> | null;
  readonly locationId: string;
  /** In the base unit of the item that is taken. */
  readonly amount: Micro;
  /** How much of the component that is. */
  readonly covered: Micro;
  /** Whether the component has it reserved; otherwise it is free stock. */
  readonly isHeld: boolean;
}

/** A component of which there is not enough. */
export interface Shortage {
  readonly component: Component;
  /** The substitute that is short; null for the component itself. */
  readonly substitute: ChosenSubstitute | null;
  readonly needed: Micro;
  /** How much of it was found. */
  readonly found: Micro;
}

export interface Taken {
  takes: Take[];
  shortages: Shortage[];
}

interface At {
  readonly locationId: string;
  amount: Micro;
}

/** The item that is taken in place of a component. */
type Substituted = NonNullable<Take['substitute']>;

/** A reservation of a component at a location: of itself, or of a substitute. */
export interface HeldAt extends At {
  readonly substitute: Substituted | null;
  /** How much of the component it covers. */
  covers: Micro;
}

export class ComponentStock {
  /** Held quantities by requirement. */
  readonly #held: ReadonlyMap<string, HeldAt[]>;
  /** Free quantities by item, in the order in which they are taken. */
  readonly #free: ReadonlyMap<string, At[]>;

  constructor(
    held: ReadonlyMap<string, readonly HeldAt[]>,
    places: ReadonlyMap<string, readonly string[]>,
    positions: ReadonlyMap<string, Pick<Position, 'onHand' | 'reserved'>>,
  ) {
    this.#held = new Map([...held].map(([id, all]) => [id, all.map((one) => ({ ...one }))]));
    this.#free = new Map(
      [...places].map(([itemId, locations]) => [
        itemId,
        locations.map((locationId) => {
          const position = positions.get(positionKey({ itemId, locationId }));
          return { locationId, amount: position === undefined ? 0n : position.onHand - position.reserved };
        }),
      ]),
    );
  }

  heldOf({ requirement }: Pick<Component, 'requirement'>): readonly Readonly<HeldAt>[] {
    return (this.#held.get(requirement.id) ?? []).filter(({ amount }) => amount > 0n);
  }

  freeOf(itemId: string): readonly Readonly<At>[] {
    return (this.#free.get(itemId) ?? []).filter(({ amount }) => amount > 0n);
  }

  /**
   * Takes from what the component has reserved, wherever that is, and then as `toReserve` does. Throws `validation_failed`.
   */
  toIssue(
    component: Component,
    amount: Micro,
    taken: Taken,
    substitutes: readonly ChosenSubstitute[] = [],
  ): void {
    let left = amount;
    for (const held of this.#held.get(component.requirement.id) ?? []) {
      const part = partOfHeld(held, left);
      if (part.covered <= 0n) continue;
      held.amount -= part.amount;
      held.covers -= part.covered;
      left -= part.covered;
      const { locationId, substitute } = held;
      taken.takes.push({ component, substitute, locationId, ...part, isHeld: true });
    }
    this.toReserve(component, left, taken, substitutes);
  }

  /**
   * Takes the chosen substitutes in their order, then free stock of the component. Throws `validation_failed` for a quantity of a substitute
   * that covers more than is left, or nothing.
   */
  toReserve(
    component: Component,
    amount: Micro,
    taken: Taken,
    substitutes: readonly ChosenSubstitute[] = [],
  ): void {
    let left = amount;
    for (const substitute of substitutes) {
      const use = substituteUse(substitute, atLeastZero(left));
      if (use.amount === 0n) continue;
      const free = this.#takeFrom(this.#free.get(substitute.id), component, use.amount);
      const found = sum(free);
      taken.takes.push(...substituting(free, substitute, use));
      if (found < use.amount) taken.shortages.push({ component, substitute, needed: use.amount, found });
      left -= use.covered;
    }
    if (left <= 0n) return;
    const takes = this.#takeFrom(this.#free.get(component.requirement.itemId), component, left);
    taken.takes.push(...takes);
    const found = sum(takes);
    if (found < left) taken.shortages.push({ component, substitute: null, needed: left, found });
  }

  #takeFrom(places: At[] | undefined, component: Component, amount: Micro): Take[] {
    const takes: Take[] = [];
    let left = amount;
    for (const place of places ?? []) {
      if (left <= 0n) break;
      const some = place.amount < left ? place.amount : left;
      if (some <= 0n) continue;
      place.amount -= some;
      left -= some;
      takes.push({
        component,
        substitute: null,
        locationId: place.locationId,
        amount: some,
        covered: some,
        isHeld: false,
      });
    }
    return takes;
  }
}

function sum(takes: readonly Take[]): Micro {
  return takes.reduce((total, { amount }) => total + amount, 0n);
}

/** Returns the part of a reservation that covers so much of the component: of a substitute as much as it takes, rounded up, and with all of it all that it covers. */
function partOfHeld({ amount, covers }: HeldAt, left: Micro): Pick<Take, 'amount' | 'covered'> {
  if (left >= covers) return { amount, covered: covers };
  const part = divideUp(amount * left, covers);
  return { amount: part, covered: part === amount ? covers : left };
}

/** Returns the takes of a substitute with what each of them covers, rounded from the first on. */
function substituting(takes: readonly Take[], substitute: ChosenSubstitute, use: SubstituteUse): Take[] {
  let before = 0n;
  return takes.map((take) => {
    const upTo = (amount: Micro) => (use.covered * amount) / use.amount;
    const covered = upTo(before + take.amount) - upTo(before);
    before += take.amount;
    return { ...take, substitute, covered };
  });
}

/** Facts that all entries of a build state. */
export type BuildFacts = Pick<Movement, 'note' | 'bookingId' | 'reason'>;

/** Returns the movement that reserves free stock for its component. */
export function reservationOf(
  { component: { requirement }, substitute, locationId, amount, covered }: Take,
  facts: BuildFacts,
): Movement {
  return {
    type: 'MRReservation',
    itemId: substitute?.id ?? requirement.itemId,
    locationId,
    amount,
    ...(substitute === null ? {} : { coveredQuantity: covered, entered: substitute.entered }),
    orderId: requirement.orderId,
    requirementId: requirement.id,
    ...facts,
  };
}

/** Returns the movement that issues a take. Free stock is issued without a reservation before: one entry less for each component. */
export function issueOf(take: Take, facts: BuildFacts): Movement {
  return { ...reservationOf(take, facts), type: 'MRIssue', reservedAmount: take.isHeld ? take.amount : 0n };
}
