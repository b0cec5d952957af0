/**
 * A walk through every operation, as somebody new would take it: the calls that the API reference shows as examples, and
 * the answers of a real service to them. What only prepares the next call is not shown.
 */
import type { TestAnswer, TestServer } from '../../setup/server.ts';
import { editMany } from './walk-bulk-edits.ts';
import { moveBetweenLocations, openShelf } from './walk-locations.ts';
import { takeUnitApart, trackLots } from './walk-lots.ts';
import { letPeopleIn } from './walk-people.ts';
import { showPictures } from './walk-pictures.ts';
import { planOrders } from './walk-planning.ts';
import { buyFrom } from './walk-suppliers.ts';
import { showStockValue } from './walk-value.ts';

export interface Given {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  body?: unknown;
  /** Media type of a body that is no JSON. */
  type?: string;
  key?: 'operator' | 'none';
  /** What the answer is to be, where there is more than one. */
  accept?: string;
  /** What the example is called, where the operation has several. */
  name?: string;
}

export interface Walker {
  server: TestServer;
  /** Calls and shows: fails unless it succeeds. */
  show(operationId: string, given?: Given): Promise<TestAnswer['body']>;
  /** Calls what prepares or repeats. */
  call(operationId: string, given?: Given): Promise<TestAnswer['body']>;
  /** Calls until the answer fits. */
  until(
    operationId: string,
    given: Given,
    fits: (body: TestAnswer['body']) => boolean,
  ): Promise<TestAnswer['body']>;
  /** The first events of a stream: shows the last that fits. */
  follow(operationId: string, given: Given, meanwhile: () => Promise<unknown>): Promise<void>;
  /** From now on calls are this key's, or the browser's with that cookie. */
  act(as: { key: string } | { cookie: string }): void;
  /** The `Set-Cookie` of the last answer. */
  cookie(): string;
  holdBatches(isHeld: boolean): Promise<void>;
  failBatch(batchId: string): Promise<void>;
  /** Where messages go, and what has arrived. */
  receiver: { url: string; received: readonly { body: string }[] };
}

/** As a design-data system knows them. */
const guids = {
  gearbox: '6f1c2f9e-3d2b-4c4e-9a51-0b8a6f3d7c01',
  wheel: '6f1c2f9e-3d2b-4c4e-9a51-0b8a6f3d7c02',
  shaft: '6f1c2f9e-3d2b-4c4e-9a51-0b8a6f3d7c03',
  bolt: '6f1c2f9e-3d2b-4c4e-9a51-0b8a6f3d7c04',
  cover: '6f1c2f9e-3d2b-4c4e-9a51-0b8a6f3d7c05',
  /** Nobody sends it. */
  housing: '6f1c2f9e-3d2b-4c4e-9a51-0b8a6f3d7c06',
};
const guid = (name: keyof typeof guids) => `guid:${guids[name]}`;

export async function walk(walker: Walker): Promise<void> {
  await openWorkspace(walker);
  await configure(walker);
  await synchronise(walker);
  await steerBatches(walker);
  const stocked = await lookAround(walker);
  await moveStock(walker, stocked);
  await procure(walker, stocked);
  await automate(walker);
  await tellOthers(walker);
  await leave(walker);
  await waitForParent(walker);
}

async function openWorkspace(walker: Walker): Promise<void> {
  const { show, act, cookie } = walker;
  await show('getLiveness', { key: 'none' });
  await show('getReadiness', { key: 'none' });
  const { apiKey } = await show('createWorkspace', {
    key: 'operator',
    body: { slug: 'acme', name: 'Acme Gears' },
  });
  await show('listWorkspaces', { key: 'operator' });
  await show('createAdminKey', { key: 'operator', params: { workspace: 'acme' }, body: {} });
  act({ key: apiKey.key });
  await show('signIn', {
    key: 'none',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: { key: apiKey.key },
  });
  act({ cookie: cookie() });
  await show('getSession');
  await show('signOut');
  act({ key: apiKey.key });
  const made = await show('createApiKey', {
    body: { name: 'CAD connector', permission: 'write', expiresAt: '2030-12-31T23:00:00.000Z' },
  });
  await show('listApiKeys', { query: { limit: 2 } });
  const { id } = made;
  await show('getApiKey', { params: { id } });
  await show('replaceApiKey', {
    params: { id },
    body: { name: 'CAD connector, second floor', permission: 'write', expiresAt: null },
  });
  await show('revokeApiKey', { params: { id } });
  await letPeopleIn(walker, apiKey.key);
  const link = await show('createCsvLink', {
    body: {
      name: 'Stock for the buyers',
      table: { of: 'positions', short: true, columns: ['itemNumber', 'locationNumber', 'available'] },
    },
  });
  await show('listCsvLinks', { query: { limit: 2 } });
  await show('getCsvLink', { params: { id: link.id } });
  await show('readCsvLink', {
    params: { token: link.url.split('/').at(-1) },
    key: 'none',
  });
  await show('revokeCsvLink', { params: { id: link.id } });
  const filters = { category: ['part'] };
  const view = await show('createView', {
    body: { name: 'Parts by name', list: 'entities', filters, sort: 'name', columns: ['number', 'name'] },
  });
  await show('listViews', { query: { list: 'entities' } });
  await show('getView', { params: { id: view.id } });
  await show('replaceView', {
    params: { id: view.id },
    body: { name: 'Parts by name', shared: true, filters, sort: 'name', columns: ['number', 'name'] },
  });
  await show('deleteView', { params: { id: view.id } });
}

async function configure({ show }: Walker): Promise<void> {
  const lifecycle = {
    name: 'Purchased part',
    initialState: 'Draft',
    states: [
      { name: 'Draft', released: false },
      { name: 'Approved', released: true },
    ],
    transitions: [{ id: 'approve', name: 'Approve', from: 'Draft', to: 'Approved', featureAutomations: [] }],
  };
  await show('createLifecycle', { body: { key: 'purchased', ...lifecycle } });
  await show('listLifecycles', { query: { limit: 1 } });
  await show('getLifecycle', { params: { key: 'purchased' } });
  const rework = { id: 'rework', name: 'Rework', from: 'Approved', to: 'Draft', featureAutomations: [] };
  await show('replaceLifecycle', {
    params: { key: 'purchased' },
    body: { ...lifecycle, transitions: [...lifecycle.transitions, rework] },
  });
  const category = {
    name: 'Bolt',
    lifecycle: 'purchased',
    role: 'item',
    numbering: { source: 'scheme', pattern: 'BLT-{0000}' },
    tabs: ['stockLedger', 'whereUsed'],
  };
  await show('createCategory', { body: { key: 'bolt', ...category } });
  await show('listCategories', { query: { limit: 2 } });
  await show('getNextNumber', { params: { key: 'part' } });
  await show('getCategory', { params: { key: 'bolt' } });
  await show('replaceCategory', { params: { key: 'bolt' }, body: { ...category, name: 'Bolts and screws' } });
  await show('createPropertyDefinition', { body: { key: 'Mass', name: 'Mass', type: 'numeric' } });
  await show('listPropertyDefinitions');
  await show('getPropertyDefinition', { params: { key: 'Mass' } });
  await show('replacePropertyDefinition', {
    params: { key: 'Mass' },
    body: { name: 'Mass (kg)', type: 'numeric' },
  });
  const stockSettings = {
    reserveReceived: true,
    overDeliveryPercent: 5,
    adjustmentReasons: ['scrap', 'found', 'correction', 'sample'],
  };
  await show('replaceStockSettings', { body: stockSettings });
  await show('getStockSettings');
  const mapping = {
    format: 'table',
    namespace: '5d3a8c2e-7f41-4b6d-9e0a-1c2b3d4e5f60',
    columns: { key: 'Part no.', name: 'Title', level: 'Level', quantity: 'Qty' },
    properties: { Mass: { column: 'Weight', type: 'numeric', units: { kg: 1, g: 0.001 } } },
    structure: 'levels',
    categories: { default: 'part', assembly: 'assembly', rules: [] },
    decimal: ',',
    delimiter: ';',
  };
  await show('createImportDefinition', { body: { name: 'erp export', mapping } });
  await show('listImportDefinitions');
  await show('getImportDefinition', { params: { name: 'erp export' } });
  await show('replaceImportDefinition', {
    params: { name: 'erp export' },
    body: { mapping: { ...mapping, nothing: ['-', 'n/a'] } },
  });
  await show('suggestImportDefinition', {
    body: {
      rows: [
        ['Level', 'Part no.', 'Title', 'Qty'],
        ['0', 'G-100', 'Gearbox', '1'],
        ['1', 'G-101', 'Gear wheel', '2'],
      ],
    },
  });
}

async function synchronise({ show, call, follow }: Walker): Promise<void> {
  const entities = [
    { guid: guids.gearbox, number: 'G-100', name: 'Gearbox', categoryKey: 'assembly' },
    {
      guid: guids.wheel,
      number: 'G-101',
      name: 'Gear wheel',
      categoryKey: 'part',
      parentGuid: guids.gearbox,
      quantity: 2,
      findNumber: '10',
      referenceDesignators: ['W1', 'W2'],
      properties: { Mass: '0.35' },
    },
    { guid: guids.shaft, number: 'G-102', name: 'Shaft', categoryKey: 'prt', parentGuid: guids.gearbox },
  ];
  const first = await show('submitSync', { query: { profile: 'cad' }, body: { entities } });
  const id = first.batchId;
  await show('getSyncBatch', { params: { id } });
  await show('listSyncBatches', { query: { profile: 'cad', limit: 10 } });
  await show('listSyncBatches', { query: { dryRun: 'false', stillRejected: 'true' }, name: 'imports' });
  await show('listSyncResults', { params: { id }, query: { result: 'error' } });
  await show('listSyncResults', { params: { id }, accept: 'text/csv', name: 'csv' });
  await show('listSyncResults', { params: { id }, accept: 'application/x-ndjson', name: 'ndjson' });
  await show('listSyncProblems', { params: { id } });
  await show('listSentElements', { params: { id }, query: { result: 'error' } });
  const alone = await show('submitSync', {
    name: 'lines',
    type: 'application/x-ndjson',
    query: { profile: 'cad' },
    body: {
      guid: guids.shaft,
      number: 'G-102',
      name: 'Shaft',
      categoryKey: 'part',
      parentGuid: guids.gearbox,
    },
  });
  await show('listAbsentEntities', { params: { id: alone.batchId } });
  await show('submitSync', {
    name: 'table',
    type: 'text/csv',
    query: { profile: 'erp export' },
    body: 'Level;Part no.;Title;Qty;Weight\r\n0;G-200;Cover;1;0,8 kg\r\n1;G-201;Seal;2;12 g\r\n',
  });
  // The element that named a category that is not there, sent again once there is one.
  await call('createCategory', {
    body: { key: 'prt', name: 'Part, as the CAD calls it', lifecycle: 'part' },
  });
  await show('resendSyncElements', {
    params: { id },
    query: { dryRun: 'true' },
    body: { code: 'category_not_found' },
  });
  const dryRun = { profile: 'cad', dryRun: 'true' };
  const bolts = [
    {
      guid: guids.bolt,
      number: '',
      name: 'Bolt M6 x 20',
      categoryKey: 'bolt',
      parentGuid: guids.gearbox,
      quantity: 8,
    },
  ];
  const plan = await show('submitSync', { name: 'plan', query: dryRun, body: { entities: bolts } });
  await show('commitSyncPlan', { params: { id: plan.batchId }, headers: { Prefer: 'wait=30' } });
  await follow('streamSyncEvents', { params: { id } }, async () => undefined);
}

async function steerBatches({ show, call, until, holdBatches, failBatch }: Walker): Promise<void> {
  const entities = [{ guid: guids.cover, number: 'G-103', name: 'Cover', categoryKey: 'part' }];
  const given = { query: { profile: 'cad' }, headers: { Prefer: 'respond-async' }, body: { entities } };
  await holdBatches(true);
  const queued = await show('submitSync', { ...given, name: 'later' });
  await show('cancelSyncBatch', { params: { id: queued.batchId } });
  const failing = await call('submitSync', given);
  await failBatch(failing.batchId);
  await show('retrySyncBatch', { params: { id: failing.batchId } });
  await holdBatches(false);
  await until('getSyncBatch', { params: { id: failing.batchId } }, ({ status }) => status === 'completed');
}

interface Stocked {
  wheel: string;
  shaft: string;
  shelf: string;
  project: string;
}

async function lookAround({ show, call }: Walker): Promise<Stocked> {
  const shelf = await openShelf({ show, call });
  const project = await call('createEntity', {
    body: { category: 'project', name: 'Gearbox, first series' },
  });
  await show('listEntities', { query: { q: 'gear', limit: 2 } });
  await show('countEntities', { query: { q: 'gear' } });
  await show('exportEntities', { query: { category: 'assembly' }, accept: 'text/csv' });
  await show('lookUpEntities', { body: { numbers: ['G-101', 'G-999'] } });
  await show('getEntity', { params: { id: guid('wheel') } });
  const comment = await show('createComment', {
    body: { entity: guid('wheel'), text: 'The drawing of #[G-101] shows the **old** hole pattern.' },
  });
  await show('listComments', { query: { entity: guid('wheel'), limit: 2 } });
  await show('getComment', { params: { id: comment.id } });
  await show('editComment', {
    params: { id: comment.id },
    body: { text: 'The drawing of #[G-101] shows the old hole pattern: revision B is on its way.' },
  });
  await show('listCommentVersions', { params: { id: comment.id } });
  await show('listPeople', { query: { limit: 2 } });
  await show('deleteComment', { params: { id: comment.id } });
  await show('updateEntity', { params: { id: guid('wheel') }, body: { properties: { Mass: 0.36 } } });
  for (const toState of ['In Review', 'Released']) {
    const given = { params: { id: guid('wheel') }, body: { toState, note: 'Checked by E. Noether' } };
    if (toState === 'Released') await show('transitionEntity', given);
    else await call('transitionEntity', given);
  }
  await show('listTransitions', { params: { id: guid('wheel') } });
  // A change of what is released makes a new revision.
  await call('updateEntity', { params: { id: guid('wheel') }, body: { name: 'Gear wheel, hardened' } });
  await show('listRevisions', { params: { id: guid('wheel') } });
  await show('getRevision', { params: { id: guid('wheel'), n: 1 } });
  await show('compareRevisions', { params: { id: guid('wheel') }, query: { from: 1, to: 2 } });
  await show('setUse', { params: { id: guid('gearbox'), childId: guid('shaft') }, body: { quantity: 2 } });
  await call('removeUse', { params: { id: guid('gearbox'), childId: guid('shaft') } });
  await show('setUse', {
    name: 'new',
    params: { id: guid('gearbox'), childId: guid('shaft') },
    body: { quantity: 1 },
  });
  await show('getUse', { params: { id: guid('gearbox'), childId: guid('shaft') } });
  await show('listUses', { params: { id: guid('gearbox') }, query: { limit: 2 } });
  await show('findUses', { query: { referenceDesignator: 'W2' } });
  await show('listWhereUsed', { params: { id: guid('wheel') } });
  await show('getWhereUsedAll', { params: { id: guid('wheel') } });
  await show('getTree', { params: { id: guid('gearbox') }, query: { depth: 2 } });
  await show('removeUse', { params: { id: guid('gearbox'), childId: guid('bolt') } });
  await show('listRevisionUses', { params: { id: guid('gearbox'), n: 1 } });
  await show('getEntityLabel', {
    params: { id: guid('wheel') },
    query: { as: 'svg' },
    accept: 'image/svg+xml',
  });
  await show('getKicadRoot');
  await show('downloadKicadLibrary');
  const [category] = await show('listKicadCategories');
  await show('listKicadParts', { params: { file: `${category.id}.json` } });
  const wheel = await call('getEntity', { params: { id: guid('wheel') } });
  const shaft = await call('getEntity', { params: { id: guid('shaft') } });
  await show('getKicadPart', { params: { file: `${wheel.id}.json` } });
  await show('getKicadRootWithSymbol');
  await show('listKicadCategoriesWithSymbol');
  await show('listKicadPartsWithSymbol', { params: { file: `${category.id}.json` } });
  await show('getKicadPartWithSymbol', { params: { file: `${wheel.id}.json` } });
  await show('listAudit', { query: { limit: 2 } });
  await show('listAudit', { query: { format: 'csv', limit: 2 }, accept: 'text/csv', name: 'csv' });
  await show('listAudit', {
    query: { format: 'ndjson', limit: 2 },
    accept: 'application/x-ndjson',
    name: 'ndjson',
  });
  return { wheel: wheel.id, shaft: shaft.id, shelf: shelf.id, project: project.id };
}

async function moveStock({ show, call }: Walker, { wheel, shaft, shelf }: Stocked): Promise<void> {
  const at = { itemEntityId: wheel, locationEntityId: shelf };
  await show('postAdjustment', { body: { ...at, quantity: 40, note: 'First stock' } });
  await show('postAdjustment', { name: 'plan', body: { ...at, quantity: -45, dryRun: true } });
  await show('postAdjustmentBatch', {
    name: 'plan',
    body: { dryRun: true, adjustments: [{ ...at, quantity: -2, note: 'Scrapped' }] },
  });
  await show('postAdjustmentBatch', {
    body: {
      adjustments: [
        { ...at, quantity: -2, note: 'Scrapped' },
        { itemEntityId: guid('shaft'), locationEntityId: shelf, quantity: 12 },
      ],
    },
  });
  const lines = [{ item: wheel, location: shelf, countedQty: 37, seenOnHand: 38 }];
  await show('countStock', { name: 'plan', body: { dryRun: true, lines } });
  const task = await show('createCountTask', {
    body: { location: shelf, dueOn: '2026-12-31', note: 'Before the year ends' },
  });
  await show('listCountTasks');
  await show('updateCountTask', { params: { id: task.id }, body: { below: true } });
  await show('countStock', { body: { lines, note: 'Yearly count', task: task.id } });
  await show('getCountTask', { params: { id: task.id } });
  await showStockValue({ show, call }, wheel, shelf);
  await show('listPositions', { query: { limit: 10 } });
  await show('getStockTotals');
  await show('exportPositions', { accept: 'text/csv' });
  await show('listPositionsByItem', { params: { itemEntityId: guid('wheel') } });
  await show('listPositionsByLocation', { params: { locationEntityId: shelf } });
  await moveBetweenLocations({ show, call }, wheel, shelf);
  await trackLots({ show, call }, shelf);
  await showPictures({ show, call });
  await show('listLedger', { query: { limit: 2 } });
  await show('listLedgerActors');
  await show('listLedger', { query: { format: 'csv' }, accept: 'text/csv', name: 'csv' });
  await show('listLedgerByItem', { params: { itemEntityId: wheel }, query: { order: 'asc', limit: 1 } });
  await show('listLedgerByItem', {
    params: { itemEntityId: wheel },
    query: { format: 'csv' },
    accept: 'text/csv',
    name: 'csv',
  });
  await show('listLedgerByLocation', { params: { locationEntityId: shelf }, query: { limit: 1 } });
  await show('listLedgerByLocation', {
    params: { locationEntityId: shelf },
    query: { format: 'csv' },
    accept: 'text/csv',
    name: 'csv',
  });
  await show('getHistoryByItem', { params: { itemEntityId: shaft }, query: { points: 2 } });
  await show('getHistoryByLocation', { params: { locationEntityId: shelf }, query: { points: 2 } });
  await show('verifyLedger');
  const digest = await show('getLedgerDigest');
  await show('verifyLedgerAgainstDigest', { body: digest });
}

async function procure(
  { show, call, until }: Walker,
  { wheel, shaft, shelf, project }: Stocked,
): Promise<void> {
  const at = { itemEntityId: wheel, locationEntityId: shelf };
  const bought = await show('createStockLine', {
    body: { type: 'purchaseOrder', supplier: 'Bossard', ...at, quantity: 100, requiredBy: '2027-01-15' },
  });
  await show('listStockLines', { query: { type: 'purchaseOrder', state: 'Ordered', sort: 'requiredBy' } });
  await show('getStockLine', { params: { id: bought.line.id } });
  await show('updateStockLine', {
    params: { id: bought.line.id },
    body: { quantity: 120, requiredBy: '2027-01-20', note: 'Twenty more for the spares' },
  });
  await show('receiveStockLine', {
    params: { id: bought.line.id },
    body: { quantity: 60, note: 'First lorry' },
  });
  await show('closeStockLine', { params: { id: bought.line.id }, body: { note: 'The rest will not come' } });
  const sold = await call('createStockLine', {
    body: { type: 'salesOrder', ...at, quantity: 5, state: 'Draft' },
  });
  const params = { id: sold.line.id };
  await call('transitionEntity', { params, body: { toState: 'Reserved' } });
  await show('releaseStockLine', { params, body: { quantity: 2 } });
  await show('reserveStockLine', { params, body: { quantity: 2 } });
  await show('shipStockLine', { params, body: { quantity: 3, note: 'By parcel' } });
  const dropped = await call('createStockLine', {
    body: { type: 'salesOrder', ...at, quantity: 1, state: 'Draft' },
  });
  await show('cancelStockLine', {
    params: { id: dropped.line.id },
    body: { note: 'The customer has changed their mind' },
  });
  const order = await show('createOrder', {
    body: { type: 'purchaseOrder', lines: [{ ...at, quantity: 10 }], note: 'Repeat order' },
  });
  const orderId = order.id ?? order.order.id;
  await show('listOrders', { query: { type: 'purchaseOrder', limit: 1 } });
  const other = await call('createOrder', {
    body: { type: 'purchaseOrder', lines: [{ ...at, quantity: 3 }] },
  });
  const otherId = other.id ?? other.order.id;
  await call('receiveOrder', { params: { id: otherId }, body: {} });
  const delivered = await call('listLedger', { query: { orderId: otherId, movementType: 'POReceipt' } });
  await show('reverseReceipt', {
    params: { id: otherId, bookingId: delivered.items[0].bookingId },
    body: { note: 'Booked on the wrong order' },
  });
  await show('getOrder', { params: { id: orderId } });
  const template = {
    sender: 'Rover Works AB\nPlant road 4\n123 45 Town',
    header: 'Please confirm this order within two days.',
    columns: [
      { field: 'itemNumber', title: 'Part' },
      { field: 'itemName', title: 'Description' },
      { field: 'quantity', title: 'Quantity' },
      { field: 'requiredBy', title: 'Required by' },
    ],
  };
  await show('replaceOrderTemplate', { body: template });
  await show('getOrderTemplate');
  await show('getOrderDocument', { params: { id: orderId }, query: { format: 'csv' }, accept: 'text/csv' });
  await show('updateOrder', { params: { id: orderId }, body: { supplier: 'Zellwerk' } });
  await buyFrom({ show, call }, wheel, shelf);
  await planOrders({ show, call, until }, wheel, shelf);
  await show('listSuppliers');
  await show('lookUpSuppliers', { body: { itemEntityIds: [wheel] } });
  await show('addOrderLines', {
    params: { id: orderId },
    body: { lines: [{ ...at, quantity: 2, requiredBy: '2027-02-01' }], note: 'Two more' },
  });
  await show('receiveOrder', { params: { id: orderId }, body: { note: 'Complete' } });
  const received = await call('listLedger', { query: { orderId, movementType: 'POReceipt' } });
  const [lastReceived, firstReceived] = received.items;
  await show('reverseLedgerEntry', {
    params: { entryId: lastReceived.id },
    body: { quantity: 1, note: 'Counted one less' },
  });
  await show('returnOrder', {
    params: { id: orderId },
    body: {
      lines: [{ lineId: firstReceived.lineId, quantity: 1, reason: 'damaged' }],
      replace: true,
      note: 'Return note 12',
    },
  });
  const sale = await call('createOrder', { body: { type: 'salesOrder', lines: [{ ...at, quantity: 2 }] } });
  const saleId = sale.id ?? sale.order.id;
  await show('shipOrder', { params: { id: saleId }, body: { note: 'By parcel' } });
  const shipped = await call('listLedger', { query: { orderId: saleId, movementType: 'SOShipment' } });
  const [{ bookingId }] = shipped.items;
  await show('reverseShipment', {
    params: { id: saleId, bookingId },
    body: { note: 'The parcel was not picked up' },
  });

  await call('setUse', { params: { id: project, childId: guid('gearbox') }, body: { quantity: 20 } });
  await show('listShortages', { params: { id: project } });
  await show('listShortages', {
    params: { id: project },
    query: { kind: 'purchased', sort: 'supplier', format: 'csv' },
    accept: 'text/csv',
    name: 'csv',
  });
  await show('raiseShortages', {
    params: { id: project },
    body: { leavesOnly: true, requiredBy: '2027-02-01' },
  });
  const raised = await show('createRequirement', {
    body: { projectId: project, itemEntityId: shaft, requiredQty: 12, requiredBy: '2027-02-01' },
  });
  const requirement = { id: raised.id ?? raised.requirement.id };
  await show('listRequirements', { query: { projectId: project, status: 'open', limit: 1 } });
  await show('reserveRequirement', { params: requirement, body: { locationEntityId: shelf, quantity: 8 } });
  await show('releaseRequirement', { params: requirement, body: { locationEntityId: shelf, quantity: 2 } });
  await show('issueRequirement', { params: requirement, body: { locationEntityId: shelf, quantity: 3 } });
  await show('orderRequirement', {
    params: requirement,
    body: { locationEntityId: shelf, quantity: 4, supplier: 'Bossard' },
  });
  await show('updateRequirement', {
    params: requirement,
    body: { requiredQty: 14, requiredBy: '2027-02-10', note: 'Two for the spares' },
  });
  await show('getRequirement', { params: requirement });
  await show('reserveShortages', {
    params: { id: project },
    body: { lines: [{ itemEntityId: shaft }], note: 'For the first machine' },
  });
  await show('orderShortages', {
    params: { id: project },
    body: {
      locationEntityId: shelf,
      lines: [{ itemEntityId: shaft, quantity: 5, supplier: 'Zellwerk' }],
      requiredBy: '2027-02-01',
    },
  });
  await build({ show, call }, shelf);
  await show('getItemDemand', { params: { id: guid('shaft') } });
  await show('getEntitySummary', { params: { id: guid('shaft') } });
}

async function build({ show, call }: Pick<Walker, 'show' | 'call'>, shelf: string): Promise<void> {
  const order = await call('createStockLine', {
    body: {
      type: 'manufacturingOrder',
      itemEntityId: guid('gearbox'),
      locationEntityId: shelf,
      quantity: 4,
    },
  });
  const params = { id: order.line.id };
  const { components } = await call('listLineComponents', { params });
  for (const { itemEntityId } of components)
    await call('postAdjustment', { body: { itemEntityId, locationEntityId: shelf, quantity: 100 } });
  await show('listLineComponents', { params });
  await show('reserveLineComponents', { name: 'plan', params, body: { quantity: 2, dryRun: true } });
  await show('reserveLineComponents', { params, body: { quantity: 2, note: 'For the first two' } });
  await show('issueLineComponents', { params, body: { quantity: 1, from: [shelf] } });
  await show('receiveStockLine', { name: 'build', params, body: { quantity: 2, note: 'First two' } });
  await show('scrapStockLine', { params, body: { quantity: 1, note: 'Housing cracked' } });
  await show('disassembleStockLine', { params, body: { quantity: 1, note: 'For spares' } });
  await takeUnitApart({ show, call }, shelf);
}

async function automate({ show, call, until, follow }: Walker): Promise<void> {
  await show('listFeatureAutomations', { query: { contextTypeId: 1, limit: 1 } });
  const [system] = (await show('listSystemAutomations', { query: { limit: 1 } })).items;
  const clone = await show('cloneAutomation', { params: { id: system.id }, body: { name: 'Our own' } });
  await show('getAutomation', { params: { id: clone.id } });
  await show('testScript', {
    body: {
      script: `api.log('Looked at ' + context.entityNumber);\nreturn context.toState;`,
      contextTypeId: 1,
      context: { entityNumber: 'G-101', fromState: 'In Review', toState: 'Released', workspaceSlug: 'acme' },
    },
  });
  const button = {
    name: 'Weigh',
    description: 'Notes the mass of an entity.',
    contextTypeId: 5,
    script: `await api.setProperties(context.entityId, { Mass: context.parameters.mass });`,
    button: {
      label: 'Enter the mass',
      categories: ['part'],
      states: [],
      parameters: {
        type: 'object',
        properties: { mass: { type: 'number', title: 'Mass in kg', minimum: 0 } },
        required: ['mass'],
      },
    },
    enabled: true,
  };
  const made = await show('createAutomation', { body: button });
  const params = { id: made.id };
  const script = `${button.script}\napi.log('Weighed ' + context.entityNumber);`;
  await show('replaceAutomation', { params, body: { ...button, script } });
  await show('listAutomations', { query: { contextTypeId: 5 } });
  await show('listScriptVersions', { params, query: { limit: 1 } });
  await show('listBuiltInActions');
  await show('listActions');
  await show('listEntityActions', { params: { id: guid('shaft') } });
  await show('triggerAutomation', {
    params,
    body: { entityId: guid('shaft'), context: { mass: 1.2 } },
  });
  const { items } = await until(
    'listAutomationRuns',
    { params, query: { status: 'succeeded' } },
    (page) => page.items.length === 1,
  );
  await show('listAutomationRuns', { params, query: { status: 'succeeded' } });
  await show('listAllAutomationRuns', { query: { limit: 1 } });
  await show('getAutomationRun', { params: { id: items[0].id } });
  await show('retryFailedRuns', { body: { dryRun: true } });
  await show('retryAutomationRun', { params: { id: items[0].id }, body: { script: 'current' } });
  await until(
    'listAutomationRuns',
    { params, query: { status: 'succeeded' } },
    (page) => page.items.length === 2,
  );
  await follow('streamEvents', {}, () =>
    call('submitSync', {
      query: { profile: 'cad' },
      body: { entities: [{ guid: guids.cover, number: 'G-103', name: 'Cover, cast', categoryKey: 'part' }] },
    }),
  );
  await show('deleteAutomation', { params });
}

/** Of a webhook's messages there is one of each type to be seen. */
async function tellOthers({ show, call, until, receiver, server }: Walker): Promise<void> {
  const events = [
    'lifecycle.transitioned',
    'import.completed',
    'entity.created',
    'entity.updated',
    'feature.triggered',
    'stock.moved',
    'order.changed',
    'schedule.fired',
    'threshold.crossed',
    'import.not_clean',
    'stock.belowReorderPoint',
    'planning.finished',
    'ledger.digested',
  ];
  const made = await show('createWebhook', { body: { url: receiver.url, description: 'ERP', events } });
  const params = { id: made.id };
  await show('listWebhooks');
  await show('getWebhook', { params });
  await call('submitSync', {
    query: { profile: 'cad' },
    body: { entities: [{ guid: guids.cover, number: 'G-103', name: 'Cover', categoryKey: 'part' }] },
  });
  await call('transitionEntity', { params: { id: guid('shaft') }, body: { toState: 'In Review' } });
  const seal = await call('createEntity', { body: { category: 'part', name: 'Seal', number: 'G-104' } });
  await show('archiveEntity', { params: { id: seal.id } });
  await show('unarchiveEntity', { params: { id: seal.id } });
  await show('replacePart', {
    params: { id: guid('shaft') },
    body: { by: seal.id, reason: 'The supplier discontinued it', dryRun: true },
  });
  await editMany({ show, call, until });
  await show('mergeEntity', {
    params: { id: guid('shaft') },
    body: { from: seal.id, reason: 'Entered twice', dryRun: true },
  });
  const feature = await call('createAutomation', {
    body: { name: 'Print a label', contextTypeId: 5, script: `api.log('printed');`, enabled: true },
  });
  await call('triggerAutomation', {
    params: { id: feature.id },
    body: { entityId: guid('wheel'), context: { copies: 2 } },
  });
  await call('submitSync', {
    query: { profile: 'cad' },
    body: { entities: [{ guid: guids.cover, number: 'G-103', name: 'Cover', categoryKey: 'unknown' }] },
  });
  await moveForOthers({ call, server });
  const { takeDueDigests } = await import('../../../src/stock/digest/daily-digests.ts');
  const { db, log } = server.ctx;
  await takeDueDigests({ db, log, config: { LEDGER_DIGEST_HOURS: 0 } }, new AbortController().signal);
  await show('testWebhook', { params });
  events.push('webhook.test');
  const { items } = await until('listWebhookDeliveries', { params, query: { status: 'delivered' } }, (page) =>
    events.every((type) => page.items.some((one: { type: string }) => one.type === type)),
  );
  await show('listWebhookDeliveries', { params, query: { status: 'delivered', limit: 1 } });
  const created = items.find((one: { type: string }) => one.type === 'entity.created');
  const delivery = { ...params, deliveryId: created.id };
  await show('getWebhookDelivery', { params: delivery });
  await show('resendWebhookDelivery', { params: delivery });
  await show('rotateWebhookSecret', { params, body: { overlapHours: 48 } });
  await show('replaceWebhook', {
    params,
    body: { url: receiver.url, description: 'ERP, by night', events: ['import.completed'], enabled: true },
  });
  await show('deleteWebhook', { params });
}

/** Stock moves and is below its points, a line is ordered, a plan ends, and the time of a schedule comes. */
async function moveForOthers({ call, server }: Pick<Walker, 'call' | 'server'>): Promise<void> {
  const { items } = await call('listLocations', { query: { limit: 1 } });
  const at = { itemEntityId: guid('shaft'), locationEntityId: items[0].id };
  await call('createAutomation', {
    body: {
      name: 'Low stock',
      contextTypeId: 9,
      script: '1',
      threshold: { figure: 'available', below: 100_000 },
    },
  });
  await call('setItemPlanning', {
    params: { itemEntityId: at.itemEntityId },
    body: { policy: 'reorderPoint', reorderPoint: 100_000 },
  });
  await call('postAdjustment', { body: { ...at, quantity: 3 } });
  await call('createStockLine', { body: { ...at, type: 'purchaseOrder', quantity: 5 } });
  await call('createPlanningRun', { body: {} });
  const daily = await call('createAutomation', {
    body: { name: 'Daily', contextTypeId: 8, script: '1', schedule: { cron: '0 6 * * *' } },
  });
  const { fireSchedules } = await import('../../../src/automation/schedules/fire-schedules.ts');
  const { inTransaction } = await import('../../../src/db/transaction.ts');
  await inTransaction(server.ctx.db, 'instance', (tx) =>
    tx.query(`update automation set next_run_at = now() - interval '1 second' where id = $1`, [daily.id]),
  );
  await fireSchedules(server.ctx, new AbortController().signal);
}

async function leave({ show, call }: Walker): Promise<void> {
  await show('getOverview', { query: { hours: 1 } });
  await call('createCategory', { body: { key: 'seal', name: 'Seal', lifecycle: 'part' } });
  await show('deleteCategory', { params: { key: 'seal' } });
  await call('createLifecycle', {
    body: { key: 'plain', name: 'Plain', initialState: 'Here', states: [{ name: 'Here' }] },
  });
  await show('deleteLifecycle', { params: { key: 'plain' } });
  await call('createPropertyDefinition', { body: { key: 'Colour', name: 'Colour', type: 'text' } });
  await show('deletePropertyDefinition', { params: { key: 'Colour' } });
  await show('deleteImportDefinition', { params: { name: 'erp export' } });
}

/** A connector has named a parent that nobody sends, and somebody takes that back. */
async function waitForParent({ show, call }: Walker): Promise<void> {
  const cover = {
    guid: guids.cover,
    number: 'G-103',
    name: 'Cover',
    categoryKey: 'part',
    parentGuid: guids.housing,
    quantity: 2,
    findNumber: '10',
  };
  await call('submitSync', { query: { profile: 'cad' }, body: { entities: [cover] } });
  await show('listPendingLinks', { query: { child: guid('cover') } });
  await show('removePendingLink', { params: { parentGuid: guids.housing, childId: guid('cover') } });
  await show('removePendingLinks', { query: { parentGuid: guids.housing } });
}
