/** Raises material requirements. It records a need and writes no ledger entry (interface, Material requirement line). */
import type { Actor } from '../../actor.ts';
import { allocateNumbers, formatNumber } from '../../configuration/allocate-numbers.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { CategoryConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordEntitiesCreated } from '../../events/record-entity-events.ts';
import { decimalOf, type Micro } from '../../quantity.ts';
import { findProcurementCategory } from '../records/find-procurement-category.ts';
import { nameOfLine } from '../records/line.ts';
import { type Requirement, requirementOfRow } from '../records/requirement.ts';
import {
  insertRequirementEntities,
  insertRequirements,
  type RequirementRow,
  selectRequirements,
} from '../records/requirements.sql.ts';

export interface WantedRequirement {
  itemId: string;
  itemName: string;
  amount: Micro;
  requiredBy: string | null;
}

/** Of a project, or of a manufacturing line that needs them as components. */
export type RequirementOwner = { projectId: string; lineId: null } | { projectId: null; lineId: string };

/** As many as one message to the database takes: writing it is one turn of the event loop. */
const AT_ONCE = 1000;

/**
 * In three statements for each thousand of them; the items and the owner exist. Takes the configuration lock
 * and the number counter. Throws `procurement_not_configured`.
 */
export async function createRequirements(
  tx: Tx,
  actor: Actor,
  owner: RequirementOwner,
  wanted: readonly WantedRequirement[],
): Promise<Requirement[]> {
  if (wanted.length === 0) return [];
  const category = findProcurementCategory(await configurationForWriting(tx), 'materialRequirement');
  const first = await allocateNumbers(tx, category.key, wanted.length);
  const created: Requirement[] = [];
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const portion = wanted.slice(from, from + AT_ONCE);
    created.push(...(await insertPortion(tx, actor, owner, portion, { category, first: first + from })));
  }
  return created;
}

/** Those, numbered from `first`. */
async function insertPortion(
  tx: Tx,
  actor: Actor,
  owner: RequirementOwner,
  wanted: readonly WantedRequirement[],
  { category, first }: { category: CategoryConfiguration; first: number },
): Promise<Requirement[]> {
  const made = wanted.map((_, index) => ({
    id: newId(),
    number: formatNumber(category.numbering.pattern, first + index),
    category: category.key,
  }));
  const ids = made.map(({ id }) => id);
  await tx.query(insertRequirementEntities, [
    tx.workspaceId,
    ids,
    made.map(({ number }) => number),
    wanted.map(({ itemName, amount }) => nameOfLine(amount, itemName)),
    category.key,
    category.lifecycle.initialState,
    actor.id,
  ]);
  await recordEntitiesCreated(
    tx,
    made.map((one) => ({ ...one, versionId: one.id })),
  );
  await tx.query(insertRequirements, [
    tx.workspaceId,
    ids,
    owner.projectId,
    owner.lineId,
    wanted.map(({ itemId }) => itemId),
    wanted.map(({ amount }) => decimalOf(amount)),
    wanted.map(({ requiredBy }) => requiredBy),
  ]);
  const rows = await tx.query<RequirementRow>(selectRequirements, [tx.workspaceId, ids]);
  return rows.map(requirementOfRow);
}
