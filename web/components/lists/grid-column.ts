/** A column of a grid: what it shows, exports and sorts by, and where it stands on a phone. */
import type { ReactNode } from 'react';

export interface GridColumn<Row> {
  key: string;
  header: string;
  /** In pixels; with `grow` it takes its share of what is left. */
  width: number;
  grow?: number;
  align?: 'end';
  /**
   * The content of a cell. `isShown` tells by its key whether a column has room, so that another column can show the most needed of it.
   * `rows` are the loaded rows, for what a row has in common with others.
   */
  cell: (row: Row, isShown: (key: string) => boolean, rows: readonly Row[]) => ReactNode;
  /** What an export writes; without it the column is not exported. */
  text?: (row: Row) => string | number | null;
  /** The name by which the service sorts. */
  sort?: string;
  /** A control in its head that filters by it. */
  narrow?: ReactNode;
  /** Where it stands on a phone: absent means not at all. With a column `below` each row has a third line. */
  phone?: 'title' | 'detail' | 'below' | 'side';
  /** Has only controls: it is left out in print. */
  screenOnly?: boolean;
  /** Shown only when it is chosen. */
  hidden?: boolean;
  /** Left out where there is no room, the highest first; nothing is where the columns were chosen. */
  spare?: number;
}

/** Which rows are chosen. */
export interface GridSelection {
  isSelected: (key: string) => boolean;
  toggle: (key: string) => void;
  toggleAll: () => void;
  all: boolean;
  some: boolean;
}
