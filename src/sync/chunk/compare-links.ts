/** Sums a chunk's parent links and finds those that differ from the stored structure. */
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { textArray, uuidArray } from '../../db/array-parameter.ts';
import type { Tx } from '../../db/transaction.ts';
import { decimalOf, type MicroDouble, microDoubleOfDecimal } from '../../quantity.ts';
import type { PreparedEntity } from '../elements/prepare-elements.ts';
import { compareWithStoredLines, compareWithStoredLinks } from './compare-links.sql.ts';
import { LinkList, linkFlags, type PlannedLinks } from './planned-links.ts';
import type { KeptLinks } from './planned-naming.ts';

/** Links that are looked up with one statement: one entity may have a hundred thousand parents. */
const LINKS_AT_ONCE = 5000;

/**
 * The same parent several times under one child is one link, its quantities summed (contract §2.4). All
 * elements of a child lie in one chunk, so that the sums are whole; none is above the most that can be stored
 * (see prepare-elements.ts). `kept` takes the links in which nothing differs.
 */
export async function compareLinks(
  tx: Tx,
  entities: readonly PreparedEntity[],
  configuration: WorkspaceConfiguration,
  kept: KeptLinks | null = null,
): Promise<PlannedLinks> {
  const differing = new LinkList();
  let some: SummedLink[] = [];
  for (const entity of entities) {
    for (const link of sumLinks(entity)) {
      some.push(link);
      if (some.length < LINKS_AT_ONCE) continue;
      await addDiffering(tx, some, configuration, differing, kept);
      some = [];
    }
  }
  if (some.length > 0) await addDiffering(tx, some, configuration, differing, kept);
  return differing.pack();
}

async function addDiffering(
  tx: Tx,
  links: readonly SummedLink[],
  configuration: WorkspaceConfiguration,
  differing: LinkList,
  kept: KeptLinks | null,
): Promise<void> {
  // Most say nothing beside the quantity: theirs is the shorter way.
  const hasLines = links.some(({ line }) => line !== null);
  const rows = await tx.query<{
    ord: number;
    child_stored: boolean;
    parent_state: string | null;
    parent_category: string | null;
    stored_quantity: string | null;
    stored_line?: string | null;
    line_differs?: boolean;
  }>(hasLines ? compareWithStoredLines : compareWithStoredLinks, [
    tx.workspaceId,
    uuidArray(links.map((link) => link.childGuid)),
    uuidArray(links.map((link) => link.parentGuid)),
    // Digits and points have nothing to escape.
    `{${links.map((link) => decimalOf(link.quantityMicros)).join(',')}}`,
    ...(hasLines ? [textArray(links.map(({ line }) => line))] : []),
  ]);
  if (kept !== null) {
    const found = new Set(rows.map(({ ord }) => ord));
    for (const [ord, { childGuid, parentGuid }] of links.entries())
      if (!found.has(ord)) kept.push(childGuid, parentGuid);
  }
  for (const row of rows) {
    const lifecycle =
      row.parent_category === null ? undefined : configuration.categories.get(row.parent_category)?.lifecycle;
    const released = row.parent_state !== null && lifecycle?.releasedStates.has(row.parent_state) === true;
    const { line: said, ...link } = links[row.ord] as SummedLink;
    differing.add({
      ...link,
      line: said === null ? null : { said, stored: row.stored_line ?? null },
      storedMicros: row.stored_quantity === null ? null : microDoubleOfDecimal(row.stored_quantity),
      flags:
        (row.child_stored ? linkFlags.childStored : 0) |
        (row.parent_state === null ? 0 : linkFlags.parentStored) |
        (released ? linkFlags.parentReleased : 0) |
        (row.line_differs === true ? linkFlags.lineDiffers : 0),
    });
  }
}

interface SummedLink {
  childGuid: string;
  parentGuid: string;
  quantityMicros: MicroDouble;
  indexes: number[];
  /** JSON of a `SaidLine`. */
  line: string | null;
}

const noLinks: readonly SummedLink[] = [];

function sumLinks(entity: PreparedEntity): Iterable<SummedLink> {
  if (entity.others.length === 0) {
    const { index, parentGuid, quantityMicros } = entity.carrier.element;
    if (parentGuid === null) return noLinks;
    const line = entity.lines?.get(parentGuid) ?? null;
    return [{ childGuid: entity.guid, parentGuid, quantityMicros, indexes: [index], line }];
  }
  const byParent = new Map<string, SummedLink>();
  for (const { index, parentGuid, quantityMicros } of [entity.carrier.element, ...entity.others]) {
    if (parentGuid === null) continue;
    const known = byParent.get(parentGuid);
    if (known === undefined) {
      const line = entity.lines?.get(parentGuid) ?? null;
      byParent.set(parentGuid, {
        childGuid: entity.guid,
        parentGuid,
        quantityMicros,
        indexes: [index],
        line,
      });
    } else {
      known.quantityMicros += quantityMicros;
      known.indexes.push(index);
    }
  }
  return byParent.values();
}
