/**
 * Decides what an exact batch removes: links of a parent that is in the payload with its children and that no
 * element names. It needs the plans of all chunks. Its tables are outside the heap: 8 bytes for a named link, 12
 * for a GUID.
 */
import type { readRows } from '../../db/read-rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { microDoubleOfDecimal } from '../../quantity.ts';
import { GuidList } from '../graph/guid-bytes.ts';
import type { GuidTable } from '../graph/guid-table.ts';
import { IntList, NodeValues, PairSet } from '../graph/int-list.ts';
import type { ChunkPlan } from '../plan/chunk-plan.ts';
import { countChildren, selectChildrenOf } from './exact-structure.sql.ts';

/** Links that a chunk takes out of its own entities: parallel lists. */
export interface PlannedRemovals {
  /** Place in the payload of the element that carries the parent. */
  indexes: Uint32Array;
  /** GUIDs of the parents, 16 bytes each. */
  parents: Uint8Array;
  /** Ids of the children, 16 bytes each. */
  childIds: Uint8Array;
  /** Their GUIDs; zeros where one has none. */
  childGuids: Uint8Array;
  /** In millionths. */
  quantities: Float64Array;
}

const NAMED = 1;
const EMPTIED = 2;
/** An element that cannot be read may be one of its children. */
const OPEN = 4;
/** How many of its named links are stored is not known. */
const UNSURE = 8;

type NamingPlan = Pick<ChunkPlan, 'naming' | 'links'>;

export class ExactStructure {
  readonly #nodes: GuidTable;
  readonly #readRows: typeof readRows;
  readonly #marks = new NodeValues();
  /** Per node: named links that are stored. */
  readonly #stored = new NodeValues();
  /** Per node: 1 + the chunk in which it stands; and the place of its element. */
  readonly #chunks = new NodeValues();
  readonly #indexes = new NodeValues();
  readonly #parents = new IntList();
  readonly #children = new IntList();
  #unreadable = -1;
  #isUnsure = false;
  #removed: PairSet | null = null;
  readonly #removedParents = new Set<number>();
  readonly #removals = new Map<number, RemovalList>();
  readonly #held = new Map<number, number[]>();

  constructor(nodes: GuidTable, read: typeof readRows) {
    this.#nodes = nodes;
    this.#readRows = read;
  }

  /** A chunk that is planned. */
  add(chunk: number, { naming, links }: NamingPlan): void {
    if (naming === undefined) return;
    for (let place = 0; place < naming.keptParents.length / 16; place++)
      this.#stored.add(this.#name(naming.keptChildren, naming.keptParents, place), 1);
    for (let place = 0; place < links.count; place++) {
      const parent = this.#name(links.children, links.parents, place);
      if (!Number.isNaN(links.stored[place])) this.#stored.add(parent, 1);
    }
    for (let place = 0; place < naming.refusedParents.length / 16; place++)
      this.#mark(this.#name(naming.refusedChildren, naming.refusedParents, place), UNSURE);
    for (const [place, index] of naming.standingIndexes.entries()) {
      const node = this.#nodes.idAt(naming.standing, place);
      this.#chunks.set(node, 1 + chunk);
      this.#indexes.set(node, index);
    }
    for (let place = 0; place < naming.emptied.length / 16; place++)
      this.#mark(this.#nodes.idAt(naming.emptied, place), EMPTIED);
    this.#noteUnknown(naming);
  }

  /** A chunk that is written already, before a retry: what it names is stored, or has been taken out by somebody since. */
  addNames({ naming, links }: NamingPlan): void {
    if (naming === undefined) return;
    const named = [
      [naming.keptChildren, naming.keptParents],
      [naming.refusedChildren, naming.refusedParents],
      [links.children, links.parents],
    ] as const;
    for (const [children, parents] of named) {
      for (let place = 0; place < parents.length / 16; place++)
        this.#mark(this.#name(children, parents, place), UNSURE);
    }
    this.#noteUnknown(naming);
  }

  /** Somebody has edited the structure since the chunks were planned: what they counted may not be so. */
  distrustCounts(): void {
    this.#isUnsure = true;
  }

  /** Whether a link is taken out. */
  removes(parent: number, child: number): boolean {
    return this.#removed?.has(parent, child) === true;
  }

  /** Nodes of which something is taken out. */
  get removedParents(): ReadonlySet<number> {
    return this.#removedParents;
  }

  /** Places of the elements whose entities keep what the payload does not name, because something could not be read. */
  heldIn(chunk: number): number[] {
    return this.#held.get(chunk) ?? [];
  }

  /**
   * Returns what the chunk removes from its entities. If all elements of an entity are rejected for a cycle, it is
   * not created and pending links for it are removed, because somebody may create it by hand meanwhile.
   */
  removalsIn(chunk: number): PlannedRemovals | null {
    const list = this.#removals.get(chunk);
    return list === undefined ? null : list.pack(this.#nodes);
  }

  async decide(tx: Tx): Promise<void> {
    const whole = new Uint8Array(this.#nodes.size);
    let any = false;
    for (let node = 0; node < whole.length; node++) {
      if (this.#chunks.get(node) === 0 || (this.#marks.get(node) & (NAMED | EMPTIED)) === 0) continue;
      whole[node] = 1;
      any = true;
    }
    if (!any) return;
    const listed = await this.#listExcess(tx, whole);
    if (listed === null) return;
    const named = this.#namedOf(listed);
    const [parents, children] = [new IntList(), new IntList()];
    const rows = this.#readRows<ChildRow>(tx, 'children', selectChildrenOf, [
      tx.workspaceId,
      this.#nodes.bytesOf(listed),
    ]);
    for await (const some of rows) {
      for (const row of some) {
        const parent = this.#nodes.idOf(row.parent, true);
        const child = this.#nodes.idOf(row.child_guid ?? row.child_id, true);
        if (named.has(parent, child)) continue;
        if (this.#isHeld(parent)) this.#hold(parent);
        else {
          parents.push(parent);
          children.push(child);
          this.#remove(parent, row);
        }
      }
    }
    this.#removed = new PairSet(parents.values, children.values);
  }

  /** The parents that have more links than are named of them; null where none has. */
  async #listExcess(tx: Tx, whole: Uint8Array): Promise<Uint8Array | null> {
    const listed = new Uint8Array(whole.length);
    let any = false;
    const rows = this.#readRows<{ parent: string; stored: number }>(tx, 'counted', countChildren, [
      tx.workspaceId,
      this.#nodes.bytesOf(whole),
    ]);
    for await (const some of rows) {
      for (const { parent, stored } of some) {
        const node = this.#nodes.idOf(parent, true);
        const isUnsure = this.#isUnsure || (this.#marks.get(node) & UNSURE) !== 0;
        if (!isUnsure && stored <= this.#stored.get(node)) continue;
        listed[node] = 1;
        any = true;
      }
    }
    return any ? listed : null;
  }

  /** The links that are named of these parents. */
  #namedOf(listed: Uint8Array): PairSet {
    const [parents, children] = [new IntList(), new IntList()];
    const all = this.#children.values;
    for (const [place, parent] of this.#parents.values.entries()) {
      if (listed[parent] !== 1) continue;
      parents.push(parent);
      children.push(all[place] as number);
    }
    return new PairSet(parents.values, children.values);
  }

  #name(children: Uint8Array, parents: Uint8Array, place: number): number {
    const parent = this.#nodes.idAt(parents, place);
    this.#parents.push(parent);
    this.#children.push(this.#nodes.idAt(children, place));
    this.#mark(parent, NAMED);
    return parent;
  }

  #mark(node: number, mark: number): void {
    this.#marks.set(node, this.#marks.get(node) | mark);
  }

  #noteUnknown({ openParents, unreadable }: NonNullable<ChunkPlan['naming']>): void {
    for (let place = 0; place < openParents.length / 16; place++)
      this.#mark(this.#nodes.idAt(openParents, place), OPEN);
    if (unreadable !== -1) this.#unreadable = unreadable;
  }

  #isHeld(parent: number): boolean {
    return this.#unreadable !== -1 || (this.#marks.get(parent) & OPEN) !== 0;
  }

  #hold(parent: number): void {
    const chunk = this.#chunks.get(parent) - 1;
    const held = this.#held.get(chunk);
    const index = this.#indexes.get(parent);
    if (held === undefined) this.#held.set(chunk, [index]);
    else if (held.at(-1) !== index) held.push(index);
  }

  #remove(parent: number, row: ChildRow): void {
    const chunk = this.#chunks.get(parent) - 1;
    let list = this.#removals.get(chunk);
    if (list === undefined) {
      list = new RemovalList();
      this.#removals.set(chunk, list);
    }
    list.push(parent, this.#indexes.get(parent), row);
    this.#removedParents.add(parent);
  }
}

interface ChildRow {
  parent: string;
  child_id: string;
  child_guid: string | null;
  quantity: string;
}

const noGuid = '00000000-0000-0000-0000-000000000000';

class RemovalList {
  readonly #parents = new IntList();
  readonly #indexes = new IntList();
  readonly #childIds = new GuidList();
  readonly #childGuids = new GuidList();
  readonly #quantities: number[] = [];

  push(parent: number, index: number, { child_id, child_guid, quantity }: ChildRow): void {
    this.#parents.push(parent);
    this.#indexes.push(index);
    this.#childIds.push(child_id);
    this.#childGuids.push(child_guid ?? noGuid);
    this.#quantities.push(microDoubleOfDecimal(quantity));
  }

  pack(nodes: GuidTable): PlannedRemovals {
    const parents = new GuidList(this.#parents.length);
    for (const parent of this.#parents.values) parents.push(nodes.textOf(parent));
    return {
      indexes: Uint32Array.from(this.#indexes.values),
      parents: parents.bytes,
      childIds: this.#childIds.bytes,
      childGuids: this.#childGuids.bytes,
      quantities: Float64Array.from(this.#quantities),
    };
  }
}
