/** Takes components from the stock that a transaction has locked. Each take is seen by those after it. */
import type { Micro } from '../../quantity.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import { type Position, positionKey } from '../../stock/movements/decide-movements.ts';
import type { Component } from './components.ts';

/** A part of a component at one location. */
export interface Take {
  readonly component: Component;
  readonly locationId: string;
  readonly amount: Micro;
  /** Whether the component has it reserved; otherwise it is free stock. */
  readonly isHeld: boolean;
}

/** A component of which there is not enough. */
export interface Shortage {
  readonly component: Component;
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

export class ComponentStock {
  /** Held quantities by requirement. */
  readonly #held: ReadonlyMap<string, At[]>;
  /** Free quantities by item, in the order in which they are taken. */
  readonly #free: ReadonlyMap<string, At[]>;

  constructor(
    held: ReadonlyMap<string, readonly At[]>,
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

  heldOf({ requirement }: Component): readonly Readonly<At>[] {
    return (this.#held.get(requirement.id) ?? []).filter(({ amount }) => amount > 0n);
  }

  freeOf(itemId: string): readonly Readonly<At>[] {
    return (this.#free.get(itemId) ?? []).filter(({ amount }) => amount > 0n);
  }

  /** Takes from what the component has reserved, wherever that is, and then from free stock. */
  toIssue(component: Component, amount: Micro, taken: Taken): void {
    const held = this.#takeFrom(this.#held.get(component.requirement.id), component, amount, true);
    this.#add(component, amount, [...held, ...this.#takeFree(component, amount - sum(held))], taken);
  }

  /** Takes from free stock. */
  toReserve(component: Component, amount: Micro, taken: Taken): void {
    this.#add(component, amount, this.#takeFree(component, amount), taken);
  }

  #takeFree(component: Component, amount: Micro): Take[] {
    return this.#takeFrom(this.#free.get(component.requirement.itemId), component, amount, false);
  }

  #add(component: Component, needed: Micro, takes: readonly Take[], taken: Taken): void {
    taken.takes.push(...takes);
    const found = sum(takes);
    if (found < needed) taken.shortages.push({ component, needed, found });
  }

  #takeFrom(places: At[] | undefined, component: Component, amount: Micro, isHeld: boolean): Take[] {
    const takes: Take[] = [];
    let left = amount;
    for (const place of places ?? []) {
      if (left <= 0n) break;
      const some = place.amount < left ? place.amount : left;
      if (some <= 0n) continue;
      place.amount -= some;
      left -= some;
      takes.push({ component, locationId: place.locationId, amount: some, isHeld });
    }
    return takes;
  }
}

function sum(takes: readonly Take[]): Micro {
  return takes.reduce((total, { amount }) => total + amount, 0n);
}

/** Facts that all entries of a build state. */
export type BuildFacts = Pick<Movement, 'note' | 'bookingId' | 'reason'>;

/** Returns the movement that reserves free stock for its component. */
export function reservationOf(
  { component: { requirement }, locationId, amount }: Take,
  facts: BuildFacts,
): Movement {
  return {
    type: 'MRReservation',
    itemId: requirement.itemId,
    locationId,
    amount,
    orderId: requirement.orderId,
    requirementId: requirement.id,
    ...facts,
  };
}

/** Returns the movement that issues a take. Free stock is issued without a reservation before: one entry less for each component. */
export function issueOf(take: Take, facts: BuildFacts): Movement {
  return { ...reservationOf(take, facts), type: 'MRIssue', reservedAmount: take.isHeld ? take.amount : 0n };
}
