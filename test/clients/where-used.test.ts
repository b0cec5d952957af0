// What a part is in, as the command line prints it and as agents are told.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { projectFolder } from './project-folder.ts';
import { runCli } from './run-cli.ts';

const program = join(projectFolder, 'clients/cli/bin/partbook.js');
let server: TestServer;
let workspace: DefaultWorkspace;
let home: string;
/** A screw, twice in a plate and once in a robot by itself; three plates are in the robot. */
let screw: string;
let robot: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'partbook-where-used-'));
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
  const create = async (number: string) =>
    (await workspace.ask('POST', '/entities', { category: 'part', number, name: `The ${number}` })).body.id;
  // The robot is older than the plate: people read in the order of the numbers.
  robot = await create('WU-10');
  const plate = await create('WU-2');
  screw = await create('WU-1');
  for (const [parent, child, quantity] of [
    [plate, screw, 2],
    [robot, screw, 1],
    [robot, plate, 3],
  ]) {
    const { status } = await workspace.ask('PUT', `/entities/${parent}/uses/${child}`, { quantity });
    expect(status).toBe(201);
  }
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  PARTBOOK_URL: server.baseUrl,
  PARTBOOK_WORKSPACE: workspace.slug,
  PARTBOOK_API_KEY: workspace.key,
});

function run(...args: string[]): Promise<{ code: number; out: string; said: string }> {
  return runCli(['where-used', ...args], { env: environment() });
}

const cellsOf = ({ out }: { out: string }) =>
  out
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));

test('the parents of a part', async () => {
  expect(cellsOf(await run('WU-1')).toSorted()).toEqual([
    ['WU-10', 'The WU-10', 'A', '1'],
    ['WU-2', 'The WU-2', 'A', '2'],
    ['number', 'name', 'revision', 'quantity'],
  ]);
});

test('all that it is in, and of that what nothing uses, with the quantity in all', async () => {
  expect(cellsOf(await run('WU-1', '--all'))).toEqual([
    ['number', 'name', 'revision', 'level', 'total quantity'],
    ['WU-2', 'The WU-2', 'A', '1', '2'],
    ['WU-10', 'The WU-10', 'A', '1', '7'],
  ]);
  expect(cellsOf(await run('WU-1', '--top'))).toEqual([
    ['number', 'name', 'revision', 'level', 'total quantity'],
    ['WU-10', 'The WU-10', 'A', '1', '7'],
  ]);
  const { out } = await run(screw, '--top', '--json');
  expect(JSON.parse(out)).toMatchObject([{ entityId: robot, extendedQuantity: 7, hasParents: false }]);
});

test('nothing, and what is not there', async () => {
  expect(await run('WU-10', '--all')).toMatchObject({
    code: 0,
    out: '',
    said: expect.stringContaining('No assembly contains WU-10'),
  });
  expect(await run('WU-3')).toMatchObject({ code: 2, said: expect.stringContaining('WU-3') });
});

test('says of what waits for an assembly where that is seen, beside what it is in', async () => {
  const sent = await workspace.ask('POST', '/pdm/sync', {
    entities: ['WU-8', 'WU 9'].map((number) => ({
      guid: randomUUID(),
      number,
      name: 'Awaits its assembly',
      categoryKey: 'part',
      parentGuid: randomUUID(),
      quantity: 1,
    })),
  });
  expect(sent.body.counts, sent.text).toMatchObject({ created: 2 });
  const said = 'waits for a parent that is not there: "partbook pending-links list --child';
  for (const flag of [[], ['--all'], ['--top']])
    expect((await run('WU-8', ...flag)).said).toContain(`WU-8 ${said} WU-8" shows for which.`);
  // A number that would fall apart where it is typed.
  expect((await run('WU 9')).said).toContain(`WU 9 ${said} ${sent.body.results[1].entityId}"`);
  expect((await run('WU-8', '--json')).said).toBe('');
  expect((await run('WU-1')).said).toBe('');
});

test('an agent asks for parents, all levels or the top, and gets no more lines than it reads', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env: environment() }),
  );
  const ask = async (entity: string, levels?: string) => {
    const args = levels === undefined ? { entity } : { entity, levels };
    const { content } = (await client.callTool({ name: 'where_used', arguments: args })) as {
      content: { text: string }[];
    };
    return JSON.parse(content[0]?.text ?? '');
  };
  expect((await ask(screw)).items.map((one: { number: string }) => one.number).toSorted()).toEqual([
    'WU-10',
    'WU-2',
  ]);
  expect((await ask(screw, 'all')).items).toHaveLength(2);
  expect(await ask(screw, 'top')).toMatchObject({
    items: [{ number: 'WU-10', level: 1, extendedQuantity: 7 }],
    more: 0,
  });
  const useBy = async (count: number) => {
    const parents = await workspace.addEntities(count);
    await workspace.transact((tx) =>
      tx.query(
        `insert into entity_link (workspace_id, parent_id, child_id, quantity)
         select $1, id, $2, 1 from unnest($3::uuid[]) as id`,
        [workspace.id, robot, parents],
      ),
    );
  };
  await useBy(10_000);
  const many = await ask(robot, 'all');
  expect([many.items.length, many.more]).toEqual([50, 9950]);
  await useBy(1);
  expect(await ask(robot, 'top')).toMatchObject({ code: 'tree_too_large' });
  await client.close();
});
