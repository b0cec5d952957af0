/** Movements of lines as calls want them, and what becomes of each. */
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import type { Micro } from '../../quantity.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import type { Entered, UnitCost } from '../../stock/entries/movement.ts';
import type { LotsWanted } from '../../stock/movements/lot-shares.ts';
import type { ComponentsPreview } from '../builds/builds.schema.ts';
import type { BuildRequest } from '../builds/plan-build.ts';
import type { Line } from '../records/line.ts';
import type { LineAct } from '../records/line-acts.ts';

/** A movement of one line. `amount` null: everything that is open, and nothing of a line that has nothing open. */
export interface LineMove {
  line: EntityRef;
  amount: Micro | null;
  /** The amount as it was entered in another unit. */
  entered?: Entered | null | undefined;
  /** Index of the line in the body; null if the body names one line only, or none. */
  index: number | null;
  /** The location at which the goods arrive, if it is not that of the line. */
  location?: EntityRef | undefined;
  /** Lots of the goods; absent: none are named. */
  lots?: LotsWanted;
  /** The cost of what arrives; absent: what the line was ordered at. */
  unitCost?: UnitCost | undefined;
}

/** Moves that happen together or not at all. */
export interface LineRequest {
  by: Mover;
  act: LineAct;
  moves: readonly LineMove[];
  note: string | null;
  /** The day on which it happened; absent or null: that of recording. */
  effectiveOn?: string | null | undefined;
  /** Given where the moves are one delivery, which can be taken back as a whole. */
  bookingId?: string | undefined;
  /** How manufacturing lines take their components; absent: as their category says. */
  build?: BuildRequest | undefined;
}

export interface MovedLine {
  line: Line;
  entries: LedgerEntry[];
  /** The components that were issued. */
  consumed: ComponentsPreview['taken'];
}
