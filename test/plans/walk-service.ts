/**
 * Walks a workspace through everything that the service does, large enough that reading the whole of it shows:
 * imports in many chunks, edits by hand, stock, procurement, automations, webhooks, and every list and report.
 */
import { expect, vi } from 'vitest';
import { queueMail } from '../../src/automation/mail/queue-mail.ts';
import { openTransport, sendMails } from '../../src/automation/mail/send-mails.ts';
import { runBulkEdits } from '../../src/cleanup/bulk-edits/run-bulk-edits.ts';
import { settleStatistics } from '../../src/operations/settle-statistics.ts';
import { pruneOld } from '../../src/retention.ts';
import { verifyLedger } from '../../src/stock/ledger/verify-ledger.ts';
import type { AutomationRunSummary } from '../../web/client/operations.ts';
import { context } from '../automation/automated-workspace.ts';
import { openMailServer } from '../automation/built-in/mail-server.ts';
import { drawPng } from '../pictures/draw.ts';
import { makeProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { patience } from '../setup/patience.ts';
import type { TestServer } from '../setup/server.ts';
import { element, type SentPart, syncCalls } from '../sync/sync-calls.ts';
import { openReceiver } from '../webhooks/receiver.ts';
import { sell } from './walk-buying.ts';
import { walkCollaboration, walkInbox } from './walk-collaboration.ts';
import { walkPlanning } from './walk-planning.ts';

/** Returns the workspace's id. `parts` are imported, and as many adjustments made. */
export async function walkService(server: TestServer, parts: number): Promise<string> {
  const receiver = await openReceiver();
  try {
    return await walk(server, parts, receiver.url);
  } finally {
    await receiver.close();
  }
}

async function walk(server: TestServer, parts: number, hook: string): Promise<string> {
  const workspace = await makeProcuringWorkspace(server, { items: 12, locations: 3 });
  const { ask, must, items, locations } = workspace;
  const calls = syncCalls(server, workspace);

  await must(201, 'POST', '/property-definitions', {
    key: 'Mass',
    name: 'Mass',
    type: 'numeric',
    filterable: true,
  });
  await must(201, 'POST', '/property-definitions', {
    key: 'Material',
    name: 'Material',
    type: 'text',
    filterable: true,
    searchable: true,
  });

  const putPicture = async (id: string, body: Uint8Array) => {
    const headers = { 'Content-Type': 'image/png' };
    const path = `/api/wid/${workspace.slug}/entities/${id}/picture`;
    const answer = await server.request(path, { method: 'PUT', key: workspace.key, headers, body });
    expect(answer.status, answer.text).toBe(200);
  };

  // Listeners first, so that everything below is an event to somebody.
  const script = (text: string, contextTypeId: number) =>
    must(201, 'POST', '/automations', { name: 'Walked', contextTypeId, script: text });
  const onCreated = await script(`api.log.info(context.entityNumber)`, context.created);
  await script(`throw new Error('as it is meant')`, context.imported);
  await script('return 1', context.belowReorderPoint);
  const counting = { name: 'Counts', contextTypeId: context.thresholdCrossed, script: 'return 1' };
  await must(201, 'POST', '/automations', { ...counting, threshold: { figure: 'onHand', below: 5 } });
  const webhook = await must(201, 'POST', '/webhooks', {
    url: hook,
    events: ['import.completed', 'lifecycle.transitioned', 'entity.updated'],
  });

  await must(201, 'POST', '/import-definitions', { name: 'pdm', mapping: { columns: { number: 'Part' } } });

  // An import of a tree, in many chunks; the same again; a part of it changed; a parent that comes later.
  const waits = { headers: { Prefer: 'wait=60' } };
  const elements = Array.from({ length: parts }, () => element({ properties: { Mass: '1.5' } }));
  const guidAt = (at: number) => (elements.at(at) as SentPart).guid;
  for (const [index, one] of elements.entries()) {
    if (index === 0) continue;
    one.parentGuid = guidAt(Math.floor((index - 1) / 10));
    if (index % 3 === 0) one.referenceDesignators = [`R${index % 50}`, `C${index}`];
  }
  const completed = async (entities: unknown[], query = '') => {
    const sent = await calls.send({ entities }, { query, ...waits });
    expect([200, 202], sent.text).toContain(sent.status);
    return vi.waitUntil(async () => {
      const { body } = await ask('GET', `/pdm/sync/batches/${sent.body.batchId}`);
      return ['completed', 'failed', 'cancelled'].includes(body.status) && body;
    }, patience);
  };
  await completed(elements);
  await completed(elements);
  const orphans = Array.from({ length: 300 }, () => element({ parentGuid: crypto.randomUUID() }));
  await completed(orphans);
  await completed(orphans.map(({ parentGuid }) => element({ guid: parentGuid, categoryKey: 'assembly' })));
  const renamed = elements.slice(0, parts / 5).map((one) => ({ ...one, name: `${one.name} anew` }));
  const plan = await completed(renamed, '?dryRun=true');
  await must(200, 'GET', `/pdm/sync/batches/${plan.batchId}/results?limit=100`);
  const committed = await ask('POST', `/pdm/sync/batches/${plan.batchId}/commit`, undefined, waits.headers);
  expect([200, 202], committed.text).toContain(committed.status);
  await must(200, 'GET', `/pdm/sync/batches/${plan.batchId}/absent?limit=1000`);
  // The structure exactly: a tenth of the parts loses the rest of its children, and gets them back.
  const some = elements.filter((_, index) => index % 10 < 2);
  await completed(some, '?structure=exact');
  await completed(elements, '?structure=exact');
  const later = await calls.send({ entities: elements }, { headers: { Prefer: 'respond-async' } });
  await ask('POST', `/pdm/sync/batches/${later.body.batchId}/cancel`);
  await ask('POST', `/pdm/sync/batches/${later.body.batchId}/retry`);
  await calls.send('{"guid": "no"}\n', { headers: { 'Content-Type': 'application/x-ndjson' } });
  await calls.sync([]);
  const broken = await completed(elements.slice(0, 50).map((one) => ({ ...one, categoryKey: 'nope' })));
  await must(200, 'GET', `/pdm/sync/batches/${broken.batchId}/results?code=category_not_found`);
  await must(200, 'GET', `/pdm/sync/batches/${broken.batchId}/elements?result=error`);
  const again = await ask('POST', `/pdm/sync/batches/${broken.batchId}/resend`, {}, waits.headers);
  expect([200, 202], again.text).toContain(again.status);
  for (const path of ['', '?status=completed', '?profile=pdm'])
    await must(200, 'GET', `/pdm/sync/batches${path}`);

  // Entities: found in every way, changed, moved, revised; their structure from above and from below.
  const root = (await calls.entity(guidAt(0))).id as string;
  const leaf = (await calls.entity(guidAt(-1))).id as string;
  const searches = [
    'category=part',
    'state=In%20Work',
    'category=part&state=In%20Work',
    'number=N-1',
    'q=anew',
    'q=N',
  ];
  for (const search of ['', ...searches]) {
    const page = await must(200, 'GET', `/entities?${search}&limit=50`);
    if (page.nextCursor !== null)
      await must(200, 'GET', `/entities?${search}&limit=50&cursor=${page.nextCursor}`);
  }
  await must(200, 'GET', `/entities?guid=${guidAt(5)}`);
  await must(200, 'PATCH', `/entities/${leaf}`, {
    name: 'Changed',
    properties: { Mass: 2, Material: 'Steel' },
  });
  // A picture, replaced by another, and one that is kept with a revision.
  for (const [id, colour] of [
    [leaf, '#800'],
    [leaf, '#080'],
    [root, '#008'],
  ] as const)
    await putPicture(id, await drawPng(40, 30, colour));
  for (const query of ['', '?size=64']) await must(200, 'GET', `/entities/${leaf}/picture${query}`);
  // A part that was entered twice, and the names by which it is found now.
  const [twice, once] = [element({ number: 'TWICE' }), element({ number: 'ONCE' })];
  await completed([twice, once]);
  for (const dryRun of [true, false])
    await must(200, 'POST', `/entities/guid:${once.guid}/merge`, { from: `guid:${twice.guid}`, dryRun });
  for (const query of [`guid=${twice.guid}`, 'q=TWICE', 'number=TWICE'])
    await must(200, 'GET', `/entities?${query}&limit=10`);
  await must(200, 'POST', '/entities/lookup', { numbers: ['TWICE'] });
  await completed([twice]);
  for (const state of ['In Review', 'Released'])
    await must(200, 'POST', `/entities/${root}/transitions`, { toState: state });
  await must(200, 'PATCH', `/entities/${root}`, { name: 'Revised' });
  await completed(elements.slice(0, 20).map((one) => ({ ...one, name: 'Third' })));
  await must(200, 'GET', '/uses?referenceDesignator=R17&limit=10');
  await must(200, 'GET', `/uses?referenceDesignator=C3&parent=${root}`);
  // Links that wait, and one of them taken back; then their parent comes.
  const missing = element({ categoryKey: 'assembly' });
  const waiting = Array.from({ length: 40 }, () => element({ parentGuid: missing.guid }));
  await completed(waiting);
  const [ofParent, ofChild] = [`parentGuid=${missing.guid}`, `child=guid:${waiting[0]?.guid}`];
  for (const query of ['', ofParent, ofChild, `${ofParent}&${ofChild}`])
    await must(200, 'GET', `/pending-links?limit=10&${query}`);
  await must(204, 'DELETE', `/pending-links/${missing.guid}/guid:${waiting[0]?.guid}`);
  await completed([missing]);
  for (const what of [
    'uses',
    'where-used',
    'tree',
    'revisions',
    'transitions',
    'revisions/1',
    'revisions/1/uses',
  ]) {
    await must(200, 'GET', `/entities/${root}/${what}`);
  }
  for (const part of [leaf, `guid:${guidAt(-2)}`]) await must(200, 'GET', `/entities/${part}/where-used/all`);
  await must(200, 'GET', `/entities/${root}/revisions/compare?from=1&to=2`);
  for (const [n, item] of items.slice(1).entries()) await workspace.link(items[0] as string, item, n + 1);
  await workspace.link(items[0] as string, leaf, 2);
  expect((await ask('DELETE', `/entities/${items[0]}/uses/${leaf}`)).status).toBeLessThan(300);

  // Configuration and keys.
  for (const what of [
    'categories',
    'lifecycles',
    'property-definitions',
    'api-keys',
    'audit',
    'automations',
    'webhooks',
  ]) {
    await must(200, 'GET', `/${what}`);
  }
  await must(201, 'POST', '/property-definitions', { key: 'Colour', name: 'Colour', type: 'text' });
  await ask('PUT', '/property-definitions/Colour', { key: 'Colour', name: 'Colour', type: 'numeric' });
  for (const query of [
    'where=Mass:lt:5&where=Material:has:steel&sort=properties.Mass',
    'where=Material:in:Steel,Brass&sort=properties.Material&order=desc',
    'where=Mass:none&sort=number',
  ])
    await must(200, 'GET', `/entities?${query}`);
  await must(200, 'GET', '/entities/facets?values=Material&values=Mass');
  await must(200, 'GET', '/entities/facets?values=Material&where=Mass:lt:5');
  await ask('DELETE', '/property-definitions/Mass');
  await ask('DELETE', '/categories/part');
  const lifecycle = await must(200, 'GET', '/lifecycles/part');
  await ask('PUT', '/lifecycles/part', { ...lifecycle, states: lifecycle.states.slice(1) });
  await must(200, 'PUT', '/lifecycles/part', lifecycle);
  for (const query of [
    'subjectType=lifecycle',
    'subjectKey=part',
    `actorId=${root}`,
    `from=${new Date().toISOString()}`,
  ])
    await must(200, 'GET', `/audit?${query}`);
  const key = await must(201, 'POST', '/api-keys', { name: 'Walked', permission: 'write' });
  await must(200, 'PUT', `/api-keys/${key.id}`, { name: 'Walked on', permission: 'read', expiresAt: null });
  await ask('DELETE', `/api-keys/${key.id}`);
  for (const name of ['Walker', 'Waiting']) {
    const invitation = await must(201, 'POST', '/invitations', { name, areas: ['stock'] });
    if (name === 'Waiting') continue;
    const joined = await server.request('/api/sign-in/link/acceptance', {
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: {
        link: new URL(invitation.url).hash.slice(1),
        password: { userName: `walker.${workspace.slug}`, password: 'correct horse battery' },
      },
    });
    expect(joined.status, joined.text).toBe(201);
    const { memberId } = joined.body.workspaces[0];
    const member = await must(200, 'GET', `/members/${memberId}`);
    await must(200, 'PUT', `/members/${memberId}`, { ...member, name: 'Runner' });
    await must(201, 'POST', `/members/${memberId}/sign-in-links`, {});
  }
  await must(200, 'PUT', '/group-rules', { items: [{ group: 'walkers', areas: ['read', 'stock'] }] });
  await must(200, 'GET', '/group-rules');
  await must(200, 'POST', '/group-rules/try', { groups: ['walkers'] });
  await must(200, 'GET', '/members');
  await must(200, 'GET', '/invitations');
  for (const table of [
    { of: 'entities', category: ['part'], sort: 'number', columns: ['number', 'name'] },
    { of: 'positions', short: true },
    { of: 'lots', inStock: true },
    { of: 'ledger' },
  ]) {
    const link = await must(201, 'POST', '/csv-links', { name: `Walked ${table.of}`, table });
    const fetched = await server.request(new URL(link.url).pathname);
    expect(fetched.status, fetched.text).toBe(200);
    if (table.of === 'ledger') await ask('DELETE', `/csv-links/${link.id}`);
  }
  await must(200, 'GET', '/csv-links?limit=1');

  const filters = { category: ['part'] };
  const view = await must(201, 'POST', '/views', {
    name: 'Parts',
    list: 'entities',
    filters,
    sort: 'number',
  });
  await must(200, 'PUT', `/views/${view.id}`, { name: 'Parts', shared: true, filters });
  await must(200, 'GET', '/views?list=entities');
  await must(200, 'GET', `/entities?view=${view.id}&limit=5`);
  const shown = await must(201, 'POST', '/views', { name: 'Orders', list: 'orders' });
  await must(204, 'DELETE', `/views/${shown.id}`);

  await walkCollaboration(must, workspace);

  // A dry run, its application and the way back, as a worker takes their steps.
  const edited = await must(202, 'POST', '/bulk-edits', {
    // A tenth of the parts: each edit leaves an event behind, and more of them would hide what others read of the outbox.
    filter: { q: 'Part 13', where: ['Mass:lt:100'] },
    change: { properties: { Material: 'S235' } },
    dryRun: true,
  });
  // The worker of the server may have a step, too.
  const finish = ({ id }: { id: string }) =>
    vi.waitUntil(async () => {
      await runBulkEdits(server.ctx);
      return (await must(200, 'GET', `/bulk-edits/${id}`)).finishedAt !== null;
    }, patience);
  await finish(edited);
  const applied = await must(202, 'POST', `/bulk-edits/${edited.id}/apply`, {});
  await finish(applied);
  await must(200, 'GET', `/bulk-edits/${applied.id}/results?result=changed&limit=20`);
  await finish(await must(202, 'POST', `/bulk-edits/${applied.id}/undo`, {}));
  await must(200, 'GET', '/bulk-edits');

  // Stock: many adjustments of a few positions, one of many; every page and the proof.
  const adjustments = Array.from({ length: parts }, (_, n) => ({
    itemEntityId: n % 2 === 0 ? items[n % 12] : `guid:${guidAt(n)}`,
    locationEntityId: locations[n % 3],
    quantity: 5,
    note: 'walked',
  }));
  for (let at = 0; at < adjustments.length; at += 1000) {
    await must(201, 'POST', '/stock/adjustments/batch', { adjustments: adjustments.slice(at, at + 1000) });
  }
  // Workers look every two seconds, which may not have passed since the ledger has grown.
  await settleStatistics(server.ctx.db);
  await Promise.all(
    adjustments
      .slice(0, 40)
      .map((one, n) => ask('POST', '/stock/adjustments', one, { 'Idempotency-Key': `walk-${n}` })),
  );
  await ask('POST', '/stock/adjustments', adjustments[0], { 'Idempotency-Key': 'walk-0' });
  const counted = { item: items[0], location: locations[0], countedQty: 4 };
  await must(201, 'POST', '/stock/counts', { lines: [counted] });
  // Lots: an item is tracked, its stock is in lots, and one of them is followed; of another item there is little left.
  const [tracked, low] = (await workspace.addEntities(2)) as [string, string];
  await must(200, 'PUT', `/stock/tracking/${tracked}`, { tracking: 'lot' });
  const reel = { unit: 'reel', numerator: 4000, denominator: 1 };
  await must(200, 'PUT', `/stock/units/${tracked}`, { baseUnit: 'pcs', units: [reel] });
  for (let n = 0; n < 40; n++) {
    const lot = { lot: `L-${n}`, newLot: { expiresOn: '2999-12-31' } };
    const at = { itemEntityId: tracked, locationEntityId: locations[n % 3] };
    await must(201, 'POST', '/stock/adjustments', { ...at, ...lot, quantity: 2, note: 'walked' });
  }
  for (const query of ['', `itemEntityId=${tracked}`, 'expiresBefore=3000-01-01', 'inStock=true'])
    await must(200, 'GET', `/stock/lots?limit=20&${query}`);
  const [oneLot] = (await must(200, 'GET', `/stock/lots?itemEntityId=${tracked}&number=L-7`)).items;
  await must(200, 'GET', `/stock/lots/${oneLot.id}`);
  await must(200, 'PATCH', `/stock/lots/${oneLot.id}`, { supplierLot: 'S-1' });
  for (const direction of ['up', 'down'])
    await must(200, 'GET', `/stock/lots/${oneLot.id}/trace?direction=${direction}`);
  for (let n = 0; n < 20; n++) {
    const ends = { fromLocationEntityId: locations[n % 3], toLocationEntityId: locations[(n + 1) % 3] };
    const { entries } = await must(201, 'POST', '/stock/transfers', {
      inTransit: true,
      lines: [{ itemEntityId: tracked, ...ends, quantity: 1, lot: `L-${n}` }],
    });
    if (n % 2 === 0)
      await must(201, 'POST', `/stock/transfers/${entries[0].bookingId}/receipts`, { quantity: 1 });
  }
  for (const query of ['', `&itemEntityId=${tracked}`, '&open=false'])
    await must(200, 'GET', `/stock/transfers?limit=5${query}`);
  const held = { itemEntityId: tracked, locationEntityId: locations[1], quantity: 2 };
  const { line: holder } = await must(201, 'POST', '/stock/lines', { type: 'salesOrder', ...held });
  const hold = { lineId: holder.id, locationEntityId: locations[1], quantity: 1 };
  await must(201, 'POST', `/stock/lots/${oneLot.id}/holds`, hold);
  for (const query of [`lotId=${oneLot.id}`, `lineId=${holder.id}`])
    await must(200, 'GET', `/stock/holds?${query}`);
  await must(200, 'GET', `/stock/lots/proposal?itemEntityId=${tracked}&locationEntityId=${locations[0]}`);
  for (const quantity of [9, -6])
    await must(201, 'POST', '/stock/adjustments', {
      itemEntityId: low,
      locationEntityId: locations[0],
      quantity,
    });
  const now = new Date().toISOString();
  const day = `&from=${new Date(Date.now() - 86_400_000).toISOString()}`;
  for (const query of ['', '&short=true', '&q=item', '&q=N-1'])
    await ask('GET', `/stock/positions?limit=50${query}`);
  for (const path of ['positions', 'lots']
    .map((list) => `/stock/${list}/export?format=csv`)
    .concat('/entities/export?format=csv'))
    expect((await ask('GET', path)).status).toBe(200);
  for (const query of ['', `?item=${items[0]}`, `?location=${locations[0]}`])
    await must(200, 'GET', `/stock/totals${query}`);
  const [mover] = (await must(200, 'GET', '/stock/ledger/actors')).items;
  const byMover = `&actorId=${mover.id}`;
  for (const query of [
    '',
    '&order=asc',
    '&movementType=Adjustment',
    day,
    byMover,
    `${byMover}&order=asc`,
    `${byMover}${day}`,
  ]) {
    const page = await must(200, 'GET', `/stock/ledger?limit=20${query}`);
    if (page.nextCursor !== null)
      await must(200, 'GET', `/stock/ledger?limit=20${query}&cursor=${page.nextCursor}`);
  }
  await must(200, 'GET', '/overview?hours=168');
  for (const side of [`item/${items[0]}`, `location/${locations[0]}`]) {
    await must(200, 'GET', `/stock/positions/by-${side}?limit=50`);
    await must(200, 'GET', `/stock/positions/by-${side}?limit=50&asOf=${now}`);
    for (const query of ['', '&order=asc', '&movementType=Adjustment', `&to=${now}`]) {
      const page = await must(200, 'GET', `/stock/ledger/by-${side}?limit=20${query}`);
      if (page.nextCursor !== null)
        await must(200, 'GET', `/stock/ledger/by-${side}?limit=20${query}&cursor=${page.nextCursor}`);
    }
  }
  expect(await verifyLedger(server.ctx.db, workspace.id)).toMatchObject({ ok: true });
  const kept = await must(200, 'GET', '/stock/ledger/digest');
  await must(201, 'POST', '/stock/adjustments', adjustments[1]);
  await must(200, 'GET', '/stock/ledger/digest');
  expect(await must(200, 'POST', '/stock/ledger/verify', kept)).toMatchObject({ ok: true });

  // Procurement.
  const ordered = (await workspace.line({ quantity: 8 })).body.line;
  expect((await workspace.act(ordered.id, 'receipts', { quantity: 3 })).status).toBe(201);
  await workspace.act(ordered.id, 'close');
  await workspace.adjust(items[0], locations[0], 9);
  const sold = (await workspace.line({ type: 'salesOrder', quantity: 2 })).body.line;
  await workspace.act(sold.id, 'shipments', { quantity: 1 });
  await workspace.act(sold.id, 'cancel');
  const made = (await workspace.line({ type: 'manufacturingOrder', quantity: 2 })).body.line;
  const raised = await must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: items[1],
    requiredQty: 10,
    requiredBy: '2026-12-24',
  });
  await workspace.adjust(items[1], locations[1], 9);
  for (const [what, quantity] of [
    ['reservations', 3],
    ['releases', 1],
    ['issues', 1],
    ['orders', 2],
  ] as const) {
    await must(201, 'POST', `/requirements/${raised.id}/${what}`, {
      locationEntityId: locations[1],
      quantity,
    });
  }
  await workspace.link(workspace.project, items[0] as string, 3);
  await ask('GET', `/projects/${workspace.project}/shortages`);
  await ask('POST', `/projects/${workspace.project}/requirements`);
  for (const state of ['In Review', 'Released', 'Ready for Procurement'])
    await workspace.move(items[1] as string, state);
  await must(200, 'GET', `/requirements/${raised.id}`);
  const by = [
    `projectId=${workspace.project}`,
    `itemEntityId=${items[1]}`,
    `lineId=${made.id}`,
    'status=open',
  ];
  for (const query of ['', ...by]) await must(200, 'GET', `/requirements?${query}`);
  for (const query of [
    '',
    'type=purchaseOrder',
    `itemEntityId=${items[0]}`,
    `orderId=${ordered.orderId}`,
    'state=Ordered',
    'open=true',
    'open=true&sort=requiredBy',
    'overdue=true',
  ]) {
    await must(200, 'GET', `/stock/lines?${query}`);
  }
  await must(200, 'GET', `/stock/lines/${ordered.id}`);
  for (let n = 0; n < 12; n += 1) {
    const lines = [
      { itemEntityId: items[n % 12], locationEntityId: locations[0], quantity: 1, requiredBy: '2026-12-24' },
    ];
    await must(201, 'POST', '/orders', { type: 'purchaseOrder', supplier: `Supplier ${n % 3}`, lines });
  }
  await must(200, 'PATCH', `/orders/${ordered.orderId}`, { supplier: 'Supplier 4' });
  await must(200, 'GET', '/suppliers?limit=2');
  await sell(workspace, items, locations[0] as string);
  await walkPlanning(server, workspace, locations[0] as string);
  for (const query of ['supplier=supplier%201', 'requiredFrom=2026-12-24&requiredBefore=2026-12-25'])
    await must(200, 'GET', `/stock/lines?${query}`);
  for (const query of [
    '?supplier=Supplier%202',
    '?supplier=Supplier%202&state=Open&order=desc',
    '?supplier=Supplier%202&q=PO-0&requiredBefore=2027-01-01',
    '?requiredFrom=2026-12-24&requiredBefore=2026-12-25',
    '?requiredBefore=2027-01-01&state=Open',
    '?requiredBefore=2027-01-01&q=P',
    '?open=true',
    '?open=true&type=purchaseOrder&state=Open',
    '?open=true&q=PO-0',
    '?overdue=true',
  ])
    await must(200, 'GET', `/orders${query}`);
  for (const query of ['', '?state=Open', '?type=purchaseOrder', '?q=PO-0', '?q=P&state=Open'])
    await must(200, 'GET', `/orders${query}`);
  for (const query of ['q=item', 'q=i', 'q=MR-0&status=open', 'status=open&requiredBefore=2027-01-01'])
    await must(200, 'GET', `/requirements?${query}`);
  for (const query of ['state=Ordered', `itemEntityId=${items[0]}`])
    await must(200, 'GET', `/stock/lines?requiredBefore=2027-01-01&${query}`);
  for (const id of [items[0], locations[0], workspace.project])
    await must(200, 'GET', `/entities/${id}/summary`);
  await must(200, 'GET', `/entities/${items[0]}/demand`);
  await must(200, 'GET', `/orders/${ordered.orderId}`);

  // What events set off, in full, and again.
  const runs = await vi.waitUntil(async () => {
    const { items: all } = await must(200, 'GET', `/automations/${onCreated.id}/runs?limit=100`);
    return all.some((run: AutomationRunSummary) => run.status !== 'queued') && all;
  }, patience);
  await must(200, 'GET', `/automation-runs/${runs[0].id}`);
  await ask('POST', `/automation-runs/${runs[0].id}/retry`, { script: 'same' });
  await must(200, 'POST', '/automation-runs/retries', { dryRun: true });
  await must(200, 'POST', '/automation-runs/retries', {});
  await must(200, 'GET', '/automations');
  await must(200, 'GET', `/automations/${onCreated.id}/versions`);
  await must(200, 'PUT', `/automations/${onCreated.id}`, { ...onCreated, script: `api.log.info('second')` });
  await must(200, 'POST', '/automations/test', { script: `api.entities.get('${root}')` });
  const button = await script(`api.entities.update('${leaf}', { name: 'Pressed' })`, context.feature);
  await ask('POST', `/automations/${button.id}/trigger`, { entityId: leaf });
  const delivered = await vi.waitUntil(async () => {
    const { items: all } = await must(200, 'GET', `/webhooks/${webhook.id}/deliveries`);
    return all.length > 0 && all;
  }, patience);
  await must(200, 'GET', `/webhooks/${webhook.id}/deliveries/${delivered[0].id}`);
  await ask('POST', `/webhooks/${webhook.id}/deliveries/${delivered[0].id}/resend`);
  await ask('POST', `/webhooks/${webhook.id}/test`);
  await ask('POST', `/webhooks/${webhook.id}/rotate-secret`, {});
  await must(200, 'PUT', `/webhooks/${webhook.id}`, {
    url: hook,
    events: ['import.completed'],
    enabled: true,
  });
  await vi.waitUntil(async () => {
    const [row] = await workspace.transact((tx) =>
      tx.query<{ unread: boolean }>(
        `select exists (select from outbox where workspace_id = $1 and not automation_done)
           or exists (select from outbox where workspace_id = $1 and not webhook_done)
           or exists (select from outbox where workspace_id = $1 and not inbox_done) as unread`,
        [workspace.id],
      ),
    );
    return row?.unread === false;
  }, patience);
  await walkInbox(must, workspace, server);
  // Mail of an automation.
  const mail = {
    runId: runs[0].id,
    automationId: button.id,
    recipients: ['a@example.com'],
    subject: 'Walked',
    body: '',
  };
  const mails = await openMailServer();
  const config = { ...server.ctx.config, SMTP_URL: mails.url, SMTP_FROM: 'partbook@example.com' };
  await workspace.transact((tx) => queueMail(tx, config, mail));
  await sendMails({ ...server.ctx, config }, await openTransport(mails.url));
  await mails.close();
  await pruneOld(server.ctx);
  return workspace.id;
}
