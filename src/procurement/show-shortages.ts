/** Shortages in the form of the API. */
import type { Tx } from '../db/transaction.ts';
import { numberOf } from '../quantity.ts';
import { numberOfExact } from './exact-sum.ts';
import type { ItemNeed } from './find-shortages.ts';
import type { Shortage } from './shortages.schema.ts';
import { selectNames } from './structure.sql.ts';

export interface Named {
  id: string;
  number: string | null;
  name: string;
}

/** Of those that are short. */
export async function showShortages(tx: Tx, needs: readonly ItemNeed[]): Promise<Shortage[]> {
  const ids = new Set(needs.flatMap(({ id, usedIn }) => [id, ...usedIn.map(({ parentId }) => parentId)]));
  const rows = await tx.query<Named>(selectNames, [tx.workspaceId, [...ids]]);
  const names = new Map(rows.map((row) => [row.id, row]));
  return needs.map((need) => ({
    itemEntityId: need.id,
    itemNumber: names.get(need.id)?.number ?? null,
    itemName: names.get(need.id)?.name ?? '',
    isAssembly: need.isAssembly,
    requiredQty: numberOfExact(need.gross),
    neededQty: numberOfExact(need.needed),
    reservedQty: numberOf(need.reserved),
    availableQty: numberOf(need.available),
    onOrderQty: numberOf(need.onOrder),
    shortageQty: numberOfExact(need.short),
    openRequirementQty: numberOf(need.openRequired),
    usedIn: need.usedIn.map(({ parentId, quantity, required }) => ({
      entityId: parentId,
      number: names.get(parentId)?.number ?? null,
      name: names.get(parentId)?.name ?? '',
      quantity: numberOfExact(quantity),
      requiredQty: numberOfExact(required),
    })),
  }));
}
