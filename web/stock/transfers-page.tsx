/** Goods that were sent from one location to another, and the receipt of what arrives. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { StockTransit } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { readQuantity, typedQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { momentColumn, quantityColumn } from '../components/lists/columns.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame } from '../components/page-frame.tsx';
import { useAction } from '../components/use-action.ts';
import { PartNumber, quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { STOCK_CHANGES } from './adjust-dialog.tsx';
import { StockTabs } from './stock-tabs.tsx';

export function TransfersPage() {
  const mayMoveStock = useMay('stock');
  const [received, setReceived] = useState<StockTransit | null>(null);
  const columns: GridColumn<StockTransit>[] = [
    {
      key: 'itemNumber',
      header: 'Item',
      width: 112,
      phone: 'title',
      cell: ({ itemNumber }) => <PartNumber number={itemNumber} />,
      text: ({ itemNumber }) => itemNumber,
    },
    {
      key: 'itemName',
      header: 'Name',
      width: 160,
      grow: 1,
      phone: 'detail',
      cell: ({ itemName, lot }) => (lot === null ? itemName : `${itemName}, ${lot}`),
      text: ({ itemName }) => itemName,
    },
    placeColumn('from', 'From', ({ fromLocationEntityId: id, fromLocationNumber, fromLocationName }) => ({
      id,
      text: fromLocationNumber ?? fromLocationName,
    })),
    placeColumn('to', 'To', ({ toLocationEntityId: id, toLocationNumber, toLocationName }) => ({
      id,
      text: toLocationNumber ?? toLocationName,
    })),
    quantityColumn('inTransitQty', 'In transit', { width: 76, phone: 'side' }),
    quantityColumn('sentQty', 'Sent', { width: 76, spare: 1 }),
    quantityColumn('receivedQty', 'Received', { width: 84, spare: 2 }),
    momentColumn('sentAt', 'Sent at', { width: 104, spare: 3 }),
    ...(mayMoveStock
      ? [
          {
            key: 'receive',
            header: 'Receive',
            width: 84,
            phone: 'side' as const,
            cell: (transit: StockTransit) =>
              transit.inTransitQty > 0 && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Receive ${transit.itemNumber ?? transit.itemName} at ${placeOf(transit)}`}
                  onClick={() => setReceived(transit)}
                >
                  Receive
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <PageFrame title="Stock" plainTitle="Transfers">
      <StockTabs current="transfers" />
      <GridSheet>
        <List
          label="Transfers"
          noun={['transfer', 'transfers']}
          name="listTransfersInTransit"
          input={{}}
          columns={columns}
          rowKey={({ id }) => id}
          hrefOf={({ itemEntityId }) => paths.entity(itemEntityId, 'stock')}
          nameOf={({ itemNumber, itemName }) => `${itemNumber ?? ''} ${itemName}`}
          filters={[{ key: 'open', label: 'Show', options: [{ value: 'false', label: 'also received' }] }]}
          heightMax={680}
          empty={
            <EmptyState title="Nothing is in transit">
              When you move stock, choose that it arrives later: it is listed here until it is received.
            </EmptyState>
          }
        />
      </GridSheet>
      {received !== null && <ReceiveDialog transit={received} onClose={() => setReceived(null)} />}
    </PageFrame>
  );
}

function placeColumn(
  key: string,
  header: string,
  place: (transit: StockTransit) => { id: string; text: string },
): GridColumn<StockTransit> {
  return {
    key,
    header,
    width: 110,
    grow: 1,
    phone: 'detail',
    cell: (transit) => <Link href={paths.entity(place(transit).id, 'stock')}>{place(transit).text}</Link>,
    text: (transit) => place(transit).text,
  };
}

function placeOf({ toLocationNumber, toLocationName }: StockTransit): string {
  return toLocationNumber ?? toLocationName;
}

function ReceiveDialog({ transit, onClose }: { transit: StockTransit; onClose: () => void }) {
  const { inTransitQty } = transit;
  const [text, setText] = useState(() => typedQuantity(inTransitQty));
  const [isLast, setIsLast] = useState(false);
  const [isBack, setIsBack] = useState(false);
  const [reason, setReason] = useState('');
  const [note, setNote] = useState('');
  const settings = useQuery(ask('getStockSettings', {}));
  const reasons = settings.data?.adjustmentReasons ?? [];
  const quantity = readQuantity(text);
  const differs = quantity !== null && (quantity > inTransitQty || (isLast && quantity < inTransitQty));
  const receive = useAction('receiveTransfer', {
    changes: [...STOCK_CHANGES, 'listTransfersInTransit'],
    done: ({ transfer }) =>
      transfer.inTransitQty === 0
        ? 'The transfer is received.'
        : `${quantityText(transfer.inTransitQty)} are still in transit.`,
    onDone: onClose,
  });
  const notYet =
    quantity === null || quantity < 0 || (quantity === 0 && !isLast)
      ? 'The quantity must be above zero, unless nothing more arrives.'
      : differs && reason.trim() === ''
        ? 'Say why the quantity differs.'
        : null;
  const send = () => {
    if (quantity === null) return;
    receive.mutate({
      id: transit.id,
      body: {
        quantity,
        isLast,
        ...(isBack ? { locationEntityId: transit.fromLocationEntityId } : {}),
        ...(differs ? { reason: reason.trim() } : {}),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      },
    });
  };
  return (
    <Dialog
      title={`Receive: ${transit.itemNumber ?? transit.itemName}`}
      submit="Receive"
      onClose={onClose}
      busy={receive.isPending}
      error={receive.error}
      notYet={notYet}
      onSubmit={send}
    >
      <p className="muted">
        {quantityText(inTransitQty)} of {quantityText(transit.sentQty)} are in transit to {placeOf(transit)}.
      </p>
      <QuantityInput label="Quantity that arrived" value={text} onValue={setText} data-autofocus="" />
      <Checkbox
        label="Nothing more arrives"
        description="The rest is written off."
        checked={isLast}
        onChange={(event) => setIsLast(event.currentTarget.checked)}
      />
      <Checkbox
        label={`It came back to ${transit.fromLocationNumber ?? transit.fromLocationName}`}
        checked={isBack}
        onChange={(event) => setIsBack(event.currentTarget.checked)}
      />
      {differs &&
        (reasons.length > 0 ? (
          <NativeSelect
            label="Reason of the difference"
            value={reason}
            data={[{ value: '', label: 'Choose' }, ...reasons]}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            label="Reason of the difference"
            value={reason}
            maxLength={50}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        ))}
      <TextInput
        label="Note"
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  );
}
