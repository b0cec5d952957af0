/** Tracks the available stock at the positions of one request, as the movements that are planned so far leave it. */
import type { Micro } from '../../quantity.ts';
import { type Balance, deltasOf, type Movement } from '../../stock/entries/movement.ts';
import { positionKey } from '../../stock/movements/decide-movements.ts';
import { least } from './amounts.ts';

type Place = Pick<Movement, 'itemId' | 'locationId'>;

export class AvailableStock {
  readonly #balanceOf: (place: Place) => Balance;
  readonly #left = new Map<string, Micro>();

  /** `balanceOf` returns the balance before the request. */
  constructor(balanceOf: (place: Place) => Balance) {
    this.#balanceOf = balanceOf;
  }

  /** Takes as much of the amount as is available, and returns how much that is. */
  take(place: Place, amount: Micro): Micro {
    const available = this.#availableAt(place);
    const taken = least(available, amount);
    if (taken <= 0n) return 0n;
    this.#left.set(positionKey(place), available - taken);
    return taken;
  }

  /** Notes movements that the request makes. */
  note(movements: readonly Movement[]): void {
    for (const movement of movements) {
      const { onHand, reserved } = deltasOf(movement);
      this.#left.set(positionKey(movement), this.#availableAt(movement) + onHand - reserved);
    }
  }

  #availableAt(place: Place): Micro {
    const known = this.#left.get(positionKey(place));
    if (known !== undefined) return known;
    const { onHand, reserved } = this.#balanceOf(place);
    return onHand - reserved;
  }
}
