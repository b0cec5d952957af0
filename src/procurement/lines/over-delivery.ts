/** Deliveries of more than was ordered, up to the tolerance of the line or the workspace. */
import type { StockSettings } from '../../configuration/stock-settings/stock-settings.ts';
import { type Micro, microOfNumber } from '../../quantity.ts';
import { lineRules } from '../../stock/entries/line-rules.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import { isAtWork, isFinal, type Line } from '../records/line.ts';
import type { Tolerance } from '../records/refusals.ts';

/** Thousandths of a percent in the whole. */
const WHOLE = 100_000n;

/** Returns how much of a receipt is beyond what is open, where that is accepted; 0 where nothing is, or too much. */
export function overDelivery(line: Line, amount: Micro, settings: StockSettings): Micro {
  const excess = amount - line.open;
  const tolerance = excess <= 0n ? null : toleranceOf(line, settings);
  return tolerance !== null && amount <= tolerance.most ? excess : 0n;
}

/** Returns what applies to a receipt of the line; null if nothing may be delivered beyond what is open. */
export function toleranceOf(line: Line, { overDeliveryPercent }: StockSettings): Tolerance | null {
  if (line.type !== 'purchaseOrder' || isFinal(line.state) || !isAtWork(line)) return null;
  const percent = line.overDeliveryPercent ?? overDeliveryPercent;
  const thousandths = (microOfNumber(percent) ?? 0n) / 1000n;
  return { percent, most: line.open + (line.quantity * thousandths) / WHOLE };
}

/** Returns the movement that puts the excess on order, for no requirement. */
export function overDeliveryOf(
  { type, itemId, locationId, id, orderId }: Line,
  amount: Micro,
  facts: Pick<Movement, 'note' | 'bookingId'>,
): Movement[] {
  const { begin } = lineRules[type];
  return [{ type: begin, itemId, locationId, amount, lineId: id, orderId, requirementId: null, ...facts }];
}
