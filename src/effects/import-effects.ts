/** Parts of an element that other capabilities than the sync take: the table that they join. */
import { readCallerRights } from '../access/read-caller-rights.ts';
import { mayDo } from '../areas.ts';
import type { Tx } from '../db/transaction.ts';
import type { TakenParts } from '../procurement/supplier-parts/decide-parts.ts';
import { importSupplierParts, type StatedParts } from '../procurement/supplier-parts/import-parts.ts';

interface Importing {
  actorId: string;
  dryRun: boolean;
  currency: string | null;
}

/** Takes the supplier parts of items, if the caller may change them. Returns the outcome for each, in their order. */
export async function takeSupplierParts(
  tx: Tx,
  importing: Importing,
  stated: readonly StatedParts[],
): Promise<TakenParts[]> {
  const { actorId } = importing;
  const rights = (await readCallerRights(tx, [actorId])).get(actorId);
  if (rights !== undefined && mayDo(rights, 'procurement')) return importSupplierParts(tx, importing, stated);
  return stated.map(() => ({ changes: [], refused: [AREA_MISSING] }));
}

const AREA_MISSING =
  'The supplier parts were not taken: whoever sent the element does not have the area "procurement".';
