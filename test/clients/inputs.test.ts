// What the command line is given to read: several files, of which some are faulty, standard input and pipes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { type Ran, runCli } from './run-cli.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let folder: string;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
  folder = mkdtempSync(join(tmpdir(), 'partbook-inputs-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const line = (number: string) =>
  `${JSON.stringify({ guid: `6f1c2f9e-3d2b-4c4e-9a51-0b8a6f3d7${number.slice(-3)}`, number, name: number, categoryKey: 'part' })}\n`;

/** In the folder of the files. */
function partbook(args: readonly string[], input = ''): Promise<Ran> {
  const env = {
    HOME: folder,
    PARTBOOK_URL: server.baseUrl,
    PARTBOOK_WORKSPACE: workspace.slug,
    PARTBOOK_API_KEY: workspace.key,
  };
  return runCli(args, { env, cwd: folder, input });
}

const numbers = async () =>
  (await workspace.ask('GET', '/entities?sort=number')).body.items.map(
    (item: { number: string }) => item.number,
  );

test('of several files a faulty one is named and the others are sent; one that is not there stops all', async () => {
  writeFileSync(join(folder, 'broken.json'), '{"entities":[');
  writeFileSync(join(folder, 'empty.ndjson'), '');
  writeFileSync(join(folder, 'good.ndjson'), line('IN-101'));
  const missing = await partbook(['sync', 'good.ndjson', 'nothing.ndjson']);
  expect(missing).toMatchObject({ code: 2, said: 'There is no file nothing.ndjson.\n' });
  expect(await numbers()).toEqual([]);
  const sent = await partbook(['sync', 'broken.json', 'good.ndjson', 'empty.ndjson']);
  expect(sent).toMatchObject({
    code: 1,
    out: expect.stringContaining('good.ndjson: completed: 1 created'),
    said: expect.stringMatching(/^broken\.json: .*\nempty\.ndjson: The file is empty\.\n$/s),
  });
  expect(await numbers()).toEqual(['IN-101']);
});

test('standard input and pipes are files like others', async () => {
  writeFileSync(join(folder, 'three.ndjson'), line('IN-103'));
  expect((await partbook(['sync', '-'], line('IN-102'))).out).toContain('1 created');
  expect((await partbook(['sync', 'three.ndjson'])).out).toContain('1 created');
  expect(await partbook(['sync', '-'])).toMatchObject({
    code: 1,
    said: 'standard input: The file is empty.\n',
  });
  expect(await partbook(['sync', '.'])).toMatchObject({ code: 2, said: expect.stringContaining('watch') });
  expect(await numbers()).toEqual(['IN-101', 'IN-102', 'IN-103']);
});

test('a table without a definition is read by what suggest would say: with the properties of the workspace, and what is left out is named', async () => {
  const made = await workspace.ask('POST', '/property-definitions', {
    key: 'Finish',
    name: 'Surface finish',
    type: 'text',
  });
  expect(made.status).toBe(201);
  writeFileSync(
    join(folder, 'table.csv'),
    'number,name,surface finish,price note\nIN-201,Plate,anodised,cheap\n',
  );
  const suggested = JSON.parse((await partbook(['suggest', 'table.csv'])).out);
  expect(suggested.properties).toEqual({ Finish: 'surface finish' });
  expect(await partbook(['sync', '--yes', 'table.csv'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 created'),
    said: expect.stringContaining('table.csv: columns left out: price note.'),
  });
  const { body } = await workspace.ask('GET', '/entities?number=IN-201');
  const one = await workspace.ask('GET', `/entities/${body.items[0].id}`);
  expect(one.body.properties).toEqual({ Finish: 'anodised' });
});

test('an element with neither number nor GUID is named by its place, in a plan as where it is sent', async () => {
  writeFileSync(join(folder, 'null.json'), `{"entities":[${line('IN-301').trim()},null]}`);
  const said = 'element 1: invalid_entity: ';
  const planned = await partbook(['sync', '--plan', 'null.json']);
  expect(planned).toMatchObject({ code: 3, said: expect.stringContaining(`! ${said}`) });
  expect(await partbook(['sync', 'null.json'])).toMatchObject({
    code: 5,
    said: expect.stringContaining(said),
  });
});

test('a document that is neither elements nor one is refused before anything is sent; lines of elements are not', async () => {
  const batches = async () => (await workspace.ask('GET', '/pdm/sync/batches')).body.items.length;
  const before = await batches();
  for (const text of ['{"entitys":[]}', '{\n  "parts": [{ "guid": "a" }]\n}\n', '\uFEFF{}']) {
    writeFileSync(join(folder, 'mistyped.json'), text);
    expect(await partbook(['sync', 'mistyped.json'])).toEqual({
      code: 1,
      out: '',
      said: 'mistyped.json: The document must be an object with an array "entities", or an element in each line. Nothing was sent.\n',
    });
  }
  expect(await batches()).toBe(before);
  writeFileSync(join(folder, 'array.json'), `[${line('IN-401')}]`);
  writeFileSync(join(folder, 'one.json'), line('IN-402'));
  writeFileSync(join(folder, 'lines.ndjson'), `{"number":"IN-404"}\n${line('IN-403')}`);
  // In the service's words, since no body may be one.
  expect(await partbook(['sync', 'array.json'])).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^array\.json: .*\(validation_failed, /),
  });
  expect(await partbook(['sync', 'one.json'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 created'),
  });
  expect(await partbook(['sync', 'lines.ndjson'])).toMatchObject({
    code: 5,
    said: expect.stringContaining('guid'),
  });
});
