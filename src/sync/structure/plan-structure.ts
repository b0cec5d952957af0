/**
 * Between planning and writing: the batch's links as a whole. Refuses those that would close a cycle, finds
 * the ones whose parent is missing, and the released parents that need a revision before their structure changes.
 */
import { readRows } from '../../db/read-rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { requireFewLinks } from '../chunk/bounded-work.ts';
import type { RefusedLinks } from '../elements/prepare-elements.ts';
import { findCycleLinks } from '../graph/find-cycles.ts';
import { GUID_BYTES, guidAt } from '../graph/guid-bytes.ts';
import { GuidTable } from '../graph/guid-table.ts';
import { IntList, NodeValues } from '../graph/int-list.ts';
import type { ChunkPlan } from '../plan/chunk-plan.ts';
import { linksAbove, waitingLinks } from '../plan/compare-links.sql.ts';
import { CircleNames, ELEMENTS_TOLD_MAX, type NamesSent } from '../plan/name-circles.ts';
import { addIndexes, elementsOf, furtherOf, type PlacedChunk, placedFlags } from '../plan/placed-links.ts';
import type { PlannedLinks } from '../plan/planned-links.ts';
import { ExactStructure, type PlannedRemovals } from './exact-structure.ts';
import { SharedNumbers } from './shared-numbers.ts';

/** The part of a chunk's plan that the structure pass needs. */
export type ChunkLinks = { chunk: number } & Pick<
  ChunkPlan,
  'newGuids' | 'newCarriers' | 'outsideGuids' | 'heldGuids' | 'heldIndexes' | 'links' | 'naming' | 'numbers'
>;

/** Everything that the write pass needs to know of the structure. */
export interface ChunkStructure {
  /** Places in the payload of elements whose parent link would close a cycle. */
  cycles: number[];
  /** … and those of them of which one end is outside of structures instead. */
  outside?: number[];
  /** … and by these places the circles that they would close, in words, of those that are named. */
  circles?: Map<number, string>;
  /** … whose parent is not there. */
  pendingParents: number[];
  /** GUIDs of parents among them that this batch refuses, because each of their elements would close a cycle. */
  rejectedParents?: string[];
  /** … that are the first to ask for a link that is new or has another quantity; it counts where they carry. */
  relinked: number[];
  /** Carriers of unchanged released entities of this chunk whose children change: they get a revision. */
  revise: number[];
  /** Places in the plan's links of those to write, the pending ones among them. */
  links: number[];
  /** Links that an exact batch removes from the chunk's entities, where there are any. */
  removals?: PlannedRemovals;
  /** … carriers whose entities keep links that the payload does not name, because some of it cannot be read. */
  keptLinks?: number[];
  /** … elements whose number another entity has or gets, of a batch that compares them. */
  numbersTaken?: number[];
}

/** Returns the GUIDs that the elements at these positions gave themselves, by chunk. */
export type NamesAt = (places: ReadonlyMap<number, ReadonlySet<number>>) => Promise<Map<number, string>>;

/** Above this the links that wait are read whole: a large batch meets most of them anyway. */
const NEW_GUIDS_NAMED_MAX = 50_000;

/**
 * Decides on all links of a batch. What is kept of a batch lies outside the heap and grows with it by about 40 bytes
 * a link and 50 a GUID; what is decided is given chunk by chunk.
 */
export class StructurePlanner {
  readonly #nodes = new GuidTable();
  readonly #chunks: PlacedChunk[] = [];
  /** Elements that could still carry each node as a new entity; 0 where it is none. */
  readonly #carriers = new NodeValues();
  /** Links of chunks that are written already, as nodes: decided on by the pass before a retry. */
  readonly #decidedParents = new IntList();
  readonly #decidedChildren = new IntList();
  /** Released parents under which new entities come. */
  readonly #revisedByWritten = new IntList();
  /** New entities that are outside of structures. */
  readonly #outside = new IntList();
  readonly #exact: ExactStructure;
  readonly #numbers = new SharedNumbers();
  readonly #readRows: typeof readRows;
  readonly #namesAt: NamesAt;
  /** The circle that each refused link would close, in words, by chunk and place. */
  readonly #circles = new Map<PlacedChunk, Map<number, string>>();

  /** `read` reads what is stored of the structure, which may be millions of rows. */
  constructor(namesAt: NamesAt, read = readRows) {
    this.#namesAt = namesAt;
    this.#readRows = read;
    this.#exact = new ExactStructure(this.#nodes, read);
  }

  /** See `ExactStructure`. */
  distrustCounts(): void {
    this.#exact.distrustCounts();
  }

  /** Adds the links that a chunk names which was written before a retry. */
  addNames(plan: Pick<ChunkPlan, 'naming' | 'links'>): void {
    this.#exact.addNames(plan);
  }

  /** Links that are as good as made: those at `places` of a chunk that waits for its last pass. */
  addDecided(links: PlannedLinks, places: readonly number[]): void {
    for (const place of places) {
      this.#decidedParents.push(this.#nodes.idAt(links.parents, place));
      this.#decidedChildren.push(this.#nodes.idAt(links.children, place));
    }
  }

  /** Adds the links of a chunk that was written in the plan pass (write-leaves.ts): none of them closes a cycle. */
  addWritten(links: PlannedLinks): void {
    for (let place = 0; place < links.count; place++) {
      if (((links.flags[place] as number) & placedFlags.parentReleased) !== 0)
        this.#revisedByWritten.push(this.#nodes.idAt(links.parents, place));
    }
  }

  add(given: ChunkLinks): void {
    const { chunk, newGuids, newCarriers, outsideGuids, heldGuids, heldIndexes, links, naming, numbers } =
      given;
    if (numbers !== undefined)
      this.#numbers.add(chunk, numbers, (guids, place) => this.#nodes.idAt(guids, place));
    if (naming !== undefined) this.#exact.add(chunk, { naming, links });
    for (const [place, carriers] of newCarriers.entries()) {
      this.#carriers.set(this.#nodes.idAt(newGuids, place), carriers);
    }
    for (let place = 0; place < (outsideGuids?.length ?? 0) / GUID_BYTES; place++)
      this.#outside.push(this.#nodes.idAt(outsideGuids as Uint8Array, place));
    if (links.count === 0 && heldIndexes.length === 0 && naming === undefined && numbers === undefined)
      return;
    const children = new Int32Array(links.count);
    const parents = new Int32Array(links.count);
    const flags = links.flags.slice();
    for (let place = 0; place < links.count; place++) {
      children[place] = this.#nodes.idAt(links.children, place);
      parents[place] = this.#nodes.idAt(links.parents, place);
      if (Number.isNaN(links.stored[place])) (flags[place] as number) |= placedFlags.unstored;
      const lineDiffers = ((flags[place] as number) & placedFlags.lineDiffers) !== 0;
      if (links.stored[place] === links.quantities[place] && !lineDiffers)
        (flags[place] as number) |= placedFlags.asStored;
    }
    // Copies: what was read of a plan are views of all of it (and a slice of a Buffer is one more).
    this.#chunks.push({
      chunk,
      children,
      parents,
      flags,
      firstIndexes: links.firstIndexes.slice(),
      ...furtherOf(links),
      heldGuids: new Uint8Array(heldGuids),
      heldIndexes: heldIndexes.slice(),
    });
  }

  /**
   * Yields the decisions for each chunk; chunks without any are left out. `anyWaits` is false if it is known that
   * no link waits for a parent.
   */
  async *plan(tx: Tx, anyWaits = true): AsyncGenerator<[chunk: number, ChunkStructure]> {
    await this.#exact.decide(tx);
    const anyOutside = this.#markOutside();
    const anyCyclic = await this.#markCyclic(tx, anyWaits);
    const absent = anyCyclic || anyOutside ? this.#withoutCarrier() : new Uint8Array(this.#nodes.size);
    this.#numbers.decide(absent);
    const revised = this.#revisedParents(absent);
    for (const placed of this.#chunks) {
      const structure = emptyStructure();
      for (let place = 0; place < placed.flags.length; place++)
        this.#planLink(structure, placed, place, absent);
      for (const [place, index] of placed.heldIndexes.entries()) {
        const node = this.#nodes.idOf(guidAt(placed.heldGuids, place), false);
        if (node !== -1 && revised[node] === 1) structure.revise.push(index);
      }
      const removals = this.#exact.removalsIn(placed.chunk);
      if (removals !== null) structure.removals = removals;
      const keptLinks = this.#exact.heldIn(placed.chunk);
      if (keptLinks.length > 0) structure.keptLinks = keptLinks;
      const numbersTaken = this.#numbers.takenIn(placed.chunk);
      if (numbersTaken.length > 0) structure.numbersTaken = numbersTaken;
      const { cycles, pendingParents, relinked, revise, links } = structure;
      const lists = [cycles, pendingParents, relinked, revise, links, keptLinks, numbersTaken];
      if (removals !== null || lists.some((list) => list.length > 0)) yield [placed.chunk, structure];
    }
  }

  #planLink(structure: ChunkStructure, placed: PlacedChunk, place: number, absent: Uint8Array): void {
    const flags = placed.flags[place] as number;
    if ((flags & placedFlags.cyclic) !== 0) this.#refuseLink(structure, placed, place);
    if ((flags & placedFlags.cyclic) !== 0 || absent[placed.children[place] as number] === 1) return;
    const parent = placed.parents[place] as number;
    const parentExists =
      (flags & placedFlags.parentStored) !== 0 || (this.#isNew(parent) && absent[parent] !== 1);
    if (!parentExists) addIndexes(structure.pendingParents, placed, place);
    if (absent[parent] === 1) {
      structure.rejectedParents ??= [];
      structure.rejectedParents.push(this.#nodes.textOf(parent));
    }
    if ((flags & placedFlags.asStored) !== 0) return;
    structure.links.push(place);
    structure.relinked.push(placed.firstIndexes[place] as number);
  }

  #refuseLink(structure: ChunkStructure, placed: PlacedChunk, place: number): void {
    const indexes: number[] = [];
    addIndexes(indexes, placed, place);
    for (const index of indexes) structure.cycles.push(index);
    if (((placed.flags[place] as number) & placedFlags.outside) !== 0) {
      structure.outside ??= [];
      structure.outside.push(...indexes);
    }
    const circle = this.#circles.get(placed)?.get(place);
    if (circle === undefined) return;
    structure.circles ??= new Map();
    for (const index of indexes.slice(0, ELEMENTS_TOLD_MAX)) structure.circles.set(index, circle);
  }

  /**
   * Returns the GUIDs that new entities gave themselves in elements that name them as a child, which every member
   * of a cycle does. One look at the links of the batch, however many cycles there are.
   */
  readonly #namesSent: NamesSent = async (guids) => {
    const nodes = new Set(guids.map((guid) => this.#nodes.idOf(guid, false)));
    const places = new Map<number, Set<number>>();
    const found = new Map<number, string>();
    for (const { chunk, children, firstIndexes } of this.#chunks) {
      for (const [place, child] of children.entries()) {
        if (!nodes.delete(child)) continue;
        const index = firstIndexes[place] as number;
        found.set(index, this.#nodes.textOf(child));
        const known = places.get(chunk);
        if (known === undefined) places.set(chunk, new Set([index]));
        else known.add(index);
      }
    }
    const names = new Map<string, string>();
    for (const [index, name] of await this.#namesAt(places)) {
      const guid = found.get(index);
      if (guid !== undefined) names.set(guid, name);
    }
    return names;
  };

  /** Per node: 1 for new entities of which every element was refused: they will not exist. */
  #withoutCarrier(): Uint8Array {
    const absent = new Uint8Array(this.#nodes.size);
    const refused = new Int32Array(this.#nodes.size);
    for (const placed of this.#chunks) {
      for (const [place, flags] of placed.flags.entries()) {
        const child = placed.children[place] as number;
        if ((flags & placedFlags.cyclic) === 0 || !this.#isNew(child)) continue;
        const elements = (refused[child] as number) + elementsOf(placed, place);
        refused[child] = elements;
        if (elements >= this.#carriers.get(child)) absent[child] = 1;
      }
    }
    return absent;
  }

  /** Per node: 1 for released parents whose structure changes. */
  #revisedParents(absent: Uint8Array): Uint8Array {
    const revised = new Uint8Array(this.#nodes.size);
    const unlike = placedFlags.cyclic | placedFlags.asStored;
    for (const { flags, parents, children } of this.#chunks) {
      for (const [place, flag] of flags.entries()) {
        if ((flag & placedFlags.parentReleased) === 0 || (flag & unlike) !== 0) continue;
        if (absent[children[place] as number] !== 1) revised[parents[place] as number] = 1;
      }
    }
    for (const parent of this.#exact.removedParents) revised[parent] = 1;
    for (const parent of this.#revisedByWritten.values) revised[parent] = 1;
    return revised;
  }

  /** Marks the links of which one end is outside of structures as refused, and says whether there is one. */
  #markOutside(): boolean {
    const outside = new Set(this.#outside.values);
    let any = false;
    for (const { flags, parents } of this.#chunks) {
      for (const [place, flag] of flags.entries()) {
        if ((flag & placedFlags.outside) === 0 && !outside.has(parents[place] as number)) continue;
        flags[place] = flag | placedFlags.outside | placedFlags.cyclic;
        any = true;
      }
    }
    return any;
  }

  /** Marks the links that close a cycle, and says whether there is one. */
  async #markCyclic(tx: Tx, anyWaits: boolean): Promise<boolean> {
    const decided = this.#decidedParents.length;
    const total = this.#chunks.reduce((sum, { flags }) => sum + flags.length, decided);
    const parents = new Int32Array(total);
    const children = new Int32Array(total);
    const order = new Uint32Array(total);
    /** The origin of each added link: its place in `#chunks`, and its own place in there. */
    const origins = new Int32Array(total);
    const places = new Int32Array(total);
    const isStoredParent = new Uint8Array(this.#nodes.size);
    let storedChildren = false;
    let count = 0;
    for (const [origin, placed] of this.#chunks.entries()) {
      for (const [place, flags] of placed.flags.entries()) {
        const parent = placed.parents[place] as number;
        const parentStored = (flags & placedFlags.parentStored) !== 0;
        // A link that is stored with another quantity adds no path, and one to a missing parent is not there yet.
        const adds = !parentStored || (flags & placedFlags.unstored) !== 0;
        if (!adds || !(parentStored || this.#isNew(parent))) continue;
        if ((flags & placedFlags.cyclic) !== 0) continue;
        parents[count] = parent;
        children[count] = placed.children[place] as number;
        order[count] = 1 + (placed.firstIndexes[place] as number);
        origins[count] = origin;
        places[count++] = place;
        storedChildren ||= (flags & placedFlags.childStored) !== 0;
        if (parentStored) isStoredParent[parent] = 1;
      }
    }
    if (count === 0) return false;
    // What is decided comes before everything else; an edit that has closed a cycle with it is the last pass's affair.
    for (const [place, parent] of this.#decidedParents.values.entries()) {
      parents[count] = parent;
      children[count] = this.#decidedChildren.values[place] as number;
      origins[count++] = -1;
      isStoredParent[parent] = 1;
    }
    storedChildren ||= decided > 0;
    const existing = await this.#existingLinks(tx, { anyWaits, storedChildren, isStoredParent });
    const added = {
      parents: parents.subarray(0, count),
      children: children.subarray(0, count),
      order: order.subarray(0, count),
    };
    const names = new CircleNames((node) => this.#nodes.textOf(node));
    const cyclic = findCycleLinks(this.#nodes.size, existing, added, { circles: names.wanted });
    for (const link of cyclic) {
      const flags = this.#chunks[origins[link] as number]?.flags;
      if (flags !== undefined) (flags[places[link] as number] as number) |= placedFlags.cyclic;
    }
    for (const [link, words] of await names.inWords(tx, this.#namesSent)) {
      const placed = this.#chunks[origins[link] as number];
      if (placed === undefined) continue;
      if (!this.#circles.has(placed)) this.#circles.set(placed, new Map());
      this.#circles.get(placed)?.set(places[link] as number, words);
    }
    return cyclic.length > 0;
  }

  /** Links that are there, or will be when a new entity appears, as far as a path of new ones can use them. */
  async #existingLinks(
    tx: Tx,
    {
      anyWaits,
      storedChildren,
      isStoredParent,
    }: { anyWaits: boolean; storedChildren: boolean; isStoredParent: Uint8Array },
  ) {
    const parents = new IntList();
    const children = new IntList();
    const take = (row: LinkRow) => {
      const [parent, child] = [this.#nodes.idOf(row.parent, true), this.#nodes.idOf(row.child, true)];
      // What is taken out is gone before anything is linked.
      if (this.#exact.removes(parent, child)) return;
      parents.push(parent);
      children.push(child);
    };
    let gone = 0;
    const created = anyWaits ? this.#newGuids(NEW_GUIDS_NAMED_MAX) : [];
    if (created?.length !== 0) {
      for await (const rows of this.#readRows<LinkRow>(tx, 'waiting', waitingLinks, [
        tx.workspaceId,
        created,
      ])) {
        gone += rows.length;
        requireFewLinks(tx, gone);
        for (const row of rows) {
          const parent = this.#nodes.idOf(row.parent, false);
          if (parent !== -1 && this.#isNew(parent)) take(row);
        }
      }
    }
    // Stored links matter only to a path that enters the stored structure from above and leaves it below.
    if (storedChildren || parents.length > 0) {
      const from = this.#nodes.bytesOf(isStoredParent);
      for await (const rows of this.#readRows<LinkRow>(tx, 'above', linksAbove, [tx.workspaceId, from])) {
        gone += rows.length;
        requireFewLinks(tx, gone);
        for (const row of rows) take(row);
      }
    }
    return { parents: parents.values, children: children.values };
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

  #isNew(node: number): boolean {
    return this.#carriers.get(node) !== 0;
  }
}

interface LinkRow {
  parent: string;
  child: string;
}

/** The elements to refuse, as they are prepared. */
export function refusedLinks({ cycles, circles, outside }: ChunkStructure): RefusedLinks {
  const areOutside = new Set(outside);
  return new Map(
    cycles.map((index) => [
      index,
      areOutside.has(index) ? 'outside' : { circle: circles?.get(index) ?? null },
    ]),
  );
}

function emptyStructure(): ChunkStructure {
  return { cycles: [], pendingParents: [], relinked: [], revise: [], links: [] };
}
