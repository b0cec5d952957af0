/** Changes the ways by which a person signs in. */
import type { Db } from '../../db/connect.ts';
import { type InstanceTx, inTransaction } from '../../db/transaction.ts';
import { describePerson, lockPerson } from './person.sql.ts';
import type { DescribedPerson } from './read-me.ts';

/** Runs work with the person locked: of two changes at once, the second sees what the first has left. */
export async function changeWaysIn(
  db: Db,
  personId: string,
  work: (tx: InstanceTx, person: DescribedPerson) => Promise<void>,
): Promise<void> {
  await inTransaction(db, 'instance', async (tx) => {
    await tx.query(lockPerson, [personId]);
    const [row] = await tx.query<{ person: DescribedPerson }>(describePerson, [personId]);
    if (row === undefined) throw new Error('the person of a session is gone');
    await work(tx, row.person);
  });
}
