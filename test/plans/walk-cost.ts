/** The part of the walk that concerns exchange rates and the cost of an item. */
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
}
