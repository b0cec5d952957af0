/** Rows that may be millions, some at a time: neither the driver nor the heap of a thread has room for all at once. */
import type { AnyTx } from './transaction.ts';

const ROWS_AT_ONCE = 5000;

/**
 * The rows of a query in portions, by a cursor that is called `name`, and called so by nobody else at the time. A
 * query of few rows costs one round trip.
 */
export async function* readRows<Row>(
  tx: AnyTx,
  name: string,
  sql: string,
  params: readonly unknown[],
): AsyncGenerator<Row[]> {
  const declared = tx.query(`declare ${name} no scroll cursor for ${sql}`, params);
  const fetch = `fetch ${ROWS_AT_ONCE} from ${name}`;
  let [rows] = await Promise.all([tx.query<Row>(fetch), declared]);
  for (; rows.length === ROWS_AT_ONCE; rows = await tx.query<Row>(fetch)) yield rows;
  if (rows.length > 0) yield rows;
  tx.withCommit(tx.query(`close ${name}`));
}
