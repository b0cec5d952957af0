// The calls that keep automations: what is checked, what is kept, what is refused; and the test of a script.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type AutomatedWorkspace, context, makeAutomatedWorkspace } from './automated-workspace.ts';

let server: TestServer;
let workspace: AutomatedWorkspace;
const ask: AutomatedWorkspace['ask'] = (...given) => workspace.ask(...given);
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeAutomatedWorkspace(server);
});
afterAll(() => server.close());

const listeners = async (ids: string[]) => {
  const rows = await workspace.transact((tx) =>
    tx.query<{ context_type: number }>(
      'select context_type from event_listener where workspace_id = $1 and listener_id = any($2) order by 1',
      [workspace.id, ids],
    ),
  );
  return rows.map((row) => row.context_type);
};

describe('an automation', () => {
  test('is made, read, replaced with another version of its script, and deleted', async () => {
    const made = await ask('POST', '/automations', {
      name: 'Tell',
      contextTypeId: context.transition,
      script: 'api.log(1)',
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      kind: 'custom',
      name: 'Tell',
      description: '',
      contextTypeId: 1,
      contextType: 'lifecycleTransition',
      script: 'api.log(1)',
      scriptVersion: 1,
      enabled: true,
    });
    const path = `/automations/${made.body.id}`;
    expect(made.headers.get('location')).toBe(`/api/wid/${workspace.slug}${path}`);
    const read = await ask('GET', path);
    expect(read.body).toEqual(made.body);
    const etag = read.headers.get('etag') as string;

    const sent = { ...read.body, script: 'api.log(2)' };
    const replaced = await ask('PUT', path, sent, { 'If-Match': etag });
    expect(replaced.status, replaced.text).toBe(200);
    expect(replaced.body).toMatchObject({ script: 'api.log(2)', scriptVersion: 2 });
    expect((await ask('PUT', path, sent, { 'If-Match': etag })).status).toBe(412);
    const renamed = await ask('PUT', path, { ...replaced.body, name: 'Say' });
    expect(renamed.body).toMatchObject({ name: 'Say', scriptVersion: 2 });
    const versions = (await ask('GET', `${path}/versions`)).body.items;
    expect(versions.map((one: { version: number; script: string }) => [one.version, one.script])).toEqual([
      [2, 'api.log(2)'],
      [1, 'api.log(1)'],
    ]);

    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('GET', path)).body.code).toBe('automation_not_found');
    const audit = (await ask('GET', '/audit?limit=4')).body.items;
    expect(audit.map((one: { action: string }) => one.action)).toEqual([
      'delete',
      'update',
      'update',
      'create',
    ]);
    expect(audit[0]).toMatchObject({ subjectType: 'automation', subjectKey: made.body.id, after: null });
  });

  test('with a syntax error is refused with its line and column', async () => {
    const values = { name: 'Broken', contextTypeId: 1, script: 'const a = 1;\nif (a {\n}' };
    const answer = await ask('POST', '/automations', values);
    expect([answer.status, answer.body.code]).toEqual([422, 'script_syntax_error']);
    expect(answer.body.errors[0]).toMatchObject({ pointer: '/script', line: 2, column: 7 });
    const good = await workspace.automate(1, 'return 1');
    const put = await ask('PUT', `/automations/${good.id}`, { ...good, script: 'return (' });
    expect(put.body.code).toBe('script_syntax_error');
    expect((await ask('GET', `/automations/${good.id}`)).body.script).toBe('return 1');
  });

  test('is listened for while it is enabled, and only then', async () => {
    const one = await workspace.automate(context.created, '1');
    const two = await workspace.automate(context.created, '1', { enabled: false });
    expect(await listeners([one.id, two.id])).toEqual([3]);
    await ask('PUT', `/automations/${two.id}`, { ...two, enabled: true, contextTypeId: 4 });
    expect(await listeners([one.id, two.id])).toEqual([3, 4]);
    await ask('PUT', `/automations/${one.id}`, { ...one, enabled: false });
    await ask('DELETE', `/automations/${two.id}`);
    expect(await listeners([one.id, two.id])).toEqual([]);
  });

  test('takes unknown fields for typos, and keys that may not for strangers', async () => {
    const answer = await ask('POST', '/automations', {
      name: 'x',
      contextTypeId: 1,
      script: '',
      enabeld: false,
    });
    expect(answer.body.code).toBe('unknown_field');
    expect((await ask('POST', '/automations', { name: 'x', contextTypeId: 13, script: '' })).body.code).toBe(
      'validation_failed',
    );
  });
});

describe('a system automation', () => {
  test('is there, compiles, is read-only, and is cloned as a disabled copy', async () => {
    const { items } = (await ask('GET', '/automations/system')).body;
    expect(items.length).toBeGreaterThanOrEqual(5);
    for (const system of items) {
      expect(system).toMatchObject({ kind: 'system', enabled: false });
      const path = `/automations/${system.id}`;
      expect((await ask('PUT', path, system)).body.code).toBe('automation_read_only');
      expect((await ask('DELETE', path)).body.code).toBe('automation_read_only');
      const copy = await ask('POST', `${path}/clone`, {});
      expect(copy.status, copy.text).toBe(201);
      expect(copy.body).toMatchObject({ kind: 'custom', enabled: false, script: system.script });
      const enabled = await ask('PUT', `/automations/${copy.body.id}`, { ...copy.body, enabled: true });
      expect(enabled.status, enabled.text).toBe(200);
      await ask('DELETE', `/automations/${copy.body.id}`);
    }
    const named = await ask('POST', `/automations/${items[0].id}/clone`, { name: 'Mine' });
    expect(named.body.name).toBe('Mine');
    const listed = (await ask('GET', '/automations')).body.items;
    expect(listed[0].kind).toBe('system');
    expect(listed.map((one: { id: string }) => one.id)).toContain(named.body.id);
  });
});

describe('the test of a script', () => {
  const run = async (script: string, more: object = {}) => {
    const answer = await ask('POST', '/automations/test', { script, ...more });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };

  test('shows result, logs with lines, calls and times', async () => {
    const part = await workspace.create({ name: 'Block' });
    const script = `api.log('hello', { a: 1 });
const { name } = await api.getEntity(context.entityId);
console.warn(name);
return { name, slug: context.workspaceSlug };`;
    const result = await run(script, { contextTypeId: 3, context: { entityId: part.id } });
    expect(result).toMatchObject({
      ok: true,
      error: null,
      result: { name: 'Block', slug: workspace.slug },
      logs: [
        { level: 'info', line: 1, message: 'hello {"a":1}' },
        { level: 'warn', line: 3, message: 'Block' },
      ],
      apiCalls: [{ method: 'getEntity', line: 2, ok: true }],
      changes: [],
    });
    expect(result.durationMs).toBeGreaterThan(0);
  });

  test('shows what it would write, and writes nothing', async () => {
    const part = await workspace.create({ name: 'Block' });
    await ask('POST', '/property-definitions', { key: 'Mass', name: 'Mass', type: 'numeric' });
    const before = (await ask('GET', `/entities/${part.id}`)).text;
    const script = `await api.setProperties(context.entityId, { Mass: 2 });
await api.transition(context.entityId, 'In Review');
const made = await api.createEntity({ category: 'part', name: 'Other', number: 'TEST-1' });
const seen = await api.findEntities({ number: 'TEST-1' });
return [(await api.getEntity(context.entityId)).state, seen.items.length, made.properties];`;
    const result = await run(script, { context: { entityId: part.id } });
    expect(result.error).toBeNull();
    expect(result.result).toEqual(['In Review', 1, {}]);
    expect(result.changes.slice(0, 2)).toEqual([
      { entityId: part.id, property: 'Mass', from: null, to: 2 },
      { entityId: part.id, property: 'state', from: 'In Work', to: 'In Review' },
    ]);
    expect((await ask('GET', `/entities/${part.id}`)).text).toBe(before);
    expect((await ask('GET', '/entities?number=TEST-1')).body.items).toEqual([]);
    expect((await ask('GET', `/entities/${part.id}/transitions`)).body.items).toEqual([]);
  });

  test.each([
    ['const x = ;', { kind: 'syntax', line: 1 }],
    ['\nnull.x', { kind: 'runtime', name: 'TypeError', line: 2 }],
    ["\n\nawait api.getEntity('0199d0f0-0000-7000-8000-000000000001')", { kind: 'api', line: 3 }],
    ['for (;;);', { kind: 'timeout' }],
  ])('says of %j what is wrong and where', async (script, error) => {
    expect(await run(script)).toMatchObject({ ok: false, result: null, error });
  });

  test('lets a script catch a refused write and go on; what was refused leaves nothing', async () => {
    const guid = '00000000-0000-4000-8000-00000000abcd';
    const taken = await workspace.create({ E_Guid: guid });
    const script = `let code;
try { await api.createEntity({ category: 'part', name: 'Twin', E_Guid: '${guid}' }); } catch (error) { code = error.code; }
await api.transition('${taken.id}', 'In Review');
return code;`;
    const result = await run(script);
    expect(result).toMatchObject({ ok: true, result: 'guid_taken' });
    expect(result.changes.map((one: { property: string }) => one.property)).toEqual(['state']);
  });

  test('reads structure, stock and entities by any of their names', async () => {
    const guid = '00000000-0000-4000-8000-00000000beef';
    const parent = await workspace.create({ name: 'Assembly', category: 'assembly' });
    const child = await workspace.create({ name: 'Bolt', E_Guid: guid });
    const shelf = await workspace.create({ name: 'Shelf', category: 'location' });
    await ask('PUT', `/entities/${parent.id}/uses/${child.id}`, { quantity: 4 });
    const stocked = await ask('POST', '/stock/adjustments', {
      itemEntityId: child.id,
      locationEntityId: shelf.id,
      quantity: 12.5,
    });
    expect(stocked.status, stocked.text).toBe(201);
    const script = `const { parent, child, version, shelf } = context;
const [use] = await api.getUses(parent);
const [used] = await api.getWhereUsed('guid:${guid}');
const [byItem] = await api.getPositions({ itemEntityId: child });
const [byPlace] = await api.getPositions({ locationEntityId: shelf });
const byVersion = await api.getEntity(version);
const found = await api.findEntities({ guid: '{${guid.toUpperCase()}}', limit: 1 });
return [use.entityId, use.quantity, used.entityId, byItem.available, byPlace.onHand, byVersion.id, found.items[0].id];`;
    const result = await run(script, {
      context: { parent: parent.id, child: child.id, version: child.versionId, shelf: shelf.id },
    });
    expect(result.error).toBeNull();
    expect(result.result).toEqual([child.id, 4, parent.id, 12.5, 12.5, child.id, child.id]);
  });

  test('is made one at a time for a workspace: of too many some are refused, and another is served', async () => {
    const other = await makeAutomatedWorkspace(server);
    // A test that is under way for as long as this one wants it.
    const underway = Promise.withResolvers<void>();
    const first = server.ctx.scriptThreads.share.run(workspace.id, () => underway.promise);
    let refused = 0;
    const many = Array.from({ length: 13 }, async () => {
      const answer = await ask('POST', '/automations/test', { script: 'return 1' });
      if (answer.status !== 200) refused++;
      return answer;
    });
    await expect.poll(() => refused).toBe(3);
    const served = await other.ask('POST', '/automations/test', { script: 'return 2' });
    expect(served.body.result).toBe(2);
    underway.resolve();
    await first;
    const answers = await Promise.all(many);
    expect(answers.map(({ status, body }) => (status === 200 ? status : body.code)).sort()).toEqual([
      ...Array(10).fill(200),
      ...Array(3).fill('scripts_busy'),
    ]);
  });

  test('needs an admin', async () => {
    const { body } = await ask('POST', '/api-keys', { name: 'w', permission: 'write' });
    const answer = await server.request(`/api/wid/${workspace.slug}/automations/test`, {
      key: body.key,
      body: { script: '1' },
    });
    expect(answer.status).toBe(403);
  });
});
