/** What requirements hold reserved, as the movements of one call take it: each quantity is released once. */
import type { Tx } from '../../db/transaction.ts';
import { type Micro, microOfDecimal } from '../../quantity.ts';
import { selectHeld } from '../records/requirements.sql.ts';

export class HeldLeft {
  readonly #tx: Tx;
  readonly #left = new Map<string, Map<string, Micro>>();

  /** The requirements and the positions are locked. */
  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** Takes up to `most` of what the requirement still holds at the location, and returns how much that is. */
  async take(requirementId: string, locationId: string, most: Micro): Promise<Micro> {
    const left = this.#left.get(requirementId) ?? (await this.#read(requirementId));
    this.#left.set(requirementId, left);
    const held = left.get(locationId) ?? 0n;
    const taken = held < most ? held : most;
    left.set(locationId, held - taken);
    return taken;
  }

  async #read(requirementId: string): Promise<Map<string, Micro>> {
    const rows = await this.#tx.query<{ location_id: string; held: string }>(selectHeld, [
      this.#tx.workspaceId,
      requirementId,
    ]);
    return new Map(rows.map(({ location_id, held }) => [location_id, microOfDecimal(held)]));
  }
}
