/** What is open of each of many, and what of it is typed to be done now. */
import {
  fromMillionths,
  quantityFault,
  readQuantity,
  toMillionths,
  typedQuantity,
} from '../components/forms/exact-quantity.ts';
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

/** Reads a typed quantity; an empty field is nothing. */
export function typedQuantityOf(text: string): Pick<OpenQuantity<never>, 'text' | 'now' | 'wrong'> {
  const now = text.trim() === '' ? 0 : readQuantity(text);
  return { text, now, wrong: now === null || now < 0 ? (quantityFault(text) ?? 'Not a quantity.') : null };
}

/**
 * Compares with what is open now: somebody else may have received or ordered since the dialog was opened. `most` is above that where more
 * than is open is taken.
 */
export function openQuantityOf<Of extends { openQty: number }>(
  of: Of,
  text: string,
  most = of.openQty,
): OpenQuantity<Of> {
  const { now, wrong } = typedQuantityOf(text);
  const isTooMuch = now !== null && toMillionths(now) > toMillionths(most);
  const left = toMillionths(of.openQty) - toMillionths(now ?? 0);
  return {
    of,
    text,
    now,
    wrong:
      wrong ??
      (isTooMuch ? `Only ${quantityText(most)} ${most === of.openQty ? 'open' : 'accepted'}.` : null),
    left: fromMillionths(left < 0n && !isTooMuch ? 0n : left),
  };
}

/** All that is open, as the text of each field by its id. */
export function allOpen(of: readonly { id: string; openQty: number }[]): Record<string, string> {
  return Object.fromEntries(of.map(({ id, openQty }) => [id, typedQuantity(openQty)]));
}
