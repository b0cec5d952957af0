/** The part of the walk that concerns suppliers and what they sell. */
import type { TestAnswer } from '../../setup/server.ts';

type Call = (
  operationId: string,
  given?: {
    params?: Record<string, string>;
    query?: Record<string, string | number>;
    body?: unknown;
    accept?: string;
    name?: string;
  },
) => Promise<TestAnswer['body']>;

/** Makes two suppliers and their parts of a wheel, and merges a third. */
export async function buyFrom(
  { show, call }: { show: Call; call: Call },
  wheel: string,
  shelf: string,
): Promise<void> {
  const bossard = await show('createSupplier', {
    body: {
      name: 'Nordic Wheels',
      code: 'NW',
      currency: 'EUR',
      leadTimeDays: 10,
      contact: 'orders@nordic.example',
    },
  });
  const params = { id: bossard.id };
  await show('getSupplier', { params });
  await show('updateSupplier', { params, body: { leadTimeDays: 12 } });
  const twin = await call('createSupplier', { body: { name: 'Nordic Wheels AB' } });
  await show('mergeSupplier', { params: { id: twin.id }, body: { into: bossard.id } });
  const part = await show('createSupplierPart', {
    body: {
      itemEntityId: wheel,
      supplierId: bossard.id,
      sku: 'NW-80-PU',
      manufacturer: 'Blickle',
      mpn: 'ALTH 80K',
      packQuantity: 4,
      minimum: 8,
      prices: [
        { from: 4, price: '6.40', currency: 'EUR' },
        { from: 100, price: '5.85', currency: 'EUR', source: 'Offer 4711' },
      ],
    },
  });
  await show('listSupplierParts', { query: { itemEntityId: wheel } });
  await show('getSupplierPart', { params: { id: part.id } });
  await show('updateSupplierPart', { params: { id: part.id }, body: { leadTimeDays: 5, rank: 1 } });
  await show('getCost', { params: { id: wheel }, query: { quantity: 98 } });
  await show('getCost', { params: { id: wheel }, accept: 'text/csv', name: 'csv' });
  await show('getRollup', { params: { id: wheel }, query: { property: 'Mass', quantity: 4 } });
  const rate = { from: 'EUR', to: 'USD', validFrom: '2026-01-01' };
  await show('setExchangeRate', { params: rate, body: { rate: '1.0842' } });
  await show('listExchangeRates');
  await show('getCost', {
    params: { id: wheel },
    query: { quantity: 98, currency: 'USD' },
    name: 'converted',
  });
  await show('deleteExchangeRate', { params: rate });
  await show('offerItems', { body: { lines: [{ itemEntityId: wheel, quantity: 98 }] } });
  await show('setItemPlanning', {
    params: { itemEntityId: wheel },
    body: { policy: 'minMax', reorderPoint: 1000, maximum: 1200, locationEntityId: shelf },
  });
  await show('getItemPlanning', { params: { itemEntityId: wheel } });
  await show('listReorder');
  await show('orderReorder', { body: { lines: [{ itemEntityId: wheel }], note: 'Monday' } });
  const old = await call('createSupplierPart', {
    body: { itemEntityId: wheel, supplierId: bossard.id, sku: 'NW-OLD', rank: 9 },
  });
  await show('deleteSupplierPart', { params: { id: old.id } });
}
