/** The quantity of a request, above zero and exact. */
import { AppError } from '../errors.ts';
import { type Micro, microOfNumber } from '../quantity.ts';

/** Throws `zero_quantity`, `quantity_out_of_range`. */
export function amountOf(quantity: number, field = 'quantity'): Micro {
  const amount = microOfNumber(quantity);
  if (amount === 0n) throw refusal('zero_quantity', field, 'A quantity of zero would change nothing.');
  if (amount !== null && amount > 0n) return amount;
  const message = `${quantity} is not above 0 with at most 9 integer and 6 fractional digits.`;
  throw refusal('quantity_out_of_range', field, message);
}

function refusal(code: 'zero_quantity' | 'quantity_out_of_range', field: string, message: string): AppError {
  return new AppError(code, { detail: message, errors: [{ pointer: `/${field}`, code, message }] });
}
