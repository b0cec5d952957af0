/** Lines, orders and requirements in the form of the API. */
import { rfc3339 } from '../../db/time.ts';
import { microOfDecimal, numberOf } from '../../quantity.ts';
import type { Line } from './line.ts';
import type { StockLine } from './lines.schema.ts';
import type { Order } from './orders.schema.ts';
import type { OrderRow } from './orders.sql.ts';
import type { Requirement } from './requirement.ts';
import type { MaterialRequirement } from './requirements.schema.ts';

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
    locationEntityId: line.locationId,
    locationNumber: line.locationNumber,
    locationName: line.locationName,
    requirementId: line.requirementId,
    state: line.state,
    quantity: numberOf(line.quantity),
    receivedQty: numberOf(line.received),
    shippedQty: numberOf(line.shipped),
    reservedQty: numberOf(line.reserved),
    openQty: numberOf(line.open),
    requiredBy: line.requiredBy,
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
    totals: {
      lines: row.lines,
      openLines: row.open_lines,
      quantity: figure(row.quantity),
      receivedQty: figure(row.received),
      shippedQty: figure(row.shipped),
      reservedQty: figure(row.reserved),
      openQty: figure(row.open),
    },
    createdAt: rfc3339(row.created_at),
  };
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
