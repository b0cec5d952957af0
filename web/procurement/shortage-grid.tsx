/** Items that a project needs, with what covers them; many are reserved or ordered at once. */
import { Button } from '@mantine/core';
import type { Shortage } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { SelectionBar } from '../components/lists/bulk-bar.tsx';
import {
  measuredColumn,
  picturedColumn,
  quantityColumn,
  textColumn,
  unitColumn,
} from '../components/lists/columns.tsx';
import { DataGrid } from '../components/lists/data-grid.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import type { Selection } from '../components/lists/use-selection.ts';
import { notify } from '../components/notices.tsx';
import { Quantity } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import { Coverage, coverageText } from './coverage.tsx';
import styles from './procurement.module.css';

/** What is done with one item or with many. */
export type Supply = 'reserve' | 'order';

export interface ShortageGridProps {
  label: string;
  rows: readonly Shortage[];
  /** What the columns are, and which of them are shown. */
  columns: readonly GridColumn<Shortage>[];
  sort: { by: string; order: 'asc' | 'desc' };
  onSort: (by: string) => void;
  /** Null where the person may not change anything. */
  onSupply: ((rows: readonly Shortage[], how: Supply) => void) | null;
  heightMax: number;
  /** The items that are chosen on the whole page. */
  selection: Selection;
  keepsColumns?: boolean;
}

export function ShortageGrid({ label, rows, columns, onSupply, selection, ...rest }: ShortageGridProps) {
  const ids = rows.map(({ itemEntityId }) => itemEntityId);
  return (
    <DataGrid
      {...rest}
      label={label}
      columns={columns}
      rows={rows}
      rowKey={({ itemEntityId }) => itemEntityId}
      nameOf={({ itemNumber, itemName }) => `${itemNumber ?? ''} ${itemName}`}
      hrefOf={({ itemEntityId }) => paths.entity(itemEntityId, 'stock')}
      selection={onSupply === null ? undefined : selection.within(ids)}
    />
  );
}

/** Shows what can be done with the chosen items of all lists of the page. */
export function SupplyBar({
  rows,
  selection,
  onSupply,
}: Pick<ShortageGridProps, 'rows' | 'selection' | 'onSupply'>) {
  const ways = useSupplyWays();
  const chosen = rows.filter(({ itemEntityId }) => selection.isSelected(itemEntityId));
  if (onSupply === null || chosen.length === 0) return null;
  return (
    <SelectionBar count={chosen.length} noun={['item', 'items']} onClear={selection.clear}>
      {ways.map((how) => (
        <Button key={how} size="xs" variant="default" onClick={() => onSupply(chosen, how)}>
          {labels[how]}
        </Button>
      ))}
    </SelectionBar>
  );
}

const labels: Readonly<Record<Supply, string>> = { reserve: 'Reserve', order: 'Order' };

/** Returns the ways to supply that the areas of the user allow. */
export function useSupplyWays(): readonly Supply[] {
  const mayReserve = useMay('stock');
  const mayOrder = useMay('procurement');
  return [...(mayReserve ? (['reserve'] as const) : []), ...(mayOrder ? (['order'] as const) : [])];
}

/** A made part has no supplier, unless it was bought once. */
function supplierText({ supplier, isAssembly }: Shortage): string | null {
  return supplier ?? (isAssembly ? 'made here' : null);
}

/** The columns; those of one item's buttons only where the person may use them. */
export function shortageColumns(
  onSupply: ((rows: readonly Shortage[], how: Supply) => void) | null,
): GridColumn<Shortage>[] {
  return [
    picturedColumn('itemNumber', 'itemPicture', 'Item', { width: 120, phone: 'title', sort: 'number' }),
    textColumn('itemName', 'Name', { width: 150, grow: 2, phone: 'detail', sort: 'name' }),
    {
      key: 'supplier',
      header: 'Supplier',
      width: 110,
      grow: 1,
      sort: 'supplier',
      spare: 1,
      cell: supplierText,
      text: supplierText,
    },
    measuredColumn('neededQty', 'Needed', { width: 64, spare: 1 }),
    {
      key: 'coverage',
      header: 'Covered',
      width: 96,
      cell: (row) => <Coverage of={row} />,
      text: coverageText,
    },
    quantityColumn('reservedQty', 'Reserved', { width: 64, spare: 4 }),
    quantityColumn('availableQty', 'Available', { width: 64, spare: 2 }),
    quantityColumn('onOrderQty', 'On order', { width: 64, spare: 3 }),
    {
      key: 'shortageQty',
      header: 'Short',
      width: 64,
      align: 'end',
      phone: 'side',
      sort: 'shortageQty',
      cell: ({ shortageQty, unit }) =>
        shortageQty > 0 ? (
          <strong className="bad">
            <Quantity value={shortageQty} unit={unit} />
          </strong>
        ) : (
          '0'
        ),
      text: ({ shortageQty }) => shortageQty,
    },
    quantityColumn('openRequirementQty', 'Requested', { width: 72, spare: 5 }),
    unitColumn,
    textColumn('itemRevision', 'Rev.', { width: 48, hidden: true }),
    ...(onSupply === null
      ? []
      : [
          {
            key: 'supply',
            header: 'Supply',
            width: 150,
            phone: 'side' as const,
            screenOnly: true,
            cell: (row: Shortage) => <SupplyButtons row={row} onSupply={onSupply} />,
          },
        ]),
  ];
}

/** The columns of a list whose items have no supplier, or whose heading names it. */
export function withoutSupplier(columns: readonly GridColumn<Shortage>[]): readonly GridColumn<Shortage>[] {
  return columns.filter(({ key }) => key !== 'supplier');
}

function SupplyButtons({
  row,
  onSupply,
}: {
  row: Shortage;
  onSupply: (rows: readonly Shortage[], how: Supply) => void;
}) {
  const ways = useSupplyWays();
  return (
    <span className={styles.ways}>
      {ways.includes('reserve') && (
        <Button
          size="xs"
          variant="default"
          // It can be reached and says why not: in a row there is no room for a sentence.
          data-disabled={row.availableQty <= 0 || undefined}
          aria-disabled={row.availableQty <= 0}
          onClick={() =>
            row.availableQty > 0
              ? onSupply([row], 'reserve')
              : notify(`Nothing of ${row.itemNumber ?? row.itemName} is available.`)
          }
        >
          Reserve
        </Button>
      )}
      {ways.includes('order') && (
        <Button size="xs" variant="default" onClick={() => onSupply([row], 'order')}>
          Order
        </Button>
      )}
    </span>
  );
}
