/** The cells of one row of a grid, and the link that covers it. */
import type { ReactNode } from 'react';
import { Link } from '../../navigation/link.tsx';
import styles from './data-grid.module.css';
import type { GridColumn } from './grid-column.ts';

interface CellsProps<Row> {
  columns: readonly GridColumn<Row>[];
  row: Row;
  /** The row's own page; rows without one cannot be opened. */
  hrefOf?: (row: Row) => string | null;
  /** Whether the tab key stops at this row. */
  stop: boolean;
}

export function Cells<Row>(props: CellsProps<Row>) {
  const { columns, row } = props;
  return columns.map((column, at) => (
    <span key={column.key} role="gridcell" className={column.align === 'end' ? styles.end : undefined}>
      {at === 0 ? <RowLink {...props}>{column.cell(row)}</RowLink> : column.cell(row)}
    </span>
  ));
}

export function PhoneCells<Row>(props: CellsProps<Row>) {
  const { columns, row } = props;
  const at = (place: GridColumn<Row>['phone']) => columns.filter((column) => column.phone === place);
  return (
    <>
      <span role="gridcell" className={styles.phoneMain}>
        <span className={styles.phoneTitle}>
          <RowLink {...props}>
            {at('title').map((column) => (
              <span key={column.key}>{column.cell(row)} </span>
            ))}
          </RowLink>
        </span>
        <span className={styles.phoneDetail}>
          {at('detail').map((column) => (
            <span key={column.key}>{column.cell(row)}</span>
          ))}
        </span>
      </span>
      <span role="gridcell" className={styles.phoneSide}>
        {at('side').map((column) => (
          <PhoneSide key={column.key} column={column} row={row} />
        ))}
      </span>
    </>
  );
}

/** What stands at the end of a row. There is no head on a phone: a figure says itself what it is. */
function PhoneSide<Row>({ column, row }: { column: GridColumn<Row>; row: Row }) {
  const shown = column.cell(row);
  if (column.align !== 'end' || shown === null || shown === false) return <span>{shown}</span>;
  return (
    <span className={styles.phoneFigure}>
      <span>{shown}</span> <small>{column.header}</small>
    </span>
  );
}

/** The link that covers its row, or the row's stop for the keyboard where it has no page. */
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
    <Link href={href} className={styles.rowLink} data-stop="" tabIndex={tabIndex}>
      {children}
    </Link>
  );
}
