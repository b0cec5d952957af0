// Parts of a file that the workspace has already by number, and the questions that a file raises: on a terminal, without one, and over HTTP.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { run } from '../../clients/cli/run.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { type Ran, runCli } from './run-cli.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let folder: string;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
  folder = mkdtempSync(join(tmpdir(), 'partbook-matching-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  HOME: folder,
  PARTBOOK_URL: server.baseUrl,
  PARTBOOK_WORKSPACE: workspace.slug,
  PARTBOOK_API_KEY: workspace.key,
});

function partbook(...args: readonly string[]): Promise<Ran> {
  return runCli(args, { env: environment(), cwd: folder });
}

/** On a terminal: each answer is typed when its question is shown. */
async function asked(
  args: readonly string[],
  answers: readonly (readonly [question: string, keys: string])[],
): Promise<Ran> {
  const terminal = () => Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const [stdin, stdout, stderr] = [terminal(), new PassThrough(), terminal()];
  let [out, said] = ['', ''];
  stdout.on('data', (piece) => {
    out += piece;
  });
  stderr.on('data', (piece) => {
    said += piece;
  });
  const ended = run([...args], { stdin, stdout, stderr }, environment(), folder);
  for (const [question, keys] of answers) {
    await vi.waitUntil(() => said.includes(question), patience);
    stdin.write(keys);
  }
  return { code: await ended, out, said };
}

const DOWN = '\u001b[B';
const ENTER = '\r';

function write(name: string, ...lines: readonly string[]): string {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  return name;
}

async function makePart(number: string, name = number): Promise<string> {
  const { body, status, text } = await workspace.ask('POST', '/entities', {
    category: 'part',
    number,
    name,
    E_Guid: crypto.randomUUID(),
  });
  expect(status, text).toBe(201);
  return body.id;
}

const having = async (number: string) =>
  (await workspace.ask('GET', `/entities?number=${number}`)).body.items as {
    id: string;
    name: string;
    properties: Record<string, unknown>;
  }[];

test('a part with the same number is proposed; a terminal is asked, and without one the run ends with both ways', async () => {
  const id = await makePart('MT-1', 'Old name');
  const file = write('match.csv', 'Part Number,Description', 'MT-1,New name');
  write(
    'match.json',
    JSON.stringify({ format: 'table', columns: { number: 'Part Number', name: 'Description' } }),
  );
  const sync = ['sync', file, '-d', 'match.json'];
  const planned = await partbook(...sync, '--plan');
  expect(planned).toMatchObject({
    code: 3,
    said: expect.stringContaining('matches MT-1, which the workspace has already'),
  });
  expect(await partbook(...sync)).toMatchObject({
    code: 2,
    said: expect.stringContaining(
      '--match number updates those parts, --match guid creates others beside them',
    ),
  });
  expect((await asked(sync, [['Are these the same parts?', 'n']])).code).toBe(3);
  expect((await having('MT-1')).map(({ name }) => name)).toEqual(['Old name']);
  expect((await asked(sync, [['Are these the same parts?', 'y']])).code).toBe(0);
  expect(await having('MT-1')).toMatchObject([{ id, name: 'New name' }]);
  expect((await partbook(...sync, '--match', 'guid')).out).toContain('1 created');
  expect(await having('MT-1')).toHaveLength(2);
});

test('a number that can be read in two ways is a question on a terminal, and refused without one', async () => {
  const file = write('two.csv', 'Teil;Qty', 'MQ-1;2', 'MQ-2;1,000');
  write(
    'two.json',
    JSON.stringify({
      format: 'table',
      columns: { number: 'Teil', quantity: 'Qty' },
      delimiter: ';',
      decimal: 'unambiguous',
      root: { number: 'MQ' },
    }),
  );
  const sync = ['sync', file, '-d', 'two.json'];
  const refused = await partbook(...sync);
  expect(refused).toMatchObject({
    code: 5,
    said: expect.stringMatching(/line 3, cell Qty: "1,000" can be 1000 or 1\..*--decimal/s),
  });
  const answered = await asked(sync, [['how much is "1,000"', ENTER]]);
  expect([answered.code, answered.said]).toEqual([0, expect.stringContaining('total quantity 1002')]);
  const plan = await asked(
    [...sync, '--plan'],
    [
      ['how much is "1,000"', `${DOWN}${ENTER}`],
      ['Apply this?', 'n'],
    ],
  );
  expect(plan.said).toContain('total quantity 3');
});

test('columns become properties, and values of a column categories, where the options say so', async () => {
  const file = write(
    'new.csv',
    'Part Number,Description,Kind,Shade',
    'NP-1,Cap,Housing,red',
    'NP-2,Lid,Housing,blue',
  );
  const open = await partbook('sync', file, '--plan');
  expect(open.said).toMatch(/columns left out: .*Shade/);
  const sent = await partbook(
    'sync',
    file,
    '--yes',
    '--new-properties',
    '--category',
    'Kind:Housing=assembly',
  );
  expect(sent, sent.said).toMatchObject({ code: 0, out: expect.stringContaining('2 created') });
  expect(sent.said).toMatch(/properties created: .*Shade/);
  expect(await having('NP-1')).toMatchObject([{ category: 'assembly', properties: { Shade: 'red' } }]);
  const more = write('more.csv', 'Part Number,Description,Shade,Gloss', 'NP-3,Cap,red,high');
  const left = await partbook('suggest', more);
  expect(left.said).toMatch(/Left out: Gloss\. --new-properties/);
  const suggested = await partbook('suggest', more, '--new-properties');
  expect(suggested, suggested.said).toMatchObject({
    code: 0,
    said: expect.stringContaining('Properties created: Gloss.'),
  });
  expect(JSON.parse(suggested.out).properties).toEqual({ Shade: 'Shade', Gloss: 'Gloss' });
  expect(JSON.parse((await partbook('suggest', more)).out)).toEqual(JSON.parse(suggested.out));
  expect((await partbook('sync', file, '--yes', '--category', 'Housing')).said).toContain(
    '--category is VALUE=KEY',
  );
});

test('parts of an unknown category are not sent where nobody is asked', async () => {
  const file = write('odd.csv', 'Part Number,Description,Category', 'OD-1,Cap,part', 'OD-2,Lid,gizmo');
  const refused = await partbook('sync', file, '--yes');
  expect(refused.said).toMatch(/no categories: gizmo.*category "part".*Nothing was sent/s);
  expect([refused.code, await having('OD-1')]).toEqual([2, []]);
  const sent = await partbook('sync', file, '--yes', '--category', 'Category:gizmo=assembly');
  expect(sent, sent.said).toMatchObject({ code: 0, out: expect.stringContaining('2 created') });
});

test('a table over HTTP is matched as the command line does it', async () => {
  const id = await makePart('MH-1', 'Old name');
  const twins = await Promise.all([makePart('MH-2'), makePart('MH-2')]);
  const columns = { number: 'No', name: 'Name' };
  const define = async (name: string, mapping: object) =>
    expect((await workspace.ask('POST', '/import-definitions', { name, mapping })).status).toBe(201);
  await define('match-ask', { format: 'table', columns });
  await define('match-number', { format: 'table', columns, match: 'number' });
  await define('match-guid', { format: 'table', columns, match: 'guid' });
  const send = (profile: string, more = '', number = 'MH-1') =>
    workspace.ask(
      'POST',
      `/pdm/sync?profile=${profile}${more}`,
      `No,Name\n${number},New name\nMH-9,Other\n`,
      {
        'Content-Type': 'text/csv',
        Prefer: 'wait=30',
      },
    );
  const undecided = await send('match-ask');
  expect([undecided.status, undecided.body.code, undecided.body.errors[0].code]).toEqual([
    422,
    'file_unreadable',
    'match_undecided',
  ]);
  expect(undecided.body.detail).toMatch(/matches MH-1, .*"match" is number or guid/);
  const planned = await send('match-ask', '&dryRun=true');
  expect(planned.body.counts, planned.text).toMatchObject({ created: 1, updated: 1 });
  expect(planned.body.results[0].warnings).toMatchObject([
    { message: expect.stringContaining('matches MH-1') },
  ]);
  expect((await send('match-number')).body.counts).toMatchObject({ created: 1, updated: 1 });
  expect(await having('MH-1')).toMatchObject([{ id, name: 'New name' }]);
  // Its GUID is the one that was made for it, so nothing is to be decided.
  expect((await send('match-ask', '', 'MH-7')).body.counts).toMatchObject({ created: 1, skipped: 1 });
  // A number of two parts is nobody's.
  expect((await send('match-number', '', 'MH-2')).body.counts).toMatchObject({ created: 1 });
  expect(await having('MH-2')).toHaveLength(twins.length + 1);
  expect((await send('match-guid')).body.counts).toMatchObject({ created: 1 });
  expect(await having('MH-1')).toHaveLength(2);
});

test('a column with a unit in its title is converted, on the command line and over HTTP alike', async () => {
  const mass = { key: 'Weighed', name: 'Weighed', type: 'numeric', unit: 'kg' };
  expect((await workspace.ask('POST', '/property-definitions', mass)).status).toBe(201);
  const file = write('weighed.csv', 'Part Number,Description,Weighed [g]', 'WG-1,Cap,412');
  const sent = await partbook('sync', file, '--yes');
  expect(sent, sent.said).toMatchObject({ code: 0, out: expect.stringContaining('1 created') });
  expect(sent.said).toContain('"Weighed [g]" is in g: its numbers are converted to kg, the unit of Weighed.');
  expect(await having('WG-1')).toMatchObject([{ properties: { Weighed: 0.412 } }]);
  const columns = { number: 'No' };
  const mapping = { format: 'table', match: 'number', columns, properties: { Weighed: 'Weighed / g' } };
  expect((await workspace.ask('POST', '/import-definitions', { name: 'weighed', mapping })).status).toBe(201);
  const post = (title: string) => {
    const headers = { 'Content-Type': 'text/csv', Prefer: 'wait=30' };
    return workspace.ask('POST', '/pdm/sync?profile=weighed', `No,${title}\nWG-1,83\n`, headers);
  };
  expect((await post('Weighed / g')).body.counts).toMatchObject({ updated: 1 });
  expect(await having('WG-1')).toMatchObject([{ properties: { Weighed: 0.083 } }]);
  // Millimetres are no kilograms: a warning, and the value stays.
  const wrong = { ...mapping, properties: { Weighed: 'Weighed (mm)' } };
  expect((await workspace.ask('PUT', '/import-definitions/weighed', { mapping: wrong })).status).toBe(200);
  const refused = await post('Weighed (mm)');
  expect(refused.body.results[0].warnings).toMatchObject([
    { code: 'invalid_numeric', message: expect.stringContaining('"83 mm"') },
  ]);
  expect(await having('WG-1')).toMatchObject([{ properties: { Weighed: 0.083 } }]);
  const saved = await partbook('sync', write('again.csv', 'No,Weighed (mm)', 'WG-1,5'), '-d', 'weighed');
  expect(saved.said).toContain('"Weighed (mm)" is in mm, which does not convert to kg');
});

test('a reference is written as a number: in a file, in a condition, and as a new value', async () => {
  const twin = { key: 'Twin', name: 'Twin', type: 'reference' };
  expect((await workspace.ask('POST', '/property-definitions', twin)).status).toBe(201);
  const known = await makePart('TW-9');
  // TW-2 stands below the line that names it, with a GUID of its own.
  const guid = '11111111-2222-4333-8444-555555555555';
  const file = write(
    'twins.csv',
    'Part Number,Description,Twin,GUID',
    'TW-1,Left,TW-2,',
    `TW-2,Right,,${guid}`,
    'TW-3,Other,TW-9,',
    `TW-4,Odd,guid:${guid},`,
  );
  const sent = await partbook('sync', file, '--yes');
  expect(sent, sent.said).toMatchObject({ code: 0, out: expect.stringContaining('4 created') });
  const twinOf = async (number: string) => (await having(number))[0]?.properties.Twin;
  expect(await Promise.all(['TW-1', 'TW-4'].map(twinOf))).toEqual([`guid:${guid}`, `guid:${guid}`]);
  const found = await partbook('entities', '--where', 'Twin:eq:TW-9', '--json');
  expect(JSON.parse(found.out).map(({ number }: { number: string }) => number)).toEqual(['TW-3']);
  const set = await partbook('bulk-edit', '--only', 'TW-2', '--set', 'Twin=TW-9', '--apply');
  expect(set, set.said).toMatchObject({ code: 0 });
  expect(await twinOf('TW-2')).toBe(known);
  const wrong = await partbook('bulk-edit', '--only', 'TW-2', '--set', 'Twin=TW-99');
  expect([wrong.code, wrong.said]).toEqual([2, expect.stringContaining('TW-99')]);
});
