/** The part of the walk that concerns the value of stock. */
import type { TestAnswer } from '../../setup/server.ts';

type Call = (
  operationId: string,
  given?: {
    params?: Record<string, string>;
    query?: Record<string, string | number>;
    body?: unknown;
    accept?: string;
  },
) => Promise<TestAnswer['body']>;

/** `item` is in stock at the location. */
export async function showStockValue(
  { show, call }: { show: Call; call: Call },
  item: string,
  locationEntityId: string,
): Promise<void> {
  const settings = await call('getStockSettings');
  const costing = { method: 'fifo', currency: 'EUR' };
  await call('replaceStockSettings', { body: { ...settings, costing } });
  const params = { itemEntityId: item };
  const unitCost = { price: '6.40' };
  await call('postAdjustment', { body: { ...params, locationEntityId, quantity: 1, unitCost } });
  await show('listStockValues', { query: { limit: 10 } });
  await show('revalueStock', { params, body: { unitCost, note: 'Opening value' } });
  await call('postAdjustment', { body: { ...params, locationEntityId, quantity: -1 } });
  await show('exportStockValues', { query: { item }, accept: 'text/csv' });
  await show('getStockValueTotal');
  await show('listCostLayers', { params });
  await show('setStandardCost', { params, body: { cost: '6.25', note: 'Standard of 2027' } });
  await call('postAdjustment', { body: { ...params, locationEntityId, quantity: 1, unitCost } });
  await show('listStandardCosts', { params });
  await show('listCostVariances', { params });
  await call('postAdjustment', { body: { ...params, locationEntityId, quantity: -1 } });
  await call('setStandardCost', { params, body: { cost: null } });
}
