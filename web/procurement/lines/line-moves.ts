/** Says which moves a line of an order allows: receive, ship, reserve, release, change, close or cancel. */
import type { StockLine } from '../../client/operations.ts';
import type { Area } from '../../client/session.ts';
import { exactDifference } from '../../components/forms/exact-quantity.ts';

export type Movement = 'receiveStockLine' | 'shipStockLine' | 'reserveStockLine' | 'releaseStockLine';
export type Ending = 'closeStockLine' | 'cancelStockLine';
type Other = 'updateStockLine' | 'transitionEntity';
type Label = keyof typeof pastOf;

/** The participle of each move, for messages. */
export const pastOf = {
  Receive: 'received',
  Ship: 'shipped',
  Reserve: 'reserved',
  Release: 'released',
  Close: 'closed',
  Cancel: 'cancelled',
  Change: 'changed',
  Order: 'ordered',
};

export interface LineMove {
  label: Label;
  operation: Movement | Ending | Other;
  /** The quantity that the dialog proposes. */
  quantity: number;
}

const ended = new Set(['Received', 'Shipped', 'Closed', 'Cancelled']);

const movements: ReadonlySet<LineMove['operation']> = new Set<Movement>([
  'receiveStockLine',
  'shipStockLine',
  'reserveStockLine',
  'releaseStockLine',
]);

/** Returns the area that a move needs. */
export function areaOfMove({ operation }: LineMove): Area {
  return movements.has(operation) ? 'stock' : 'procurement';
}

/** Returns the moves that a line allows in its state, the most likely first. */
export function movesOf(line: StockLine): LineMove[] {
  if (ended.has(line.state)) return [];
  const cancel: LineMove = { label: 'Cancel', operation: 'cancelStockLine', quantity: 0 };
  const close: LineMove = { label: 'Close', operation: 'closeStockLine', quantity: 0 };
  const change: LineMove = { label: 'Change', operation: 'updateStockLine', quantity: 0 };
  if (line.state === 'Draft') {
    const label = line.type === 'salesOrder' ? 'Reserve' : 'Order';
    return [{ label, operation: 'transitionEntity', quantity: line.quantity }, change, cancel];
  }
  if (line.type !== 'salesOrder') {
    return [
      { label: 'Receive', operation: 'receiveStockLine', quantity: line.openQty },
      change,
      close,
      cancel,
    ];
  }
  return [
    { label: 'Ship', operation: 'shipStockLine', quantity: line.openQty },
    {
      label: 'Reserve',
      operation: 'reserveStockLine',
      quantity: exactDifference(line.openQty, line.reservedQty),
    },
    { label: 'Release', operation: 'releaseStockLine', quantity: line.reservedQty },
    change,
    close,
    cancel,
  ];
}

/** Tells whether a move ends its line. */
export function isEnding(operation: LineMove['operation']): operation is Ending {
  return operation === 'closeStockLine' || operation === 'cancelStockLine';
}
