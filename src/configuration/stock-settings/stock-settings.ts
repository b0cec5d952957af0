/** Settings of how a workspace keeps stock. */
import { everyDay, type WorkingDays } from '../../calendar/working-calendar.ts';

export interface StockSettings {
  /** Whether what is received for a requirement is reserved for it at once. */
  readonly reserveReceived: boolean;
  /** How much more than was ordered may be received, as a part of what was ordered. */
  readonly overDeliveryPercent: number;
  /** Codes that adjustments may state as their reason; none: any. */
  readonly adjustmentReasons: readonly string[];
  /** The last day for which nothing can be recorded any more; null: none. */
  readonly stockClosedUntil: string | null;
  /** How stock is valued; null: not at all. */
  readonly costing: Costing | null;
  /** Lead times count these. */
  readonly workingDays: WorkingDays;
}

/** FIFO: the oldest stock of a location is used first. Average: all of it has one cost. */
export const costMethods = ['fifo', 'average'] as const;
export type CostMethod = (typeof costMethods)[number];

export interface Costing {
  readonly method: CostMethod;
  /** The currency of all costs. */
  readonly currency: string;
}

/** Settings of a workspace that has never set any, as workspaces of earlier versions. */
export const plainStockSettings: StockSettings = {
  reserveReceived: false,
  overDeliveryPercent: 0,
  adjustmentReasons: [],
  stockClosedUntil: null,
  costing: null,
  workingDays: everyDay,
};

/** Settings of a new workspace. */
export const newStockSettings: StockSettings = {
  reserveReceived: true,
  overDeliveryPercent: 0,
  adjustmentReasons: ['scrap', 'found', 'correction', 'sample'],
  stockClosedUntil: null,
  costing: null,
  workingDays: everyDay,
};
