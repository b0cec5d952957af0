/** Error codes of any transition: a cascade can reach everything that other capabilities hang on one. */
import type { ErrorCode } from '../../errors.ts';

export const transitionErrors = [
  'transition_not_allowed',
  'properties_required',
  'feature_failed',
  'entity_archived',
  'insufficient_stock',
  'lot_refused',
  'quantity_out_of_range',
  'over_requirement',
  'requirement_cancelled',
  'procurement_not_configured',
  'order_not_open',
] as const satisfies readonly ErrorCode[];
