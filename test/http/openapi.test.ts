// The API reference: complete, in step with the routes, and readable without the internet.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/api.ts';
import { buildOpenApi } from '../../src/http/document/build-openapi.ts';
import { eventTypes, TEST_TYPE } from '../../src/webhooks/webhook.schema.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

type Content = Record<string, { schema: { $ref: string } }>;
type Responses = Record<number, { content?: Content }>;
interface Operation {
  requestBody: { content: { 'application/json': { schema: { $ref: string } } } };
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('docs/openapi.json is what the routes say (npm run openapi)', () => {
  const committed = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
  expect(committed).toBe(`${JSON.stringify(buildOpenApi(routes), null, 2)}\n`);
});

test('every operation has a summary, a tag, security and documented problems', () => {
  const operations = Object.values(buildOpenApi(routes).paths ?? {}).flatMap((item) => Object.values(item));
  expect(operations.length).toBe(routes.length);
  for (const operation of operations) {
    expect(operation.summary, operation.operationId).toMatch(/^[A-Z]/);
    expect(operation.tags).toHaveLength(1);
    expect(Array.isArray(operation.security)).toBe(true);
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['422', '500', '503']));
  }
});

test('every tag says what it is about', () => {
  const tags = buildOpenApi(routes).tags ?? [];
  expect(tags.length).toBeGreaterThan(5);
  for (const { name, description } of tags) expect(description, name).toMatch(/^[A-Z].{20,}\.$/);
});

test('it says what streams carry and what webhooks are told', () => {
  const { paths = {}, webhooks = {}, components } = JSON.parse(JSON.stringify(buildOpenApi(routes)));
  const streams = Object.entries(paths as Record<string, { get?: { responses: Responses } }>).flatMap(
    ([path, { get }]) => {
      const schema = get?.responses[200]?.content?.['text/event-stream']?.schema;
      return schema === undefined ? [] : [[path.replace(/.*\{slug\}/, ''), schema]];
    },
  );
  expect(Object.fromEntries(streams)).toEqual({
    '/pdm/sync/batches/{id}/events': { $ref: '#/components/schemas/SyncEvent' },
    '/events': { $ref: '#/components/schemas/WorkspaceEvent' },
  });
  expect(Object.keys(webhooks).toSorted()).toEqual([...Object.values(eventTypes), TEST_TYPE].toSorted());
  for (const { post } of Object.values(webhooks) as { post: Operation }[]) {
    const { $ref } = post.requestBody.content['application/json'].schema;
    expect(components.schemas[$ref.split('/').at(-1) ?? ''].properties.data).toBeDefined();
  }
  expect(components.schemas.SyncResult.discriminator.propertyName).toBe('result');
});

test('every parameter in a path is declared', () => {
  for (const route of routes) {
    const named = [...route.path.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => name)
      .filter((name) => name !== 'slug');
    expect([route.operationId, Object.keys(route.params?.shape ?? {}).sort()]).toEqual([
      route.operationId,
      named.sort(),
    ]);
    expect(route.path.startsWith('/api/wid/{slug}')).toBe(
      route.access !== 'operator' && route.access !== 'public',
    );
  }
});

test('/openapi.json serves it, with a tag', async () => {
  const answer = await server.request('/openapi.json');
  expect(answer.body.openapi).toMatch(/^3\.1/);
  const etag = answer.headers.get('etag') ?? '';
  expect((await server.request('/openapi.json', { headers: { 'If-None-Match': etag } })).status).toBe(304);
});

test('every operation has a TypeScript sample, which is a call of the client', async () => {
  const { body } = await server.request('/openapi.json');
  for (const { operationId, method, path } of routes) {
    const [sample, ...more] = body.paths[path][method]['x-codeSamples'] ?? [];
    expect([operationId, sample?.lang, more]).toEqual([operationId, 'TypeScript', []]);
    const route = `${method.toUpperCase()} ${path.replace('/api/wid/{slug}', '')}`;
    expect(sample.source).toMatch(new RegExp(`partbook(\\.send)?\\('${route.replaceAll(/[{}]/g, '\\$&')}'`));
  }
});
