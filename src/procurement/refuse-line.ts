/** Refusals of what a line is not for, or has not left. */
import { AppError } from '../errors.ts';
import { type Micro, numberOf } from '../quantity.ts';
import { isFinal, type Line, type LineType } from './line.ts';

const kinds: Record<LineType, string> = {
  purchaseOrder: 'purchase',
  salesOrder: 'sales',
  manufacturingOrder: 'manufacturing',
};

/** Throws `line_not_open`. */
export function requireType(line: Line, types: readonly LineType[], done: string): void {
  if (types.includes(line.type)) return;
  throw new AppError('line_not_open', {
    detail: `Line ${line.number ?? line.id} is a ${kinds[line.type]} line, which is not ${done}.`,
    extensions: { lineType: line.type },
  });
}

/** Throws `code` where the amount is above the limit, `line_not_open` where the line is not at work yet. */
export function requireOpen(
  line: Line,
  amount: Micro,
  limit: Micro,
  code: 'over_receipt' | 'over_shipment' | 'over_reservation' | 'over_release',
  what: string,
): void {
  const name = line.number ?? line.id;
  const figures = {
    state: line.state,
    quantity: numberOf(line.quantity),
    receivedQty: numberOf(line.received),
    shippedQty: numberOf(line.shipped),
    reservedQty: numberOf(line.reserved),
    openQty: numberOf(line.open),
  };
  // Nothing of a draft is in the ledger: it is ordered or reserved first.
  const atWork =
    line.type === 'salesOrder' ? line.state !== 'Draft' : line.onOrder > 0n || isFinal(line.state);
  if (!atWork) {
    throw new AppError('line_not_open', {
      detail: `Line ${name} is in state "${line.state}" and has nothing ${line.type === 'salesOrder' ? 'reserved' : 'on order'} yet.`,
      extensions: figures,
    });
  }
  if (amount <= limit) return;
  throw new AppError(code, {
    detail: `${what} ${numberOf(amount)} is more than the ${numberOf(limit)} that line ${name} ("${line.state}") has left.`,
    extensions: figures,
  });
}
