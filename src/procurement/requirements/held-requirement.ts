/** A requirement in the form of the API, with what it holds at each location. */
import type { Tx } from '../../db/transaction.ts';
import type { Requirement } from '../records/requirement.ts';
import type { RequirementWithHeld } from '../records/requirements.schema.ts';
import { type HeldRow, selectHeldByLocation } from '../records/requirements.sql.ts';
import { showRequirement } from '../records/show-procurement.ts';

const HELD_MAX = 1000;

interface NamedRow extends HeldRow {
  location_number: string | null;
  location_name: string;
  /** Number and name of a substitute. */
  item_number: string | null;
  item_name: string | null;
}

export async function showWithHeld(tx: Tx, requirement: Requirement): Promise<RequirementWithHeld> {
  const rows = await tx.query<NamedRow>(selectHeldByLocation, [tx.workspaceId, requirement.id, HELD_MAX]);
  const held = rows.map((row) => ({
    locationEntityId: row.location_id,
    locationNumber: row.location_number,
    locationName: row.location_name,
    quantity: Number(row.held),
    substitute:
      row.covers === null
        ? null
        : {
            itemEntityId: row.item_id,
            itemNumber: row.item_number,
            itemName: row.item_name ?? '',
            covers: Number(row.covers),
          },
  }));
  return { ...showRequirement(requirement), held };
}
