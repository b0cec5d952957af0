/** Reads the cost of goods as commands name it: `1.25`, or `"1.25 USD"`. */
import { UsageError } from './exit-codes.ts';
import { shown } from './output.ts';

export interface UnitCost {
  price: string;
  currency?: string;
}

export function readCost(text: string): UnitCost {
  const [, price, currency] = /^\s*(\d{1,9}(?:\.\d{1,6})?)(?:\s+([A-Za-z]{3}))?\s*$/.exec(text) ?? [];
  if (price === undefined)
    throw new UsageError(
      `"${shown(text)}" is no cost: write a number with a decimal point, such as 1.25 or "1.25 USD".`,
    );
  return { price, ...(currency === undefined ? {} : { currency: currency.toUpperCase() }) };
}
