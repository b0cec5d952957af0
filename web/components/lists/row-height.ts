/** How high a row of a grid is, in pixels. */
import type { GridColumn } from './grid-column.ts';

const HEIGHTS = { normal: 36, compact: 32, tall: 48, phone: 56, phoneOfThree: 76 };

interface RowLook {
  phone: boolean;
  isTall: boolean;
  compact: boolean;
}

export function rowHeightOf<Row>(
  columns: readonly GridColumn<Row>[],
  { phone, isTall, compact }: RowLook,
): number {
  if (phone) return columns.some((column) => column.phone === 'below') ? HEIGHTS.phoneOfThree : HEIGHTS.phone;
  if (isTall) return HEIGHTS.tall;
  return compact ? HEIGHTS.compact : HEIGHTS.normal;
}
