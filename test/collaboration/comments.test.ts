// Comments on entities and imports: mentions, edits with history, deletion, limits, and where they go when things are merged.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

const COMMENTS_MAX = 5;
let server: TestServer;
let workspace: DefaultWorkspace;
const keys: Record<string, string> = {};
beforeAll(async () => {
  server = await startTestServer({ environment: { COMMENTS_MAX: String(COMMENTS_MAX) } });
  workspace = await makeDefaultWorkspace(server);
  for (const permission of ['write', 'read'])
    keys[permission] = (await workspace.ask('POST', '/api-keys', { name: permission, permission })).body.key;
  await workspace.transact((tx) =>
    tx.query(
      `insert into member (workspace_id, id, name, areas, managed, ended_at)
       select $1, gen_random_uuid(), name, '{read}', 'hand', case when name = 'Old Hand' then now() end
       from unnest(array['Anna Berg', 'Bo Lind', 'Old Hand']) as name`,
      [workspace.id],
    ),
  );
});
afterAll(() => server.close());

const as = (who: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  server.request(`/api/wid/${workspace.slug}${path}`, { method, key: keys[who] as string, body, headers });
const write = (entity: string, text: string) => as('write', 'POST', '/comments', { entity, text });
const textsOf = ({ body }: { body: { items: { text: string }[] } }) => body.items.map(({ text }) => text);

test('a comment keeps its earlier texts when its author edits it, and nobody else can', async () => {
  const [entity = ''] = await workspace.addEntities(1);
  const made = await write(entity, '  Check the **hole pattern**. ');
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    entityId: entity,
    importId: null,
    text: 'Check the **hole pattern**.',
    author: { type: 'apiKey', name: 'write' },
    mine: true,
    editedAt: null,
  });
  const path = `/comments/${made.body.id}`;
  expect((await workspace.ask('PUT', path, { text: 'No' })).body.code).toBe('area_missing');
  const tag = made.headers.get('etag') ?? '';
  const edited = await as('write', 'PUT', path, { ...made.body, text: 'Checked.' }, { 'if-match': tag });
  expect(edited.status, edited.text).toBe(200);
  expect(edited.body).toMatchObject({ text: 'Checked.', editedAt: expect.any(String) });
  expect((await as('write', 'PUT', path, { text: 'Late' }, { 'if-match': tag })).status).toBe(412);
  const same = await as('write', 'PUT', path, { text: 'Checked.' });
  expect(same.headers.get('etag')).toBe(edited.headers.get('etag'));
  expect(textsOf(await as('read', 'GET', `${path}/versions`))).toEqual(['Check the **hole pattern**.']);
  expect((await as('read', 'GET', path)).body).toMatchObject({ text: 'Checked.', mine: false });
});

test('a deleted comment keeps its place without its texts, and the audit trail names who deleted it', async () => {
  const [entity = ''] = await workspace.addEntities(1);
  const ids = [];
  for (const text of ['one', 'two', 'three']) ids.push((await write(entity, text)).body.id);
  await as('write', 'PUT', `/comments/${ids[1]}`, { text: 'a secret' });
  expect((await as('read', 'DELETE', `/comments/${ids[1]}`)).body.code).toBe('area_missing');
  expect((await workspace.ask('DELETE', `/comments/${ids[1]}`)).status).toBe(204);
  expect((await workspace.ask('DELETE', `/comments/${ids[1]}`)).body.code).toBe('comment_deleted');
  expect((await as('write', 'PUT', `/comments/${ids[1]}`, { text: 'again' })).body.code).toBe(
    'comment_deleted',
  );
  expect(textsOf(await as('read', 'GET', `/comments/${ids[1]}/versions`))).toEqual([]);
  const first = await as('read', 'GET', `/comments?entity=${entity}&limit=2`);
  expect(textsOf(first)).toEqual(['one', '']);
  const next = `/comments?entity=${entity}&limit=2&cursor=${first.body.nextCursor}`;
  expect(textsOf(await as('read', 'GET', next))).toEqual(['three']);
  expect(textsOf(await as('read', 'GET', `/comments?entity=${entity}&order=desc`))).toEqual([
    'three',
    '',
    'one',
  ]);
  const { items } = (await workspace.ask('GET', `/audit?subjectType=comment&subjectKey=${ids[1]}`)).body;
  expect(items).toMatchObject([{ action: 'delete', after: null }]);
  expect(JSON.stringify(items)).not.toContain('secret');
});

test('a mention names an active member, whatever the case, and a name that nobody has is refused', async () => {
  const [entity = ''] = await workspace.addEntities(1);
  const made = await write(entity, '@[anna berg] and @[Bo Lind], see #[N-1]');
  expect(made.status, made.text).toBe(201);
  const names = made.body.mentions.map(({ name }: { name: string }) => name);
  expect(names.toSorted()).toEqual(['Anna Berg', 'Bo Lind']);
  for (const name of ['Old Hand', 'Nobody']) {
    const { status, body } = await write(entity, `@[${name}]`);
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'validation_failed', '/text']);
  }
  const many = Array.from({ length: 21 }, (_, at) => `@[N ${at}]`).join(' ');
  expect((await write(entity, many)).body.detail).toMatch(/at most 20/);
  const people = await as('read', 'GET', '/people?q=LIND');
  expect(people.body.items).toEqual([{ id: expect.any(String), name: 'Bo Lind' }]);
  expect((await as('read', 'GET', '/people')).body.items).toHaveLength(2);
});

test('a comment that mentions somebody who has left is edited, and its earlier texts come in pages', async () => {
  const [entity = ''] = await workspace.addEntities(1);
  await workspace.transact((tx) =>
    tx.query(
      `insert into member (workspace_id, id, name, areas, managed) values ($1, gen_random_uuid(), 'Leaver', '{read}', 'hand')`,
      [workspace.id],
    ),
  );
  const { id } = (await write(entity, '@[Leaver]: text 1')).body;
  await workspace.transact((tx) =>
    tx.query(`update member set ended_at = now() where workspace_id = $1 and name = 'Leaver'`, [
      workspace.id,
    ]),
  );
  const edit = (text: string) => as('write', 'PUT', `/comments/${id}`, { text });
  const edited = await edit('@[leaver]: text 2');
  expect([edited.status, edited.body.mentions]).toMatchObject([
    200,
    [{ name: 'Leaver', writtenAs: 'leaver' }],
  ]);
  expect((await edit('@[Leaver] and @[Nobody]')).status).toBe(422);
  expect((await edit('text 3')).body.mentions).toEqual([]);
  expect((await edit('@[Leaver] again')).status).toBe(422);
  const first = await as('read', 'GET', `/comments/${id}/versions?limit=1`);
  expect(textsOf(first)).toEqual(['@[Leaver]: text 1']);
  const second = await as('read', 'GET', `/comments/${id}/versions?limit=1&cursor=${first.body.nextCursor}`);
  expect([textsOf(second), second.body.nextCursor]).toEqual([['@[leaver]: text 2'], null]);
});

test('a mention of a member who has another name since stays when the comment is edited', async () => {
  const [entity = ''] = await workspace.addEntities(1);
  const member = (name: string) =>
    workspace.transact((tx) =>
      tx.query(
        `insert into member (workspace_id, id, name, areas, managed) values ($1, gen_random_uuid(), $2, '{read}', 'hand')`,
        [workspace.id, name],
      ),
    );
  await member('Ida Old');
  const made = (await write(entity, '@[ida old]: text 1')).body;
  await workspace.transact((tx) =>
    tx.query(`update member set name = 'Ida New' where workspace_id = $1 and name = 'Ida Old'`, [
      workspace.id,
    ]),
  );
  // Another member has the name now: the comment still means the first one.
  await member('Ida Old');
  const [mention] = made.mentions;
  for (const text of ['@[Ida Old]: text 2', 'text 3 of @[ida old]']) {
    const edited = await as('write', 'PUT', `/comments/${made.id}`, { text });
    expect(edited.status, edited.text).toBe(200);
    expect(edited.body.mentions).toEqual([
      { id: mention.id, name: 'Ida New', writtenAs: expect.stringMatching(/^ida old$/i) },
    ]);
  }
});

test('comments are about one thing that exists, by callers that may change something, up to a limit', async () => {
  const [entity = '', other = ''] = await workspace.addEntities(2);
  const nobody = '00000000-0000-4000-8000-000000000001';
  const codeOf = async (body: object) => (await as('write', 'POST', '/comments', body)).body.code;
  expect(await codeOf({ entity: nobody, text: 'x' })).toBe('entity_not_found');
  expect(await codeOf({ import: nobody, text: 'x' })).toBe('batch_not_found');
  expect(await codeOf({ text: 'x' })).toBe('validation_failed');
  expect(await codeOf({ entity, import: nobody, text: 'x' })).toBe('validation_failed');
  expect(await codeOf({ entity, text: ' ' })).toBe('validation_failed');
  expect(await codeOf({ entity, text: 'x'.repeat(10_001) })).toBe('validation_failed');
  expect((await as('read', 'GET', '/comments')).body.code).toBe('validation_failed');
  expect((await as('read', 'GET', `/comments/${nobody}`)).body.code).toBe('comment_not_found');
  expect((await as('read', 'POST', '/comments', { entity, text: 'x' })).body.code).toBe('area_missing');
  for (let at = 0; at < COMMENTS_MAX; at++) expect((await write(entity, `${at}`)).status).toBe(201);
  expect((await write(entity, 'more')).body).toMatchObject({
    code: 'too_many_comments',
    limit: COMMENTS_MAX,
  });
  expect((await write(other, 'x'.repeat(10_000))).status).toBe(201);
});

test('the comments of an import are read with it, and those of a merged entity with the one that stays', async () => {
  const batch = await workspace.ask('POST', '/pdm/sync', { entities: [] });
  const { batchId } = batch.body;
  expect(batchId, batch.text).toEqual(expect.any(String));
  const made = await as('write', 'POST', '/comments', { import: batchId, text: 'The vault was down.' });
  expect(made.body, made.text).toMatchObject({ entityId: null, importId: batchId });
  expect(textsOf(await as('read', 'GET', `/comments?import=${batchId}`))).toEqual(['The vault was down.']);

  const [from = '', into = ''] = await workspace.addEntities(2);
  await write(from, 'Of the double');
  const merged = await workspace.ask('POST', `/entities/${into}/merge`, { from });
  expect(merged.status, merged.text).toBe(200);
  expect(textsOf(await as('read', 'GET', `/comments?entity=${into}`))).toEqual(['Of the double']);
});

test('a page of comments ends at its bound also where the names that they mention are what is long', async () => {
  const [entity = ''] = await workspace.addEntities(1);
  await workspace.transact((tx) =>
    tx.query(
      `with mentioned as (
         insert into member (workspace_id, id, name, areas, managed)
         select $1, gen_random_uuid(), repeat('語', 90) || n, '{read}', 'hand' from generate_series(1, 20) n returning id
       )
       insert into comment (workspace_id, id, entity_id, author_id, text, mentions)
       select $1, gen_random_uuid(), $2, $1, 'x', (select array_agg(id) from mentioned) from generate_series(1, 300)`,
      [workspace.id, entity],
    ),
  );
  const page = await as('read', 'GET', `/comments?entity=${entity}&limit=1000`);
  expect(page.body.items[0].mentions).toHaveLength(20);
  expect(Buffer.byteLength(page.text)).toBeLessThan(1.3 * 1024 * 1024);
  expect(page.body.nextCursor).not.toBeNull();
});
