// Every operation is sent the largest input that it takes, and reads the largest things that there are: no turn of the
// loop of the process takes longer than the others can wait. An operation that is not named here fails the test.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/api.ts';
import { newId } from '../../src/db/ids.ts';
import { buildOpenApi } from '../../src/http/document/build-openapi.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { COMPONENTS_MAX } from '../../src/procurement/builds/explode-item.ts';
import { saveResults } from '../../src/sync/chunk/save-results.ts';
import type { SyncResult, SyncWarning } from '../../src/sync/elements/sync-result.ts';
import { drawNoise } from '../pictures/draw.ts';
import type { JsonSchema } from '../setup/generate-input.ts';
import { type ProbedServer, startProbedServer } from '../setup/probed-server.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { hostileBodies } from './large-bodies.ts';
import { addValues } from './large-values.ts';
import { type LargeWorkspace, makeLargeWorkspace } from './large-workspace.ts';

/** Thousands of requests: a hang alone takes so long. */
const TIMEOUT_MS = 3_000_000;
const OPERATOR = 'operator-token-of-the-tests';
/** Entries of one position. */
const LONG_HISTORY = 200_000;
/** Children that follow their parent. Ten thousand may; each takes some milliseconds of the database, and all the same turns. */
const FOLLOWERS = 500;
const document: JsonSchema = JSON.parse(JSON.stringify(buildOpenApi(routes, { closed: true })));

let server: TestServer;
let probed: ProbedServer;
let made: LargeWorkspace;
let large: Large;
let children: string[];
let photograph: Buffer;

/** What paths name, the largest of its kind. */
type Large = LargeWorkspace['large'] &
  Record<
    | 'fattest'
    | 'wide'
    | 'leading'
    | 'screw'
    | 'project'
    | 'batch'
    | 'item'
    | 'location'
    | 'apiKey'
    | 'member'
    | 'invitation'
    | 'button'
    | 'countTask'
    | 'csvLink'
    | 'view'
    | 'comment'
    | 'csvToken'
    | 'building'
    | 'bought'
    | 'sold'
    | 'entry'
    | 'received'
    | 'shipped'
    | 'inLots'
    | 'transfer'
    | 'lot'
    | 'picture',
    string
  >;

beforeAll(async () => {
  server = await startTestServer();
  made = await makeLargeWorkspace(server);
  large = await addLargest();
  probed = await startProbedServer(server, { SYNC_WAIT_SECONDS: '0' });
}, TIMEOUT_MS);
afterAll(async () => {
  await probed.end();
  await server.close();
});

async function addLargest(): Promise<Large> {
  const { workspace } = made;
  const w = workspace.id;
  const run = (sql: string, params: unknown[] = []) =>
    workspace.transact((tx) => tx.query(sql, [w, ...params]));
  await run(
    `insert into property_definition (workspace_id, key, name, type)
     select $1, 'L' || n, 'L', case when n = 500 then 'numeric' else 'text' end from generate_series(1, 500) n`,
  );
  const [fattest] = (await workspace.addEntities(1)) as [string];
  await run(
    `update entity set properties = (select jsonb_object_agg('L' || n, repeat('x', 8000)) from generate_series(1, 499) n)
     where workspace_id = $1 and id = $2`,
    [fattest],
  );
  await run(
    `insert into entity_revision (workspace_id, entity_id, revision_number, version_id, name, category, state,
                                  properties, created_at, created_by)
     select $1, $2, n, gen_random_uuid(), 'old', 'part', 'In Work',
            (select jsonb_object_agg('L' || p, repeat(n::text, 8000)) from generate_series(1, 500) p), now(), $1
     from generate_series(1, 3) n`,
    [fattest],
  );
  await run('update entity set revision_number = 4 where workspace_id = $1 and id = $2', [fattest]);
  const [wide] = (await workspace.addEntities(1)) as [string];
  children = await workspace.addEntities(10_000);
  const project = await workspace.addProject();
  // The screw is in all children, and by them in what they are in.
  const [leading, screw] = (await workspace.addEntities(2)) as [string, string];
  for (const [parent, used] of [
    [wide, children],
    [project, children],
    [leading, children.slice(0, FOLLOWERS)],
  ]) {
    await run(
      `insert into entity_link (workspace_id, parent_id, child_id, quantity)
       select $1, $2, id, 1.000001 from unnest($3::uuid[]) as i (id)`,
      [parent, used],
    );
  }
  await run(
    `insert into entity_link (workspace_id, parent_id, child_id, quantity)
     select $1, id, $2, 1.000001 from unnest($3::uuid[]) as i (id)`,
    [screw, children],
  );
  await run(
    `insert into entity_revision_link (workspace_id, entity_id, revision_number, child_id, quantity)
     select $1, $2, n, id, n from unnest($3::uuid[]) as i (id), generate_series(1, 3) n`,
    [fattest, children],
  );
  const batch = newId();
  const results = 10_000;
  await run(
    `insert into sync_batch (workspace_id, id, status, profile_name, submitted_by, finished_at, element_count, counts)
     values ($1, $2, 'completed', 'Large', $1, now(), $3,
             jsonb_build_object('created', $3::int, 'updated', 0, 'skipped', 0, 'error', 0, 'warnings', 20 * $3::int))`,
    [batch, results],
  );
  const warnings = Array.from(
    { length: 20 },
    (_, at): SyncWarning => ({
      code: 'invalid_numeric',
      property: `P${at}`,
      message: 'w'.repeat(200),
    }),
  );
  const all = Array.from(
    { length: results },
    (_, index): SyncResult => ({
      index,
      guid: newId(),
      result: 'created',
      entityId: newId(),
      versionId: newId(),
      number: `N-${index}`,
      revision: 'A',
      warnings,
    }),
  );
  await workspace.transact(async (tx) => saveResults(tx, { workspaceId: w, batchId: batch }, 0, all));
  // A thousand rows of all columns, the fattest among them: one that shows all takes as long as all else together, page after page.
  const table = { of: 'entities', q: 'N-1' };
  const link = await workspace.must(201, 'POST', '/csv-links', { name: 'Many', table });
  const view = await workspace.must(201, 'POST', '/views', {
    name: 'Many',
    list: 'entities',
    filters: { q: 'N-1' },
  });
  const comment = await workspace.must(201, 'POST', '/comments', { import: batch, text: '*'.repeat(10_000) });
  await run(
    `insert into comment (workspace_id, id, entity_id, author_id, text, mentions)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), repeat('x', 9000), '{}' from generate_series(1, 300)`,
    [workspace.locations[0]],
  );
  // What happens to a part happens to its children too.
  await run(
    `update lifecycle
     set transitions = (select jsonb_agg(t || $2::jsonb) from jsonb_array_elements(transitions) as t)
     where workspace_id = $1 and key = 'part'`,
    [JSON.stringify({ featureAutomations: [{ feature: 'cascadeTransition', settings: {} }] })],
  );
  // A position with a long history. What its hashes say is of no matter to a loop, which has to make them all the same.
  await run(
    `insert into stock_ledger (workspace_id, id, item_id, location_id, sequence, recorded_at, movement_type, quantity,
       on_hand_delta, reserved_delta, on_order_delta, on_hand_after, reserved_after, on_order_after, actor_id, hash)
     select $1, ('00000000-0001-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, $3, n, now(), 'Adjustment', 1,
            1, 0, 0, n, 0, 0, $1, sha256('') from generate_series(1, $4::int) n`,
    [children[0], workspace.locations[1], LONG_HISTORY],
  );
  await run(
    `insert into stock_position (workspace_id, item_id, location_id, on_hand, reserved, on_order, sequence, hash, updated_at)
     values ($1, $2, $3, $4::int, 0, 0, $4::int, sha256(''), now())`,
    [children[0], workspace.locations[1], LONG_HISTORY],
  );
  const countTask = await addValues(made.workspace, run, {
    itemId: children[0] as string,
    entries: LONG_HISTORY,
  });
  const button = await workspace.must(201, 'POST', '/automations', {
    name: 'Button',
    contextTypeId: 5,
    script: 'return 1;',
    enabled: true,
  });
  const ordered = async (type: string, itemEntityId: string) => {
    const lines = [{ itemEntityId, locationEntityId: workspace.locations[0], quantity: 2 }];
    return workspace.must(201, 'POST', '/orders', { type, lines });
  };
  const movedBy = async (
    order: { id: string },
    what: string,
  ): Promise<Record<'id' | 'bookingId', string>> => {
    await workspace.must(201, 'POST', `/orders/${order.id}/${what}`, {});
    return (await workspace.must(200, 'GET', `/stock/ledger?orderId=${order.id}&limit=1`)).items[0];
  };
  const [assembly] = (await workspace.addEntities(1)) as [string];
  await run(
    `insert into entity_link (workspace_id, parent_id, child_id, quantity)
     select $1, $2, id, 3 from unnest($3::uuid[]) as i (id)`,
    [assembly, children.slice(0, COMPONENTS_MAX)],
  );
  const building = await ordered('manufacturingOrder', assembly);
  const bought = await ordered('purchaseOrder', workspace.items[0] as string);
  const received = await movedBy(bought, 'receipts');
  const sold = await ordered('salesOrder', workspace.items[0] as string);
  const shipped = await movedBy(sold, 'shipments');
  const [inLots] = (await workspace.addEntities(1)) as [string];
  await workspace.must(200, 'PUT', `/stock/tracking/${inLots}`, { tracking: 'lot' });
  await workspace.must(201, 'POST', '/stock/adjustments/batch', {
    adjustments: Array.from({ length: 1000 }, (_, at) => ({
      itemEntityId: inLots,
      locationEntityId: workspace.locations[0],
      quantity: 1,
      lot: `L-${at}`,
      newLot: { expiresOn: '2999-12-31', supplierLot: 's'.repeat(100) },
    })),
  });
  const lots = await workspace.must(200, 'GET', `/stock/lots?itemEntityId=${inLots}&limit=1`);
  const sent = await workspace.must(201, 'POST', '/stock/transfers', {
    inTransit: true,
    lines: Array.from({ length: 500 }, (_, at) => ({
      itemEntityId: inLots,
      fromLocationEntityId: workspace.locations[0],
      toLocationEntityId: workspace.locations[1],
      quantity: 1,
      lot: `L-${at + 500}`,
    })),
  });
  photograph = await drawNoise(3600, 3000);
  expect(photograph.length).toBeGreaterThan(5_000_000);
  expect(photograph.length).toBeLessThan(server.ctx.config.PICTURE_BYTES_MAX);
  const pictured = await server.request(`/api/wid/${workspace.slug}/entities/${fattest}/picture`, {
    method: 'PUT',
    key: workspace.key,
    headers: { 'Content-Type': 'image/jpeg' },
    body: photograph,
  });
  expect(pictured.status, pictured.text).toBe(200);
  return {
    ...made.large,
    picture: pictured.body.picture,
    inLots,
    lot: lots.items[0].id,
    transfer: sent.entries[0].bookingId,
    building: building.lines[0].id,
    bought: bought.id,
    sold: sold.id,
    entry: received.id,
    received: received.bookingId,
    shipped: shipped.bookingId,
    button: button.id,
    countTask,
    apiKey: (await workspace.ask('GET', '/api-keys?limit=1')).body.items[0].id,
    member: (await workspace.ask('GET', '/members?limit=1')).body.items[0].id,
    invitation: (await workspace.ask('GET', '/invitations?limit=1')).body.items[0].id,
    csvLink: link.id as string,
    view: view.id as string,
    comment: comment.id as string,
    csvToken: link.url.split('/').at(-1) as string,
    fattest,
    wide,
    leading,
    screw,
    project,
    batch,
    item: workspace.items[0] as string,
    location: workspace.locations[0] as string,
  };
}

/** What stands for the parameters of a path, by what comes before them. */
function fill({ path, operationId }: AnyRoute): string {
  const known: [RegExp, string][] = [
    ...(operationId === 'listTransitions' ? [[/\{id\}/, large.item] as [RegExp, string]] : []),
    [/entities\/\{id\}$/, large.fattest],
    [/pictures\/\{sha256\}/, large.picture],
    [/revisions\/\{n\}/, '1'],
    [/\{n\}/, '1'],
    [/uses\/\{childId\}/, children[0] as string],
    [/stock\/(tracking|units)\/\{itemEntityId\}/, large.inLots],
    [/stock\/lots\/\{id\}/, large.lot],
    [/stock\/transfers\/\{id\}/, large.transfer],
    [/entities\/\{id\}\/transitions/, large.leading],
    [/entities\/\{id\}\/(uses|tree)/, large.wide],
    [/entities\/\{id\}\/where-used\/all/, large.screw],
    [/entities\/\{id\}\/where-used/, large.item],
    [/entities\/\{id\}/, large.fattest],
    [/batches\/\{id\}\/absent/, large.partial],
    [/batches\/\{id\}/, large.batch],
    [/import-definitions\/\{name\}/, 'file-1'],
    [/lines\/\{id\}(?=\/(components|scrap|disassemblies))/, large.building],
    [/lines\/\{id\}/, large.line],
    [/orders\/\{id\}(?=\/receipts\/)/, large.bought],
    [/orders\/\{id\}(?=\/shipments\/)/, large.sold],
    [/orders\/\{id\}/, large.order],
    [/receipts\/\{bookingId\}/, large.received],
    [/shipments\/\{bookingId\}/, large.shipped],
    [/\{entryId\}/, large.entry],
    [/requirements\/\{id\}/, large.requirement],
    [/suppliers\/\{id\}/, large.supplier],
    [/supplier-parts\/\{id\}/, large.supplierPart],
    [/projects\/\{id\}/, large.project],
    [/category\/\{file\}/, 'part.json'],
    [/\{file\}/, `${large.item}.json`],
    [/automations\/\{id\}\/trigger/, large.button],
    [/automations\/\{id\}/, large.automation],
    [/automation-runs\/\{id\}/, large.run],
    [/webhooks\/\{id\}/, large.webhook],
    [/deliveries\/\{deliveryId\}/, large.delivery],
    [/stock\/value\/\{itemEntityId\}/, children[0] as string],
    [/count-tasks\/\{id\}/, large.countTask],
    [/\{itemEntityId\}/, large.item],
    [/\{locationEntityId\}/, large.location],
    [/api-keys\/\{id\}/, large.apiKey],
    [/csv-links\/\{id\}/, large.csvLink],
    [/views\/\{id\}/, large.view],
    [/comments\/\{id\}/, large.comment],
    [/bulk-edits\/\{id\}\/apply/, large.dryRun],
    [/bulk-edits\/\{id\}/, large.bulkEdit],
    [/planning\/runs\/\{id\}/, large.planningRun],
    [/members\/\{id\}/, large.member],
    [/invitations\/\{id\}/, large.invitation],
    [/(sessions|passkeys)\/\{id\}/, large.apiKey],
    [/csv\/\{token\}/, large.csvToken],
    [/lifecycles\/\{key\}/, 'zz1'],
    [/categories\/\{key\}/, 'part'],
    [/property-definitions\/\{key\}/, 'L1'],
    [/\{slug\}/, made.workspace.slug],
  ];
  return known.reduce((at, [where, value]) => {
    const found = where.exec(at);
    return found === null ? at : at.replace(found[0], found[0].replace(/\{\w+\}/, value));
  }, path);
}

interface Figure {
  operation: string;
  what: string;
  status: number;
  ms: number;
}
const figures: Figure[] = [];
/** LOOP_ONLY=… asks those operations alone whose names fit. */
const only = new RegExp(process.env.LOOP_ONLY ?? '');

/** How often a request whose turn was too long is sent again: collecting garbage is nobody's in particular. */
const AGAIN = 2;

async function send(
  route: AnyRoute,
  what: string,
  target: string,
  body?: string | Uint8Array,
): Promise<void> {
  const figure = await measure(route, what, target, body);
  figures.push(figure);
  for (let at = 0; at < AGAIN && probed.isTooLong(figure.ms); at++) {
    const again = await measure(route, what, target, body);
    // What is refused the second time has not been done a second time, and says nothing.
    if (again.status === figure.status) figure.ms = Math.min(figure.ms, again.ms);
  }
}

async function measure(
  route: AnyRoute,
  what: string,
  target: string,
  body?: string | Uint8Array,
): Promise<Figure> {
  const response = await fetch(`${probed.baseUrl}${target}`, {
    method: route.method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${route.access === 'operator' ? OPERATOR : made.workspace.key}`,
      ...(body === undefined
        ? {}
        : { 'Content-Type': typeof body === 'string' ? 'application/json' : 'image/jpeg' }),
    },
    ...(body === undefined ? {} : { body: body as string }),
  });
  await response.arrayBuffer();
  const ms = await probed.longestTurnMs();
  return { operation: route.operationId, what, status: response.status, ms };
}

/** Of operations that do much with a body that fits, or where nothing is said by the path alone. */
function largestFitting(): Record<string, (string | Uint8Array)[]> {
  const { part, location } = large;
  const many = Array.from({ length: 10_000 }, (_, at) => at);
  const kept = (bytes: number) =>
    Object.fromEntries([
      ...Array.from({ length: 499 }, (_, at) => [`L${at + 1}`, 'y'.repeat(bytes / 500 - 20)]),
      ['L500', 1],
    ]);
  const longest = Object.fromEntries(Object.entries(kept(200_000)).slice(0, 20));
  const states = Array.from({ length: 100 }, (_, at) => ({ name: `State ${at}`, released: at > 50 }));
  const transitions = Array.from({ length: 1000 }, (_, at) => ({
    id: `t${at}`,
    name: `T${at}`,
    from: `State ${at % 100}`,
    to: `State ${(at + 1 + Math.floor(at / 100)) % 100}`,
    featureAutomations: [],
  }));
  const lifecycle = { name: 'Largest', initialState: 'State 0', states, transitions };
  const script = `${'// a line of the script\n'.repeat(2500)}return 1;`;
  const automation = { name: 'Largest', contextTypeId: 3, script, enabled: false };
  const bodies: Record<string, unknown[]> = {
    createEntity: [{ category: 'part', name: 'Largest', properties: kept(250_000) }],
    updateEntity: [{ properties: kept(250_000) }],
    transitionEntity: [{ toState: 'In Review', note: 'n'.repeat(4096) }],
    replacePart: [
      { by: part, reason: 'n'.repeat(2000), dryRun: true },
      { by: part, reason: 'n'.repeat(2000), dryRun: true, parents: children.slice(0, 1000) },
    ],
    // Removed again: a revaluation is refused beside it.
    setStandardCost: [{ cost: '1.25', note: 'n'.repeat(2000) }, { cost: null }],
    revalueStock: [{ unitCost: { price: '1.5' }, note: 'n'.repeat(2000) }],
    createBulkEdit: [
      { filter: { ids: children.slice(0, 1000) }, change: { properties: longest }, dryRun: true },
      { filter: { q: 'N-1' }, change: { state: 'In Review' }, reason: 'n'.repeat(2000) },
    ],
    createPlanningRun: [
      {
        holidays: Array.from({ length: 500 }, () => '2026-12-24'),
        whatIf: {
          demand: Array.from({ length: 500 }, () => ({
            itemEntityId: large.item,
            quantity: 1,
            requiredBy: '2026-12-24',
          })),
        },
      },
    ],
    commitPlanningRun: [
      { actions: Array.from({ length: 500 }, (_, at) => at + 1), locationEntityId: large.location },
    ],
    dismissPlanningActions: [{ actions: Array.from({ length: 500 }, (_, at) => at + 501) }],
    applyBulkEdit: [{ reason: 'n'.repeat(2000) }],
    undoBulkEdit: [{ reason: 'n'.repeat(2000) }],
    mergeEntity: [{ from: part, reason: 'n'.repeat(2000), dryRun: true }],
    createLifecycle: [{ key: 'largest', ...lifecycle }],
    replaceLifecycle: [lifecycle],
    createComment: [{ entity: large.location, text: '語'.repeat(10_000) }],
    editComment: [{ text: '語'.repeat(10_000) }],
    lookUpEntities: [{ numbers: Array.from({ length: 1000 }, (_, at) => `N-${at}`) }],
    postAdjustmentBatch: [
      {
        adjustments: children.map((itemEntityId) => ({
          itemEntityId,
          locationEntityId: location,
          quantity: 1.5,
          note: 'n'.repeat(600),
        })),
      },
      {
        adjustments: many.map(() => ({ itemEntityId: part, locationEntityId: location, quantity: 0.000001 })),
      },
      { adjustments: many.map(() => ({ itemEntityId: part, locationEntityId: location, quantity: -9e8 })) },
    ],
    countStock: [true, false].map((dryRun) => ({
      dryRun,
      lines: children.map((item, at) => ({ item, location, countedQty: at })),
    })),
    raiseShortages: [{ itemEntityIds: children }],
    createAutomation: [automation],
    replaceAutomation: [automation],
    testScript: [{ script, context: Object.fromEntries(many.map((at) => [`k${at}`, 'v'.repeat(100)])) }],
    triggerAutomation: [{ context: { text: 'x'.repeat(200_000) } }],
    submitSync: [
      {
        entities: Array.from({ length: 50_000 }, (_, at) => ({
          guid: newId(),
          number: `S-${at}`,
          name: 'Sent',
          categoryKey: 'part',
          properties: { L1: 'x'.repeat(1200) },
        })),
      },
    ],
  };
  return {
    ...Object.fromEntries(
      Object.entries(bodies).map(([operation, some]) => [operation, some.map((one) => JSON.stringify(one))]),
    ),
    setEntityPicture: [photograph],
    uploadPicture: [photograph],
    setUse: [
      JSON.stringify({ quantity: 2 }),
      JSON.stringify({
        quantity: 3,
        note: 'n'.repeat(1024),
        referenceDesignators: Array.from({ length: 2000 }, (_, at) => `R${9999 - at}`),
      }),
    ],
  };
}

test('no operation keeps the loop', { timeout: TIMEOUT_MS }, async () => {
  const fitting = largestFitting();
  // What is there is read before it is removed; what adds to these is done before.
  const later = new Set(['verifyLedger', 'getLedgerDigest', 'listRequirements', 'listShortages']);
  const rank = ({ method, operationId }: AnyRoute) =>
    method === 'delete' || /close|cancel|Cancel/.test(operationId) ? 2 : later.has(operationId) ? 1 : 0;
  const reading = new Set(
    routes
      .filter(({ method, operationId }) => method === 'get' || operationId in fitting)
      .map(({ operationId }) => operationId),
  );
  const inOrder = routes.toSorted((a, b) => rank(a) - rank(b));
  for (const route of inOrder) {
    if (exempt.has(route.operationId)) continue;
    if (!only.test(route.operationId)) continue;
    const target = fill(route);
    const query = route.query !== undefined && 'cursor' in route.query.shape ? '?limit=1000' : '';
    if (route.method === 'get') await send(route, 'read', target + (queries()[route.operationId] ?? query));
    else if (route.body === undefined && route.rawBody === undefined) await send(route, 'act', target);
    for (const body of fitting[route.operationId] ?? [])
      await send(route, 'the largest that fits', target, body);
    if (route.body === undefined || route.method === 'get') continue;
    const schema = document.paths[route.path][route.method].requestBody.content['application/json'].schema;
    const bytes = route.bodyBytesMax ?? server.ctx.config.BODY_BYTES_MAX;
    for (const [what, body] of hostileBodies(document, schema, bytes)) await send(route, what, target, body);
  }
  // Each has been sent something, and has not only said that there is nothing there; what is read has been read.
  const isReached = ({ operation, status }: Figure) =>
    reading.has(operation) && !refused.has(operation) ? status < 300 : status !== 404;
  const reached = new Set(figures.filter(isReached).map(({ operation }) => operation));
  const missing = routes
    .map(({ operationId }) => operationId)
    .filter((one) => only.test(one) && !reached.has(one) && !exempt.has(one))
    .map((one) => [one, figures.filter(({ operation }) => operation === one).map(({ status }) => status)]);
  expect(missing).toEqual([]);
  expect(figures.filter(({ ms }) => probed.isTooLong(ms))).toEqual([]);
});

/** With the reason. */
const exempt = new Map([
  ['streamSyncEvents', 'ends with its batch: one line each second, of a fixed length'],
  ['streamEvents', 'ends with its caller: what changed within a second, bounded in number'],
]);

/** Refused whole, with the reason. */
const refused = new Map([
  ['listSentElements', 'the batch was made without what was sent'],
  ['createLifecycle', 'the configuration of the workspace is as large as it may be'],
  ['commitPlanningRun', 'the actions were inserted as they are, and rest on no stock that is there'],
  ['getPlanningTimeline', 'the item is part of more others than are followed'],
  ['getPromise', 'the item is part of more others than are followed'],
  ['getMe', 'the caller is a key, and a few rows of one person are all that it reads'],
  ['listMyApiKeys', 'the caller is a key, and listApiKeys reads more of them'],
]);

const queries = (): Record<string, string> => ({
  listRequirements: `?limit=1000&projectId=${large.project}`,
  compareRevisions: '?from=1&to=3',
  getPromise: '?quantity=1',
  getRollup: '?property=L500',
  comparePlanningRuns: `?limit=1000&with=${large.comparedRun}`,
  listEntities: '?limit=1000&sort=number&q=n',
  findUses: '?limit=1000&referenceDesignator=R17',
  countEntities: '?q=n',
  getEntityLabel: '?as=png&scale=20',
  getHistoryByItem: '?points=200',
  traceLot: '?direction=up',
  listStockValues: '?limit=1000',
  listCostLayers: '?limit=1000',
  listStandardCosts: '?limit=1000',
  listCostVariances: '?limit=1000',
  listCountTasks: '?limit=1000',
  listLots: `?limit=1000&itemEntityId=${large.inLots}`,
  listLotHolds: `?lotId=${large.lot}`,
  listComments: `?limit=1000&entity=${large.location}`,
  proposeLots: `?itemEntityId=${large.inLots}&locationEntityId=${large.location}`,
  // Of all its positions it is refused.
  getHistoryByLocation: `?points=200&other=${large.item}`,
});
