/** Whether the schema is current. Schemas do not go back: one that was found so is not asked again. */
import type { Db } from '../db/connect.ts';
import { requireMigrated } from '../db/pending-migrations.ts';

export class SchemaCheck {
  readonly #db: Db;
  #isCurrent = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Throws where migrations are pending. */
  async require(): Promise<void> {
    if (this.#isCurrent) return;
    await requireMigrated(this.#db);
    this.#isCurrent = true;
  }
}
