/** Costs that receipts state, beside or instead of the price at which their lines were ordered. */
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import { type AppError, fieldError } from '../../errors.ts';
import { unitCostOf } from '../../stock/costs/given-cost.ts';
import type { UnitCostGiven } from '../../stock/entries/given-cost.schema.ts';
import type { UnitCost } from '../../stock/entries/movement.ts';
import type { GivenAmount, Reading } from './given-amounts.ts';
import { atLine } from './refusals.ts';

interface GivenCost {
  unitCost: UnitCostGiven | null | undefined;
  /** The quantity whose unit the price is of. */
  amount: GivenAmount;
  /** The line of the body; null where the body is one receipt. */
  index: number | null;
}

/** Returns the costs in order, undefined where none is stated. Reads nothing where no receipt states one. Throws `costing_off`. */
export async function costsGiven(
  reading: Reading,
  given: readonly GivenCost[],
): Promise<(UnitCost | undefined)[]> {
  if (given.every(({ unitCost }) => unitCost == null)) return given.map(() => undefined);
  const { costing } = (await reading(loadConfiguration)).stock;
  return given.map(({ unitCost, amount, index }) =>
    atLine(index, () => {
      const cost = unitCostOf(unitCost, amount, costing);
      if (cost === undefined || !('code' in cost)) return cost;
      throw refuseCost(cost);
    }),
  );
}

/** Returns the cost that one receipt states. */
export async function costOfCall(
  reading: Reading,
  given: Omit<GivenCost, 'index'>,
): Promise<UnitCost | undefined> {
  const [cost] = await costsGiven(reading, [{ ...given, index: null }]);
  return cost;
}

/** A built unit costs what its components cost. */
export function refuseCostOf(type: string): AppError {
  const message = `What a line of the type ${type} makes costs what it took of its components: send no cost.`;
  return refuseCost({ code: 'validation_failed', message });
}

function refuseCost({ code, message }: Pick<AppError, 'code' | 'message'>): AppError {
  return fieldError(code, '/unitCost', message);
}
