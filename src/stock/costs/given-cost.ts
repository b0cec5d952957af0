/** Reads the cost that a call states of arriving goods. */
import type { Costing } from '../../configuration/stock-settings/stock-settings.ts';
import type { ErrorCode } from '../../errors.ts';
import { moneyOf } from '../../money/money.ts';
import type { Micro } from '../../quantity.ts';
import { ONE } from '../../units/rational.ts';
import type { UnitCostGiven } from '../entries/given-cost.schema.ts';
import type { Entered, UnitCost } from '../entries/movement.ts';

/** Returns the cost, undefined where none is given, or why it is refused. The price is of the unit that was entered. */
export function unitCostOf(
  given: UnitCostGiven | null | undefined,
  { amount, entered }: { amount: Micro; entered: Entered | null },
  costing: Costing | null,
): UnitCost | undefined | { code: ErrorCode; message: string } {
  if (given == null) return undefined;
  if (costing === null)
    return { code: 'costing_off', message: 'The workspace keeps no costs of its stock: send no cost.' };
  if (amount < 0n) {
    const message = 'What leaves has the cost of the stock that it takes: send no cost.';
    return { code: 'validation_failed', message };
  }
  return {
    price: moneyOf(given.price),
    currency: given.currency ?? costing.currency,
    factor: entered?.factor ?? ONE,
  };
}
