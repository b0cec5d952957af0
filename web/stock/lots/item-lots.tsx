/** How an item is tracked, and its lots. */
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../client/ask.ts';
import type { ItemTracking, StockLot } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import { Asked } from '../../components/dialogs/asked.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { quantityColumn } from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { EmptyState, Facts, GridSheet, Sheet } from '../../components/page-frame.tsx';
import { useAction } from '../../components/use-action.ts';
import { dayText, PartNumber, quantityText } from '../../components/words.tsx';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { STOCK_CHANGES } from '../adjust-dialog.tsx';
import { lotStatusNames } from '../movements.ts';

const names = { none: 'Not tracked', lot: 'By lot', serial: 'By serial number' } as const;

export function ItemLots({ itemId }: { itemId: string }) {
  const mayMoveStock = useMay('stock');
  const [changing, setChanging] = useState<ItemTracking | null>(null);
  const tracking = useQuery(ask('getTracking', { itemEntityId: itemId }));
  return (
    <>
      <Sheet
        title="Lots and serial numbers"
        actions={
          mayMoveStock &&
          tracking.data !== undefined && (
            <Button variant="default" onClick={() => setChanging(tracking.data)}>
              Change tracking
            </Button>
          )
        }
      >
        <Asked of={tracking}>
          {(found) => (
            <Facts
              facts={[
                ['Tracked', names[found.tracking], 'wide'],
                ...(found.unassignedQty > 0
                  ? [
                      [
                        'In no lot',
                        `${quantityText(found.unassignedQty)}: count them to assign them to lots.`,
                        'wide',
                      ] as const,
                    ]
                  : []),
              ]}
            />
          )}
        </Asked>
      </Sheet>
      {tracking.data !== undefined && tracking.data.tracking !== 'none' && (
        <GridSheet>
          <List
            label="Lots of the item"
            name="listLots"
            input={{ query: { itemEntityId: itemId } }}
            noun={['lot', 'lots']}
            columns={lotColumns}
            rowKey={({ id }: StockLot) => id}
            filters={[]}
            scope="lots"
            heightMax={420}
            empty={<EmptyState title="No lots yet">Receipts and adjustments create them.</EmptyState>}
          />
        </GridSheet>
      )}
      {changing !== null && <TrackingDialog tracking={changing} onClose={() => setChanging(null)} />}
    </>
  );
}

/** Columns of the lots of one item. */
export const lotColumns: GridColumn<StockLot>[] = [
  {
    key: 'number',
    header: 'Number',
    width: 160,
    grow: 1,
    phone: 'title',
    cell: ({ id, number }) => (
      <Link href={paths.lot(id)}>
        <PartNumber number={number} />
      </Link>
    ),
    text: ({ number }) => number,
  },
  quantityColumn('onHand', 'On hand', { width: 90, phone: 'side' }),
  {
    key: 'expiresOn',
    header: 'Expires',
    width: 110,
    phone: 'detail',
    cell: ({ expiresOn }) => (expiresOn === null ? '' : dayText(expiresOn)),
    text: ({ expiresOn }) => expiresOn,
  },
  {
    key: 'status',
    header: 'Status',
    width: 110,
    phone: 'detail',
    cell: ({ status }) => lotStatusNames[status],
    text: ({ status }) => lotStatusNames[status],
  },
  {
    key: 'supplierLot',
    header: "Supplier's lot",
    width: 140,
    phone: 'detail',
    spare: 2,
    cell: ({ supplierLot }) => supplierLot ?? '',
    text: ({ supplierLot }) => supplierLot,
  },
];

function TrackingDialog({ tracking: shown, onClose }: { tracking: ItemTracking; onClose: () => void }) {
  const [tracking, setTracking] = useState(shown.tracking);
  const change = useAction('setTracking', {
    changes: [...STOCK_CHANGES, 'getTracking', 'listLots'],
    done: `${shown.itemNumber ?? shown.itemName}: ${names[tracking].toLowerCase()}.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title="Lots and serial numbers"
      submit="Save"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={tracking === shown.tracking ? 'No changes.' : null}
      onSubmit={() => change.mutate({ itemEntityId: shown.itemEntityId, body: { tracking } })}
    >
      <NativeSelect
        label="Tracked"
        value={tracking}
        data={Object.entries(names).map(([value, label]) => ({ value, label }))}
        onChange={(event) => setTracking(event.currentTarget.value as typeof tracking)}
      />
      <p className="muted">
        Each movement of a tracked item names its lot or serial number. What is in stock now is in no lot
        until a count assigns it.
      </p>
    </Dialog>
  );
}
