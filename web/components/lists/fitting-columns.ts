/** Which columns there is room for: a column that is cut off at the edge says less than one that the column menu still has. */
import type { GridColumn } from './grid-column.ts';

/** Between columns, as the style sheet has it. */
export const COLUMN_GAP = 16;

export function widthOf(columns: readonly { width: number }[], besides: number): number {
  return columns.reduce((sum, { width }) => sum + width + COLUMN_GAP, besides);
}

/** What a column that grows can still do with, of its width. */
const NARROW = 0.65;

/**
 * The columns that there is room for: without spare ones, then with narrower ones among those that grow, then without those that a phone
 * does not show either. What is left may scroll; buttons stay.
 */
export function fittingColumns<Row>(
  columns: readonly GridColumn<Row>[],
  room: number,
  besides: number,
): readonly GridColumn<Row>[] {
  let left = columns;
  while (widthOf(left, besides) > room) {
    const next = nextToGo(left);
    const isSpare = next?.spare !== undefined;
    // A name that is cut says more than a figure that is gone.
    if (!isSpare && (next === undefined || widthOf(narrowed(left), besides) <= room)) return narrowed(left);
    left = left.filter((one) => one !== next);
  }
  return left;
}

function narrowed<Row>(columns: readonly GridColumn<Row>[]): readonly GridColumn<Row>[] {
  return columns.map((one) =>
    one.grow === undefined ? one : { ...one, width: Math.round(one.width * NARROW) },
  );
}

function nextToGo<Row>(columns: readonly GridColumn<Row>[]): GridColumn<Row> | undefined {
  const most = columns.reduce((found, { spare = 0 }) => Math.max(found, spare), 0);
  return most > 0
    ? columns.findLast(({ spare }) => spare === most)
    : columns.findLast(({ phone, text }, at) => at > 0 && phone === undefined && text !== undefined);
}

/** The width in pixels by which columns are chosen for paper: a page in landscape. */
export const PRINT_ROOM = 900;

/** The tracks of the grid: those that grow share the room that is left; a printed page is shared by all. */
export function tracksOf(
  columns: readonly { width: number; grow?: number }[],
  { printing, picks }: { printing: boolean; picks: boolean },
): string {
  const widths = columns.map(({ width, grow }) => {
    if (printing) return `minmax(0, ${grow === undefined ? width : 2 * width}fr)`;
    return grow === undefined ? `${width}px` : `minmax(${width}px, ${grow}fr)`;
  });
  return [...(picks ? ['36px'] : []), ...widths].join(' ');
}
