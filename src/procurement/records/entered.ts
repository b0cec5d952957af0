/** The quantity of a line as it was entered in another unit, in the columns of stock_line. */
import { decimalOf, microOfDecimal } from '../../quantity.ts';
import type { Entered } from '../../stock/entries/movement.ts';
import { rational } from '../../units/rational.ts';

/** Quantity and unit with the factor of that moment; null: in the base unit. */
export type EnteredQuantity = Pick<Entered, 'quantity' | 'unit' | 'factor'> | null;

export interface EnteredRow {
  entered_quantity: string | null;
  entered_unit: string | null;
  unit_numerator: string | null;
  unit_denominator: string | null;
}

/** The columns of a line that say what was entered. */
export function enteredColumns(entered: readonly EnteredQuantity[]): (string | null)[][] {
  return [
    entered.map((one) => (one === null ? null : decimalOf(one.quantity))),
    entered.map((one) => one?.unit ?? null),
    entered.map((one) => one?.factor.numerator.toString() ?? null),
    entered.map((one) => one?.factor.denominator.toString() ?? null),
  ];
}

export function enteredOf({
  entered_quantity: quantity,
  entered_unit: unit,
  unit_numerator: numerator,
  unit_denominator: denominator,
}: EnteredRow): EnteredQuantity {
  if (quantity === null || unit === null || numerator === null || denominator === null) return null;
  const factor = rational(BigInt(numerator), BigInt(denominator));
  return { quantity: microOfDecimal(quantity), unit, factor };
}
