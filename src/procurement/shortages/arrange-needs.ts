/** Filters the items of a shortage list and sorts them. */
import type { Tx } from '../../db/transaction.ts';
import { numberSought } from '../../entities/lists/search-patterns.ts';
import { AppError } from '../../errors.ts';
import { numberOfExact } from '../../quantity.ts';
import { ITEMS_AT_ONCE, type ItemNeed } from './find-shortages.ts';
import type { ShortageQuery } from './shortages.schema.ts';
import { selectMatchingItems } from './structure.sql.ts';

/** Bounds the message to the database: a single statement sorts all items. */
const SORTED_MAX = 20_000;

/** Returns the items that match the query, in its order. `needs` are in the order of the structure. Throws `too_many_to_sort`. */
export async function arrangeNeeds(
  tx: Tx,
  needs: readonly ItemNeed[],
  { all, open, kind, q, sort, order }: ShortageQuery,
): Promise<readonly ItemNeed[]> {
  const found = needs.filter(
    ({ short, openRequired, isAssembly }) =>
      (all === 'true' || short.digits > 0n || (open === 'true' && openRequired > 0n)) &&
      (kind === undefined || isAssembly === (kind === 'made')),
  );
  if (q === undefined && sort === 'structure') return order === 'asc' ? found : found.toReversed();
  if (sort !== 'structure' && found.length > SORTED_MAX) {
    throw new AppError('too_many_to_sort', {
      detail: `The list has ${found.length} items; at most ${SORTED_MAX} are sorted by ${sort}. Narrow it down, or sort by structure.`,
      extensions: { max: SORTED_MAX },
    });
  }
  const portion = sort === 'structure' ? ITEMS_AT_ONCE : SORTED_MAX;
  const number = numberSought(q);
  // The order of the structure is that of the portions.
  const statement = selectMatchingItems({ sort, order: sort === 'structure' ? 'asc' : order });
  const matching: ItemNeed[] = [];
  for (let from = 0; from < found.length; from += portion) {
    const some = found.slice(from, from + portion);
    const rows = await tx.query<{ place: number }>(statement, [
      tx.workspaceId,
      some.map(({ id }) => id),
      some.map(({ short }) => numberOfExact(short)),
      number === null ? (q ?? null) : null,
      number,
    ]);
    for (const { place } of rows) matching.push(some[place - 1] as ItemNeed);
  }
  return sort === 'structure' && order === 'desc' ? matching.toReversed() : matching;
}
