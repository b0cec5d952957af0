/** Shows what follows from a correction before it is confirmed, as the service would carry it out. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { ListedLedgerEntry, StockLine } from '../client/operations.ts';
import { call, Refusal } from '../client/request.ts';
import { fromMillionths, toMillionths } from '../components/forms/exact-quantity.ts';
import { PartNumber, quantityText } from '../components/words.tsx';
import { movementNames } from './movements.ts';

/** The receipt or shipment of several lines that is taken back as a whole. */
export interface Delivery {
  operation: 'reverseReceipt' | 'reverseShipment';
  bookingId: string;
  orderId: string;
}

export interface CorrectionPreviewProps {
  entry: ListedLedgerEntry;
  /** In the base unit. */
  quantity: number;
  given: { quantity: number; unit?: string };
  /** Null where only the entry is taken back. */
  delivery: Delivery | null;
}

/** Other movements that are listed one by one. */
const SHOWN_MAX = 20;
/** The service stores no note of a call that only asks. */
const PREVIEW = { note: 'Preview', dryRun: true } as const;

async function preview({ entry, given, delivery }: CorrectionPreviewProps) {
  if (delivery === null) {
    const body = { ...given, ...PREVIEW };
    const { entries, line, position } = await call('reverseLedgerEntry', { entryId: entry.id, body });
    return { entries, lines: line === null ? [] : [line], onOrder: position.onOrder };
  }
  const { operation, orderId: id, bookingId } = delivery;
  const { entries, order } = await call(operation, { id, bookingId, body: PREVIEW });
  return { entries, lines: order.lines, onOrder: null };
}

export function CorrectionPreview(props: CorrectionPreviewProps) {
  const { entry, quantity, given, delivery } = props;
  const positions = useQuery(
    ask('listPositionsByItem', { itemEntityId: entry.itemEntityId, query: { limit: 1000 } }),
  );
  const line = useQuery({
    ...ask('getStockLine', { id: entry.lineId ?? '' }),
    enabled: entry.lineId !== null,
  });
  const after = useQuery({
    queryKey: ['listLedger', 'correction', entry.id, given, delivery],
    queryFn: () => preview(props),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
  });
  const position = positions.data?.items.find(
    ({ locationEntityId }) => locationEntityId === entry.locationEntityId,
  );
  const change = entry.quantity > 0 ? -quantity : quantity;
  const isReceipt = entry.movementType === 'POReceipt' || entry.movementType === 'MOReceipt';
  const onHand = position === undefined ? null : plus(position.onHand, change);
  const onOrder = after.data?.onOrder ?? null;
  const then = after.data?.lines.find(({ id }) => id === entry.lineId);
  const others = (after.data?.entries ?? []).filter(
    ({ reversesId, movementType }) =>
      (reversesId !== null && reversesId !== entry.id) || movementType === 'MRRelease',
  );
  return (
    <div role="status">
      <ul>
        {position !== undefined && onHand !== null && (
          <li className={onHand < 0 ? 'bad' : undefined}>
            On hand at {position.locationNumber ?? position.locationName}: {quantityText(position.onHand)} →{' '}
            {quantityText(onHand)}
            {onHand < 0 && ': the goods are no longer there'}
          </li>
        )}
        {position !== undefined && isReceipt && onOrder !== null && onOrder !== position.onOrder && (
          <li>
            On order: {quantityText(position.onOrder)} → {quantityText(onOrder)}
          </li>
        )}
        {line.data !== undefined && then !== undefined && <LineChange before={line.data} after={then} />}
        {(entry.movementType === 'TransferOut' || entry.movementType === 'TransferIn') && (
          <li>Both ends of the transfer are taken back.</li>
        )}
        {others.slice(0, SHOWN_MAX).map((one) => (
          <li key={one.id}>
            {one.reversesId === null ? '' : 'Taken back: '}
            {movementNames[one.movementType]} of <PartNumber number={one.itemNumber} /> at{' '}
            <PartNumber number={one.locationNumber} />, {quantityText(Math.abs(one.quantity))}
          </li>
        ))}
        {others.length > SHOWN_MAX && <li>and {quantityText(others.length - SHOWN_MAX)} more movements</li>}
        {after.error instanceof Refusal && <li className="bad">{after.error.message}</li>}
      </ul>
    </div>
  );
}

function LineChange({ before, after }: { before: StockLine; after: StockLine }) {
  const figures = (['received', 'shipped', 'returned'] as const).flatMap((word) => {
    const [one, other] = [before[`${word}Qty`], after[`${word}Qty`]];
    return one === other ? [] : `${word} ${quantityText(one)} → ${quantityText(other)}`;
  });
  const changes = [...figures, ...(before.state === after.state ? [] : [`${before.state} → ${after.state}`])];
  if (changes.length === 0) return null;
  return (
    <li>
      {before.number ?? 'The line'}: {changes.join(', ')}
    </li>
  );
}

function plus(value: number, delta: number): number {
  return fromMillionths(toMillionths(value) + toMillionths(delta));
}
