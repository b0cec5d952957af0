/** Sums a chunk's parent links and finds those that differ from the stored structure. */
import { isOutsideStructure } from '../../configuration/categories/behaviour.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { int4Array, textArray, uuidArray } from '../../db/wire/array-parameter.ts';
import { decimalOf, type MicroDouble, microDoubleOfDecimal } from '../../quantity.ts';
import type { PreparedEntity } from '../elements/prepare-elements.ts';
import type { ComparedEntity } from './compare-elements.ts';
import { compareWithStoredLinks, selectParents } from './compare-links.sql.ts';
import { LinkList, linkFlags, type PlannedLinks } from './planned-links.ts';
import type { KeptLinks } from './planned-naming.ts';

/** Links that are looked up with one statement: one entity may have a hundred thousand parents. */
const LINKS_PER_STATEMENT = 5000;

/** How the links of a chunk are compared. */
export interface LinkComparison {
  configuration: WorkspaceConfiguration;
  /** Takes the links in which nothing differs. */
  kept: KeptLinks | null;
  /**
   * The entities as they were found, in their order: of the links of what is new all that is to be known is which parents are
   * stored. Null where nobody has looked yet.
   */
  compared: readonly ComparedEntity[] | null;
}

/**
 * Compares links. The same parent several times under one child is one link with the sum of the quantities
 * (contract §2.4). All elements of a child are in one chunk, so the sums are complete; none exceeds the storable
 * maximum (see prepare-elements.ts). `further` are links of entities that are not among these.
 */
export async function compareLinks(
  tx: Tx,
  entities: readonly PreparedEntity[],
  comparison: LinkComparison,
  further: readonly SummedLink[] = [],
): Promise<PlannedLinks> {
  const differing = new LinkList();
  let some: SummedLink[] = [];
  const compareSome = async () => {
    await addDiffering(tx, some, comparison, differing);
    some = [];
  };
  for (let place = 0; place < entities.length; place++) {
    const entity = entities[place] as PreparedEntity;
    const childId = childIdAt(comparison.compared, place);
    if (entity.others.length === 0) {
      const link = linkOf(entity, childId);
      if (link !== null) some.push(link);
    } else {
      for (const link of sumLinks(entity, childId)) {
        some.push(link);
        if (some.length >= LINKS_PER_STATEMENT) await compareSome();
      }
    }
    if (some.length >= LINKS_PER_STATEMENT) await compareSome();
  }
  for (const link of further) {
    some.push(link);
    if (some.length >= LINKS_PER_STATEMENT) await compareSome();
  }
  if (some.length > 0) await compareSome();
  return differing.pack();
}

/** See `SummedLink`. */
function childIdAt(compared: LinkComparison['compared'], place: number): SummedLink['childId'] {
  return compared === null ? undefined : ((compared[place] as ComparedEntity).stored?.id ?? null);
}

interface ComparedLink {
  ord: number;
  child_stored: boolean;
  parent_state: string | null;
  parent_category: string | null;
  stored_quantity: string | null;
  stored_line?: string | null;
  line_after?: string | null;
  line_differs?: boolean;
}

async function addDiffering(
  tx: Tx,
  links: readonly SummedLink[],
  { configuration, kept }: LinkComparison,
  differing: LinkList,
): Promise<void> {
  const ofStored = links.filter(isOfStored);
  const [rows, parents] = await Promise.all([
    ofStored.length === 0 ? [] : compareStored(tx, ofStored),
    ofStored.length === links.length ? [] : storedParents(tx, links),
  ]);
  const flagsByParent = new Map(
    parents.map(({ guid, state, category }) => [guid, flagsOfParent(configuration, state, category)]),
  );
  addThose(links, { rows, flagsByParent, configuration, kept }, differing);
}

interface Standing extends Pick<LinkComparison, 'configuration' | 'kept'> {
  /** Links of stored entities that differ, in their order. */
  rows: readonly ComparedLink[];
  /** Flags of the stored parents of new entities. */
  flagsByParent: ReadonlyMap<string, number>;
}

function addThose(
  links: readonly SummedLink[],
  { rows, flagsByParent, configuration, kept }: Standing,
  differing: LinkList,
): void {
  let [ord, found] = [0, 0];
  for (let i = 0; i < links.length; i++) {
    const link = links[i] as SummedLink;
    const { childGuid, parentGuid, line: said } = link;
    const childFlags = isOutside(configuration, link.category) ? linkFlags.outside : 0;
    if (link.childId === null) {
      const lineDiffers = said !== null && saysSomething(said);
      const flags =
        (flagsByParent.get(parentGuid) ?? 0) | (lineDiffers ? linkFlags.lineDiffers : 0) | childFlags;
      differing.add(link, {
        storedMicros: null,
        flags,
        line: said === null ? null : { said, stored: null, after: said },
      });
      continue;
    }
    const row = rows[found];
    if (row?.ord !== ord++) {
      kept?.push(childGuid, parentGuid);
      continue;
    }
    found++;
    const { parent_state: state, parent_category: category } = row;
    const flagsOfEnds =
      (state === null || category === null ? 0 : flagsOfParent(configuration, state, category)) | childFlags;
    differing.add(link, {
      line: said === null ? null : { said, stored: row.stored_line ?? null, after: row.line_after ?? null },
      storedMicros: row.stored_quantity === null ? null : microDoubleOfDecimal(row.stored_quantity),
      flags:
        (row.child_stored ? linkFlags.childStored : 0) |
        // A link that is stored already stays as it is.
        (row.stored_quantity === null ? flagsOfEnds : flagsOfEnds & ~linkFlags.outside) |
        (row.line_differs === true ? linkFlags.lineDiffers : 0),
    });
  }
}

/** Whether anything is stored of what is said of a new link. `said` is JSON of a `SaidLine`. */
function saysSomething(said: string): boolean {
  return Object.values(JSON.parse(said) as object).some((value) => value !== null);
}

const isOfStored = ({ childId }: SummedLink) => childId !== null;
const hasLine = ({ line }: SummedLink) => line !== null;
const lineOf = ({ line }: SummedLink) => line;
const childOf = ({ childGuid }: SummedLink) => childGuid;
const parentOf = ({ parentGuid }: SummedLink) => parentGuid;
const quantityOf = ({ quantityMicros }: SummedLink) => decimalOf(quantityMicros);

/** Returns the links that differ, in their order. */
function compareStored(tx: Tx, links: readonly SummedLink[]): Promise<ComparedLink[]> {
  // Most say nothing beside the quantity: theirs is the shorter way.
  const said = links.some(hasLine) ? [textArray(links.map(lineOf))] : [];
  const way = said.length > 0 ? 'withLines' : 'plain';
  // Digits and points have nothing to escape.
  const quantities = `{${links.map(quantityOf).join(',')}}`;
  const ids: string[] = [];
  for (const { childId } of links) if (typeof childId === 'string') ids.push(childId);
  if (ids.length < links.length) {
    return tx.query<ComparedLink>(compareWithStoredLinks.guid[way], [
      tx.workspaceId,
      uuidArray(links.map(childOf)),
      uuidArray(links.map(parentOf)),
      quantities,
      ...said,
    ]);
  }
  const { parents, places } = placeParents(links);
  return tx.query<ComparedLink>(compareWithStoredLinks.id[way], [
    tx.workspaceId,
    uuidArray(ids),
    uuidArray(parents),
    quantities,
    int4Array(places),
    ...said,
  ]);
}

/** The parents, each once, and beside the links their places among them, from 1. */
function placeParents(links: readonly SummedLink[]): { parents: string[]; places: number[] } {
  const parents: string[] = [];
  const placeOf = new Map<string, number>();
  const places: number[] = [];
  for (const { parentGuid } of links) {
    let place = placeOf.get(parentGuid);
    if (place === undefined) {
      place = parents.push(parentGuid);
      placeOf.set(parentGuid, place);
    }
    places.push(place);
  }
  return { parents, places };
}

interface StoredParent {
  guid: string;
  state: string;
  category: string;
}

/** Returns the stored parents of new entities. All links of new entities differ. */
function storedParents(tx: Tx, links: readonly SummedLink[]): Promise<StoredParent[]> {
  return tx.query<StoredParent>(selectParents, [tx.workspaceId, uuidArray(parentsOfNew(links))]);
}

/** Each once. */
function parentsOfNew(links: readonly SummedLink[]): string[] {
  const guids = new Set<string>();
  for (let i = 0; i < links.length; i++) {
    const { childId, parentGuid } = links[i] as SummedLink;
    if (childId === null) guids.add(parentGuid);
  }
  return [...guids];
}

function flagsOfParent(configuration: WorkspaceConfiguration, state: string, category: string): number {
  const isReleased = configuration.categories.get(category)?.lifecycle.releasedStates.has(state) === true;
  return (
    linkFlags.parentStored |
    (isReleased ? linkFlags.parentReleased : 0) |
    (isOutside(configuration, category) ? linkFlags.outside : 0)
  );
}

/** Whether entities of this category have no place in a structure. */
export function isOutside({ categories }: WorkspaceConfiguration, key: string | undefined): boolean {
  const category = key === undefined ? undefined : categories.get(key);
  return category !== undefined && isOutsideStructure(category);
}

export interface SummedLink {
  childGuid: string;
  parentGuid: string;
  quantityMicros: MicroDouble;
  indexes: number[];
  /** JSON of a `SaidLine`. */
  line: string | null;
  /** The id of the entity; null for a new one, undefined where it is not known yet. */
  childId: string | null | undefined;
  /** The category of the child as its element names it; absent where the child is not sent anew. */
  category?: string;
}

/** The link of an entity that has one element. */
function linkOf({ guid, carrier, lines }: PreparedEntity, childId: SummedLink['childId']): SummedLink | null {
  const { index, parentGuid, quantityMicros, categoryKey: category } = carrier.element;
  if (parentGuid === null) return null;
  const line = lines?.get(parentGuid) ?? null;
  return { childGuid: guid, parentGuid, quantityMicros, indexes: [index], line, childId, category };
}

function sumLinks(entity: PreparedEntity, childId: SummedLink['childId']): Iterable<SummedLink> {
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
        childId,
        category: entity.carrier.element.categoryKey,
      });
    } else {
      known.quantityMicros += quantityMicros;
      known.indexes.push(index);
    }
  }
  return byParent.values();
}
