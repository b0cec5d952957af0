import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, guidOf, partsOf, refOf } from './parts.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, create, sync, define, release } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
  for (const [key, type] of [
    ['Mass', 'numeric'],
    ['Note', 'text'],
    ['Other', 'text'],
    ['name', 'text'],
  ] as const) {
    await define(key, type);
  }
});
afterAll(() => server.close());

test('a change in place: what is named changes, null removes, the rest stays', async () => {
  const made = await create({ properties: { Mass: 1, Note: 'old', Other: 'kept' } });
  const patched = await ask('PATCH', `/entities/${made.id}`, {
    name: 'New',
    properties: { Mass: 2, Note: null },
  });
  expect(patched.status, patched.text).toBe(200);
  expect(patched.body).toMatchObject({
    name: 'New',
    revision: 'A',
    versionId: made.versionId,
    properties: { Mass: 2, Other: 'kept' },
  });
  expect(patched.body.properties).not.toHaveProperty('Note');
  expect((await ask('GET', `/entities/${made.id}`)).body).toEqual(patched.body);
});

test('a property called name is not the name', async () => {
  const made = await create({ name: 'Real' });
  const patched = await ask('PATCH', `/entities/${made.id}`, { properties: { name: 'Property' } });
  expect(patched.body).toMatchObject({ name: 'Real', properties: { name: 'Property' } });
});

test('what was read can be sent back: nothing is written, no revision is made', async () => {
  const made = await create({ properties: { Mass: 1 } });
  await release(made.id);
  const read = await ask('GET', `/entities/${made.id}`);
  const patched = await ask('PATCH', `/entities/${made.id}`, read.body);
  expect(patched.body).toEqual(read.body);
  expect(patched.headers.get('etag')).toBe(read.headers.get('etag'));
  expect((await ask('PATCH', `/entities/${made.id}`, { properties: { Note: null } })).body).toEqual(
    read.body,
  );
});

test('lengths count characters: 1024 emoji are a name, one more is too long', async () => {
  const made = await create();
  const named = (count: number) => ask('PATCH', `/entities/${made.id}`, { name: '😀'.repeat(count) });
  expect((await named(1024)).status).toBe(200);
  expect((await named(1025)).body.errors[0]).toMatchObject({ pointer: '/name', code: 'too_big' });
});

test('a number is set where there is none', async () => {
  const made = await create({ number: 'FIRST' });
  await workspace.transact((tx) => tx.query('update entity set number = null where id = $1', [made.id]));
  expect((await ask('PATCH', `/entities/${made.id}`, { number: 'SECOND' })).body.number).toBe('SECOND');
});

test('a number is corrected as long as the entity was never released, and the audit trail says who did it', async () => {
  const made = await create({ number: 'TYPO' });
  const patched = await ask('PATCH', `/entities/${made.id}`, { number: 'RIGHT' });
  expect([patched.status, patched.body.number]).toEqual([200, 'RIGHT']);
  expect((await ask('GET', `/entities/${made.id}`)).body).toEqual(patched.body);
  const [entry] = (await ask('GET', '/audit')).body.items;
  expect(entry).toMatchObject({
    action: 'update',
    subjectType: 'entity',
    subjectKey: made.id,
    before: { number: 'TYPO' },
    after: { number: 'RIGHT' },
  });
});

test('a corrected number is cleaned as that of a new entity is: two numbers never look alike', async () => {
  const made = await create({ number: 'CLEAN' });
  const patched = await ask('PATCH', `/entities/${made.id}`, { number: 'CL\u200bEANE\u0301\u2060' });
  expect([patched.status, patched.body.number]).toEqual([200, 'CLEAN\u00c9']);
  const emptied = await ask('PATCH', `/entities/${made.id}`, { number: '\u200b' });
  expect([emptied.status, emptied.body.code]).toEqual([422, 'read_only_field']);
  expect((await ask('GET', `/entities/${made.id}`)).body.number).toBe('CLEAN\u00c9');
});

test('a number is never ignored: taking it away, or changing it after a release, is 422 and writes nothing', async () => {
  const made = await create({ number: 'STAYS' });
  const refused = async (number: string | null) => {
    const { status, body } = await ask('PATCH', `/entities/${made.id}`, { name: 'Other', number });
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'read_only_field', '/number']);
    return String(body.detail);
  };
  expect(await refused(null)).toContain('cannot be removed');
  await release(made.id);
  expect(await refused('ANOTHER')).toContain('was released with it');
  // The change opens a new revision, which is not released; the number is known all the same.
  expect((await ask('PATCH', `/entities/${made.id}`, { name: 'New', number: 'STAYS' })).status).toBe(200);
  await refused('ANOTHER');
  expect((await ask('GET', `/entities/${made.id}`)).body).toMatchObject({ number: 'STAYS', name: 'New' });
});

test('If-Match: the present tag is taken, a stale one gives 412 and changes nothing', async () => {
  const made = await create();
  const { headers } = await ask('GET', `/entities/${made.id}`);
  const tag = headers.get('etag') ?? '';
  const first = await ask('PATCH', `/entities/${made.id}`, { name: 'One' }, { 'If-Match': tag });
  expect(first.status).toBe(200);
  expect(first.headers.get('etag')).not.toBe(tag);
  const second = await ask('PATCH', `/entities/${made.id}`, { name: 'Two' }, { 'If-Match': tag });
  expect([second.status, second.body.code]).toEqual([412, 'precondition_failed']);
  expect((await ask('GET', `/entities/${made.id}`)).body.name).toBe('One');
  expect(
    (
      await ask('GET', `/entities/${made.id}`, undefined, {
        'If-None-Match': first.headers.get('etag') ?? '',
      })
    ).status,
  ).toBe(304);
});

test('of many changes on one tag one is made', async () => {
  const made = await create();
  const tag = (await ask('GET', `/entities/${made.id}`)).headers.get('etag') ?? '';
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      ask('PATCH', `/entities/${made.id}`, { name: `Name ${n}` }, { 'If-Match': tag }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
});

test('many changes at once to a released entity: one new revision, no value lost', async () => {
  const made = await create();
  await release(made.id);
  const bodies = [{ Mass: 1 }, { Note: 'n' }, { Other: 'o' }].map((properties) => ({ properties }));
  const answers = await Promise.all(bodies.map((body) => ask('PATCH', `/entities/${made.id}`, body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await ask('GET', `/entities/${made.id}`)).body).toMatchObject({
    revision: 'B',
    state: 'In Work',
    properties: { Mass: 1, Note: 'n', Other: 'o' },
  });
});

test('a change to a released entity makes a new revision; the released one stays as it was', async () => {
  const made = await create({ name: 'Block', properties: { Mass: 1, Note: 'a' } });
  const released = await release(made.id);
  expect(released).toMatchObject({ released: true, revision: 'A', versionId: made.versionId });
  const patched = await ask('PATCH', `/entities/${made.id}`, { name: 'Block 2', properties: { Mass: 2 } });
  expect(patched.body).toMatchObject({ released: false, state: 'In Work', revision: 'B', revisionNumber: 2 });
  expect(patched.body.versionId).not.toBe(made.versionId);
  expect((await ask('GET', `/entities/${made.id}/revisions/1`)).body).toMatchObject({
    revision: 'A',
    versionId: made.versionId,
    name: 'Block',
    state: 'Released',
    released: true,
    properties: { Mass: 1, Note: 'a' },
    createdBy: { type: 'apiKey', name: 'First key' },
  });
});

test.each([
  [{ properties: { Weight: 1 } }, 'unknown_property'],
  [{ properties: { Mass: 'x' } }, 'validation_failed'],
  [{ name: null }, 'validation_failed'],
  [{ nmae: 'x' }, 'unknown_field'],
])('%j is refused as %s, and nothing of it is written', async (body, code) => {
  const made = await create();
  const answer = await ask('PATCH', `/entities/${made.id}`, { properties: { Note: 'x' }, ...body });
  expect([answer.status, answer.body.code]).toEqual([422, code]);
  expect((await ask('GET', `/entities/${made.id}`)).body).toEqual(made);
});

test('more properties than an entity may carry are refused, also where several batches bring them', async () => {
  const small = await startTestServer({
    worker: true,
    environment: { PROPERTIES_MAX: '2', PROPERTIES_BYTES_MAX: '1024' },
  });
  try {
    const there = await makeDefaultWorkspace(small);
    for (const key of ['a', 'b', 'c'])
      await there.ask('POST', '/property-definitions', { key, name: key, type: 'text' });
    const made = await there.ask('POST', '/entities', {
      category: 'part',
      name: 'X',
      properties: { a: 'x', b: 'x' },
    });
    expect(made.status, made.text).toBe(201);
    const over = await there.ask('PATCH', `/entities/${made.body.id}`, { properties: { c: 'x' } });
    expect([over.status, over.body.errors[0].pointer]).toEqual([422, '/properties']);
    expect(
      (await there.ask('PATCH', `/entities/${made.body.id}`, { properties: { c: 'x', a: null } })).status,
    ).toBe(200);
    const long = (length: number) => 'ä'.repeat(length);
    const large = await there.ask('PATCH', `/entities/${made.body.id}`, { properties: { c: long(600) } });
    expect([large.status, large.body.errors[0].pointer]).toEqual([422, '/properties']);

    const [guid, parentGuid] = [randomUUID(), randomUUID()];
    const part = { guid, number: 'P-1', name: 'Part', categoryKey: 'part' };
    const synced = async (...entities: object[]) =>
      (await there.ask('POST', '/pdm/sync', { entities }, { Prefer: 'wait=60' })).body;
    await synced({ ...part, properties: { a: long(200) } }, { ...part, guid: parentGuid, number: 'P-2' });
    // Alone, linked, and checked by a dry run: the three ways that elements take.
    const full = { ...part, name: 'Another name', properties: { b: long(350) } };
    const refused = {
      result: 'error',
      code: 'invalid_entity',
      message: expect.stringMatching(/bytes as JSON/),
    };
    expect((await synced(full)).results).toMatchObject([refused]);
    expect((await synced({ ...full, parentGuid })).results).toMatchObject([refused]);
    const [one] = (await there.ask('GET', '/entities?number=P-1')).body.items;
    expect([one.name, Object.keys(one.properties)]).toEqual(['Part', ['a']]);
    expect((await there.ask('GET', `/entities/guid:${parentGuid}/uses`)).body.items).toEqual([]);
    const third = { ...part, properties: { b: 'x', c: 'x' } };
    expect((await synced(third)).results[0].message).toMatch(/would have 3 properties/);
    // What makes room is taken, and what grows no more.
    expect((await synced({ ...part, properties: { a: 'x', b: long(350) } })).results[0].result).toBe(
      'updated',
    );
  } finally {
    await small.close();
  }
});

test('a sync after a change by hand compares in full and writes its own values again', async () => {
  const sent = element(1, { properties: { Mass: '5' } });
  await sync([sent]);
  await ask('PATCH', `/entities/${refOf(1)}`, { properties: { Mass: 6 } });
  expect((await sync([sent])).results[0]).toMatchObject({ result: 'updated', revision: 'A' });
  expect((await ask('GET', `/entities/${refOf(1)}`)).body.properties.Mass).toBe(5);
  expect((await sync([sent])).results[0].result).toBe('skipped');
});

test('changes by hand while a sync writes the same entity: neither is lost half', async () => {
  await sync([element(2, { properties: { Mass: '0', Note: 'start' } })]);
  const work: Promise<unknown>[] = [];
  for (let n = 1; n <= 8; n++) {
    work.push(sync([element(2, { properties: { Mass: String(n) } })]));
    work.push(ask('PATCH', `/entities/${refOf(2)}`, { properties: { Note: `note ${n}` } }));
  }
  await Promise.all(work);
  const { properties } = (await ask('GET', `/entities/${refOf(2)}`)).body;
  expect(properties.Mass).toBeGreaterThan(0);
  expect(properties.Note).toMatch(/^note \d$/);
  expect(guidOf(2)).toBe((await ask('GET', `/entities/${refOf(2)}`)).body.E_Guid);
});
