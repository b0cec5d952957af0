/** MikroORM on the connection of a transaction, for those that map something. */
import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Computed properties of a transaction. An object literal with a getter would have a shape of its own each time,
 * and V8 keeps everything that the getter refers to until a full collection (ADR 81).
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
