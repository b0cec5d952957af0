/** Columns that lists of the configuration have in common. */
import type { GridColumn } from '../components/lists/grid-column.ts';
import { RowActions } from '../components/lists/row-actions.tsx';

/** What it is called, and the key that everything names it by. */
export function nameAndKey<Row extends { name: string; key: string }>(width: {
  name: number;
  key: number;
}): GridColumn<Row>[] {
  return [
    {
      key: 'name',
      header: 'Name',
      width: width.name,
      grow: 1,
      phone: 'title',
      cell: ({ name }) => name,
      text: ({ name }) => name,
    },
    {
      key: 'key',
      header: 'Key',
      width: width.key,
      phone: 'detail',
      cell: ({ key }) => <span className="mono">{key}</span>,
      text: ({ key }) => key,
    },
  ];
}

interface Change<Row> {
  onEdit: (row: Row) => void;
  onDelete: (row: Row) => void;
}

/** The buttons of a row, for those who may change it. */
export function changeColumn<Row extends { name: string }>({
  onEdit,
  onDelete,
}: Change<Row>): GridColumn<Row> {
  return {
    key: 'change',
    header: 'Change',
    width: 76,
    phone: 'side',
    cell: (row) => (
      <RowActions
        actions={[
          { icon: 'edit', label: `Edit ${row.name}`, onClick: () => onEdit(row) },
          { icon: 'trash', label: `Delete ${row.name}`, onClick: () => onDelete(row) },
        ]}
      />
    ),
  };
}
