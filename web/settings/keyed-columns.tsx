/** Columns that the lists of settings share. */
import { codeColumn, textColumn } from '../components/lists/columns.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { RowActions } from '../components/lists/row-actions.tsx';

/** Name and key. */
export function nameAndKey(width: { name: number; key: number }) {
  return [
    textColumn('name', 'Name', { width: width.name, grow: 1, phone: 'title' }),
    codeColumn('key', 'Key', { width: width.key, phone: 'detail' }),
  ];
}

interface Change<Row> {
  onEdit: (row: Row) => void;
  onDelete: (row: Row) => void;
  /** The label for deleting. */
  verb?: string;
  /** Rows that cannot be changed have no buttons. */
  mayChange?: (row: Row) => boolean;
  phone?: 'side';
}

/** The buttons of a row. */
export function changeColumn<Row extends { name: string }>({
  onEdit,
  onDelete,
  verb = 'Delete',
  mayChange = () => true,
  phone,
}: Change<Row>): GridColumn<Row> {
  return {
    key: 'change',
    header: 'Change',
    width: 76,
    phone,
    cell: (row) =>
      mayChange(row) && (
        <RowActions
          actions={[
            { icon: 'edit', label: `Edit ${row.name}`, onClick: () => onEdit(row) },
            { icon: 'trash', label: `${verb} ${row.name}`, onClick: () => onDelete(row) },
          ]}
        />
      ),
  };
}
