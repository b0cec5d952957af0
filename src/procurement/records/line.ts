/** A stock line: its facts, its sums over the ledger, and derived values. */
import type { Behaviour } from '../../configuration/categories/behaviour.ts';
import type { LifecycleTransition } from '../../configuration/lifecycles/lifecycle.schema.ts';
import { type Micro, microOfDecimal, numberOf } from '../../quantity.ts';
import { type LineStep, type LineType, lineRules } from '../../stock/entries/line-rules.ts';
import { deltasOf, type Movement } from '../../stock/entries/movement.ts';

/** The behaviour of the categories that lines of a type are entities of; their orders' is the type itself. */
export const lineBehaviours = {
  purchaseOrder: 'purchaseOrderLine',
  salesOrder: 'salesOrderLine',
  manufacturingOrder: 'manufacturingOrderLine',
} as const satisfies Record<LineType, Behaviour>;

/** In these a line holds nothing any more, neither on order nor reserved (contract §4.5). */
export const finalStates: ReadonlySet<string> = new Set(['Received', 'Shipped', 'Closed', 'Cancelled']);

export interface Line {
  readonly id: string;
  readonly number: string | null;
  readonly type: LineType;
  readonly orderId: string;
  readonly orderNumber: string | null;
  /** From whom its order is. */
  readonly supplier: string | null;
  readonly itemId: string;
  readonly itemNumber: string | null;
  readonly itemName: string;
  readonly locationId: string;
  readonly locationNumber: string | null;
  readonly locationName: string;
  readonly requirementId: string | null;
  readonly state: string;
  readonly quantity: Micro;
  readonly requiredBy: string | null;
  /** Number of the item's revision that a manufacturing line is for; null until it is ordered. */
  readonly itemRevision: number | null;
  readonly createdAt: string;
  readonly received: Micro;
  readonly shipped: Micro;
  readonly reserved: Micro;
  readonly onOrder: Micro;
  /** Sent back to the supplier, or brought back by the customer. */
  readonly returned: Micro;
  /** Quantity still to be received or shipped; 0 once the line has ended. */
  readonly open: Micro;
}

/** Row as lines.sql.ts reads it. */
export interface LineRow {
  id: string;
  number: string | null;
  type: LineType;
  order_id: string;
  order_number: string | null;
  supplier: string | null;
  item_id: string;
  item_number: string | null;
  item_name: string | null;
  location_id: string;
  location_number: string | null;
  location_name: string | null;
  requirement_id: string | null;
  state: string;
  quantity: string;
  required_by: string | null;
  item_revision: number | null;
  created_at: string;
  received: string;
  shipped: string;
  reserved: string;
  on_order: string;
  returned: string;
}

export function lineOfRow(row: LineRow): Line {
  const line = {
    id: row.id,
    number: row.number,
    type: row.type,
    orderId: row.order_id,
    orderNumber: row.order_number,
    supplier: row.supplier,
    itemId: row.item_id,
    itemNumber: row.item_number,
    itemName: row.item_name ?? '',
    locationId: row.location_id,
    locationNumber: row.location_number,
    locationName: row.location_name ?? '',
    requirementId: row.requirement_id,
    state: row.state,
    quantity: microOfDecimal(row.quantity),
    requiredBy: row.required_by,
    itemRevision: row.item_revision,
    createdAt: row.created_at,
    received: microOfDecimal(row.received),
    shipped: microOfDecimal(row.shipped),
    reserved: microOfDecimal(row.reserved),
    onOrder: microOfDecimal(row.on_order),
    returned: microOfDecimal(row.returned),
  };
  return { ...line, open: isFinal(line.state) ? 0n : openOf(line) };
}

/**
 * Returns the quantity still to be received or shipped, whatever the state. Goods that are replaced after a return are on order beyond the
 * quantity of the line (`openOfLine` is the same in SQL).
 */
export function openOf({
  type,
  quantity,
  received,
  shipped,
  returned,
  onOrder,
}: Pick<Line, 'type' | 'quantity' | 'received' | 'shipped' | 'returned' | 'onOrder'>): Micro {
  if (isSupply(type) && onOrder > 0n) {
    const kept = quantity - received + returned;
    return kept < onOrder ? kept : onOrder;
  }
  const open = quantity - received - shipped;
  return open > 0n ? open : 0n;
}

/** Returns the initial name of the entity of a line or requirement. */
export function nameOfLine(quantity: Micro, itemName: string): string {
  return `${numberOf(quantity)} × ${itemName}`.slice(0, 1024).toWellFormed();
}

export function isFinal(state: string): boolean {
  return finalStates.has(state);
}

export function isSupply(type: LineType): boolean {
  return lineRules[type].holds === 'onOrder';
}

/**
 * Whether the line's own movements do what a feature automation does: when the line begins, or when it ends and holds
 * nothing any more.
 */
export function isDoneByLine(
  type: LineType,
  { feature, settings }: LifecycleTransition['featureAutomations'][number],
  step: 'begin' | 'end',
): boolean {
  const isUsual = settings.orderedState === undefined || settings.orderedState === lineRules[type].working;
  if (!isSupply(type))
    return feature === 'reserveSalesLine' || (feature === 'releaseSalesLine' && step === 'end');
  const isOfType =
    feature === 'updateOnOrderStock' || (feature === 'requireComponents' && type === 'purchaseOrder');
  return isOfType && isUsual;
}

/** What the line holds of its position: on order, or reserved. */
export function heldBy(line: Line): Micro {
  return line[lineRules[line.type].holds];
}

/** A draft is not in the ledger: it is ordered or reserved first. */
export function isAtWork(line: Line): boolean {
  return isSupply(line.type) ? line.onOrder > 0n || isFinal(line.state) : line.state !== 'Draft';
}

/** A step of the line as a movement. Shipping takes what the line has reserved first. */
export function movementOf(line: Line, step: LineStep, amount: Micro, note: string | null): Movement {
  const rule = lineRules[line.type];
  const held = heldBy(line);
  return {
    type: rule[step],
    amount,
    ...(step === 'fulfil' && rule.takesBeyondHeld ? { reservedAmount: held < amount ? held : amount } : {}),
    note,
    itemId: line.itemId,
    locationId: line.locationId,
    lineId: line.id,
    orderId: line.orderId,
    requirementId: line.requirementId,
  };
}

/** The line as a movement of it leaves it, in the state that it then has. */
export function lineAfter(line: Line, movement: Movement, step: LineStep, state: string): Line {
  const deltas = deltasOf(movement);
  const moved = step === 'fulfil' ? movement.amount : 0n;
  const received = line.received + (isSupply(line.type) ? moved : 0n);
  const shipped = line.shipped + (isSupply(line.type) ? 0n : moved);
  const after = {
    ...line,
    state,
    received,
    shipped,
    reserved: line.reserved + deltas.reserved,
    onOrder: line.onOrder + deltas.onOrder,
  };
  return { ...after, open: isFinal(state) ? 0n : openOf(after) };
}
