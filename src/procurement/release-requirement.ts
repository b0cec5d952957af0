/** Gives back everything that a requirement holds reserved and that was not issued. */
import type { Actor } from '../access/actor.ts';
import type { Tx } from '../db/transaction.ts';
import { microOfDecimal } from '../quantity.ts';
import type { Movement } from '../stock/movement.ts';
import { recordMovements } from '../stock/record-movements.ts';
import type { Requirement } from './requirement.ts';
import { selectHeld } from './requirements.sql.ts';

/** MRRelease at each location. The requirement is locked. */
export async function releaseRequirement(
  tx: Tx,
  actor: Actor,
  { id, orderId }: Requirement,
  note: string | null,
): Promise<void> {
  const held = await tx.query<{ item_id: string; location_id: string; held: string }>(selectHeld, [
    tx.workspaceId,
    id,
  ]);
  const movements = held.map(
    (row): Movement => ({
      type: 'MRRelease',
      itemId: row.item_id,
      locationId: row.location_id,
      amount: microOfDecimal(row.held),
      note,
      orderId,
      requirementId: id,
    }),
  );
  await recordMovements(tx, actor, movements);
}
