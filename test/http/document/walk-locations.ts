/** The part of the walk that concerns locations. */
import type { TestAnswer } from '../../setup/server.ts';

type Call = (
  operationId: string,
  given?: {
    params?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
    accept?: string;
    name?: string;
  },
) => Promise<TestAnswer['body']>;
/** The calls of the walk that are shown, and those that only prepare. */
interface Calls {
  show: Call;
  call: Call;
}

/** Creates a warehouse with a shelf and returns the shelf. */
export async function openShelf({ show, call }: Calls): Promise<TestAnswer['body']> {
  const warehouse = await call('createEntity', { body: { category: 'location', name: 'Main warehouse' } });
  const shelf = await show('createEntity', {
    body: { category: 'location', name: 'Shelf A-1', parentLocation: warehouse.id },
  });
  await show('listLocations', { query: { below: warehouse.id } });
  return shelf;
}

/** Moves some of an item to a rack and back. */
export async function moveBetweenLocations(
  { show, call }: Calls,
  item: string,
  shelf: string,
): Promise<void> {
  const rack = await call('createEntity', { body: { category: 'location', name: 'Rack B-2' } });
  const line = (from: string, to: string) => ({
    itemEntityId: item,
    fromLocationEntityId: from,
    toLocationEntityId: to,
    quantity: 12,
  });
  const there = line(shelf, rack.id);
  await show('transferStock', { name: 'plan', body: { dryRun: true, lines: [there] } });
  await show('transferStock', { body: { lines: [there], note: 'To the new rack' } });
  await show('listSumsByLocation', { params: { locationEntityId: rack.id } });
  await call('transferStock', { body: { lines: [line(rack.id, shelf)] } });
  const sent = await call('transferStock', { body: { lines: [there], inTransit: true } });
  await show('listTransfersInTransit', {});
  await show('exportTransfersInTransit', { accept: 'text/csv' });
  const arrived = { quantity: there.quantity, note: 'Complete' };
  await show('receiveTransfer', { params: { id: sent.entries[0].bookingId }, body: arrived });
  await call('transferStock', { body: { lines: [line(rack.id, shelf)] } });
}
