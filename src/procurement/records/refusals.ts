/** Errors about quantities: of a request, and those that a line or requirement does not have left. */
import { type EntityRef, noEntity } from '../../entities/resolve-entity.ts';
import { AppError, fieldError, invalidValue } from '../../errors.ts';
import { type Micro, numberOf } from '../../quantity.ts';
import { amountAboveZero } from '../../stock/entries/given-quantity.ts';
import type { LineType } from '../../stock/entries/line-rules.ts';
import type { Refusal } from '../../stock/movements/decide-movements.ts';
import { notFor, refuseArchived, type StockEntity } from '../../stock/movements/find-stock-entities.ts';
import { refuseMovements } from '../../stock/movements/refuse-movements.ts';
import { isAtWork, isSupply, type Line } from './line.ts';
import type { Requirement } from './requirement.ts';

/** The quantity of a request, above zero and exact. Throws `zero_quantity`, `quantity_out_of_range`. */
export function amountOf(quantity: number, field = 'quantity'): Micro {
  const pointer = `/${field}`;
  if (quantity === 0) throw fieldError('zero_quantity', pointer, `\`${field}\` is 0. It must be above 0.`);
  return amountAboveZero(quantity, pointer);
}

/** Refuses a value of a line. */
export function invalidLine(field: string, message: string): AppError {
  return invalidValue(`/${field}`, message, 'The line is not valid.');
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

/** The refusal of what a body names as an item: `entity_not_found`, `entity_archived`, or `not_an_item`. */
export function refuseItem(ref: EntityRef, found: StockEntity | undefined): AppError {
  return refuseEntity(ref, found, 'itemEntityId', 'not_an_item');
}

/** The refusal of what a body names as a location: `entity_not_found`, `entity_archived`, or `not_a_location`. */
export function refuseLocation(
  ref: EntityRef,
  found: StockEntity | undefined,
  field = 'locationEntityId',
): AppError {
  return refuseEntity(ref, found, field, 'not_a_location');
}

/** The refusal of an item that would be stored in itself. */
export function refuseItself({ id, number }: StockEntity): AppError {
  const message = `${number ?? id} cannot be stored in itself.`;
  return fieldError('not_a_location', '/locationEntityId', message);
}

function refuseEntity(
  ref: EntityRef,
  found: StockEntity | undefined,
  field: string,
  role: 'not_an_item' | 'not_a_location',
): AppError {
  const pointer = `/${field}`;
  if (found === undefined) return fieldError('entity_not_found', pointer, noEntity(ref));
  if (found.isArchived) return fieldError('entity_archived', pointer, refuseArchived(found).message);
  return fieldError(role, pointer, notFor(role === 'not_an_item' ? 'items' : 'locations', found));
}

/** Refuses an act that is not for lines of this type: `line_not_open`. */
export function refuseType(line: Line, done: string): AppError {
  return new AppError('line_not_open', {
    detail: `Line ${line.number ?? line.id} is a ${kinds[line.type]} line, which is not ${done}.`,
    extensions: { lineType: line.type },
  });
}

/** The refusal of an amount above the limit of a line. */
export interface OverLine {
  code: 'over_receipt' | 'over_shipment' | 'over_reservation' | 'over_release';
  what: string;
  /** The tolerance for over-delivery in percent, and the most that it accepts. */
  tolerance?: Tolerance | null;
}

export interface Tolerance {
  percent: number;
  most: Micro;
}

/** Throws `code` where the amount is above the limit, `line_not_open` where the line is not at work yet. */
export function requireOpen(line: Line, amount: Micro, limit: Micro, refusal: OverLine): void {
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
      detail: `Line ${name} is in state "${line.state}" and has nothing ${isSupply(line.type) ? 'on order' : 'reserved'} yet.`,
      extensions: figures,
    });
  }
  if (amount <= limit) return;
  const { code, what, tolerance = null } = refusal;
  const detail = `${what} ${numberOf(amount)} is more than the ${numberOf(limit)} that line ${name} ("${line.state}") has left.`;
  if (tolerance === null) throw new AppError(code, { detail, extensions: figures });
  const { percent, most } = tolerance;
  throw new AppError(code, {
    detail: `${detail} The tolerance for over-delivery is ${percent} % of ${figures.quantity}: at most ${numberOf(most)} is accepted.`,
    extensions: { ...figures, overDeliveryPercent: percent, acceptedQty: numberOf(most) },
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

/**
 * A requirement that needs something may be ordered for in any quantity: a pack, or a minimum order. Throws `requirement_cancelled`, and
 * `over_requirement` where nothing is open.
 */
export function requireWanted(requirement: Requirement, amount: Micro): void {
  requireRoom(requirement, amount, requirement.open > 0n ? amount : 0n, 'Ordering');
}

/** A refusal points at its line if several come in one body; `index` is null elsewhere. */
export function atLine<T>(index: number | null, work: () => T): T {
  if (index === null) return work();
  try {
    return work();
  } catch (error) {
    throw error instanceof AppError ? pointingAtLine(error, index) : error;
  }
}

function pointingAtLine(error: AppError, index: number): AppError {
  const errors = (error.errors ?? []).map((one) => ({ ...one, pointer: `/lines/${index}${one.pointer}` }));
  return new AppError(error.code, {
    detail: error.message,
    errors:
      errors.length > 0 ? errors : [{ pointer: `/lines/${index}`, code: error.code, message: error.message }],
    ...(error.extensions === undefined ? {} : { extensions: error.extensions }),
    ...(error.headers === undefined ? {} : { headers: error.headers }),
  });
}

export interface RefusedPart {
  line: Pick<
    Line,
    'id' | 'itemId' | 'itemNumber' | 'itemName' | 'locationId' | 'locationNumber' | 'locationName'
  >;
  /** The place of the line in the body; null if the body does not name it. */
  index: number | null;
}

/** The refusal of movements of lines: it names each movement's line, and where the body has it. */
export function refuseLineMovements(refusals: readonly Refusal[], parts: readonly RefusedPart[]): AppError {
  const names = new Map(
    parts.flatMap(({ line }) => [
      [line.itemId, { number: line.itemNumber, name: line.itemName }] as const,
      [line.locationId, { number: line.locationNumber, name: line.locationName }] as const,
    ]),
  );
  const error = refuseMovements(refusals, names);
  const { code } = error;
  const shown = error.extensions?.refusals as { index: number; message: string }[];
  const withParts = shown.map((one) => ({ ...one, part: parts[one.index] }));
  const errors = withParts.flatMap(({ part, message }) =>
    part === undefined || part.index === null ? [] : [{ pointer: `/lines/${part.index}`, code, message }],
  );
  return new AppError(code, {
    detail: error.message,
    ...(errors.length > 0 ? { errors } : {}),
    extensions: {
      ...error.extensions,
      refusals: withParts.map(({ part, ...one }) => ({
        ...one,
        index: part?.index ?? one.index,
        lineId: part?.line.id,
      })),
    },
  });
}
