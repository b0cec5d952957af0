// The API reference is true: whatever is sent to whichever operation, the answer is one that the reference
// documents, in the form that it documents, and never a 5xx.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/api.ts';
import { buildOpenApi } from '../../src/http/document/build-openapi.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { fitting, hostileValue, type JsonSchema, nearlyFitting, resolve } from '../setup/generate-input.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { runs } from '../setup/tier.ts';

/** Of each kind, for each operation; CONTRACT_RUNS=500 for a long search. */
const RUNS = Number(process.env.CONTRACT_RUNS ?? runs(15, 3));
const SEED = Number(process.env.CONTRACT_SEED ?? 20261120);
const OPERATOR = 'operator-token-of-the-tests';

const document: JsonSchema = JSON.parse(JSON.stringify(buildOpenApi(routes, { closed: true })));
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ ...document, $id: 'openapi' });

let server: TestServer;
let slug: string;
let key: string;
/** What paths can name: ids and keys that answers have shown, by the path of their collection. */
const known = new Map<string, Set<string>>();
const cursors = new Map<string, string>();
const WORKSPACE = '/api/wid/{slug}';
const within = (collection: string) => [...(known.get(WORKSPACE + collection) ?? [])];
const input = {
  openApi: document,
  existing: (field: string) => {
    if (/^(category|categoryKey)$/.test(field)) return within('/categories');
    if (/^(lifecycle|lifecycleKey)$/.test(field)) return within('/lifecycles');
    if (field === 'orderId') return within('/orders');
    if (field === 'requirementId') return within('/requirements');
    return /^(childId|parentId|projectId|entityId|\w+EntityId)$/.test(field) ? within('/entities') : [];
  },
};
beforeAll(async () => {
  server = await startTestServer({
    environment: { SYNC_WAIT_SECONDS: '0', SYNC_MAX_QUEUED_BATCHES: '1000000' },
  });
  const made = await server.request('/api/workspaces', {
    key: OPERATOR,
    body: { slug: 'contract', name: 'Contract' },
  });
  slug = made.body.workspace.slug;
  key = made.body.apiKey.key;
  for (const collection of ['/categories', '/lifecycles']) {
    const { body } = await server.request(`/api/wid/${slug}${collection}`, { key });
    for (const item of body.items) rememberName(WORKSPACE + collection, item.key);
  }
});
afterAll(() => server.close());

// Reading operations last, when there is something to read.
const order = ['post', 'put', 'patch', 'get', 'delete'];
const sorted = routes.toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method));

describe.each(sorted.map((route) => [route.operationId, route] as const))('%s', (_name, route) => {
  const operation = document.paths[route.path][route.method];

  test('answers as documented to input that fits', async () => {
    await attempt(route, operation, 'fitting');
  });
  test('answers as documented to input that does not', async () => {
    await attempt(route, operation, 'hostile');
  });
});

async function attempt(route: AnyRoute, operation: JsonSchema, kind: 'fitting' | 'hostile'): Promise<void> {
  const good = kind === 'fitting';
  const parameters: JsonSchema[] = (operation.parameters ?? []).map((one: JsonSchema) =>
    resolve(document, one),
  );
  const named = (where: string) => parameters.filter((one) => one.in === where && one.name !== 'slug');
  const textOf = (one: JsonSchema) =>
    good
      ? fitting(input, one.schema).map(String)
      : fc.oneof(
          fitting(input, one.schema).map(String),
          hostileValue.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
        );
  const required = named('query').filter((one) => good && one.required);
  const query = fc
    .record(Object.fromEntries(named('query').map((one) => [one.name, textOf(one)])), {
      requiredKeys: required.map((one) => one.name) as never[],
    })
    .map((given) => given as Record<string, string>);
  const path = fc.record(Object.fromEntries(named('path').map((one) => [one.name, textOf(one)])));
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const body =
    schema === undefined
      ? fc.constant(undefined)
      : route.rawBody !== undefined
        ? rawBody(good)
        : good
          ? fitting(input, schema)
          : nearlyFitting(input, schema);

  const inputs = fc.sample(fc.tuple(path, query, body, fc.nat(), fc.boolean()), {
    numRuns: RUNS,
    seed: SEED,
  });
  for (const [params, search, content, seed, existing] of inputs) {
    const target = targetOf(route, params, { ...search }, seed, good || existing);
    if (target === null) continue;
    const answer = await send(route, target, content, good ? {} : oddHeaders(seed));
    const told = `${route.method} ${target} ${JSON.stringify(content)?.slice(0, 500)}\n→ ${answer.status} ${answer.text.slice(0, 500)}`;
    expect(answer.status, told).toBeLessThan(500);
    checkDocumented(route, operation, answer, told);
    remember(route, answer);
  }
}

function rawBody(good: boolean): fc.Arbitrary<unknown> {
  const element = fc.record(
    {
      guid: good ? fc.uuid() : fc.oneof(fc.uuid(), hostileValue),
      number: good ? fc.string({ unit: 'grapheme', maxLength: 20 }) : hostileValue,
      name: fc.string({ minLength: 1, maxLength: 20 }),
      categoryKey: fc.constantFrom('part', 'assembly', 'nothing'),
      parentGuid: fc.option(fc.uuid()),
      properties: fc.dictionary(fc.string(), good ? fc.string() : hostileValue, { maxKeys: 3 }),
    },
    { requiredKeys: good ? ['guid', 'number', 'name', 'categoryKey'] : [] },
  );
  const whole = fc.record({ entities: fc.array(element, { maxLength: 5 }) });
  return good ? whole : fc.oneof(whole, hostileValue, fc.record({ entities: hostileValue }));
}

/** The path with its parameters filled in: with what exists, where something does and it is wanted. */
function targetOf(
  route: AnyRoute,
  params: Record<string, unknown>,
  search: Record<string, string>,
  seed: number,
  existing: boolean,
): string | null {
  let unencodable = false;
  const encode = (text: string) => {
    if (!text.isWellFormed()) unencodable = true;
    return unencodable ? '' : encodeURIComponent(text.slice(0, 2000));
  };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string, at: number) => {
    if (name === 'slug') return slug;
    const candidates = [...(known.get(route.path.slice(0, at - 1)) ?? input.existing(name))];
    const chosen = existing ? candidates[seed % Math.max(candidates.length, 1)] : undefined;
    return encode(chosen ?? (String(params[name] ?? placeholder) || 'x'));
  });
  // A made-up cursor is refused before anything else is looked at: one that an answer gave, or none.
  const cursor = cursors.get(route.path);
  if (existing && search.cursor !== undefined && cursor !== undefined) search.cursor = cursor;
  else if (existing) delete search.cursor;
  const query = Object.entries(search).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return unencodable ? null : `${path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

function oddHeaders(seed: number): Record<string, string> {
  const odd: Record<string, string>[] = [
    {},
    { 'If-Match': '"nothing"' },
    { 'Idempotency-Key': `k${seed % 3}` },
    { 'Idempotency-Key': 'two words' },
    { 'Content-Type': 'text/plain' },
    { 'Content-Encoding': 'gzip' },
    { Accept: 'text/csv', Prefer: 'wait=nonsense' },
    { 'If-None-Match': 'nonsense', Range: 'bytes=0-1' },
  ];
  return odd[seed % odd.length] as Record<string, string>;
}

async function send(
  route: AnyRoute,
  target: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<TestAnswer> {
  return server.request(target, {
    method: route.method.toUpperCase(),
    ...(route.access === 'public' ? {} : { key: route.access === 'operator' ? OPERATOR : key }),
    headers: { ...(route.rawBody === undefined ? {} : { Prefer: 'respond-async' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    endless: streamsForEver(route),
  });
}

function streamsForEver(route: AnyRoute): boolean {
  return Object.values(route.answers).some(
    (answer) => answer.alternatives?.['text/event-stream'] !== undefined,
  );
}

function checkDocumented(route: AnyRoute, operation: JsonSchema, answer: TestAnswer, told: string): void {
  const declared = operation.responses[answer.status];
  expect(declared, `undocumented status: ${told}`).toBeDefined();
  const type = answer.headers.get('content-type')?.split(';')[0];
  if (type === undefined) {
    expect([answer.text, declared.content === undefined || streamsForEver(route)], told).toEqual(['', true]);
    return;
  }
  expect(Object.keys(declared.content ?? {}), told).toContain(type);
  if (answer.body === undefined) return;
  const fits = validatorOf([
    'paths',
    route.path,
    route.method,
    'responses',
    String(answer.status),
    'content',
    type,
  ]);
  expect(fits(answer.body), `${told}\n${JSON.stringify(fits.errors)}`).toBe(true);
}

const validators = new Map<string, ValidateFunction>();

/** Of the schema at that place in the document, compiled once: answers are by the thousand. */
function validatorOf(place: readonly string[]): ValidateFunction {
  const pointer = [...place, 'schema']
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const known = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` });
  validators.set(pointer, known);
  return known;
}

/** Keeps what later paths can name; never the key that this test itself works with. */
function remember(route: AnyRoute, { status, body }: TestAnswer): void {
  if (status >= 300 || typeof body !== 'object' || body === null) return;
  if (typeof body.nextCursor === 'string') cursors.set(route.path, body.nextCursor);
  if (route.operationId === 'createCsvLink') rememberName('/api/wid/{slug}/csv', body.url.split('/').at(-1));
  const collection = route.path.replace(/\/\{\w+\}$/, '').replace(/\/pdm\/sync$/, '/pdm/sync/batches');
  const holdsKeys = collection.endsWith('/api-keys');
  const one = body.line ?? body.requirement ?? body.automation ?? body;
  for (const item of Array.isArray(body.items) ? body.items : [one]) {
    if (holdsKeys && item.name === 'First key') continue;
    const name = item.id ?? item.batchId ?? (holdsKeys ? undefined : item.key);
    if (typeof name === 'string') rememberName(collection, name);
  }
}

function rememberName(collection: string, name: string): void {
  if (!known.has(collection)) known.set(collection, new Set());
  known.get(collection)?.add(name);
}
