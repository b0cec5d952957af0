/** Lines, orders and requirements in the form of the API. */
import { rfc3339 } from '../../db/time.ts';
import { revisionLabel } from '../../entities/revision-label.ts';
import { moneyOf, moneyText } from '../../money/money.ts';
import { microOfDecimal, numberOf } from '../../quantity.ts';
import { amountIn } from '../../stock/entries/given-quantity.ts';
import { freeOf, type Line } from './line.ts';
import type { StockLine } from './lines.schema.ts';
import type { Order, OrderWithLines, References } from './orders.schema.ts';
import type { OrderRow } from './orders.sql.ts';
import { showPromises } from './promises.ts';
import type { Requirement } from './requirement.ts';
import type { MaterialRequirement } from './requirements.schema.ts';
import { amountsOf, showTerms } from './suppliers/purchase-terms.ts';

export function showLine(line: Line): StockLine {
  return {
    id: line.id,
    number: line.number,
    type: line.type,
    orderId: line.orderId,
    orderNumber: line.orderNumber,
    supplier: line.supplier,
    itemEntityId: line.itemId,
    itemNumber: line.itemNumber,
    itemName: line.itemName,
    itemPicture: line.itemPicture,
    itemRevisionLabel: revisionLabel(line.shownRevision),
    unit: line.unit,
    locationEntityId: line.locationId,
    locationNumber: line.locationNumber,
    locationName: line.locationName,
    requirementId: line.requirementId,
    state: line.state,
    quantity: numberOf(line.quantity),
    enteredQuantity: line.entered === null ? null : numberOf(line.entered.quantity),
    enteredUnit: line.entered?.unit ?? null,
    enteredOpenQty: line.entered === null ? null : numberOf(amountIn(line.open, line.entered.factor)),
    ...showTerms(line.terms, line.quantity),
    receivedQty: numberOf(line.received),
    shippedQty: numberOf(line.shipped),
    returnedQty: numberOf(line.returned),
    reservedQty: numberOf(line.reserved),
    openQty: numberOf(line.open),
    forRequirement: numberOf(line.orderedFor),
    free: numberOf(freeOf(line)),
    overDeliveryPercent: line.overDeliveryPercent,
    allowBackorder: line.allowBackorder,
    requiredBy: line.requiredBy,
    promises: showPromises(line.promises),
    itemRevision: line.itemRevision,
    createdAt: rfc3339(line.createdAt),
  };
}

export function showOrder(row: OrderRow): Order {
  const figure = (decimal: string) => numberOf(microOfDecimal(decimal));
  return {
    id: row.id,
    type: row.type,
    number: row.number,
    name: row.name,
    state: row.state,
    supplier: row.supplier,
    customer: row.customer,
    ourReference: row.ours,
    theirReference: row.theirs,
    totals: {
      lines: row.lines,
      openLines: row.open_lines,
      quantity: figure(row.quantity),
      receivedQty: figure(row.received),
      shippedQty: figure(row.shipped),
      returnedQty: figure(row.returned),
      reservedQty: figure(row.reserved),
      openQty: figure(row.open),
      amounts: row.amounts.map(({ currency, amount }) => ({ currency, amount: moneyText(moneyOf(amount)) })),
      unpricedLines: row.type === 'purchaseOrder' ? row.live_lines - row.priced_lines : 0,
    },
    createdAt: rfc3339(row.created_at),
  };
}

/** Shows a new order from its created lines: nothing has been received or shipped yet. */
export function showCreatedOrder({ order, lines: created }: CreatedOrder): OrderWithLines {
  const lines = created.map(({ line }) => line).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const sum = (figure: (line: Line) => bigint) =>
    numberOf(lines.reduce((total, line) => total + figure(line), 0n));
  const { id, type, number, name, state, supplier, createdAt, references } = order;
  const isPriced = ({ terms }: Line) => terms !== null && terms.cost !== null;
  return {
    id,
    type,
    number,
    name,
    state,
    supplier,
    customer: references.customer,
    ourReference: references.ours,
    theirReference: references.theirs,
    totals: {
      lines: lines.length,
      openLines: lines.length,
      quantity: sum(({ quantity }) => quantity),
      receivedQty: 0,
      shippedQty: 0,
      returnedQty: 0,
      reservedQty: sum(({ reserved }) => reserved),
      openQty: sum(({ open }) => open),
      amounts: amountsOf(lines.map(({ terms }) => terms?.cost ?? null)),
      unpricedLines: type === 'purchaseOrder' ? lines.filter((line) => !isPriced(line)).length : 0,
    },
    createdAt,
    lines: lines.map(showLine),
  };
}

interface CreatedOrder {
  order: Pick<Order, 'id' | 'type' | 'number' | 'name' | 'state' | 'supplier' | 'createdAt'> & {
    references: References;
  };
  lines: readonly { line: Line }[];
}

export function showRequirement(requirement: Requirement): MaterialRequirement {
  return {
    id: requirement.id,
    number: requirement.number,
    projectId: requirement.projectId,
    projectNumber: requirement.projectNumber,
    projectName: requirement.projectName,
    lineId: requirement.lineId,
    itemEntityId: requirement.itemId,
    itemNumber: requirement.itemNumber,
    itemName: requirement.itemName,
    itemPicture: requirement.itemPicture,
    itemRevision: revisionLabel(requirement.itemRevision),
    unit: requirement.unit,
    requiredQty: numberOf(requirement.required),
    requiredBy: requirement.requiredBy,
    reservedQty: numberOf(requirement.reserved),
    issuedQty: numberOf(requirement.issued),
    orderedQty: numberOf(requirement.ordered),
    openQty: numberOf(requirement.open),
    status: requirement.status,
    createdAt: rfc3339(requirement.createdAt),
  };
}
