/** MikroORM on the connection of a transaction, for those that map something. */
import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * What of a transaction is computed. An object literal with a getter would have a shape of its own each time, and V8 keeps what the
 * getter sees, a whole call, with every shape until all of the heap is collected (ADR 81).
 */
export class Mapping {
  readonly #make: () => EntityManager;

  constructor(make: () => EntityManager) {
    this.#make = make;
  }

  get em(): EntityManager {
    return this.#make();
  }
}
