/** Makes the orders of the demo beside its first one, and sets the exchange rate of its prices. */
import type { Calls, Json } from './demo-calls.ts';

/** The LEDs are promised in two parts, prices in dollars can be converted, and the first lamps are sold. */
export async function buyAndSell(
  buyer: Calls,
  of: { order: Json; lamp: string; ring: string; shelf: string; inDays: (days: number) => string },
): Promise<void> {
  const { order, lamp, ring, shelf, inDays } = of;
  await buyer.put('/exchange-rates/USD/EUR/2026-01-01', { rate: '0.92' });
  const leds = order.lines.find(({ requirementId }: Json) => requirementId === null);
  await buyer.patch(`/stock/lines/${leds.id}`, {
    promises: [
      { on: inDays(8), quantity: 60 },
      { on: inDays(24), quantity: 40 },
    ],
  });
  await buyer.once('sold', '/orders', {
    type: 'salesOrder',
    customer: 'Fjord Outdoor AS',
    theirReference: 'PO 88-2031',
    note: 'First customer',
    // The spare rings are there; the lamps are built first.
    lines: [
      { itemEntityId: ring, locationEntityId: shelf, quantity: 10, requiredBy: inDays(9) },
      {
        itemEntityId: lamp,
        locationEntityId: shelf,
        quantity: 12,
        requiredBy: inDays(35),
        allowBackorder: true,
      },
    ],
  });
}
