// What a script meets: arguments that cannot be meant, lists without anything, a disk that is full, a file larger than one JSON body may be.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { projectFolder } from './project-folder.ts';
import { type Ran, runCli } from './run-cli.ts';

const program = join(projectFolder, 'clients/cli/bin/partbook.js');
let server: TestServer;
let workspace: DefaultWorkspace;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scripting-'));
  // As many as a service takes by default would be a hundred thousand.
  server = await startTestServer({ worker: true, environment: { SYNC_JSON_ENTITIES_MAX: '1000' } });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  TMPDIR: folder,
  PARTBOOK_URL: server.baseUrl,
  PARTBOOK_WORKSPACE: workspace.slug,
  PARTBOOK_API_KEY: workspace.key,
});

const run = (...args: string[]) => runCli(args, { env: environment() });

/** Starts the program in a shell, for what a shell does to the output or to limits. */
function inShell(line: string, input = ''): Promise<Ran> {
  const command = line.replaceAll('partbook', `"${process.execPath}" "${program}"`);
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', command], { env: environment() }, (error, out, said) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, said }),
    );
    // A program that refuses its input does not read it.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

test.each([
  [['batches', '--status', 'nonsense'], 'queued, processing, completed'],
  [['requirements', '--status', 'nonsense'], 'open, covered, cancelled'],
  [['results', '123'], '"123" is no id of a batch'],
  [['retry', 'abc'], '"abc" is no id of a batch'],
  [['keys', 'revoke', 'abc'], '"abc" is no id of a key'],
  [['compare', 'X', 'a', '2'], 'is a whole number'],
  [['keys', 'create', 'CI', '--areas', 'stock,shop'], '--areas takes read, stock, procurement'],
  [['keys', 'create', 'CI'], 'either --areas or --permission'],
  [['people', 'withdraw', 'abc'], '"partbook people invitations" shows them'],
  [['people', 'change', 'Anna'], 'Say what to change: --areas or --name.'],
  [['people', 'link', 'Nobody'], 'No member is named "Nobody"'],
  [['people', 'end', 'Nobody'], 'No member is named "Nobody"'],
  [
    ['keys', 'create', 'CI', '--permission', 'read', '--expires', 'tomorrow'],
    '--expires "tomorrow" is neither a day nor a time: write 2027-11-24, 2027-11-24T08:30, or 90d for ninety days from now.\n',
  ],
  [['keys', 'create', 'CI', '--permission', 'read', '--expires', '0d'], '"0d" is neither a day nor a time'],
  [
    ['keys', 'create', 'CI', '--permission', 'read', '--expires', '2020-01-01'],
    '--expires 2020-01-01 is past: name a time to come.\n',
  ],
  [['stock', 'ledger', '--from', '5'], '--from "5" is neither a day nor a time: write 2026-11-24 or'],
  [['stock', 'ledger', '--to', '2026-02-30T08:00'], '--to "2026-02-30T08:00" is neither a day nor a time'],
  [['watch', '.', '--settle', 'soon'], '--settle is a number of seconds from 0 to 86400, not "soon".\n'],
  [['watch', '.', '--every', ''], '--every is a number of seconds from 0.05 to 86400, not "".\n'],
  [['entities', '-n', '1.5'], '--limit is a whole number above 0, not "1.5"'],
])('%j ends with 2 and says what may stand there', async (args, said) => {
  if (args[0] === 'compare')
    await workspace.ask('POST', '/entities', { category: 'part', number: 'X', name: 'Compared' });
  expect(await run(...args)).toMatchObject({ code: 2, out: '', said: expect.stringContaining(said) });
});

test('a key ends on a day, at a time, or some days from now', async () => {
  const endOf = async (text: string) => {
    const { code, out, said } = await run(
      'keys',
      'create',
      'CI',
      '--permission',
      'read',
      '--expires',
      text,
      '--json',
    );
    expect(code, said).toBe(0);
    return Date.parse(JSON.parse(out).expiresAt);
  };
  expect(await endOf('2099-01-02')).toBe(new Date('2099-01-02T00:00').getTime());
  expect(await endOf('2099-01-02T08:30:00+01:00')).toBe(Date.parse('2099-01-02T07:30:00Z'));
  const before = Date.now();
  const end = (await endOf('90d')) - 90 * 86_400_000;
  expect([end >= before, end <= Date.now()]).toEqual([true, true]);
});

test('people are invited, changed, let in again and ended as in the app', async () => {
  const invited = await run('people', 'invite', 'Anna Berg', '--areas', 'read,stock', '--expires', '3d');
  expect(invited.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/join#[\w-]{43}\n$/);
  expect((await run('people', 'invitations')).out).toContain('Anna Berg');
  const joined = await server.request('/api/sign-in/link/acceptance', {
    body: {
      link: new URL(invited.out.trim()).hash.slice(1),
      password: { userName: 'anna', password: 'correct horse battery' },
    },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  expect([joined.status, joined.text]).toEqual([201, joined.text]);
  expect(await run('people', 'change', 'anna berg', '--areas', 'procurement')).toMatchObject({
    code: 0,
    out: 'Anna Berg may: read, procurement.\n',
  });
  const link = await run('people', 'link', 'Anna Berg');
  expect(link.out).toMatch(/\/join#[\w-]{43}\n$/);
  const [open] = JSON.parse((await run('people', 'invitations', '--json')).out);
  expect((await run('people', 'withdraw', open.id)).code).toBe(0);
  expect(await run('people', 'end', 'Anna Berg')).toMatchObject({
    code: 2,
    said: expect.stringContaining('--yes'),
  });
  expect((await run('people', 'end', 'Anna Berg', '--yes')).code).toBe(0);
  const [member] = JSON.parse((await run('people', '--json')).out);
  expect(member).toMatchObject({
    name: 'Anna Berg',
    areas: ['read', 'procurement'],
    endedAt: expect.any(String),
  });
});

test('a list without anything says of what there is nothing, to people alone', async () => {
  for (const [args, said] of [
    [['entities', 'no-such-part'], 'No entity has "no-such-part" in its number or name.'],
    [['entities', '--category', 'screw'], 'There is no entity of the category "screw".'],
    [['batches', '--status', 'failed'], 'No batch is failed.'],
    [['definitions'], 'The workspace has no import definitions'],
    [['orders'], 'The workspace has no orders.'],
    [['lines'], 'The workspace has no lines of orders.'],
    [['requirements', '--status', 'open'], 'No material requirement is open.'],
    [['automations', 'logs'], 'The workspace has no runs.'],
  ] as const) {
    expect(await run(...args)).toMatchObject({ code: 0, out: '', said: expect.stringContaining(said) });
    expect(await run(...args, '--json')).toEqual({ code: 0, out: '[]\n', said: '' });
  }
});

test('a list that is cut off says so to people alone, behind its rows, with the way on', async () => {
  for (const number of ['CUT-1', 'CUT-2', 'CUT-3'])
    await workspace.ask('POST', '/entities', { category: 'part', number, name: 'One of three' });
  const rows = (out: string) => out.match(/CUT-\d/g)?.length ?? 0;
  const more = 'There are more: -n 20 shows further ones, --all shows all.\n';
  const cut = await run('entities', 'CUT-', '-n', '2');
  expect([cut.code, rows(cut.out), cut.said]).toEqual([0, 2, more]);
  const both = await inShell('partbook entities CUT- -n 2 2>&1');
  expect(both.out.endsWith(more)).toBe(true);
  for (const whole of [['-n', '3'], ['--all'], []]) {
    const { code, out, said } = await run('entities', 'CUT-', ...whole);
    expect([whole, code, rows(out), said]).toEqual([whole, 0, 3, '']);
  }
  for (const form of ['--json', '--ndjson']) {
    const { out, said } = await run('entities', 'CUT-', '-n', '2', form);
    expect([form, rows(out), said]).toEqual([form, 2, '']);
  }
  expect(await run('entities', '-n', '2', '--all')).toMatchObject({
    code: 2,
    said: expect.stringContaining("'--all' cannot be used with option '-n"),
  });
});

test('a batch with refused elements is called as the web app calls it, and in JSON as the service does', async () => {
  const element = (number: string, categoryKey: string) => ({
    guid: crypto.randomUUID(),
    number,
    name: number,
    categoryKey,
  });
  const send = (name: string, ...entities: object[]) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({ entities }));
    return run('sync', file);
  };
  expect((await send('whole.json', element('WE-1', 'part'))).out).toContain(
    'whole.json: completed: 1 created',
  );
  const faulty = await send('faulty.json', element('WE-2', 'part'), element('WE-3', 'nonsense'));
  expect(faulty).toMatchObject({
    code: 5,
    out: expect.stringContaining('faulty.json: with errors: 1 created'),
  });
  await run('sync', '--plan', join(folder, 'faulty.json'));
  const [title = '', ...rows] = (await run('batches', '-n', '3')).out.split('\n');
  const [from, to] = [title.indexOf('status'), title.indexOf('total')];
  expect(rows.slice(0, 3).map((row) => row.slice(from, to).trim())).toEqual([
    'with errors (plan)',
    'with errors',
    'completed',
  ]);
  const listed = JSON.parse((await run('batches', '-n', '2', '--json', '--status', 'completed')).out);
  expect(listed).toMatchObject([
    { status: 'completed', dryRun: true, counts: { error: 1 } },
    { status: 'completed', dryRun: false, counts: { error: 1 } },
  ]);
});

test('JSON of more elements than one body takes is sent all the same, from a pipe too', async () => {
  const elements = Array.from({ length: 1500 }, (_, at) => ({
    guid: crypto.randomUUID(),
    number: `L-${at}`,
    name: 'Long '.repeat(200),
    categoryKey: 'part',
    properties: { Note: 'x'.repeat(2000) },
  }));
  const text = JSON.stringify({ entities: elements }, null, 1);
  expect(text.length).toBeGreaterThan(4 * 1024 * 1024);
  const file = join(folder, 'large.json');
  writeFileSync(file, text);
  expect(await run('sync', file)).toMatchObject({ code: 0, out: expect.stringContaining('1500 created') });
  const again = await inShell('partbook sync -', text);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('1500 skipped') });
  writeFileSync(file, `${text.slice(0, -10)}`);
  const cut = await run('sync', file);
  expect([cut.code, cut.said]).toEqual([1, expect.stringMatching(/large\.json, line \d+: .*cut off/)]);
});

test.skipIf(!existsSync('/dev/full'))('a disk that is full is said in a sentence', async () => {
  await workspace.ask('POST', '/entities', { category: 'part', number: 'FULL-1', name: 'A part' });
  const full = await inShell('partbook entities > /dev/full');
  expect(full.code).toBe(1);
  expect(full.said).toMatch(/^Standard output cannot be written: .+ cut off\.\n$/);
  const table = join(folder, 'table.csv');
  const lines = Array.from({ length: 20_000 }, (_, at) => `FULL-${at},Part,part`);
  writeFileSync(table, `number,name,category\n${lines.join('\n')}\n`);
  // In blocks of 1 KiB: less than what the elements need.
  const spool = await inShell(`trap '' XFSZ; ulimit -f 256; partbook sync --yes "${table}"`);
  expect(spool.code).toBe(1);
  expect(spool.said).toContain(`No temporary file can be written into ${folder}`);
});

test('following imports by a profile does not ask for a login of that name', async () => {
  // The key of this test belongs to nobody, who cannot follow anything.
  expect((await run('follow', '--import-profile', 'Nightly')).said).toContain(
    'This key belongs to no member',
  );
  expect((await run('follow')).said).toContain('--import-profile');
});

test('a condition on a property that is almost right names the one that is meant', async () => {
  await workspace.ask('POST', '/property-definitions', { key: 'Mass', name: 'Mass', type: 'numeric' });
  expect(await run('entities', '--where', 'Mas:lt:0.5')).toMatchObject({
    code: 2,
    said: expect.stringContaining('Did you mean Mass?'),
  });
});

test('an exact number that nothing has is not said to be looked for in names', async () => {
  expect((await run('entities', 'number: NO-SUCH')).said).toContain('No entity has the number "NO-SUCH".');
  expect((await run('entities', 'number:')).said).toContain('has "number:" in its number or name');
});
