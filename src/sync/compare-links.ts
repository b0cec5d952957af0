/** Sums a chunk's parent links and finds those that differ from the stored structure. */
import type { WorkspaceConfiguration } from '../configuration/load-configuration.ts';
import type { Tx } from '../db/transaction.ts';
import type { ComparedEntity } from './compare-elements.ts';
import { compareWithStoredLinks } from './compare-links.sql.ts';
import { QUANTITY_MICROS_MAX } from './read-element.ts';

/** A link that the batch asks for and that is not stored as it asks. */
export interface PlannedLink {
  childGuid: string;
  parentGuid: string;
  quantityMicros: number;
  /** The elements that name this parent, by their place in the payload. */
  indexes: number[];
  /** The first of them carries the child's data: its result speaks of the link. */
  byCarrier: boolean;
  childId: string | null;
  parentId: string | null;
  parentReleased: boolean;
  storedMicros: number | null;
}

/**
 * The same parent several times under one child is one link, its quantities summed (contract §2). All
 * elements of a child lie in one chunk, so that the sums are whole.
 */
export async function compareLinks(
  tx: Tx,
  workspaceId: string,
  compared: readonly ComparedEntity[],
  configuration: WorkspaceConfiguration,
): Promise<PlannedLink[]> {
  const links = compared.flatMap(sumLinks);
  if (links.length === 0) return [];
  const rows = await tx.query<{
    ord: string;
    child_id: string | null;
    parent_id: string | null;
    parent_state: string | null;
    parent_category: string | null;
    stored_quantity: string | null;
  }>(compareWithStoredLinks, [
    workspaceId,
    links.map((link) => link.childGuid),
    links.map((link) => link.parentGuid),
    links.map((link) => microsText(link.quantityMicros)),
  ]);
  return rows.map((row) => {
    const link = links[Number(row.ord)] as PlannedLink;
    link.childId = row.child_id;
    link.parentId = row.parent_id;
    link.parentReleased =
      row.parent_category !== null &&
      row.parent_state !== null &&
      (configuration.categories.get(row.parent_category)?.lifecycle.releasedStates.has(row.parent_state) ??
        false);
    link.storedMicros = row.stored_quantity === null ? null : Math.round(Number(row.stored_quantity) * 1e6);
    return link;
  });
}

function sumLinks(entity: ComparedEntity): PlannedLink[] {
  const byParent = new Map<string, PlannedLink>();
  for (const { element } of [entity.carrier, ...entity.others.map((other) => other.element)]) {
    if (element.parentGuid === null) continue;
    const known = byParent.get(element.parentGuid);
    if (known === undefined) {
      byParent.set(element.parentGuid, {
        childGuid: entity.guid,
        parentGuid: element.parentGuid,
        quantityMicros: element.quantityMicros,
        indexes: [element.index],
        byCarrier: element === entity.carrier.element,
        childId: null,
        parentId: null,
        parentReleased: false,
        storedMicros: null,
      });
    } else {
      known.quantityMicros = Math.min(known.quantityMicros + element.quantityMicros, QUANTITY_MICROS_MAX);
      known.indexes.push(element.index);
    }
  }
  return [...byParent.values()];
}

/** Millionths as the text of a decimal, exactly. */
export function microsText(micros: number): string {
  const digits = String(micros).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
