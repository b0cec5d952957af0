/** A stock line: its facts, its sums over the ledger, and derived values. */
import type { Behaviour } from '../../configuration/categories/behaviour.ts';
import type { LifecycleTransition } from '../../configuration/lifecycles/lifecycle.schema.ts';
import { type Micro, microOfDecimal, numberOf } from '../../quantity.ts';
import { type LineStep, type LineType, lineRules } from '../../stock/entries/line-rules.ts';
import { deltasOf, type Entered, type Movement, type UnitCost } from '../../stock/entries/movement.ts';
import { atLeastZero, least } from './amounts.ts';
import { type EnteredQuantity, type EnteredRow, enteredOf } from './entered.ts';
import { type LinePromise, promisesOf, type StoredPromise } from './promises.ts';
import { type Terms, type TermsRow, termsOfRow } from './suppliers/purchase-terms.ts';

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
  readonly itemPicture: string | null;
  /** Number of the revision that the line builds, or of the item's current one. */
  readonly shownRevision: number;
  /** The base unit of the item. */
  readonly unit: string | null;
  readonly locationId: string;
  readonly locationNumber: string | null;
  readonly locationName: string;
  readonly requirementId: string | null;
  readonly state: string;
  readonly quantity: Micro;
  readonly entered: EnteredQuantity;
  /** Supplier part and price of a purchase line; null if none is known. */
  readonly terms: Terms | null;
  /** How much more may be received, in percent; null: as much as the workspace says. */
  readonly overDeliveryPercent: number | null;
  /** Whether a sales line may wait for stock. */
  readonly allowBackorder: boolean;
  readonly requiredBy: string | null;
  /** Sorted by day. */
  readonly promises: readonly LinePromise[];
  /** Number of the item's revision that a manufacturing line is for; null until it is ordered. */
  readonly itemRevision: number | null;
  readonly createdAt: string;
  readonly received: Micro;
  readonly shipped: Micro;
  readonly reserved: Micro;
  readonly onOrder: Micro;
  /** Sent back to the supplier, or brought back by the customer. */
  readonly returned: Micro;
  /** The parts of what is on order or received, was received, and was returned, that are for the requirement of the line. */
  readonly orderedFor: Micro;
  readonly receivedFor: Micro;
  readonly returnedFor: Micro;
  /** Quantity still to be received or shipped; 0 once the line has ended. */
  readonly open: Micro;
}

/** Row as lines.sql.ts reads it. */
export interface LineRow extends EnteredRow, TermsRow {
  id: string;
  number: string | null;
  type: LineType;
  order_id: string;
  order_number: string | null;
  supplier: string | null;
  item_id: string;
  item_number: string | null;
  item_name: string | null;
  item_picture: string | null;
  shown_revision: number | null;
  unit: string | null;
  location_id: string;
  location_number: string | null;
  location_name: string | null;
  requirement_id: string | null;
  state: string;
  quantity: string;
  over_delivery_percent: string | null;
  allow_backorder: boolean;
  required_by: string | null;
  promises: StoredPromise[] | null;
  item_revision: number | null;
  created_at: string;
  received: string;
  shipped: string;
  reserved: string;
  on_order: string;
  returned: string;
  ordered_for: string;
  received_for: string;
  returned_for: string;
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
    itemPicture: row.item_picture,
    shownRevision: row.shown_revision ?? 1,
    unit: row.unit,
    locationId: row.location_id,
    locationNumber: row.location_number,
    locationName: row.location_name ?? '',
    requirementId: row.requirement_id,
    state: row.state,
    quantity: microOfDecimal(row.quantity),
    entered: enteredOf(row),
    terms: termsOfRow(row),
    overDeliveryPercent: row.over_delivery_percent === null ? null : Number(row.over_delivery_percent),
    allowBackorder: row.allow_backorder,
    requiredBy: row.required_by,
    promises: promisesOf(row.promises),
    itemRevision: row.item_revision,
    createdAt: row.created_at,
    received: microOfDecimal(row.received),
    shipped: microOfDecimal(row.shipped),
    reserved: microOfDecimal(row.reserved),
    onOrder: microOfDecimal(row.on_order),
    returned: microOfDecimal(row.returned),
    orderedFor: microOfDecimal(row.ordered_for),
    receivedFor: microOfDecimal(row.received_for),
    returnedFor: microOfDecimal(row.returned_for),
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
    return atLeastZero(kept < onOrder ? kept : onOrder);
  }
  return atLeastZero(quantity - received - shipped);
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

/** Returns what the line holds of its position: on order, or reserved. */
export function heldBy(line: Line): Micro {
  return line[lineRules[line.type].holds];
}

/** A draft is not in the ledger: it is ordered or reserved first. */
export function isAtWork(line: Line): boolean {
  return isSupply(line.type) ? line.onOrder > 0n || isFinal(line.state) : line.state !== 'Draft';
}

/** Returns how much of what the line has ordered, received or not, is for no requirement. */
export function freeOf(line: Line): Micro {
  return isSupply(line.type) ? line.onOrder + line.received - line.orderedFor : 0n;
}

/**
 * Returns how much of a step is for the requirement of the line. What arrives is for the requirement first; what is given back or returned
 * is what was bought beyond the need first. `open` is what the requirement still needs, where the line orders.
 */
export function shareOfRequirement(
  line: Line,
  step: LineStep | 'giveBack',
  amount: Micro,
  open: Micro,
): Micro {
  if (line.requirementId === null) return 0n;
  const onOrderFor = line.orderedFor - line.receivedFor;
  const beyond = (free: Micro) => least(atLeastZero(amount - free), amount);
  switch (step) {
    case 'begin':
      return least(atLeastZero(open), amount);
    case 'fulfil':
      return least(atLeastZero(onOrderFor), amount);
    case 'release':
      return beyond(atLeastZero(line.onOrder - onOrderFor));
    case 'giveBack':
      return beyond(atLeastZero(line.received - line.receivedFor - (line.returned - line.returnedFor)));
  }
}

/**
 * Returns the movements of a step: one, or two where a part is for the requirement and the rest for nobody. Shipping takes what the line has
 * reserved first. `open` is what the requirement of the line still needs.
 */
export function movementsOf(
  line: Line,
  step: LineStep,
  amount: Micro,
  { note, open = 0n, entered }: { note: string | null; open?: Micro; entered?: Entered | null | undefined },
): Movement[] {
  const rule = lineRules[line.type];
  const held = heldBy(line);
  const common = {
    type: rule[step],
    ...(step === 'fulfil' && rule.takesBeyondHeld ? { reservedAmount: least(held, amount) } : {}),
    note,
    entered,
    itemId: line.itemId,
    locationId: line.locationId,
    lineId: line.id,
    orderId: line.orderId,
    ...(step === 'fulfil' ? { unitCost: orderedCost(line) } : {}),
  };
  if (!isSupply(line.type)) return [{ ...common, amount, requirementId: line.requirementId }];
  const own = shareOfRequirement(line, step, amount, open);
  const parts = [
    { ...common, amount: own, requirementId: line.requirementId },
    { ...common, amount: amount - own, requirementId: null },
  ];
  return parts.filter((part) => part.amount > 0n);
}

/** Returns the price at which the goods of the line were ordered. */
function orderedCost({ terms }: Line): UnitCost | undefined {
  if (terms === null || terms.cost === null) return undefined;
  const { price, currency } = terms.cost;
  return { price, currency, factor: terms.factor };
}

/** The line as movements of one step leave it, in the state that it then has. */
export function lineAfter(line: Line, movements: readonly Movement[], step: LineStep, state: string): Line {
  const isFulfilled = step === 'fulfil';
  let after: Line = { ...line, state };
  for (const movement of movements) {
    const deltas = deltasOf(movement);
    const delivered = isFulfilled ? movement.amount : 0n;
    const isFor = isSupply(line.type) && movement.requirementId != null;
    after = {
      ...after,
      received: after.received + (isSupply(line.type) ? delivered : 0n),
      shipped: after.shipped + (isSupply(line.type) ? 0n : delivered),
      reserved: after.reserved + deltas.reserved,
      onOrder: after.onOrder + deltas.onOrder,
      orderedFor: after.orderedFor + (isFor && !isFulfilled ? deltas.onOrder : 0n),
      receivedFor: after.receivedFor + (isFor ? delivered : 0n),
    };
  }
  return { ...after, open: isFinal(state) ? 0n : openOf(after) };
}
