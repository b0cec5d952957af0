/**
 * Between planning and writing: the batch's links as a whole. Refuses those that would close a cycle, finds
 * the ones whose parent is missing, and the released parents that need a revision before their structure changes.
 */
import type { Tx } from '../db/transaction.ts';
import { linksAbove, waitingLinks } from './compare-links.sql.ts';
import type { PlannedLink } from './compare-links.ts';
import { findCycleLinks, type GraphLink, type NewLink } from './find-cycles.ts';

/** What the structure pass needs of a chunk's plan. */
export interface ChunkLinks {
  chunk: number;
  newGuids: Map<string, number>;
  heldGuids: Map<string, number>;
  links: PlannedLink[];
}

/** What writing a chunk has to know of the structure. */
export interface ChunkStructure {
  /** Places in the payload of elements whose parent link would close a cycle. */
  cycles: number[];
  /** … whose parent is not there. */
  pendingParents: number[];
  /** … that carry their entity's data and whose link is new or has another quantity. */
  relinked: number[];
  /** Unchanged released entities of this chunk that get a revision because their children change. */
  revise: { guid: string; index: number }[];
  /** Links to write, the pending ones among them. */
  links: { childGuid: string; parentGuid: string; quantityMicros: number }[];
}

interface Candidate extends NewLink {
  link: PlannedLink;
  chunk: number;
}

/** Decides on all links of a batch. Keys of chunks without any consequence are absent from the answer. */
export async function planStructure(
  tx: Tx,
  workspaceId: string,
  chunks: readonly ChunkLinks[],
): Promise<Map<number, ChunkStructure>> {
  const carriers = new Map<string, number>();
  for (const { newGuids } of chunks) for (const [guid, count] of newGuids) carriers.set(guid, count);
  const candidates = chunks.flatMap(({ chunk, links }) => links.map((link) => toCandidate(link, chunk)));
  const cyclic = await findCyclic(tx, workspaceId, candidates, carriers);

  const absent = new Set<string>();
  for (const { link } of cyclic) {
    const left = carriers.get(link.childGuid);
    if (left === undefined) continue;
    carriers.set(link.childGuid, left - link.indexes.length);
    if (left - link.indexes.length <= 0) absent.add(link.childGuid);
  }

  const structure = new Map<number, ChunkStructure>();
  const of = (chunk: number): ChunkStructure => {
    let known = structure.get(chunk);
    if (known === undefined) {
      known = { cycles: [], pendingParents: [], relinked: [], revise: [], links: [] };
      structure.set(chunk, known);
    }
    return known;
  };
  const revised = new Set<string>();
  for (const candidate of candidates) {
    const { link, chunk } = candidate;
    if (cyclic.has(candidate)) {
      of(chunk).cycles.push(...link.indexes);
      continue;
    }
    if (absent.has(link.childGuid)) continue;
    const parentExists =
      link.parentId !== null || (carriers.has(link.parentGuid) && !absent.has(link.parentGuid));
    if (!parentExists) of(chunk).pendingParents.push(...link.indexes);
    if (link.storedMicros === link.quantityMicros) continue;
    const { childGuid, parentGuid, quantityMicros } = link;
    of(chunk).links.push({ childGuid, parentGuid, quantityMicros });
    if (link.byCarrier) of(chunk).relinked.push(link.indexes[0] as number);
    if (link.parentReleased) revised.add(parentGuid);
  }
  if (revised.size > 0) {
    for (const { chunk, heldGuids } of chunks) {
      for (const [guid, index] of heldGuids) if (revised.has(guid)) of(chunk).revise.push({ guid, index });
    }
  }
  return structure;
}

/** A node is an entity's id where it is stored, its GUID where it is not: stored links know ids only. */
function toCandidate(link: PlannedLink, chunk: number): Candidate {
  return {
    link,
    chunk,
    child: link.childId ?? link.childGuid,
    parent: link.parentId ?? link.parentGuid,
    order: link.indexes[0] as number,
  };
}

async function findCyclic(
  tx: Tx,
  workspaceId: string,
  candidates: readonly Candidate[],
  carriers: ReadonlyMap<string, number>,
): Promise<Set<Candidate>> {
  // A link that is stored with another quantity changes no path; one to a missing parent is not there yet.
  const added = candidates.filter(
    ({ link }) =>
      (link.storedMicros === null || link.parentId === null) &&
      (link.parentId !== null || carriers.has(link.parentGuid)),
  );
  if (added.length === 0) return new Set();
  const existing: GraphLink[] = [];
  const storedChildren = added.some(({ link }) => link.childId !== null);
  const waiting = await tx.query<{ parent_guid: string; child_id: string }>(waitingLinks, [workspaceId]);
  for (const row of waiting) {
    if (carriers.has(row.parent_guid)) existing.push({ parent: row.parent_guid, child: row.child_id });
  }
  // Stored links matter only to a path that enters the stored structure from above and leaves it below.
  if (storedChildren || existing.length > 0) {
    const storedParents = new Set(
      added.flatMap(({ link }) => (link.parentId === null ? [] : [link.parentId])),
    );
    const above = await tx.query<{ parent_id: string; child_id: string }>(linksAbove, [
      workspaceId,
      [...storedParents],
    ]);
    for (const row of above) existing.push({ parent: row.parent_id, child: row.child_id });
  }
  return findCycleLinks(existing, added);
}
