/** A requirement in the form of the API, with what it holds at each location. */
import type { Tx } from '../../db/transaction.ts';
import type { Requirement } from '../records/requirement.ts';
import type { RequirementWithHeld } from '../records/requirements.schema.ts';
import { selectHeldByLocation } from '../records/requirements.sql.ts';
import { showRequirement } from '../records/show-procurement.ts';

const HELD_MAX = 1000;

interface HeldRow {
  location_id: string;
  location_number: string | null;
  location_name: string;
  held: string;
}

export async function showWithHeld(tx: Tx, requirement: Requirement): Promise<RequirementWithHeld> {
  const rows = await tx.query<HeldRow>(selectHeldByLocation, [tx.workspaceId, requirement.id, HELD_MAX]);
  const held = rows.map((row) => ({
    locationEntityId: row.location_id,
    locationNumber: row.location_number,
    locationName: row.location_name,
    quantity: Number(row.held),
  }));
  return { ...showRequirement(requirement), held };
}
