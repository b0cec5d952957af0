// Searches find entities by the texts of searchable properties, whoever writes them, and follow each change of the definitions.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillValueIndexes } from '../../src/entities/values/fill-value-indexes.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { syncCalls } from '../sync/sync-calls.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  for (const key of ['Material', 'Remark'])
    await must('POST', '/property-definitions', { ...definition, key });
});
afterAll(() => server.close());

const definition = { name: 'Text', type: 'text' };

async function must(method: string, path: string, body?: unknown) {
  const answer = await workspace.ask(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

async function makeSearchable(key: string, searchable: boolean): Promise<void> {
  const shown = await must('PUT', `/property-definitions/${key}`, { ...definition, searchable });
  expect([shown.searchable, shown.index]).toEqual([searchable, searchable ? 'filling' : 'none']);
}

/** The numbers that each kind of list finds; all agree. */
async function found(q: string): Promise<string[]> {
  const lists = [];
  for (const sort of ['created', 'name', 'best']) {
    const { items } = await must('GET', `/entities?${new URLSearchParams({ q, sort, limit: '100' })}`);
    lists.push(items.map(({ number }: { number: string }) => number).sort());
  }
  const { items } = await must('GET', `/entities/facets?${new URLSearchParams({ q })}`);
  const counted = items.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
  const [first] = lists as [string[]];
  expect(lists, q).toEqual([first, first, first]);
  expect(counted, q).toBe(first.length);
  return first;
}

/** Each entity with such a text has the one line that the rule says, and no other has one. */
async function linesAreExact(keys: string[]): Promise<void> {
  const differences = await workspace.transact((tx) =>
    tx.query(
      `with present as (
         select id as entity_id, property_line_of(number, name, properties, $2::text[]) as line from entity where workspace_id = $1
       ), stored as (select entity_id, line from property_line where workspace_id = $1)
       (select * from stored except select * from present)
       union all (select * from present where line is not null except select * from stored)`,
      [workspace.id, keys],
    ),
  );
  expect(differences).toEqual([]);
}

test('words are found in number, name and searchable properties together, whoever writes them', async () => {
  await workspace.addEntities(60, { properties: { Material: 'EN AW-6082', Remark: 'anodised' } });
  expect(await found('aw-6082')).toEqual([]);

  await makeSearchable('Material', true);
  await fillValueIndexes(server.ctx);
  expect((await must('GET', '/property-definitions/Material')).index).toBe('ready');
  expect(await found('6082 aw-')).toHaveLength(60);
  expect(await found('anodised')).toEqual([]);
  await linesAreExact(['Material']);

  const made = await must('POST', '/entities', {
    category: 'part',
    number: 'S-1',
    name: 'Bracket',
    properties: { Material: 'Stähl S235 100%' },
  });
  expect(await found('s235 brack S-1')).toEqual(['S-1']);
  expect(await found('stahl 100%')).toEqual(['S-1']);
  expect(await found('number:S-1')).toEqual(['S-1']);
  await must('PATCH', `/entities/${made.id}`, { name: 'Holder' });
  expect([await found('s235 bracket'), await found('s235 holder')]).toEqual([[], ['S-1']]);
  await must('PATCH', `/entities/${made.id}`, { properties: { Material: 'Brass' } });
  expect([await found('s235'), await found('brass')]).toEqual([[], ['S-1']]);
  await must('PATCH', `/entities/${made.id}`, { properties: { Material: null } });
  expect(await found('brass')).toEqual([]);

  const guid = 'aaaaaaaa-0000-4000-8000-000000000001';
  const sync = async (Material: string) => {
    await syncCalls(server, workspace).sync([
      { guid, number: 'SYNC', name: 'Sent', categoryKey: 'part', properties: { Material } },
    ]);
  };
  await sync('Unobtainium');
  expect(await found('unobtainium sent')).toEqual(['SYNC']);
  await sync('Vibranium');
  expect([await found('unobtainium'), await found('vibranium')]).toEqual([[], ['SYNC']]);
  await linesAreExact(['Material']);
});

test('the lines follow when properties become searchable or are so no more, and nothing is left of the last', async () => {
  await makeSearchable('Remark', true);
  // Writers write by the new rule while the job has not come yet.
  await must('POST', '/entities', {
    category: 'part',
    number: 'R-1',
    name: 'New',
    properties: { Remark: 'urgent', Material: 'EN AW-6082' },
  });
  expect(await found('urgent 6082')).toEqual(['R-1']);
  await fillValueIndexes(server.ctx);
  await linesAreExact(['Material', 'Remark']);
  expect(await found('anodised 6082 entity')).toHaveLength(60);

  await makeSearchable('Material', false);
  await fillValueIndexes(server.ctx);
  await linesAreExact(['Remark']);
  expect([(await found('6082')).length, (await found('anodised')).length]).toEqual([0, 60]);

  await makeSearchable('Remark', false);
  await makeSearchable('Remark', true);
  await makeSearchable('Remark', false);
  await fillValueIndexes(server.ctx);
  await linesAreExact([]);
  const left = await workspace.transact((tx) =>
    tx.query('select from value_index where workspace_id = $1', [workspace.id]),
  );
  expect(left).toEqual([]);
});

test('the lines of a workspace that was imported, which come without them, are written by the job', async () => {
  await makeSearchable('Material', true);
  await fillValueIndexes(server.ctx);
  for (const table of ['value_index', 'property_line'])
    await workspace.transact((tx) =>
      tx.query(`delete from ${table} where workspace_id = $1`, [workspace.id]),
    );
  expect(await found('6082')).toEqual([]);
  await fillValueIndexes(server.ctx);
  await linesAreExact(['Material']);
  expect((await found('6082')).length).toBeGreaterThanOrEqual(60);
});
