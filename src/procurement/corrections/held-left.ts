/** The quantities that requirements hold reserved, as the movements of one call take them: each quantity is released once. */
import type { Tx } from '../../db/transaction.ts';
import { type Micro, microOfDecimal } from '../../quantity.ts';
import { atLeastZero, greatest, least } from '../records/amounts.ts';
import { type HeldRow, selectHeld } from '../records/requirements.sql.ts';
import { type SupplyRow, selectSupply } from './corrections.sql.ts';

/** Supply of a requirement, without goods that went back. */
interface Supply {
  required: Micro;
  reserved: Micro;
  underWay: Micro;
  received: Micro;
  /** The part of `received` that was reserved as it arrived. */
  arrived: Micro;
}

export class HeldLeft {
  readonly #tx: Tx;
  readonly #left = new Map<string, Map<string, Micro>>();
  readonly #supply = new Map<string, Supply>();

  /** The requirements and the positions are locked. */
  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** Takes up to `most` of what the requirement still holds at the location, and returns how much that is. */
  async take(requirementId: string, locationId: string, most: Micro): Promise<Micro> {
    const held = await this.at(requirementId, locationId);
    const taken = least(held, most);
    this.#left.get(requirementId)?.set(locationId, held - taken);
    return taken;
  }

  /** Returns what the requirement still holds at the location. */
  async at(requirementId: string, locationId: string): Promise<Micro> {
    const left = this.#left.get(requirementId) ?? (await this.#read(requirementId));
    this.#left.set(requirementId, left);
    return left.get(locationId) ?? 0n;
  }

  /**
   * Takes what a requirement must not hold any more when so much of its receipt is taken back: what was reserved as it arrived, and what
   * would cover it a second time, because the goods are on order again. A reservation of other stock stays.
   */
  async takeArrived(requirementId: string, locationId: string, amount: Micro): Promise<Micro> {
    const before = this.#supply.get(requirementId) ?? (await this.#readSupply(requirementId));
    const received = before.received - amount;
    const underWay = before.underWay + amount;
    const most = greatest(before.arrived - received, before.reserved + underWay - before.required);
    const taken = await this.take(requirementId, locationId, atLeastZero(least(most, amount)));
    const arrived = least(before.arrived, received);
    this.#supply.set(requirementId, {
      ...before,
      received,
      underWay,
      arrived,
      reserved: before.reserved - taken,
    });
    return taken;
  }

  async #readSupply(requirementId: string): Promise<Supply> {
    const [row] = await this.#tx.query<SupplyRow>(selectSupply, [this.#tx.workspaceId, requirementId]);
    const received = microOfDecimal(row?.received ?? '0');
    return {
      required: microOfDecimal(row?.required ?? '0'),
      reserved: microOfDecimal(row?.reserved ?? '0'),
      underWay: microOfDecimal(row?.under_way ?? '0'),
      received,
      arrived: least(microOfDecimal(row?.arrived ?? '0'), received),
    };
  }

  async #read(requirementId: string): Promise<Map<string, Micro>> {
    const rows = await this.#tx.query<HeldRow>(selectHeld, [this.#tx.workspaceId, requirementId]);
    // A substitute did not arrive with the goods.
    const own = rows.filter(({ covers }) => covers === null);
    return new Map(own.map(({ location_id, held }) => [location_id, microOfDecimal(held)]));
  }
}
