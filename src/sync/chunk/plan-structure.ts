/**
 * Between planning and writing: the batch's links as a whole. Refuses those that would close a cycle, finds
 * the ones whose parent is missing, and the released parents that need a revision before their structure changes.
 */
import type { Tx } from '../../db/transaction.ts';
import { findCycleLinks } from '../graph/find-cycles.ts';
import { GuidTable, guidAt } from '../graph/guid-bytes.ts';
import { linksAbove, waitingLinks } from './compare-links.sql.ts';
import type { ChunkPlan } from './plan-chunk.ts';
import { indexesOfLink, linkFlags, type PlannedLinks } from './planned-links.ts';

/** What the structure pass needs of a chunk's plan. */
export type ChunkLinks = { chunk: number } & Pick<
  ChunkPlan,
  'newGuids' | 'newCarriers' | 'heldGuids' | 'heldIndexes' | 'links'
>;

/** What writing a chunk has to know of the structure. */
export interface ChunkStructure {
  /** Places in the payload of elements whose parent link would close a cycle. */
  cycles: number[];
  /** … whose parent is not there. */
  pendingParents: number[];
  /** … that are the first to ask for a link that is new or has another quantity; it counts where they carry. */
  relinked: number[];
  /** Carriers of unchanged released entities of this chunk whose children change: they get a revision. */
  revise: number[];
  /** Places in the plan's links of those to write, the pending ones among them. */
  links: number[];
}

/** Above this the links that wait are read whole: a large batch meets most of them anyway. */
const NEW_GUIDS_NAMED_MAX = 50_000;

/** A chunk's links as far as the structure needs them: what a plan holds besides would be kept for the whole batch. */
interface PlacedLinks extends Pick<PlannedLinks, 'count' | 'firstIndexes' | 'furtherIndexes'> {
  chunk: number;
  /** Nodes of the graph. */
  children: Int32Array;
  parents: Int32Array;
  /** See `placedFlags`. */
  flags: Uint8Array;
}

const placedFlags = {
  ...linkFlags,
  /** Nothing is stored of it, neither link nor pending link. */
  unstored: 64,
  /** Stored with the quantity that is asked for. */
  asStored: 128,
} as const;

/**
 * Decides on all links of a batch. Keys of chunks without any consequence are absent from the answer. Memory
 * grows with the batch by about 40 bytes a link and 50 a GUID.
 */
export class StructurePlanner {
  readonly #nodes = new GuidTable();
  readonly #placed: PlacedLinks[] = [];
  readonly #held: Pick<ChunkLinks, 'chunk' | 'heldGuids' | 'heldIndexes'>[] = [];
  /** Per node: elements that could still carry it as a new entity; 0 where it is none. */
  #carriers = new Int32Array(1024);
  readonly #structure = new Map<number, ChunkStructure>();
  /** Links of chunks that are written already, as nodes: decided on by the pass before a retry. */
  readonly #decided = { parents: [] as number[], children: [] as number[] };

  /** Links that are as good as made: those at `places` of a chunk that waits for its last pass. */
  addDecided(links: PlannedLinks, places: readonly number[]): void {
    for (const place of places) {
      this.#decided.parents.push(this.#nodes.idAt(links.parents, place));
      this.#decided.children.push(this.#nodes.idAt(links.children, place));
    }
  }

  add({ chunk, newGuids, newCarriers, heldGuids, heldIndexes, links }: ChunkLinks): void {
    for (const [place, carriers] of newCarriers.entries()) {
      this.#setCarriers(this.#nodes.idAt(newGuids, place), carriers);
    }
    // Copies: what was read of a plan are views of all of it (and a slice of a Buffer is one more).
    if (heldIndexes.length > 0)
      this.#held.push({ chunk, heldGuids: new Uint8Array(heldGuids), heldIndexes: heldIndexes.slice() });
    if (links.count === 0) return;
    const children = new Int32Array(links.count);
    const parents = new Int32Array(links.count);
    const flags = links.flags.slice();
    for (let place = 0; place < links.count; place++) {
      children[place] = this.#nodes.idAt(links.children, place);
      parents[place] = this.#nodes.idAt(links.parents, place);
      if (Number.isNaN(links.stored[place])) (flags[place] as number) |= placedFlags.unstored;
      if (links.stored[place] === links.quantities[place]) (flags[place] as number) |= placedFlags.asStored;
    }
    const { count, furtherIndexes } = links;
    const firstIndexes = links.firstIndexes.slice();
    this.#placed.push({ chunk, count, children, parents, firstIndexes, furtherIndexes, flags });
  }

  async plan(tx: Tx, workspaceId: string): Promise<Map<number, ChunkStructure>> {
    const cyclic = await this.#findCyclic(tx, workspaceId);
    const absent = this.#withoutCarrier(cyclic);
    const revised = new Set<number>();
    for (const placed of this.#placed) {
      const refused = cyclic.get(placed.chunk);
      for (let place = 0; place < placed.count; place++) {
        if (refused?.has(place)) this.#of(placed.chunk).cycles.push(...indexesOfLink(placed, place));
        else this.#planLink(placed, place, absent, revised);
      }
    }
    this.#reviseHeld(revised);
    return this.#structure;
  }

  #planLink(placed: PlacedLinks, place: number, absent: Set<number>, revised: Set<number>) {
    if (absent.has(placed.children[place] as number)) return;
    const { chunk } = placed;
    const flags = placed.flags[place] as number;
    const parent = placed.parents[place] as number;
    const parentExists =
      (flags & placedFlags.parentStored) !== 0 || (this.#isNew(parent) && !absent.has(parent));
    if (!parentExists) this.#of(chunk).pendingParents.push(...indexesOfLink(placed, place));
    if ((flags & placedFlags.asStored) !== 0) return;
    this.#of(chunk).links.push(place);
    this.#of(chunk).relinked.push(placed.firstIndexes[place] as number);
    if ((flags & placedFlags.parentReleased) !== 0) revised.add(parent);
  }

  /** New entities of which every element was refused: they will not exist. */
  #withoutCarrier(cyclic: ReadonlyMap<number, ReadonlySet<number>>): Set<number> {
    const absent = new Set<number>();
    const refused = new Map<number, number>();
    for (const placed of this.#placed) {
      for (const place of cyclic.get(placed.chunk) ?? []) {
        const child = placed.children[place] as number;
        if (!this.#isNew(child)) continue;
        const elements = (refused.get(child) ?? 0) + indexesOfLink(placed, place).length;
        refused.set(child, elements);
        if (elements >= (this.#carriers[child] as number)) absent.add(child);
      }
    }
    return absent;
  }

  #reviseHeld(revised: ReadonlySet<number>): void {
    if (revised.size === 0) return;
    for (const { chunk, heldGuids, heldIndexes } of this.#held) {
      for (const [place, index] of heldIndexes.entries()) {
        const node = this.#nodes.idOf(guidAt(heldGuids, place), false);
        if (node !== -1 && revised.has(node)) this.#of(chunk).revise.push(index);
      }
    }
  }

  /** By chunk, the places of the links that close a cycle. */
  async #findCyclic(tx: Tx, workspaceId: string): Promise<Map<number, Set<number>>> {
    const decided = this.#decided.parents.length;
    const total = this.#placed.reduce((sum, { count }) => sum + count, decided);
    const parents = new Int32Array(total);
    const children = new Int32Array(total);
    const order = new Uint32Array(total);
    /** Where each added link comes from: its place in `#placed`, and its own in there. */
    const origins = new Int32Array(total);
    const places = new Int32Array(total);
    const storedParents = new Set<string>();
    let storedChildren = false;
    let count = 0;
    for (const [origin, placed] of this.#placed.entries()) {
      for (let place = 0; place < placed.count; place++) {
        const flags = placed.flags[place] as number;
        const parent = placed.parents[place] as number;
        const parentStored = (flags & placedFlags.parentStored) !== 0;
        // A link that is stored with another quantity adds no path, and one to a missing parent is not there yet.
        const adds = !parentStored || (flags & placedFlags.unstored) !== 0;
        if (!adds || !(parentStored || this.#isNew(parent))) continue;
        parents[count] = parent;
        children[count] = placed.children[place] as number;
        order[count] = 1 + (placed.firstIndexes[place] as number);
        origins[count] = origin;
        places[count++] = place;
        storedChildren ||= (flags & placedFlags.childStored) !== 0;
        if (parentStored) storedParents.add(this.#nodes.textOf(parent));
      }
    }
    const cyclic = new Map<number, Set<number>>();
    if (count === 0) return cyclic;
    // What is decided comes before everything else; an edit that has closed a cycle with it is the last pass's affair.
    for (const [place, parent] of this.#decided.parents.entries()) {
      parents[count] = parent;
      children[count] = this.#decided.children[place] as number;
      origins[count++] = -1;
      storedParents.add(this.#nodes.textOf(parent));
    }
    storedChildren ||= decided > 0;
    const existing = await this.#existingLinks(tx, workspaceId, storedChildren, storedParents);
    const added = {
      parents: parents.subarray(0, count),
      children: children.subarray(0, count),
      order: order.subarray(0, count),
    };
    for (const link of findCycleLinks(this.#nodes.size, existing, added)) {
      const origin = this.#placed[origins[link] as number];
      if (origin === undefined) continue;
      const { chunk } = origin;
      cyclic.set(chunk, (cyclic.get(chunk) ?? new Set()).add(places[link] as number));
    }
    return cyclic;
  }

  /** Links that are there, or will be when a new entity appears, as far as a path of new ones can use them. */
  async #existingLinks(tx: Tx, workspaceId: string, storedChildren: boolean, storedParents: Set<string>) {
    const existing = { parents: [] as number[], children: [] as number[] };
    const take = (row: { parent: string; child: string }) => {
      existing.parents.push(this.#nodes.idOf(row.parent, true));
      existing.children.push(this.#nodes.idOf(row.child, true));
    };
    const created = this.#newGuids(NEW_GUIDS_NAMED_MAX);
    const waiting =
      created?.length === 0
        ? []
        : await tx.query<{ parent: string; child: string }>(waitingLinks, [workspaceId, created]);
    for (const row of waiting) {
      const parent = this.#nodes.idOf(row.parent, false);
      if (parent !== -1 && this.#isNew(parent)) take(row);
    }
    // Stored links matter only to a path that enters the stored structure from above and leaves it below.
    if (storedChildren || existing.parents.length > 0) {
      const above = await tx.query<{ parent: string; child: string }>(linksAbove, [
        workspaceId,
        [...storedParents],
      ]);
      for (const row of above) take(row);
    }
    return existing;
  }

  /** The new entities' GUIDs; null when there are more than `max`. */
  #newGuids(max: number): string[] | null {
    const guids: string[] = [];
    for (let node = 0; node < this.#nodes.size; node++) {
      if (!this.#isNew(node)) continue;
      if (guids.length === max) return null;
      guids.push(this.#nodes.textOf(node));
    }
    return guids;
  }

  #setCarriers(node: number, carriers: number): void {
    if (node >= this.#carriers.length) {
      const larger = new Int32Array(2 * node);
      larger.set(this.#carriers);
      this.#carriers = larger;
    }
    this.#carriers[node] = carriers;
  }

  #isNew(node: number): boolean {
    return node < this.#carriers.length && this.#carriers[node] !== 0;
  }

  #of(chunk: number): ChunkStructure {
    let known = this.#structure.get(chunk);
    if (known === undefined) {
      known = { cycles: [], pendingParents: [], relinked: [], revise: [], links: [] };
      this.#structure.set(chunk, known);
    }
    return known;
  }
}
