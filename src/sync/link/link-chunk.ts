/** Writes links, once all entities of their batch are there. */
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { newId } from '../../db/ids.ts';
import { readRows } from '../../db/read-rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { textArray, uuidArray, uuidArrayOf } from '../../db/wire/array-parameter.ts';
import { resolvePendingLinks } from '../../entities/links/resolve-pending-links.ts';
import { reviseEntities } from '../../entities/revise-entities.ts';
import { decimalOf } from '../../quantity.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import { findCycleLinks } from '../graph/find-cycles.ts';
import { GUID_BYTES, GuidList } from '../graph/guid-bytes.ts';
import { GuidTable } from '../graph/guid-table.ts';
import { IntList } from '../graph/int-list.ts';
import { linksAbove } from '../plan/compare-links.sql.ts';
import { isOutside } from '../plan/compare-links.ts';
import { CircleNames } from '../plan/name-circles.ts';
import type { WantedLink } from '../plan/planned-links.ts';
import {
  anyWaitingLink,
  linkPlanned,
  linkPlannedWithLines,
  linkWriters,
  lockParents,
  selectArchived,
  touchParents,
  upsertPendingLinks,
  upsertPendingLinksWithLines,
  waitedFor,
} from './link-chunk.sql.ts';

/** Links to make. */
export interface LinksToMake {
  links: readonly WantedLink[];
  /**
   * Whether planned new links are assumed to be new still and are written without a look-up. If one exists,
   * PostgreSQL reports 23505, the transaction has done nothing, and the next one assumes nothing.
   */
  areAsPlanned: boolean;
}

/**
 * Writes the chunk's links and makes those that waited for the GUIDs it created. Parents that are released
 * still (they are not part of the batch) get a new revision first: a released structure never changes. The tag of
 * every parent whose structure changes does too. The caller holds the structure lock. Returns the parents that are not there.
 */
export async function linkChunk(
  tx: Tx,
  actorId: string,
  { links, areAsPlanned }: LinksToMake,
  createdGuids: Uint8Array,
  configuration: WorkspaceConfiguration,
): Promise<ReadonlySet<string>> {
  const arrived = await waitedForAmong(tx, createdGuids);
  const wantedParents = new Set(links.map(parentGuidOf));
  const parentGuids = [...new Set([...wantedParents, ...arrived])].sort();
  if (parentGuids.length === 0) return noGuids;
  const parents = await tx.query<LockedParent>(lockParents, [tx.workspaceId, uuidArray(parentGuids)]);
  await reviseReleasedParents(tx, actorId, parents, configuration);
  const changed = new Set<string>();
  const ids = new Map(parents.map(({ guid, id }) => [guid, id]));
  const making = { new: { id: [], guid: [] }, known: { id: [], guid: [] } } satisfies Making as Making;
  const waiting: WantedLink[] = [];
  for (const link of links) {
    if (!ids.has(link.parentGuid)) waiting.push(link);
    else making[areAsPlanned && link.isNew ? 'new' : 'known'][link.isById ? 'id' : 'guid'].push(link);
  }
  for (const [as, by] of ways) {
    const own = making[as][by];
    if (own.length === 0) continue;
    const { hasLines, columns } = columnsOf(tx, own, childrenOf(own), namedParents(own, ids));
    const writing = tx.query<{ parents: string | null }>(
      linkWriters[as][hasLines ? 'withLines' : 'plain'][by],
      columns,
    );
    if (as === 'new' && by === 'id') {
      tx.withCommit(writing);
      for (const { parentGuid } of own) changed.add(ids.get(parentGuid) as string);
      continue;
    }
    const [written] = await writing;
    for (const id of written?.parents?.split(',') ?? []) changed.add(id);
  }
  if (waiting.length > 0) {
    const { hasLines, columns } = columnsOf(tx, waiting, childGuids(waiting));
    await tx.query(hasLines ? upsertPendingLinksWithLines : upsertPendingLinks, columns);
  }
  // Links that wait for an order or a location keep waiting: it has no place in a structure.
  const outside = parents.filter(({ category }) => isOutside(configuration, category));
  const outsideGuids = new Set(outside.map(({ guid }) => guid));
  const resolved = arrived.filter((guid) => !outsideGuids.has(guid));
  if (resolved.length > 0) for (const id of await resolvePendingLinks(tx, resolved)) changed.add(id);
  if (changed.size > 0) tx.withCommit(tx.query(touchParents, [tx.workspaceId, uuidArray([...changed])]));
  if (parents.length === parentGuids.length) return noGuids;
  return wantedParents.difference(new Set(parents.map(({ guid }) => guid)));
}

/** Links whose parents are there, by whether they are taken to be new, and by what names their children. */
type Making = Record<'new' | 'known', Record<'id' | 'guid', WantedLink[]>>;

const ways = [
  ['new', 'id'],
  ['new', 'guid'],
  ['known', 'id'],
  ['known', 'guid'],
] as const;

const noGuids: ReadonlySet<string> = new Set();

const parentGuidOf = ({ parentGuid }: WantedLink) => parentGuid;
const childGuidOf = ({ childGuid }: WantedLink) => childGuid;
const quantityOf = ({ quantityMicros }: WantedLink) => decimalOf(quantityMicros);
const lineOf = ({ line }: WantedLink) => line;
const hasLine = ({ line }: WantedLink) => line !== null;

/** The ids of the parents, in the order of the links. */
function namedParents(links: readonly WantedLink[], ids: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (let i = 0; i < links.length; i++) found.push(ids.get((links[i] as WantedLink).parentGuid) as string);
  return found;
}

/** Returns the ids of all children, or none. */
function childrenOf(links: readonly WantedLink[]): Buffer {
  const bytes = Buffer.allocUnsafe(GUID_BYTES * links.length);
  for (let i = 0; i < links.length; i++) links[i]?.writeChild(bytes, i * GUID_BYTES);
  return uuidArrayOf(bytes);
}

function childGuids(links: readonly WantedLink[]): Buffer {
  return uuidArray(links.map(childGuidOf));
}

/**
 * Links with the commit, where all parents exist, were locked since the links were compared, and are not released,
 * and no link waits for what the batch creates. `written` are the entities that the batch has written or found:
 * mostly both ends.
 */
export function insertLinks(tx: Tx, links: readonly WantedLink[], written: readonly SyncResult[]): void {
  if (links.length === 0) return;
  const ids = new Map<string, string>();
  for (const { guid, entityId } of written)
    if (guid !== null && entityId !== undefined) ids.set(guid, entityId);
  const areKnown = links.every(({ childGuid, parentGuid }) => ids.has(childGuid) && ids.has(parentGuid));
  const by = areKnown ? 'id' : 'guid';
  const children = areKnown
    ? uuidArray(links.map(({ childGuid }) => ids.get(childGuid) as string))
    : childGuids(links);
  const parents = areKnown ? namedParents(links, ids) : links.map(parentGuidOf);
  const { hasLines, columns } = columnsOf(tx, links, children, parents);
  tx.withCommit(tx.query((hasLines ? linkPlannedWithLines : linkPlanned)[by], columns));
}

/** With the GUIDs of the parents where nothing else is said. */
function columnsOf(
  tx: Tx,
  links: readonly WantedLink[],
  children: Buffer,
  parents: readonly string[] = links.map(parentGuidOf),
): { hasLines: boolean; columns: unknown[] } {
  const hasLines = links.some(hasLine);
  const columns = [
    tx.workspaceId,
    children,
    uuidArray(parents),
    // Digits and points have nothing to escape.
    `{${links.map(quantityOf).join(',')}}`,
    ...(hasLines ? [textArray(links.map(lineOf))] : []),
  ];
  return { hasLines, columns };
}

export interface LockedParent {
  id: string;
  guid: string;
  state: string;
  category: string;
}

/** The parents are locked. */
export async function reviseReleasedParents(
  tx: Tx,
  actorId: string,
  parents: readonly LockedParent[],
  configuration: WorkspaceConfiguration,
): Promise<void> {
  const released = parents.flatMap(({ id, state, category }) => {
    const lifecycle = configuration.categories.get(category)?.lifecycle;
    if (lifecycle === undefined || !lifecycle.releasedStates.has(state)) return [];
    return [{ id, versionId: newId(), state: lifecycle.initialState }];
  });
  await reviseEntities(tx, released, actorId);
}

/** Returns the entities that links wait for among these; 16 bytes for each GUID. */
export async function waitedForAmong(tx: Tx, createdGuids: Uint8Array): Promise<string[]> {
  if (createdGuids.length === 0) return [];
  const rows = await tx.query<{ parent_guid: string }>(waitedFor, [
    tx.workspaceId,
    uuidArrayOf(createdGuids),
  ]);
  return rows.map((row) => row.parent_guid);
}

/** Returns the GUIDs of the children that are archived. */
export async function archivedAmong(tx: Tx, links: readonly WantedLink[]): Promise<ReadonlySet<string>> {
  const children = [...new Set(links.map(childGuidOf))];
  if (children.length === 0) return noGuids;
  const rows = await tx.query<{ guid: string }>(selectArchived, [tx.workspaceId, uuidArray(children)]);
  return new Set(rows.map(({ guid }) => guid));
}

/** Whether some link waits for a parent: then creating entities changes the structure. */
export async function anyLinkWaits(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ any: boolean }>(anyWaitingLink, [tx.workspaceId]);
  return row?.any === true;
}

/**
 * The links that would close a cycle with what is stored now: asked when somebody has edited the structure
 * since the batch planned its links. With each the circle in words, null where it is not named. The caller holds the structure lock.
 */
export async function linksClosingCycles(
  tx: Tx,
  links: readonly WantedLink[],
): Promise<Map<WantedLink, string | null>> {
  const nodes = new GuidTable();
  const node = (guid: string) => nodes.idOf(guid, true);
  const wanted = new GuidList();
  for (const guid of new Set(links.map((link) => link.parentGuid))) wanted.push(guid);
  const [above, below] = [new IntList(), new IntList()];
  const rows = readRows<{ parent: string; child: string }>(tx, 'above', linksAbove, [
    tx.workspaceId,
    wanted.bytes,
  ]);
  for await (const some of rows) {
    for (const { parent, child } of some) {
      above.push(node(parent));
      below.push(node(child));
    }
  }
  const added = {
    parents: links.map((link) => node(link.parentGuid)),
    children: links.map((link) => node(link.childGuid)),
    order: links.map((_, place) => place),
  };
  const existing = { parents: above.values, children: below.values };
  const names = new CircleNames((id) => nodes.textOf(id));
  const refused = findCycleLinks(nodes.size, existing, added, { circles: names.wanted });
  const circles = await names.inWords(tx, null);
  return new Map([...refused].map((place) => [links[place] as WantedLink, circles.get(place) ?? null]));
}
