// A cursor's check is no secret: whatever a forged one holds, every list refuses it, and none fails over it.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/api.ts';
import { encodeCursor } from '../../src/http/list.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
/** Every list by its operation: where it is, and what its cursors are bound to. */
let lists: Record<string, { path: string; list: string }>;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  // The key becomes that of a member, who has an inbox.
  await workspace.transact((tx) =>
    tx.query(
      `with made as (
         insert into member (workspace_id, id, name, areas, managed)
         values ($1, gen_random_uuid(), 'Anna', '{read}', 'hand') returning id)
       update api_key set member_id = made.id from made where workspace_id = $1`,
      [workspace.id],
    ),
  );
  const id = async (path: string, body: object) => {
    const made = await workspace.ask('POST', path, body);
    expect(made.status, made.text).toBe(201);
    return made.body.id as string;
  };
  const part = await id('/entities', { category: 'part', name: 'Block' });
  const location = await id('/entities', { category: 'location', name: 'Shelf' });
  const automation = await id('/automations', { name: 'a', contextTypeId: 3, script: 'return 1' });
  const webhook = await id('/webhooks', { url: 'https://example.com/', events: ['entity.created'] });
  const sync = await workspace.ask('POST', '/pdm/sync', { entities: [] });
  const batch = sync.body.batchId as string;
  const edited = await workspace.ask('POST', '/bulk-edits', { filter: {}, change: { state: 'In Review' } });
  const bulkEdit = edited.body.id as string;
  const comment = await id('/comments', { entity: part, text: 'Why?' });
  const planned = (await workspace.ask('POST', '/planning/runs', {})).body.id as string;
  const { body: settings } = await workspace.ask('GET', '/stock/settings');
  const costing = { method: 'fifo', currency: 'EUR' };
  await workspace.ask('PUT', '/stock/settings', { ...settings, costing });
  await workspace.transact((tx) =>
    tx.query("update planning_run set status = 'completed', finished_at = now() where workspace_id = $1", [
      tx.workspaceId,
    ]),
  );
  const ledger = (side: string, of: string) => `stock-ledger ${side} ${of} desc   `;
  lists = Object.fromEntries(
    (
      [
        ['listWorkspaces', '/api/workspaces', 'workspaces'],
        ['listApiKeys', '/api-keys', 'api-keys'],
        ['listViews', '/views', 'views'],
        ['listComments', `/comments?entity=${part}`, 'comments-asc'],
        ['listCommentVersions', `/comments/${comment}/versions`, `comment-versions ${comment}`],
        ['listPeople', '/people', 'people'],
        ['listSubscriptions', '/me/subscriptions', 'subscriptions'],
        ['listInbox', '/me/inbox', 'inbox-false'],
        ['listBulkEdits', '/bulk-edits', 'bulk-edits'],
        ['listBulkEditResults', `/bulk-edits/${bulkEdit}/results`, `bulk-edit-results ${bulkEdit} `],
        ['listMembers', '/members', 'members'],
        ['listInvitations', '/invitations', 'invitations'],
        ['listCsvLinks', '/csv-links', 'csv-links'],
        ['listCategories', '/categories', 'categories'],
        ['listLifecycles', '/lifecycles', 'lifecycles'],
        ['listPropertyDefinitions', '/property-definitions', 'property-definitions'],
        ['listImportDefinitions', '/import-definitions', 'import-definitions'],
        ['listAudit', '/audit', 'audit'],
        ['listEntities', '/entities', 'entities'],
        ['listRevisions', `/entities/${part}/revisions`, `revisions ${part}`],
        ['listRevisionUses', `/entities/${part}/revisions/1/uses`, `uses ${part} 1`],
        ['listTransitions', `/entities/${part}/transitions`, `transitions ${part}`],
        ['listUses', `/entities/${part}/uses`, `uses ${part}`],
        ['listWhereUsed', `/entities/${part}/where-used`, `where-used ${part}`],
        ['findUses', '/uses?referenceDesignator=R1', 'uses of R1 in all'],
        ['listPendingLinks', '/pending-links', 'pending-links all all'],
        ['listSyncBatches', '/pdm/sync/batches', 'sync-batches'],
        ['listSyncResults', `/pdm/sync/batches/${batch}/results`, `sync-results ${batch}    `],
        ['listSentElements', `/pdm/sync/batches/${batch}/elements`, `sync-elements ${batch} 0    `],
        ['listAbsentEntities', `/pdm/sync/batches/${batch}/absent`, `absent ${batch}`],
        ['listActions', '/actions', 'actions '],
        ['listEntityActions', `/entities/${part}/actions`, `actions ${part}`],
        ['listLots', '/stock/lots', 'lots'],
        ['listTransfersInTransit', '/stock/transfers', 'transits open'],
        ['listLocations', '/locations', 'locations all '],
        ['listSumsByLocation', `/stock/sums/by-location/${location}`, `sums-below ${location}`],
        ['listPositions', '/stock/positions', 'all-positions false  '],
        ['listStockValues', '/stock/value', 'stock-value all  '],
        ['listCountTasks', '/stock/count-tasks', 'count-tasks open '],
        ['listCostLayers', `/stock/value/${part}/layers`, `cost-layers ${part}`],
        ['listStandardCosts', `/stock/value/${part}/standards`, `standard-costs ${part}`],
        ['listCostVariances', `/stock/value/${part}/variances`, `cost-variances ${part}`],
        ['listLedger', '/stock/ledger', ledger('all', '')],
        ['listPositionsByItem', `/stock/positions/by-item/${part}`, `stock-positions item ${part} `],
        [
          'listPositionsByLocation',
          `/stock/positions/by-location/${location}`,
          `stock-positions location ${location} `,
        ],
        ['listLedgerByItem', `/stock/ledger/by-item/${part}`, ledger('item', part)],
        ['listLedgerByLocation', `/stock/ledger/by-location/${location}`, ledger('location', location)],
        ['listLedgerActors', '/stock/ledger/actors', 'stock-ledger actors'],
        ['listSuppliers', '/suppliers', 'suppliers'],
        ['listExchangeRates', '/exchange-rates', 'exchange-rates'],
        ['listForecasts', '/planning/forecasts', 'forecasts '],
        ['listReorder', '/planning/reorder', 'reorder'],
        ['listPlanningRuns', '/planning/runs', 'planning-runs'],
        ['listPlanningActions', `/planning/runs/${planned}/actions`, `planning-actions ${planned}       `],
        [
          'comparePlanningRuns',
          `/planning/runs/${planned}/compare?with=${planned}`,
          `planning-differences ${planned} ${planned}`,
        ],
        ['listSupplierParts', '/supplier-parts', 'supplier-parts'],
        ['listStockLines', '/stock/lines', 'stock-lines'],
        ['listOrders', '/orders', 'orders'],
        ['listRequirements', '/requirements', 'requirements'],
        ['listFeatureAutomations', '/automations/feature', 'features'],
        ['listAutomations', '/automations', 'automations '],
        ['listSystemAutomations', '/automations/system', 'system-automations'],
        ['listScriptVersions', `/automations/${automation}/versions`, `script-versions ${automation}`],
        ['listAutomationRuns', `/automations/${automation}/runs`, `automation-runs ${automation} `],
        ['listAllAutomationRuns', '/automation-runs', 'all-automation-runs '],
        ['listWebhooks', '/webhooks', 'webhooks'],
        ['listWebhookDeliveries', `/webhooks/${webhook}/deliveries`, `deliveries ${webhook} `],
      ] as const
    ).map(([operation, path, list]) => [operation, { path, list }]),
  );
});
afterAll(() => server.close());

/** With the check that belongs to it, whatever it holds. */
function sealed(list: string, payload: string): string {
  const bytes = Buffer.from(payload);
  const check = createHash('sha256').update(`cursor ${list}\n`).update(bytes).digest().subarray(0, 6);
  return Buffer.concat([check, bytes]).toString('base64url');
}

const payloads = [
  ...['2147483648', '9007199254740991', '-9007199254740991', '1e300', '1.5', '-0.1'],
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff"', '["\\u0000"]', '{"a":"\\u0000"}'],
  ...['', 'x', '{', 'undefined', 'NaN', '\0', 'null', 'true', '[]', '{}', '[[[[]]]]'],
];

/** PostgreSQL's calendar begins with year 1. A list by names takes them for names. */
const times = ['0000-01-01', '0000-01-01T00:00:00.000000Z'].flatMap((time) => [
  JSON.stringify(time),
  JSON.stringify([time, '0199d0f0-0000-7000-8000-000000000001']),
  JSON.stringify(['0199d0f0-0000-7000-8000-000000000001', time]),
  JSON.stringify(['EUR', 'USD', time]),
  JSON.stringify([time, 1]),
]);

test('whatever it holds, a forged cursor is refused by every list as `invalid_cursor`', async () => {
  const paged = routes.filter((route) => route.query !== undefined && 'cursor' in route.query.shape);
  expect(Object.keys(lists).toSorted()).toEqual(paged.map((route) => route.operationId).toSorted());
  for (const [operation, { path, list }] of Object.entries(lists)) {
    const call = (cursor: string, more = '') => {
      const query = `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}${more}`;
      return path.startsWith('/api/')
        ? server.request(query, { key: server.ctx.operatorToken })
        : workspace.ask('GET', query);
    };
    // The name is the list's own: a key of the right form passes.
    const id = '0199d0f0-0000-7000-8000-000000000001';
    const keys = [
      id,
      1,
      'key',
      [id, id],
      [id, id, '1'],
      ['2026-11-27T12:00:00.000000Z', id],
      [id, '2026-11-27'],
      ['2026-11-27', 1],
      ['EUR', 'USD', '2026-11-27'],
    ];
    const right = keys.map((key) => encodeCursor(list, key));
    const passed = await Promise.all(right.map(async (cursor) => (await call(cursor)).status));
    expect([operation, passed.includes(200)]).toEqual([operation, true]);
    for (const payload of payloads) {
      const answer = await call(sealed(list, payload));
      expect([operation, payload, answer.status, answer.body?.code]).toEqual([
        operation,
        payload,
        400,
        'invalid_cursor',
      ]);
    }
    for (const payload of times) {
      const { status } = await call(sealed(list, payload));
      expect([operation, payload, status < 500]).toEqual([operation, payload, true]);
    }
    // A file of the list is no way around.
    const answers = paged.find((route) => route.operationId === operation)?.answers[200]?.alternatives;
    for (const [format, type] of [
      ['csv', 'text/csv'],
      ['ndjson', 'application/x-ndjson'],
    ] as const) {
      if (answers?.[type] === undefined) continue;
      const { status, body } = await call('junk', `&format=${format}`);
      expect([operation, format, status, body?.code]).toEqual([operation, format, 400, 'invalid_cursor']);
    }
  }
});
