/**
 * Fills the demo workspace once by calls of the service's own interface: imports with the demo's key, other calls as its three persons. Each
 * has an Idempotency-Key or is the same when repeated, so a start that was cut off continues where it ended. The last call, the import with
 * errors, marks the end.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { dateOf } from '../calendar/days.ts';
import { type Calls, callsTo, type Json } from './demo-calls.ts';
import { buyAndSell } from './demo-orders.ts';
import { anna, type DemoPerson, enterDemo, jonas, mira } from './demo-people.ts';
import {
  changedTube,
  demoAutomation,
  demoAutomations,
  demoCost,
  demoElements,
  demoGuid,
  demoReleases,
  demoStock,
  failingElements,
} from './demo-product.ts';
import { demoPlanning, demoSupplierParts, demoSuppliers } from './demo-suppliers.ts';
import type { Demo } from './ensure-demo.ts';

const LAST_PROFILE = 'Nightly import';
const ROOT = 'HL-100';
const ATTEMPTS_MAX = 40;

/** A demo that cannot be filled is told in the log: the service works without it. */
export async function fillDemo(address: string, demo: Demo, log: Logger): Promise<void> {
  const calls = callsTo(address, demo, { Authorization: `Bearer ${demo.key}` });
  try {
    if (await isWanted(calls)) {
      const as = async (person: DemoPerson) =>
        callsTo(address, demo, await enterDemo(address, demo, calls, person));
      await fill(calls, { anna: await as(anna), jonas: await as(jonas), mira: await as(mira) });
      log.info('demo filled');
    }
  } catch (error) {
    log.warn({ err: error }, 'the demo could not be filled; the next start tries again');
  }
}

/** Not where it is done, nor in a workspace that somebody began to use without it. */
async function isWanted({ get }: Calls): Promise<boolean> {
  const last = await get(`/pdm/sync/batches?limit=1&profile=${encodeURIComponent(LAST_PROFILE)}`);
  if (last.items.length > 0) return false;
  const any = await get('/entities?limit=1');
  if (any.items.length === 0) return true;
  const root = await get(`/entities?guid=${demoGuid(ROOT)}`);
  return root.items.length > 0;
}

/** Uploads the pictures that are drawn for the demo, as a connector does, and returns their hashes by the numbers of the parts. */
async function uploadPictures({ upload }: Calls): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  const folder = new URL('./demo-pictures/', import.meta.url);
  for (const file of readdirSync(folder).sort()) {
    const picture = readFileSync(new URL(file, folder));
    const sha256 = createHash('sha256').update(picture).digest('hex');
    await upload(`/pictures/${sha256}`, picture, 'image/webp');
    hashes.set(parse(file).name, sha256);
  }
  return hashes;
}

async function fill(
  calls: Calls,
  { anna: engineer, jonas: storekeeper, mira: buyer }: Record<'anna' | 'jonas' | 'mira', Calls>,
): Promise<void> {
  const { get, post } = calls;
  const pictures = await uploadPictures(calls);
  await post('design', '/pdm/sync?profile=Design%20data', { entities: demoElements(pictures) });
  const place = (name: string, parentLocation: string | null) =>
    post(name.toLowerCase(), '/entities', {
      category: 'location',
      name,
      ...(parentLocation === null ? {} : { parentLocation }),
    });
  const warehouse = await place('Warehouse', null);
  const shelf = await place('Shelf A1', warehouse.id);
  const bin = await place('Bin A1-3', shelf.id);
  await place('Goods in', warehouse.id);
  const project = await post('project', '/entities', { category: 'project', name: 'Hand lamps, first 50' });
  const refOf = (number: string) => `guid:${demoGuid(number)}`;
  // Stock is valued from its beginning; what has no cost in the design data has no known cost.
  const settings = await get('/stock/settings');
  await calls.put('/stock/settings', { ...settings, costing: { method: 'fifo', currency: 'EUR' } });
  await storekeeper.once('stock', '/stock/adjustments/batch', {
    adjustments: demoStock.map(([number, quantity]) => ({
      itemEntityId: refOf(number),
      locationEntityId: shelf.id,
      quantity,
      ...demoCost(number),
      note: 'Opening stock',
    })),
  });

  // Screws are bought in bags and counted in pieces.
  await engineer.put(`/stock/units/${refOf('SC-M2x6')}`, {
    baseUnit: 'pcs',
    units: [{ unit: 'bag', numerator: 500, denominator: 1 }],
  });

  const suppliers = new Map<string, string>();
  for (const one of demoSuppliers)
    suppliers.set(one.name, (await post(`supplier ${one.name}`, '/suppliers', one)).id);
  for (const { supplier, number, part } of demoSupplierParts) {
    const of = { itemEntityId: refOf(number), supplierId: suppliers.get(supplier) };
    await buyer.once(`sold ${part.sku}`, '/supplier-parts', { ...of, ...part });
  }
  for (const { number, planning } of demoPlanning)
    await buyer.put(`/planning/items/${refOf(number)}`, { ...planning, locationEntityId: shelf.id });

  await storekeeper.once('into the bin', '/stock/transfers', {
    note: 'Small parts are kept in the bin',
    lines: ['HL-134', 'HL-124'].map((number) => ({
      itemEntityId: refOf(number),
      fromLocationEntityId: shelf.id,
      toLocationEntityId: bin.id,
      quantity: 200,
    })),
  });

  const workshop = await place('Workshop', null);
  await post('to the workshop', '/stock/transfers', {
    note: 'For the assembly of the first lamps',
    inTransit: true,
    lines: [
      {
        itemEntityId: refOf('HL-134'),
        fromLocationEntityId: bin.id,
        toLocationEntityId: workshop.id,
        quantity: 60,
      },
    ],
  });

  const automation = await post('automation', '/automations', demoAutomation);
  for (const one of demoAutomations(project.number, shelf.number))
    await engineer.once(one.name, '/automations', one);
  for (const number of ['HL-111', 'HL-113', ...demoReleases]) {
    for (const toState of ['In Review', 'Released']) {
      await engineer.once(`${number} ${toState}`, `/entities/${refOf(number)}/transitions`, { toState });
    }
  }
  // The handle has a draft that differs from what was released: another sleeve, and a tube that was changed.
  await post('tube', '/pdm/sync?profile=Design%20data', { entities: [changedTube()] });
  await engineer.once('sleeve', `/entities/${refOf('HL-123')}/replace`, {
    by: refOf('HL-127'),
    parents: [refOf('HL-120')],
    reason: 'Rubber became sticky in the heat',
  });

  await engineer.put(`/entities/${project.id}/uses/${refOf(ROOT)}`, { quantity: 50 });
  // From the project's day on, not from today: a call that is repeated tomorrow must be the same one.
  const inDays = (days: number) => dateOf(project.createdAt, days);
  const raise = (number: string, requiredQty: number) =>
    post(`need ${number}`, '/requirements', {
      projectId: project.id,
      itemEntityId: refOf(number),
      requiredQty,
      requiredBy: inDays(21),
    });
  const [switches, heatSinks] = [await raise('HL-125', 50), await raise('HL-115', 50)];
  await storekeeper.once('reserve', `/requirements/${heatSinks.id}/reservations`, {
    locationEntityId: shelf.id,
    quantity: 10,
  });
  await buyer.once('order', '/orders', {
    type: 'purchaseOrder',
    supplier: 'DigiKey',
    ourReference: mira.name,
    note: 'First series',
    lines: [
      {
        itemEntityId: refOf('HL-125'),
        locationEntityId: shelf.id,
        quantity: 42,
        requirementId: switches.id,
        requiredBy: inDays(14),
      },
      { itemEntityId: refOf('HL-132'), locationEntityId: shelf.id, quantity: 100, requiredBy: inDays(10) },
    ],
  });
  const [placed] = (await get('/orders?limit=1&type=purchaseOrder')).items;
  const order = await get(`/orders/${placed.id}`);
  await buyAndSell(buyer, { order, lamp: refOf(ROOT), ring: refOf('OR-38x2'), shelf: shelf.id, inDays });
  // Thermal grease ages: one of its lots expires soon, and one waits for its inspection.
  await storekeeper.put(`/stock/tracking/${refOf('GR-10')}`, { tracking: 'lot' });
  const grease = { item: refOf('GR-10'), location: shelf.id };
  await storekeeper.once('lots', '/stock/counts', {
    note: 'Assigned to their lots',
    lines: [
      {
        ...grease,
        lot: 'TG-0423',
        countedQty: 0.25,
        newLot: { expiresOn: inDays(12), supplierLot: 'LT-88' },
      },
      { ...grease, lot: 'TG-0517', countedQty: 0.5, newLot: { expiresOn: inDays(300) } },
      {
        ...grease,
        lot: 'TG-0602',
        countedQty: 0.2,
        newLot: { expiresOn: inDays(360), supplierLot: 'LT-93', status: 'quarantine' },
      },
      { ...grease, countedQty: 0 },
    ],
  });
  // A receipt that was counted again, and corrected.
  const ofSwitches = order.lines.find((line: Json) => line.requirementId === switches.id);
  await storekeeper.once('delivery', `/stock/lines/${ofSwitches.id}/receipts`, {
    quantity: 20,
    note: 'Delivery note 4711',
  });
  const [receipt] = (await get('/stock/ledger?movementType=POReceipt&order=asc&limit=1')).items;
  await storekeeper.once('correction', `/stock/ledger/${receipt.id}/reversals`, {
    quantity: 2,
    note: 'Counted 18, not 20',
  });
  // A half-finished build: the LEDs are enough for some more.
  await storekeeper.once('LEDs', '/stock/adjustments', {
    itemEntityId: refOf('HL-132'),
    locationEntityId: shelf.id,
    quantity: 14,
    note: 'Opening stock',
  });
  const { line: boards } = await post('build', '/stock/lines', {
    type: 'manufacturingOrder',
    itemEntityId: refOf('HL-130'),
    locationEntityId: shelf.id,
    quantity: 20,
    requiredBy: inDays(12),
  });
  await storekeeper.once('built', `/stock/lines/${boards.id}/receipts`, {
    quantity: 8,
    scrap: 1,
    note: 'First boards',
  });
  // Of the next boards some get LEDs of another colour, which are held for them.
  const warm = { itemEntityId: refOf('HL-132'), substituteEntityId: refOf('HL-137'), quantity: 4 };
  const reserving = { quantity: 8, substitutes: [warm] };
  await storekeeper.once('reserved', `/stock/lines/${boards.id}/components/reservations`, reserving);
  // A dry run of a bulk edit, which somebody can review and apply: one of its parts is released and gets a revision.
  await post('bulk edit', '/bulk-edits', {
    filter: { where: ['Material:eq:EN AW-6082'] },
    change: { replace: { Material: { find: 'EN AW-6082', with: 'EN AW-6082 T6' } } },
    dryRun: true,
    reason: 'Temper as ordered',
  });
  // Its actions wait for a review: some items have no supplier, and an order is larger than what is needed.
  await buyer.once('plan', '/planning/runs', { horizonDays: 120 });
  await discuss({ engineer, storekeeper, buyer }, { handle: refOf('HL-120'), order: order.id });
  const [counter] = (await get(`/people?q=${encodeURIComponent(jonas.name)}`)).items;
  await engineer.once('count the shelf', '/stock/count-tasks', {
    location: shelf.id,
    assignedTo: counter.id,
    dueOn: inDays(10),
    note: 'Before the first series is built. Old sleeves are in the box below.',
  });
  // An automation that has run is a part of what there is to see.
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if ((await get(`/automations/${automation.id}/runs?limit=1`)).items.length > 0) break;
    await delay(100);
  }
  await post('nightly', `/pdm/sync?profile=${encodeURIComponent(LAST_PROFILE)}`, {
    entities: failingElements(),
  });
}

/** Comments that mention each of the persons, so that their inboxes have something to read. */
async function discuss(
  { engineer, storekeeper, buyer }: Record<'engineer' | 'storekeeper' | 'buyer', Calls>,
  { handle, order }: { handle: string; order: string },
): Promise<void> {
  const say = (by: Calls, name: string, entity: string, text: string) =>
    by.once(`comment ${name}`, '/comments', { entity, text });
  await say(
    engineer,
    'sleeve',
    handle,
    'The sleeve is silicone from now on: rubber became **sticky in the heat**. @[Mira Costa], please order no more #[HL-123].',
  );
  await say(buyer, 'left', handle, 'None is on order. @[Jonas Weber], how many are left on the shelf?');
  await say(storekeeper, 'counted', handle, '@[Anna Berg], I count them together with the shelf.');
  await say(buyer, 'LEDs', order, '@[Jonas Weber], the LEDs come in a parcel of their own.');
}
