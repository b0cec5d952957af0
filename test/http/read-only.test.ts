// What GET gave can be sent back, by the service and by its document; a read-only field that differs is refused.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/api.ts';
import { buildOpenApi } from '../../src/http/document/build-openapi.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

interface Schema {
  properties: Record<string, { readOnly?: boolean }>;
  required?: string[];
}

const document = JSON.parse(JSON.stringify(buildOpenApi(routes)));
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ ...document, $id: 'openapi' });

interface Resource {
  body: object | ((made: Made) => object);
  /** Where it is, where that is not below what made it: it is made by PUT. */
  at?: (made: Made) => string;
  /** Shown, of something else that anybody may change: only its form is held to. */
  drifting?: readonly string[];
  change: object;
  /** Another change of the same, behind that. */
  undone: object;
}

/** Each resource that can be read and then changed at one path: how one is made, and changes that it takes. */
const resources: Record<string, Resource> = {
  '/categories/{key}': {
    body: { key: 'bolt', name: 'Bolt', lifecycle: 'part' },
    change: { name: 'Screw' },
    undone: { name: 'Bolt' },
  },
  '/property-definitions/{key}': {
    body: { key: 'Mass', name: 'Mass', type: 'numeric' },
    change: { name: 'Mass (kg)' },
    undone: { name: 'Mass' },
  },
  '/lifecycles/{key}': {
    body: { key: 'plain', name: 'Plain', initialState: 'Here', states: [{ name: 'Here' }] },
    change: { name: 'Simple' },
    undone: { name: 'Plain' },
  },
  '/api-keys/{id}': {
    body: { name: 'CAD', permission: 'write' },
    change: { name: 'PLM' },
    undone: { name: 'CAD' },
  },
  '/entities/{id}': {
    body: { category: 'part', name: 'Block' },
    change: { name: 'Bearing block' },
    undone: { name: 'Block' },
  },
  '/automations/{id}': {
    body: { name: 'Tell', contextTypeId: 2, script: 'api.log(1)' },
    change: { enabled: false },
    undone: { enabled: true },
  },
  '/webhooks/{id}': {
    body: { url: 'https://example.com/hook', events: ['entity.created'] },
    change: { description: 'ERP' },
    undone: { description: 'PLM' },
  },
  '/stock/lines/{id}': {
    body: ({ part, place }) => ({
      type: 'purchaseOrder',
      itemEntityId: part,
      locationEntityId: place,
      quantity: 4,
    }),
    change: { quantity: 5, price: '0.5', currency: 'EUR' },
    undone: { quantity: 4 },
    drifting: ['amount', 'packs'],
  },
  '/stock/settings': {
    at: () => '/stock/settings',
    body: {
      reserveReceived: true,
      overDeliveryPercent: 2,
      adjustmentReasons: ['scrap'],
      stockClosedUntil: null,
      workingDays: { weekdays: [1, 2, 3, 4, 5], holidays: ['2026-12-24'] },
    },
    change: { overDeliveryPercent: 3 },
    undone: { overDeliveryPercent: 2 },
  },
  '/stock/count-tasks/{id}': {
    body: ({ place }) => ({ location: place, note: 'Before the audit' }),
    change: { note: 'After the audit' },
    undone: { note: 'Before the audit' },
  },
  '/order-template': {
    at: () => '/order-template',
    body: { sender: 'Rover Works AB' },
    change: { paper: 'Letter' },
    undone: { paper: 'A4' },
  },
  '/stock/units/{itemEntityId}': {
    at: ({ part }) => `/stock/units/${part}`,
    body: { baseUnit: 'pcs', units: [{ unit: 'reel', numerator: 4000, denominator: 1 }] },
    change: { units: [] },
    undone: { units: [{ unit: 'reel', numerator: 4000, denominator: 1 }] },
    drifting: ['measured', 'isFixed'],
  },
  '/stock/tracking/{itemEntityId}': {
    at: ({ part }) => `/stock/tracking/${part}`,
    body: { tracking: 'lot' },
    change: { tracking: 'serial' },
    undone: { tracking: 'lot' },
    drifting: ['unassignedQty', 'unassigned'],
  },
  '/stock/lots/{id}': {
    at: ({ lot }) => `/stock/lots/${lot}`,
    body: { supplierLot: 'S-1' },
    change: { supplierLot: 'S-2' },
    undone: { supplierLot: 'S-1' },
    drifting: ['onHand', 'positions'],
  },
  '/requirements/{id}': {
    body: ({ part, project }) => ({ projectId: project, itemEntityId: part, requiredQty: 4 }),
    change: { requiredQty: 5 },
    undone: { requiredQty: 4 },
  },
  '/orders/{id}': {
    body: ({ part, place }) => ({
      type: 'purchaseOrder',
      lines: [{ itemEntityId: part, locationEntityId: place, quantity: 4 }],
    }),
    change: { supplier: 'Bolts & Co', theirReference: 'AB-1' },
    undone: { supplier: 'Nuts & Co' },
  },
  '/planning/items/{itemEntityId}': {
    at: ({ part }) => `/planning/items/${part}`,
    body: { policy: 'reorderPoint', reorderPoint: 10 },
    change: { reorderPoint: 20 },
    undone: { reorderPoint: 10 },
    drifting: ['itemNumber', 'itemName'],
  },
  '/group-rules': {
    at: () => '/group-rules',
    body: { items: [{ group: 'engineers', areas: ['read'] }] },
    change: { items: [{ group: 'engineers', areas: ['read', 'stock'] }] },
    undone: { items: [{ group: 'engineers', areas: ['read'] }] },
  },
  '/members/{id}': {
    at: ({ member }) => `/members/${member}`,
    body: { name: 'Anna Berg', areas: ['read'] },
    change: { areas: ['read', 'stock'] },
    undone: { areas: ['read'] },
    drifting: ['lastSeenAt'],
  },
  '/suppliers/{id}': {
    body: { name: 'Nuts & Bolts', currency: 'EUR' },
    change: { name: 'Bolts & Nuts', leadTimeDays: 3 },
    undone: { name: 'Nuts & Bolts', leadTimeDays: null },
  },
  '/supplier-parts/{id}': {
    body: ({ part, supplier }) => ({ itemEntityId: part, supplierId: supplier, sku: 'S-1' }),
    change: { prices: [{ from: 1, price: '0.5', currency: 'EUR', validFrom: null, source: null }] },
    undone: { prices: [] },
    drifting: ['itemNumber', 'itemName', 'supplier'],
  },
  // What is read of a line of a structure is its child besides.
  '/entities/{id}/uses/{childId}': {
    at: ({ whole, part }) => `/entities/${whole}/uses/${part}`,
    body: { quantity: 2, unit: 'm', referenceDesignators: ['R1'] },
    change: { quantity: 3 },
    undone: { quantity: 2 },
    drifting: ['number', 'name', 'category', 'state', 'revision', 'picture', 'hasChildren', 'hasParents'],
  },
  '/views/{id}': {
    body: { name: 'Parts', list: 'entities', filters: { category: ['part'] } },
    change: { shared: true },
    undone: { shared: false },
  },
  '/comments/{id}': {
    body: ({ part }) => ({ entity: part, text: 'Check the hole pattern.' }),
    change: { text: 'Checked.' },
    undone: { text: 'Check the hole pattern.' },
  },
  '/import-definitions/{name}': {
    body: { name: 'pdm', mapping: { columns: { number: 'Part', name: 'Description' } } },
    change: { mapping: { columns: { number: 'Part', name: 'Title' } } },
    undone: { mapping: { columns: { number: 'Part', name: 'Description' } } },
  },
};

/** The ids of a part, what it is built into, a lot of another, a place and a project. */
interface Made {
  part: string;
  lot: string;
  whole: string;
  place: string;
  project: string;
  supplier: string;
  member: string;
}

const WITHIN = '/api/wid/{slug}';
const changing = routes.filter(
  (route) =>
    ['put', 'patch'].includes(route.method) &&
    // A picture is sent back as the bytes that it is.
    route.rawBody === undefined &&
    routes.some((other) => other.method === 'get' && other.path === route.path),
);

let server: TestServer;
let workspace: DefaultWorkspace;
let entities: Made;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  const make = async (category: string) =>
    (await workspace.ask('POST', '/entities', { category, name: `A ${category}` })).body.id;
  const place = await make('location');
  entities = {
    part: await make('part'),
    whole: await make('part'),
    lot: await makeLot(await make('part'), place),
    place,
    project: await make('project'),
    supplier: (await workspace.ask('POST', '/suppliers', { name: 'A supplier' })).body.id,
    member: await letIn(),
  };
});
afterAll(() => server.close());

async function letIn(): Promise<string> {
  const invited = await workspace.ask('POST', '/invitations', { name: 'Anna Berg', areas: ['read'] });
  const joined = await server.request('/api/sign-in/link/acceptance', {
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: {
      link: new URL(invited.body.url).hash.slice(1),
      password: { userName: 'anna.berg', password: 'correct horse battery' },
    },
  });
  return joined.body.workspaces[0].memberId;
}

async function makeLot(item: string, place: string): Promise<string> {
  const at = {
    itemEntityId: item,
    locationEntityId: place,
    quantity: 1,
    note: 'new',
    lot: 'L-1',
    newLot: {},
  };
  expect((await workspace.ask('PUT', `/stock/tracking/${item}`, { tracking: 'lot' })).status).toBe(200);
  const adjusted = await workspace.ask('POST', '/stock/adjustments', at);
  expect(adjusted.status, adjusted.text).toBe(201);
  return (await workspace.ask('GET', `/stock/lots?itemEntityId=${item}`)).body.items[0].id;
}

test('every resource that can be read and changed is among them', () => {
  const paths = changing.map((route) => route.path.replace(WITHIN, ''));
  expect(paths.toSorted()).toEqual(Object.keys(resources).toSorted());
});

describe.each(changing.map((route) => [route.operationId, route] as const))('%s', (_name, route) => {
  const path = route.path.replace(WITHIN, '');
  const {
    body,
    change,
    undone,
    at: placeOf,
    drifting = ['disabledReason'],
  } = resources[path] ?? { body: {}, change: {}, undone: {} };
  const method = route.method.toUpperCase();
  const { $ref } = document.paths[route.path][route.method].requestBody.content['application/json'].schema;
  const name: string = $ref.split('/').at(-1);
  const schema: Schema = document.components.schemas[name];
  const readOnly = Object.keys(schema.properties).filter((field) => schema.properties[field]?.readOnly);
  let at: string;
  let read: Record<string, unknown>;

  beforeAll(async () => {
    const collection = path.replace(/\/\{\w+\}$/, '');
    if (placeOf !== undefined) {
      at = placeOf(entities);
      const put = await workspace.ask(method, at, body);
      expect([200, 201], put.text).toContain(put.status);
      read = (await workspace.ask('GET', at)).body;
      return;
    }
    const made = await workspace.ask('POST', collection, typeof body === 'function' ? body(entities) : body);
    expect(made.status, made.text).toBe(201);
    const resource = made.body.line ?? made.body;
    at = `${collection}/${resource.key ?? resource.id ?? resource.name}`;
    at = collection === '/api-keys' ? `${collection}/${made.body.id}` : at;
    read = (await workspace.ask('GET', at)).body;
  });

  test('what GET gave fits the schema of the request, by the letter and without its read-only fields', () => {
    const fits = ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
    expect(fits(read), JSON.stringify(fits.errors)).toBe(true);
    expect(fits({ ...read, nmae: 'x' })).toBe(false);
    // As validators do that hold read-only fields to be no part of a request.
    const properties = Object.fromEntries(
      Object.entries(schema.properties).filter(([field]) => !readOnly.includes(field)),
    );
    const withoutThem = { ...document.components.schemas[name], properties, components: document.components };
    const fitsWithout = ajv.compile(withoutThem);
    expect(fitsWithout(read), JSON.stringify(fitsWithout.errors)).toBe(true);
  });

  test('what GET gave can be sent back and changes nothing; with one change it makes that one', async () => {
    const before = await workspace.ask('GET', at);
    const same = await workspace.ask(method, at, before.body);
    expect(same.status, same.text).toBe(200);
    expect(same.body).toEqual(before.body);
    expect(same.headers.get('etag')).toBe(before.headers.get('etag'));
    const changed = await workspace.ask(method, at, { ...before.body, ...change });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject(change);
    const now = await workspace.ask('GET', at);
    expect(changed.body).toEqual(now.body);
  });

  test('of two who have read the same, one changes it', async () => {
    const before = await workspace.ask('GET', at);
    const tag = before.headers.get('etag');
    expect(tag).toMatch(/^"[^"]+"$/);
    const send = (ifMatch: string | null, body: object) =>
      workspace.ask(method, at, { ...before.body, ...body }, { 'If-Match': `${ifMatch}` });
    const stale = await send('"of-another-day"', undone);
    expect([stale.status, stale.body.code], stale.text).toEqual([412, 'precondition_failed']);
    expect((await workspace.ask('GET', at)).body).toEqual(before.body);
    const both = await Promise.all([send(tag, undone), send(tag, undone)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const changed = both.find(({ status }) => status === 200);
    const now = await workspace.ask('GET', at);
    expect(now.headers.get('etag')).toBe(changed?.headers.get('etag'));
    expect(now.headers.get('etag')).not.toBe(tag);
  });

  test.each(readOnly)('another %s is refused, and nothing of the body is done', async (field) => {
    const before = await workspace.ask('GET', at);
    const other = {
      ...before.body,
      ...change,
      [field]: typeof before.body[field] === 'boolean' ? 1 : 'other',
    };
    const drifts = drifting.includes(field);
    const answer = await workspace.ask(method, at, drifts ? { ...other, [field]: [7] } : other);
    expect([answer.status, answer.body.code], answer.text).toEqual([422, 'read_only_field']);
    expect(answer.body.errors).toMatchObject([{ pointer: `/${field}`, code: 'read_only_field' }]);
    expect((await workspace.ask('GET', at)).body).toEqual(before.body);
  });
});

test('what the service itself changes meanwhile may be sent as it was', async () => {
  const { body: made } = await workspace.ask('POST', '/api-keys', { name: 'Busy', permission: 'write' });
  const { body: key } = await workspace.ask('GET', `/api-keys/${made.id}`);
  for (const lastUsedAt of [null, '2026-11-20T09:30:00.000Z']) {
    const answer = await workspace.ask('PUT', `/api-keys/${key.id}`, { ...key, lastUsedAt });
    expect(answer.status, answer.text).toBe(200);
  }
});

test('whoever changes twice may send what was read before the first change', async () => {
  const { body: made } = await workspace.ask('POST', '/entities', { category: 'part', name: 'Wheel' });
  const path = `/entities/${made.id}`;
  const { body: read } = await workspace.ask('GET', path);
  for (const name of ['Wheel, black', 'Wheel, white']) {
    const answer = await workspace.ask('PATCH', path, { ...read, name });
    expect([answer.status, answer.body.name], answer.text).toEqual([200, name]);
  }
});
