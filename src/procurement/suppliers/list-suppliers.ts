/** Pages of suppliers. */
import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { decodeCursor, type ListQuery, pageOf } from '../../http/list.ts';
import type { Supplier } from '../records/suppliers.schema.ts';
import { selectSuppliers } from '../records/suppliers.sql.ts';

/** Lists suppliers by name, ignoring case. Throws `invalid_cursor`. */
export async function listSuppliers(
  tx: Tx,
  { limit, cursor }: ListQuery,
): Promise<{ items: Supplier[]; nextCursor: string | null }> {
  const after = decodeCursor('suppliers', cursor, z.string());
  const rows = await readPage<{ key: string; name: string }>(
    tx,
    selectSuppliers,
    [tx.workspaceId, after, limit + 1],
    { limit, long: ['key', 'name'] },
  );
  return pageOf(
    'suppliers',
    rows,
    (row) => row.key,
    ({ name }) => ({ name }),
  );
}
