/** What procurement refuses of quantities: those of a request, and those that a line or a requirement has not left. */
import { AppError } from '../../errors.ts';
import { type Micro, microOfNumber, numberOf } from '../../quantity.ts';
import { isAtWork, type Line, type LineType } from './line.ts';
import type { Requirement } from './requirement.ts';

/** The quantity of a request, above zero and exact. Throws `zero_quantity`, `quantity_out_of_range`. */
export function amountOf(quantity: number, field = 'quantity'): Micro {
  const amount = microOfNumber(quantity);
  if (amount === 0n) throw refusal('zero_quantity', field, 'A quantity of zero would change nothing.');
  if (amount !== null && amount > 0n) return amount;
  const message = `${quantity} is not above 0 with at most 9 integer and 6 fractional digits.`;
  throw refusal('quantity_out_of_range', field, message);
}

function refusal(code: 'zero_quantity' | 'quantity_out_of_range', field: string, message: string): AppError {
  return new AppError(code, { detail: message, errors: [{ pointer: `/${field}`, code, message }] });
}

const kinds: Record<LineType, string> = {
  purchaseOrder: 'purchase',
  salesOrder: 'sales',
  manufacturingOrder: 'manufacturing',
};

/** In words. */
export function kindOf(type: LineType): string {
  return kinds[type];
}

/** Of what a line is not for. Throws `line_not_open`. */
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
  if (!isAtWork(line)) {
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

/** Throws `requirement_cancelled`, or `over_requirement` with the figures where the amount is above `limit`. */
export function requireRoom(requirement: Requirement, amount: Micro, limit: Micro, what: string): void {
  if (requirement.status === 'cancelled') {
    throw new AppError(
      'requirement_cancelled',
      `Requirement ${requirement.number ?? requirement.id} is cancelled.`,
    );
  }
  if (amount <= limit) return;
  const figures = {
    requiredQty: numberOf(requirement.required),
    reservedQty: numberOf(requirement.reserved),
    orderedQty: numberOf(requirement.ordered),
    openQty: numberOf(requirement.open),
  };
  throw new AppError('over_requirement', {
    detail: `${what} ${numberOf(amount)} is more than the ${numberOf(limit)} that requirement ${requirement.number ?? requirement.id} has left (required ${figures.requiredQty}, reserved ${figures.reservedQty}, ordered ${figures.orderedQty}).`,
    extensions: figures,
  });
}

/** Where several lines come in one body, a refusal points at the one that it is of. */
export async function pointingAtLine<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const errors = (error.errors ?? []).map((one) => ({ ...one, pointer: `/lines/${index}${one.pointer}` }));
    throw new AppError(error.code, {
      detail: error.message,
      errors:
        errors.length > 0
          ? errors
          : [{ pointer: `/lines/${index}`, code: error.code, message: error.message }],
      ...(error.extensions === undefined ? {} : { extensions: error.extensions }),
      ...(error.headers === undefined ? {} : { headers: error.headers }),
    });
  }
}
