/** Which columns there is room for: a column that is cut off at the edge says less than one that the column menu still has. */
import type { GridColumn } from './grid-column.ts';

/** Between columns, as the style sheet has it. */
export const COLUMN_GAP = 16;

export function widthOf(columns: readonly { width: number }[], besides: number): number {
  return columns.reduce((sum, { width }) => sum + width + COLUMN_GAP, besides);
}

/** The columns without as many of the spare ones as are too many. */
export function fittingColumns<Row>(
  columns: readonly GridColumn<Row>[],
  room: number,
  besides: number,
): readonly GridColumn<Row>[] {
  let left = columns;
  while (widthOf(left, besides) > room) {
    const spare = left.reduce((most, { spare: one = 0 }) => Math.max(most, one), 0);
    if (spare === 0) return left;
    left = left.filter((column) => column !== left.findLast((one) => one.spare === spare));
  }
  return left;
}
