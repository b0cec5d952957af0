/** Finds numbers that several entities of one batch get. The first element in the payload has the number. */
import { GuidTable } from '../graph/guid-table.ts';
import { IntList, NodeValues } from '../graph/int-list.ts';
import type { PlannedNumbers } from '../plan/planned-numbers.ts';

export class SharedNumbers {
  readonly #table = new GuidTable();
  /** 1 + the place in the payload of the first element that gives each number. */
  readonly #first = new NodeValues();
  readonly #chunks = new Map<number, Pick<PlannedNumbers, 'indexes' | 'stored'> & { numbers: Int32Array }>();
  /** Nodes of the entities that get a number, and 1 for those that are refused without it; in the order of the chunks. */
  readonly #nodes = new IntList();
  readonly #refusing = new IntList();

  /** `nodeAt` returns the node of the GUID at a place. */
  add(chunk: number, given: PlannedNumbers, nodeAt: (guids: Uint8Array, place: number) => number): void {
    const numbers = new Int32Array(given.indexes.length);
    for (let place = 0; place < numbers.length; place++) {
      numbers[place] = this.#table.idAt(given.digests, place);
      this.#nodes.push(nodeAt(given.guids, place));
      this.#refusing.push(given.refusing[place] as number);
    }
    this.#chunks.set(chunk, { numbers, indexes: given.indexes.slice(), stored: given.stored.slice() });
  }

  /** Decides which entity has each number. Leaves out entities that `absent` marks, and marks there those that are refused because their number is taken. */
  decide(absent: Uint8Array): void {
    const [nodes, refusing] = [this.#nodes.values, this.#refusing.values];
    let at = 0;
    for (const { numbers, indexes } of this.#chunks.values()) {
      for (const [place, number] of numbers.entries()) {
        const index = 1 + (indexes[place] as number);
        const first = this.#first.get(number);
        if (absent[nodes[at++] as number] === 1) continue;
        if (first === 0 || index < first) this.#first.set(number, index);
      }
    }
    at = 0;
    for (const { numbers, indexes } of this.#chunks.values()) {
      for (const [place, number] of numbers.entries()) {
        const isTaken = this.#first.get(number) !== 1 + (indexes[place] as number);
        if (isTaken && refusing[at] === 1) absent[nodes[at] as number] = 1;
        at++;
      }
    }
  }

  /** Returns the places of the elements of a chunk whose number a stored entity has, or gets by an earlier element. */
  takenIn(chunk: number): number[] {
    const given = this.#chunks.get(chunk);
    if (given === undefined) return [];
    const { numbers, indexes, stored } = given;
    const isTaken = (index: number, place: number) =>
      stored[place] === 1 || this.#first.get(numbers[place] as number) !== 1 + index;
    return [...indexes].filter(isTaken);
  }
}
