/** Says to which events an automation listens. */
import { contextTypes } from '../events/record-events.ts';
import type { Threshold } from './threshold.schema.ts';

/**
 * Returns the number of the context type. A crossing of stock is found among its movements; no event tells of one of a view, which is
 * counted.
 */
export function heardBy(contextType: number, threshold: Threshold | null): number | null {
  if (contextType !== contextTypes.thresholdCrossed) return contextType;
  return threshold?.view === undefined ? contextTypes.stockMoved : null;
}
