/**
 * The numbers that entities of a chunk get. The chunks of a dry run store nothing, so none of them sees a number of another:
 * the pass over the structure compares them, and the commit of a dry run decides as the dry run did.
 */
import { hash } from 'node:crypto';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { refusesTaken } from '../../entities/numbers/taken-numbers.ts';
import { GUID_BYTES, GuidList } from '../graph/guid-bytes.ts';
import type { ComparedEntity } from './compare-elements.ts';
import { categoryOfEntity, getsNumber } from './judge-numbers.ts';

export interface PlannedNumbers {
  /** Digests of the numbers, 16 bytes each. */
  digests: Uint8Array;
  /** GUIDs of their entities, 16 bytes each. */
  guids: Uint8Array;
  /** Places in the payload of the elements that give them. */
  indexes: Uint32Array;
  /** 1 where the category refuses a number that another entity has. */
  refusing: Uint8Array;
  /** 1 where a stored entity has the number. */
  stored: Uint8Array;
}

/** Collects the numbers of entities of one chunk. */
export class NumberList {
  readonly #configuration: WorkspaceConfiguration;
  readonly #takenNumbers: ReadonlySet<string>;
  readonly #digests: Buffer[] = [];
  readonly #guids = new GuidList();
  readonly #indexes: number[] = [];
  readonly #refusing: number[] = [];
  readonly #stored: number[] = [];

  /** `takenNumbers`: the answer of `numbersTakenAmong` about the entities. */
  constructor(configuration: WorkspaceConfiguration, takenNumbers: ReadonlySet<string>) {
    this.#configuration = configuration;
    this.#takenNumbers = takenNumbers;
  }

  take(entity: ComparedEntity): void {
    if (!getsNumber(entity, this.#configuration)) return;
    this.#digests.push(hash('sha256', entity.number as string, 'buffer').subarray(0, GUID_BYTES));
    this.#guids.push(entity.guid);
    this.#indexes.push(entity.carrier.element.index);
    this.#stored.push(this.#takenNumbers.has(entity.number as string) ? 1 : 0);
    this.#refusing.push(refusesTaken(categoryOfEntity(entity, this.#configuration)) ? 1 : 0);
  }

  /** Returns the numbers, or undefined where no entity gets one. */
  pack(): PlannedNumbers | undefined {
    if (this.#indexes.length === 0) return undefined;
    return {
      digests: Buffer.concat(this.#digests),
      guids: this.#guids.bytes,
      indexes: new Uint32Array(this.#indexes),
      refusing: new Uint8Array(this.#refusing),
      stored: new Uint8Array(this.#stored),
    };
  }
}
