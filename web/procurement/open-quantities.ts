/** What is open of each of many, and what of it is typed to be done now. */
import {
  fromMillionths,
  quantityFault,
  readQuantity,
  toMillionths,
  typedQuantity,
} from '../components/exact-quantity.ts';
import { quantityText } from '../components/words.tsx';

/** What the service does in one call. */
export const LINES_MAX = 100;

export interface OpenQuantity<Of> {
  of: Of;
  text: string;
  /** What is done of it; 0: nothing, null: it cannot be read. */
  now: number | null;
  /** What is open afterwards. */
  left: number;
  wrong: string | null;
}

/** Beside what is open now: somebody else may have done of it since the dialog was opened. */
export function openQuantityOf<Of extends { openQty: number }>(of: Of, text: string): OpenQuantity<Of> {
  const now = text.trim() === '' ? 0 : readQuantity(text);
  const wrong =
    now === null || now < 0
      ? (quantityFault(text) ?? 'Not a quantity.')
      : toMillionths(now) > toMillionths(of.openQty)
        ? `Only ${quantityText(of.openQty)} open.`
        : null;
  return { of, text, now, wrong, left: fromMillionths(toMillionths(of.openQty) - toMillionths(now ?? 0)) };
}

/** All that is open, as the text of each field by its id. */
export function allOpen(of: readonly { id: string; openQty: number }[]): Record<string, string> {
  return Object.fromEntries(of.map(({ id, openQty }) => [id, typedQuantity(openQty)]));
}
