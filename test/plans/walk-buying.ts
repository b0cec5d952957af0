/** The part of the walk that concerns suppliers, what they sell, and customers. */
import type { ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { walkCost } from './walk-cost.ts';

/** Suppliers and what they sell: many of each, so that a page or a search that reads them all shows. */
export async function sell(
  { must }: Pick<ProcuringWorkspace, 'must'>,
  items: readonly string[],
  shelf: string,
): Promise<void> {
  const suppliers: string[] = [];
  for (let n = 0; n < 12; n += 1) {
    const made = await must(201, 'POST', '/suppliers', {
      name: `Seller ${n}`,
      code: `S-${n}`,
      currency: 'EUR',
    });
    suppliers.push(made.id);
  }
  const parts: string[] = [];
  for (let n = 0; n < 36; n += 1) {
    const [itemEntityId, supplierId] = [items[n % 12], suppliers[n % 5]];
    const prices = [{ from: 1, price: '0.5', currency: 'EUR' }];
    const part = { itemEntityId, supplierId, sku: `SKU-${n}`, mpn: `MPN-${n}`, packQuantity: 10, prices };
    parts.push((await must(201, 'POST', '/supplier-parts', part)).id);
  }
  for (const query of ['?limit=2', '?q=seller', '?state=active&limit=2', '?name=seller%201'])
    await must(200, 'GET', `/suppliers${query}`);
  await must(200, 'GET', `/suppliers/${suppliers[0]}`);
  await must(200, 'PATCH', `/suppliers/${suppliers[0]}`, { name: 'Seller' });
  await must(200, 'POST', `/suppliers/${suppliers[11]}/merge`, { into: suppliers[0] });
  for (const query of ['?limit=2', `?itemEntityId=${items[0]}`, `?supplierId=${suppliers[0]}&q=SKU`])
    await must(200, 'GET', `/supplier-parts${query}`);
  await must(200, 'GET', `/supplier-parts/${parts[0]}`);
  await must(200, 'PATCH', `/supplier-parts/${parts[0]}`, { sku: 'SKU-0/A', rank: 2 });
  await must(204, 'DELETE', `/supplier-parts/${parts[35]}`);
  const lines = items.map((itemEntityId) => ({ itemEntityId, quantity: 7 }));
  await must(200, 'POST', '/supplier-parts/offers', { lines });
  await walkCost(must, items[0] as string);
  await must(200, 'POST', '/suppliers/lookup', { itemEntityIds: items });
  for (const more of ['', '&sort=number', '&sort=name', '&sort=best', '&category=part'])
    await must(200, 'GET', `/entities?q=MPN-3${more}`);
  await must(200, 'GET', '/entities/facets?q=MPN-3');
  for (const itemEntityId of items) {
    await must(200, 'PUT', `/planning/items/${itemEntityId}`, { policy: 'reorderPoint', reorderPoint: 1e6 });
    await must(200, 'GET', `/planning/items/${itemEntityId}`);
  }
  await must(200, 'GET', '/planning/reorder?limit=5');
  await must(200, 'GET', '/planning/reorder?supplier=seller&currency=USD');
  const chosen = items.slice(0, 3).map((itemEntityId) => ({ itemEntityId }));
  const { orders } = await must(201, 'POST', '/planning/reorder/orders', {
    lines: chosen,
    locationEntityId: shelf,
  });
  const references = { ourReference: 'A', theirReference: 'B' };
  await must(200, 'PATCH', `/orders/${orders[0].id}`, references);
  await must(200, 'PATCH', `/stock/lines/${orders[0].lines[0].id}`, { price: '0.4', currency: 'EUR' });
  for (let n = 0; n < 12; n += 1) {
    const lines = [
      { itemEntityId: items[n % 12], locationEntityId: shelf, quantity: 1, allowBackorder: true },
    ];
    await must(201, 'POST', '/orders', { type: 'salesOrder', customer: `Customer ${n % 3}`, lines });
  }
  for (const query of ['customer=customer%202', 'customer=Customer%202&q=SO-0&open=true&order=desc'])
    await must(200, 'GET', `/orders?${query}`);
}
