/** The entries whose cost is recorded, and the facts about arriving goods that are read for them. */
import type { Money } from '../../money/money.ts';
import type { Micro } from '../../quantity.ts';
import type { LedgerEntry } from '../entries/ledger-entry.ts';
import type { Piece } from './position-costs.ts';

export type CostedEntry = Pick<
  LedgerEntry,
  | 'id'
  | 'itemId'
  | 'locationId'
  | 'movementType'
  | 'onHandDelta'
  | 'onHandAfter'
  | 'bookingId'
  | 'reversesId'
  | 'lineId'
  | 'requirementId'
  | 'effectiveOn'
>;

/** The price of a base unit, as it was stated. */
export interface StatedPrice {
  readonly price: Money;
  readonly currency: string;
}

/** Facts about arriving goods that were read for the entries. */
export interface CostSources {
  /** Returns the stated cost of goods; its `cost` is null where there is no rate. */
  statedOf(entry: CostedEntry): { cost: Money | null; price: StatedPrice } | null;
  /** Returns the pieces that an entry took and has not got back, in the order in which they come back. */
  takenBy(entryId: string): readonly Piece[];
  /** Returns the pieces that left with the booking of a transfer and have not arrived. */
  onTheWay(bookingId: string): readonly Piece[];
  /** Returns the goods that the entry brought, with their cost. */
  broughtBy(entryId: string): Piece | null;
  /** Returns the cost of components that a manufacturing line was issued and that nothing it made has in it, and how much it has still to make. */
  inWork(lineId: string): InWork | null;
  /** Returns the goods that a sales line shipped, with their cost. */
  shippedBy(lineId: string): Piece | null;
}

export interface InWork {
  /** The cost is null if a part of it is unknown. */
  readonly cost: Money | null;
  readonly open: Micro;
}

export function isTransfer({ movementType }: Pick<CostedEntry, 'movementType'>): boolean {
  return movementType === 'TransferOut' || movementType === 'TransferIn';
}
