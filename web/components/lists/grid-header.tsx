/** The head of a grid: names of the columns, the order of the rows, and the box that selects all. */
import { Icon } from '../icons.tsx';
import styles from './data-grid.module.css';
import type { GridColumn, GridSelection } from './grid-column.ts';
import { ResizeHandle } from './resize-handle.tsx';

export interface GridHeaderProps<Row> {
  columns: readonly GridColumn<Row>[];
  sort: { by: string; order: 'asc' | 'desc' } | undefined;
  onSort: ((by: string) => void) | undefined;
  selection: GridSelection | undefined;
  /** The widths of the columns, as CSS has them. */
  tracks: string;
  widthMin: number | undefined;
  /** Columns can be resized. */
  onWidth: ((key: string, width: number | null) => void) | undefined;
}

export function GridHeader<Row>({
  columns,
  sort,
  onSort,
  selection,
  tracks,
  widthMin,
  onWidth,
}: GridHeaderProps<Row>) {
  return (
    <div role="rowgroup" className={styles.head} style={{ minWidth: widthMin }}>
      <div role="row" aria-rowindex={1} className={styles.headRow} style={{ gridTemplateColumns: tracks }}>
        {selection !== undefined && (
          <span role="columnheader" className={styles.pick}>
            <input
              type="checkbox"
              aria-label="Select all rows shown"
              checked={selection.all}
              ref={(box) => {
                if (box !== null) box.indeterminate = selection.some && !selection.all;
              }}
              onChange={selection.toggleAll}
            />
          </span>
        )}
        {columns.map((column) => {
          const sorted = sort !== undefined && column.sort !== undefined && sort.by === column.sort;
          return (
            <span
              key={column.key}
              role="columnheader"
              aria-sort={sorted ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}
              className={column.align === 'end' ? styles.end : undefined}
            >
              {column.sort !== undefined && onSort !== undefined ? (
                <button type="button" onClick={() => onSort(column.sort as string)}>
                  {column.header}
                  {sorted && <Icon name={sort.order === 'asc' ? 'up' : 'down'} size={12} />}
                </button>
              ) : (
                column.header
              )}
              {column.narrow !== undefined && <span className={styles.narrow}>{column.narrow}</span>}
              {onWidth !== undefined && <ResizeHandle onWidth={(width) => onWidth(column.key, width)} />}
            </span>
          );
        })}
      </div>
    </div>
  );
}
