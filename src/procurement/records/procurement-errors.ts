/** Error codes of procurement, for route declarations. */
import { transitionErrors } from '../../entities/revisions/transition-errors.ts';
import type { ErrorCode } from '../../errors.ts';

export const lineErrors = [
  ...transitionErrors,
  'line_not_found',
  'line_not_open',
  'over_receipt',
  'over_shipment',
  'over_reservation',
  'over_release',
  'zero_quantity',
  'unit_unknown',
  'quantity_inexact',
  'stock_closed',
] as const satisfies readonly ErrorCode[];

/** Error codes of calls that receive lines and take their components. */
export const buildErrors = [
  ...lineErrors,
  'tree_too_large',
  'entity_not_found',
  'not_a_location',
] as const satisfies readonly ErrorCode[];

/** Error codes of calls that move components of a line. */
export const componentErrors = [
  ...transitionErrors,
  'line_not_found',
  'line_not_open',
  'tree_too_large',
  'zero_quantity',
  'unit_unknown',
  'quantity_inexact',
  'entity_not_found',
  'not_a_location',
] as const satisfies readonly ErrorCode[];

export const lineChangeErrors = [
  ...transitionErrors,
  'line_not_found',
  'line_not_open',
  'quantity_below_done',
  'tree_too_large',
  'zero_quantity',
  'unit_unknown',
  'quantity_inexact',
] as const satisfies readonly ErrorCode[];

export const lineMakingErrors = [
  ...transitionErrors,
  'zero_quantity',
  'unit_unknown',
  'quantity_inexact',
  'entity_not_found',
  'not_an_item',
  'not_a_location',
  'order_not_found',
  'requirement_not_found',
  'supplier_part_not_found',
] as const satisfies readonly ErrorCode[];

export const requirementMakingErrors = [
  'entity_not_found',
  'entity_archived',
  'not_a_project',
  'not_an_item',
  'unit_unknown',
  'quantity_inexact',
  'zero_quantity',
  'quantity_out_of_range',
  'procurement_not_configured',
  'stock_busy',
] as const satisfies readonly ErrorCode[];

export const requirementChangeErrors = [
  'requirement_not_found',
  'requirement_cancelled',
  'quantity_below_done',
  'unit_unknown',
  'quantity_inexact',
  'zero_quantity',
  'quantity_out_of_range',
] as const satisfies readonly ErrorCode[];

export const requirementErrors = [
  ...transitionErrors,
  'unit_unknown',
  'quantity_inexact',
  'stock_closed',
  'requirement_not_found',
  'entity_not_found',
  'not_a_location',
  'zero_quantity',
  'over_release',
  'over_issue',
] as const satisfies readonly ErrorCode[];
