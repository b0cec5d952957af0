/** A line in the form of the API. */
import { rfc3339 } from '../db/time.ts';
import { numberOf } from '../quantity.ts';
import type { Line } from './line.ts';
import type { StockLine } from './lines.schema.ts';

export function showLine(line: Line): StockLine {
  return {
    id: line.id,
    number: line.number,
    type: line.type,
    orderId: line.orderId,
    orderNumber: line.orderNumber,
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
