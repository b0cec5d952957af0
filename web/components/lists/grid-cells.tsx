/** The cells of one row of a grid, and its link. */
import type { ReactNode } from 'react';
import { Link } from '../../navigation/link.tsx';
import styles from './data-grid.module.css';
import type { GridColumn } from './grid-column.ts';

interface CellsProps<Row> {
  columns: readonly GridColumn<Row>[];
  row: Row;
  rows: readonly Row[];
  /** The row's own page; rows without one cannot be opened. */
  hrefOf?: (row: Row) => string | null;
  /** Whether the tab key stops at this row. */
  stop: boolean;
}

export function Cells<Row>(props: CellsProps<Row>) {
  const { columns, row, rows } = props;
  const isShown = shownAmong(columns);
  return columns.map((column, at) => (
    <span key={column.key} role="gridcell" className={column.align === 'end' ? styles.end : undefined}>
      {at === 0 ? (
        <RowLink {...props}>{column.cell(row, isShown, rows)}</RowLink>
      ) : (
        column.cell(row, isShown, rows)
      )}
    </span>
  ));
}

export function PhoneCells<Row>(props: CellsProps<Row>) {
  const { columns, row, rows } = props;
  const isShown = shownAmong(columns);
  const at = (place: GridColumn<Row>['phone']) => columns.filter((column) => column.phone === place);
  return (
    <>
      <span role="gridcell" className={styles.phoneMain}>
        <span className={styles.phoneTitle}>
          <RowLink {...props}>
            {at('title').map((column) => (
              <span key={column.key}>{column.cell(row, isShown, rows)} </span>
            ))}
          </RowLink>
        </span>
        <span className={styles.phoneDetail}>
          {at('detail').map((column) => (
            <span key={column.key}>{column.cell(row, isShown, rows)}</span>
          ))}
        </span>
        {at('below').map((column) => (
          <span key={column.key} className={styles.phoneDetail}>
            {column.cell(row, isShown, rows)}
          </span>
        ))}
      </span>
      <span role="gridcell" className={styles.phoneSide}>
        {at('side').map((column) => (
          <PhoneSide key={column.key} column={column} shown={column.cell(row, isShown, rows)} />
        ))}
      </span>
    </>
  );
}

/** What stands at the end of a row. There is no head on a phone: a figure says itself what it is. */
function PhoneSide<Row>({ column, shown }: { column: GridColumn<Row>; shown: ReactNode }) {
  if (column.align !== 'end' || shown === null || shown === false) return <span>{shown}</span>;
  return (
    <span className={styles.phoneFigure}>
      <span>{shown}</span> <small>{column.header}</small>
    </span>
  );
}

function shownAmong<Row>(columns: readonly GridColumn<Row>[]): (key: string) => boolean {
  return (key) => columns.some((column) => column.key === key);
}

/** The link of the row, or the row's stop for the keyboard where it has no page. */
function RowLink<Row>({ row, hrefOf, stop, children }: CellsProps<Row> & { children: ReactNode }) {
  const href = hrefOf?.(row) ?? null;
  const tabIndex = stop ? 0 : -1;
  if (href === null) {
    return (
      <span className={styles.rowStop} data-stop="" tabIndex={tabIndex}>
        {children}
      </span>
    );
  }
  return (
    <Link href={href} className={styles.rowLink} data-stop="" tabIndex={tabIndex} draggable={false}>
      {children}
    </Link>
  );
}
