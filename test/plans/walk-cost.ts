/** The part of the walk that concerns exchange rates, the cost of an item and the template of printed orders. */
import type { ProcuringWorkspace } from '../procurement/procuring-workspace.ts';

export async function walkCost(must: ProcuringWorkspace['must'], itemId: string): Promise<void> {
  for (let n = 10; n < 30; n += 1) {
    const rate = { rate: `0.9${n}` };
    await must(200, 'PUT', `/exchange-rates/USD/EUR/2026-01-${n}`, rate);
    await must(200, 'PUT', `/exchange-rates/CHF/USD/2026-01-${n}`, rate);
  }
  await must(204, 'DELETE', '/exchange-rates/USD/EUR/2026-01-12');
  for (const query of ['?limit=5', '?from=USD&to=EUR']) await must(200, 'GET', `/exchange-rates${query}`);
  for (const query of ['', '&currency=USD', '&revision=1'])
    await must(200, 'GET', `/entities/${itemId}/cost?quantity=10${query}`);
  const mass = { key: 'WalkedMass', name: 'Mass', type: 'numeric' };
  await must(201, 'POST', '/property-definitions', mass);
  for (const query of ['', '&revision=1'])
    await must(200, 'GET', `/entities/${itemId}/rollup?property=WalkedMass${query}`);
  await must(200, 'PUT', '/order-template', { sender: 'Rover Works' });
  await must(200, 'GET', '/order-template');
}

/** The part of the walk that concerns the value of stock: of what arrives, moves and leaves. */
export async function walkValue(
  must: ProcuringWorkspace['must'],
  itemId: string,
  [from, to]: readonly [string, string],
): Promise<void> {
  const settings = await must(200, 'GET', '/stock/settings');
  for (const method of ['average', 'fifo'] as const) {
    await must(200, 'PUT', '/stock/settings', { ...settings, costing: { method, currency: 'EUR' } });
    const at = { itemEntityId: itemId, locationEntityId: from };
    const cost = { unitCost: { price: '2', currency: 'USD' } };
    const arrived = await must(201, 'POST', '/stock/adjustments', { ...at, quantity: 9, ...cost });
    const left = await must(201, 'POST', '/stock/adjustments', { ...at, quantity: -2 });
    const line = { itemEntityId: itemId, fromLocationEntityId: from, toLocationEntityId: to, quantity: 2 };
    const moved = await must(201, 'POST', '/stock/transfers', { lines: [line] });
    for (const { id } of [moved.entries[0], left.entry, arrived.entry])
      await must(201, 'POST', `/stock/ledger/${id}/reversals`, { note: 'Walk' });
    const body = { unitCost: { price: '3' } };
    await must(201, 'POST', `/stock/value/${itemId}/revaluations`, { ...body, locationEntityId: from });
  }
  const at = new Date().toISOString();
  for (const query of ['?limit=5', `?below=${from}`, `?item=${itemId}`, `?limit=5&at=${at}`])
    await must(200, 'GET', `/stock/value${query}`);
  for (const query of ['', `?below=${from}`]) await must(200, 'GET', `/stock/value/total${query}`);
  await must(201, 'POST', `/stock/value/${itemId}/standards`, { cost: '3' });
  for (const list of ['layers', 'standards', 'variances'])
    await must(200, 'GET', `/stock/value/${itemId}/${list}?limit=5`);
  await must(201, 'POST', `/stock/value/${itemId}/standards`, { cost: null });
}
