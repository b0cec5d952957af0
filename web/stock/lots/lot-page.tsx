/** A lot: where it is, what it was used for and who received it, and what it was made of. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../client/ask.ts';
import type { StockLotAtPlaces, TraceNode } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import { Asked } from '../../components/dialogs/asked.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Facts, PageFrame, Sheet, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { useAction } from '../../components/use-action.ts';
import { dayText, PartNumber, Quantity, quantityText } from '../../components/words.tsx';
import { usePathParam } from '../../navigation/address.ts';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { STOCK_CHANGES } from '../adjust-dialog.tsx';
import { ApartDialog } from '../apart-dialog.tsx';
import { lotStatusNames, movementNames } from '../movements.ts';
import styles from '../stock.module.css';
import { LotHolds } from './lot-holds.tsx';

export function LotPage() {
  const id = usePathParam('id');
  const mayMoveStock = useMay('stock');
  const [changing, setChanging] = useState<'facts' | 'status' | 'apart' | null>(null);
  const query = useQuery(ask('getLot', { id }));
  const lot = query.data;
  if (lot === undefined) {
    return (
      <PageFrame title="Lot" above={{ label: 'Stock', href: paths.stock() }}>
        {query.error === null ? <Waiting /> : <ProblemPanel error={query.error} />}
      </PageFrame>
    );
  }
  const item = paths.entity(lot.itemEntityId, 'stock');
  return (
    <PageFrame
      title={
        <>
          {lot.kind === 'lot' ? 'Lot' : 'Serial number'} <PartNumber number={lot.number} />
        </>
      }
      plainTitle={lot.number}
      above={{ label: lot.itemNumber ?? lot.itemName, href: item }}
      actions={
        mayMoveStock && (
          <>
            {lot.onHand > 0 && lot.isBuilt && (
              <Button variant="default" onClick={() => setChanging('apart')}>
                Take apart
              </Button>
            )}
            <Button variant="default" onClick={() => setChanging('status')}>
              Change status
            </Button>
            <Button variant="default" onClick={() => setChanging('facts')}>
              Change
            </Button>
          </>
        )
      }
    >
      <Sheet>
        <Facts
          facts={[
            [
              'Item',
              <Link key="item" href={item}>
                <PartNumber number={lot.itemNumber} /> {lot.itemName}
              </Link>,
              'wide',
            ],
            ['On hand', <Quantity key="onHand" value={lot.onHand} />],
            ['Status', lotStatusNames[lot.status]],
            ['Expires', lot.expiresOn === null ? 'never' : dayText(lot.expiresOn)],
            ["Supplier's lot", lot.supplierLot ?? 'none'],
            [
              'Locations',
              lot.positions.length === 0 ? (
                'not in stock'
              ) : (
                <ul key="places" className={styles.places}>
                  {lot.positions.map(({ locationEntityId, locationNumber, locationName, onHand, held }) => (
                    <li key={locationEntityId}>
                      <Link href={paths.entity(locationEntityId, 'stock')}>
                        <PartNumber number={locationNumber} /> {locationName}
                      </Link>
                      : <Quantity value={onHand} />
                      {held > 0 && ` (${quantityText(held)} held)`}
                    </li>
                  ))}
                </ul>
              ),
              'wide',
            ],
          ]}
        />
      </Sheet>
      <LotHolds lot={lot} />
      <Trace id={id} direction="up" title="Used for, and shipped to" />
      <Trace id={id} direction="down" title="Made of, and received from" />
      {changing === 'facts' && <LotDialog lot={lot} onClose={() => setChanging(null)} />}
      {changing === 'apart' && <ApartDialog lot={lot} onClose={() => setChanging(null)} />}
      {changing === 'status' && <StatusDialog lot={lot} onClose={() => setChanging(null)} />}
    </PageFrame>
  );
}

/** Steps that are shown; a trace may have many thousands. */
const SHOWN_MAX = 500;

function Trace({ id, direction, title }: { id: string; direction: 'up' | 'down'; title: string }) {
  const trace = useQuery(ask('traceLot', { id, query: { direction } }));
  return (
    <Sheet title={title}>
      <Asked of={trace}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">Nothing.</p>
          ) : (
            <ul className={styles.steps} aria-label={title}>
              {items.slice(0, SHOWN_MAX).map((node) => (
                <li
                  key={`${node.of.itemEntityId} ${node.of.lot} ${node.itemEntityId} ${node.lot} ${node.entryId} ${node.lineId}`}
                  style={{ paddingInlineStart: `${(node.level - 1) * 16}px` }}
                >
                  <Step node={node} />
                </li>
              ))}
              {items.length > SHOWN_MAX && <li>{quantityText(items.length - SHOWN_MAX)} more.</li>}
            </ul>
          )
        }
      </Asked>
    </Sheet>
  );
}

function Step({ node }: { node: TraceNode }) {
  const { itemNumber, itemName, lot, quantity, movementType, orderId, orderNumber } = node;
  return (
    <>
      <PartNumber number={itemNumber} /> {itemName} {lot ?? '(in no lot)'}: {quantityText(Math.abs(quantity))}{' '}
      {movementType === null ? 'used' : movementNames[movementType]}
      {orderId !== null && (
        <>
          {' '}
          <Link href={paths.order(orderId)}>{orderNumber ?? 'order'}</Link>
        </>
      )}
    </>
  );
}

function StatusDialog({ lot, onClose }: { lot: StockLotAtPlaces; onClose: () => void }) {
  const [status, setStatus] = useState(lot.status);
  const [note, setNote] = useState('');
  const change = useAction('setLotStatus', {
    changes: [...STOCK_CHANGES, 'listAudit'],
    done: `Lot ${lot.number}: ${lotStatusNames[status].toLowerCase()}.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title={`Status of ${lot.number}`}
      submit="Save"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={status === lot.status ? 'No changes.' : null}
      onSubmit={() => change.mutate({ id: lot.id, body: { status, note: note.trim() || null } })}
    >
      <NativeSelect
        label="Status"
        value={status}
        data={Object.entries(lotStatusNames).map(([value, label]) => ({ value, label }))}
        data-autofocus=""
        onChange={(event) => setStatus(event.currentTarget.value as typeof status)}
      />
      <TextInput
        label="Reason"
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <p className="muted">
        Only available lots are shipped and issued. {quantityText(lot.onHand)} on hand{' '}
        {status === 'available' ? 'become available' : 'are not available'}.
      </p>
    </Dialog>
  );
}

function LotDialog({ lot, onClose }: { lot: StockLotAtPlaces; onClose: () => void }) {
  const [expiresOn, setExpiresOn] = useState(lot.expiresOn ?? '');
  const [supplierLot, setSupplierLot] = useState(lot.supplierLot ?? '');
  const change = useAction('updateLot', {
    changes: ['getLot', 'listLots', 'proposeLots', 'listAudit'],
    done: `Lot ${lot.number} is changed.`,
    onDone: onClose,
  });
  const isSame = expiresOn === (lot.expiresOn ?? '') && supplierLot.trim() === (lot.supplierLot ?? '');
  return (
    <Dialog
      title={`Change ${lot.number}`}
      submit="Save"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={isSame ? 'No changes.' : null}
      onSubmit={() =>
        change.mutate({
          id: lot.id,
          body: {
            expiresOn: expiresOn === '' ? null : expiresOn,
            supplierLot: supplierLot.trim() === '' ? null : supplierLot.trim(),
          },
        })
      }
    >
      <TextInput
        label="Expires"
        type="date"
        value={expiresOn}
        data-autofocus=""
        onChange={(event) => setExpiresOn(event.currentTarget.value)}
      />
      <TextInput
        label="Supplier's lot"
        value={supplierLot}
        maxLength={100}
        onChange={(event) => setSupplierLot(event.currentTarget.value)}
      />
    </Dialog>
  );
}
