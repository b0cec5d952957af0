/** Keeps what a transaction has mapped from growing with the number of rows that it goes through. */
import type { AnyTx } from './transaction.ts';

/**
 * Does the work for one of many rows, and lets go of the rows that it has loaded for it. At each flush MikroORM looks through all that
 * it holds: ten thousand rows, each changed and flushed in turn, would be looked through ten thousand times.
 */
export async function forgettingRows<T>(tx: AnyTx, work: () => Promise<T>): Promise<T> {
  const unit = tx.em.getUnitOfWork();
  const held = new Set(unit.getIdentityMap().values());
  const value = await work();
  await tx.em.flush();
  for (const row of [...unit.getIdentityMap().values()]) if (!held.has(row)) unit.unsetIdentity(row);
  return value;
}
