/** The part of the walk that concerns lots. */
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

/** Tracks an adhesive by lots, and uses some of it. */
export async function trackLots({ show, call }: { show: Call; call: Call }, shelf: string): Promise<void> {
  const item = await call('createEntity', { body: { category: 'part', name: 'Adhesive 250 ml' } });
  const params = { itemEntityId: item.id };
  await call('postAdjustment', { body: { ...params, locationEntityId: shelf, quantity: 2 } });
  const reel = { unit: 'reel', numerator: 4000, denominator: 1 };
  await show('setItemUnits', { params, body: { baseUnit: 'pcs', units: [reel] } });
  await show('getItemUnits', { params });
  await show('setTracking', { params, body: { tracking: 'lot' } });
  await show('getTracking', { params });
  const lots = [
    { lot: 'L-2026-11', countedQty: 2, newLot: { expiresOn: '2027-05-31', supplierLot: 'S-77120' } },
    { countedQty: 0 },
  ];
  const lines = lots.map((line) => ({ item: item.id, location: shelf, ...line }));
  await call('countStock', { body: { lines, note: 'Assigned to its lot' } });
  const { items } = await show('listLots', { query: { expiresBefore: '2027-12-31', inStock: 'true' } });
  await show('exportLots', { query: { inStock: 'true' }, accept: 'text/csv' });
  const lot = { id: items[0].id };
  await show('getLot', { params: lot });
  await show('updateLot', { params: lot, body: { expiresOn: '2027-04-30', properties: { grade: 'A' } } });
  await show('setLotStatus', { params: lot, body: { status: 'quarantine', note: 'To be inspected' } });
  await call('setLotStatus', { params: lot, body: { status: 'available' } });
  await show('proposeLots', { query: { ...params, locationEntityId: shelf, quantity: 1 } });
  const sale = await call('createStockLine', {
    body: { type: 'salesOrder', ...params, locationEntityId: shelf, quantity: 1 },
  });
  const hold = { lineId: sale.line.id, locationEntityId: shelf, quantity: 1 };
  await show('holdLot', { params: lot, body: { ...hold, note: 'Customer wants this lot' } });
  await show('listLotHolds', { query: { lineId: sale.line.id } });
  await show('releaseLotHold', { params: lot, body: hold });
  await call('shipStockLine', { params: { id: sale.line.id }, body: { quantity: 1, lots: 'firstExpired' } });
  await show('traceLot', { params: lot, query: { direction: 'up' } });
}

/** Builds a unit with a serial number, and takes it apart. */
export async function takeUnitApart(
  { show, call }: { show: Call; call: Call },
  shelf: string,
): Promise<void> {
  const item = await call('createEntity', { body: { category: 'assembly', name: 'Dosing pump' } });
  await call('setTracking', { params: { itemEntityId: item.id }, body: { tracking: 'serial' } });
  const { line } = await call('createStockLine', {
    body: { type: 'manufacturingOrder', itemEntityId: item.id, locationEntityId: shelf, quantity: 1 },
  });
  await call('receiveStockLine', {
    params: { id: line.id },
    body: { quantity: 1, lots: [{ lot: 'SN-0001' }] },
  });
  const { items } = await call('listLots', { query: { itemEntityId: item.id } });
  await show('disassembleLot', { params: { id: items[0].id }, body: { note: 'For spares' } });
}
