/**
 * Reads items with all that they are part of, as they are planned in a request. Where that is too much, the orders of a stored plan stand for what
 * they are part of.
 */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { Slices } from '../../fairness/slices.ts';
import type { InputChoice } from '../input/input-choice.ts';
import { chosenItems } from '../input/input-source.ts';
import { type ReadInput, type Reading, readInput } from '../input/read-input.ts';
import { placesOf } from '../netting/planning-input.ts';
import { findAncestors } from './find-ancestors.ts';
import { findOrders, type OrdersAbove, type StoredOrders, withNeedsOfOrders } from './needs-of-orders.ts';

interface ReadingAround extends Omit<Reading, 'limits'> {
  choice: InputChoice;
  max: number;
  /** Finds the orders of the stored plan; null: there is none that has all of them. */
  stored: () => Promise<StoredOrders | null>;
}

interface ReadAround {
  input: ReadInput;
  /** The items that are planned anew. */
  items: readonly string[];
  /** Whether all that the items are part of is planned anew. If not, orders of the stored plan stand for it. */
  isWhole: boolean;
}

/** Throws `tree_too_large`. */
export async function readAround(
  tx: Tx,
  items: readonly string[],
  { choice, max, stored, ...reading }: ReadingAround,
  slices: Slices,
): Promise<ReadAround> {
  const { around, orders } = await findAround(tx, items, { choice, max, stored });
  const limits = { itemsMax: around.items.length, linksMax: Number.MAX_SAFE_INTEGER };
  const source = await chosenItems(tx, reading.day, around, choice);
  const input = await readInput(source, { ...reading, limits });
  if (orders === null) return { input, items: around.items, isWhole: true };
  const places = placesOf(input.items.ids);
  const planned = new Set(items.flatMap((id) => places.get(id) ?? []));
  const { day, calendar } = reading;
  return {
    input: await withNeedsOfOrders(input, { planned, orders, day, calendar, max }, slices),
    items,
    isWhole: false,
  };
}

async function findAround(
  tx: Tx,
  items: readonly string[],
  { choice, max, stored: findStored }: Pick<ReadingAround, 'choice' | 'max' | 'stored'>,
): Promise<{ around: OrdersAbove['around']; orders: OrdersAbove['orders'] | null }> {
  try {
    return { around: await findAncestors(tx, items, max, choice), orders: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'tree_too_large') throw error;
    const stored = await findStored();
    if (stored === null) throw error;
    return findOrders(tx, items, { choice, max, stored });
  }
}
