// The command line as it is installed: packed, put into an empty folder by npm, and run against the service.
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { projectFolder } from './project-folder.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let folder: string;
let program: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'partbook-cli-'));
  const packed = execFileSync(process.execPath, [join(projectFolder, 'clients/pack-clients.ts'), folder], {
    encoding: 'utf8',
  });
  const [cli = '', client = ''] = packed.trim().split('\n');
  const empty = join(folder, 'installed');
  mkdirSync(empty);
  // Packages of the registry come from where npm has them: the tarballs are ours.
  execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', cli, client], {
    cwd: empty,
    stdio: 'pipe',
  });
  program = join(empty, 'node_modules/partbook/bin/partbook.js');
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  PARTBOOK_URL: server.baseUrl,
  PARTBOOK_WORKSPACE: workspace.slug,
  PARTBOOK_API_KEY: workspace.key,
  ...more,
});

interface Ran {
  code: number;
  out: string;
  said: string;
}

function run(
  args: readonly string[],
  {
    input = '',
    more = {},
    cwd = folder,
  }: { input?: string; more?: Record<string, string>; cwd?: string } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { cwd, env: environment(more) },
      (error, out, said) => resolve({ code: error === null ? 0 : Number(error.code), out, said }),
    );
    child.stdin?.end(input);
  });
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const step = (parts: string) =>
  `ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n${parts}\nENDSEC;\nEND-ISO-10303-21;\n`;
const product = (id: number, key: string, name = key) =>
  `#${id}=PRODUCT('${key}','${name}','',());\n#${id + 1}=PRODUCT_DEFINITION_FORMATION('1','',#${id});\n#${id + 2}=PRODUCT_DEFINITION('d','',#${id + 1},$);`;
const usage = (id: number, parent: number, child: number) =>
  `#${id}=NEXT_ASSEMBLY_USAGE_OCCURRENCE('u','','',#${parent + 2},#${child + 2},$);`;

describe('sync', () => {
  test('a STEP file becomes a tree; sent again, nothing differs; a plan shows what would change', async () => {
    const file = write(
      'as.stp',
      step([product(10, 'ST-A'), product(20, 'ST-B'), usage(30, 10, 20), usage(31, 10, 20)].join('\n')),
    );
    const first = await run(['sync', file]);
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('2 created') });
    expect((await run(['tree', 'ST-A', '--json'])).out).toContain('"extendedQuantity": 2');
    // What has children is an assembly, by whatever format it came.
    expect((await run(['entity', 'ST-A', '--json'])).out).toContain('"category": "assembly"');
    expect((await run(['entity', 'ST-B', '--json'])).out).toContain('"category": "part"');
    expect((await run(['sync', file])).out).toContain('0 created, 0 updated');
    writeFileSync(
      file,
      step([product(10, 'ST-A'), product(20, 'ST-B', 'Renamed'), usage(30, 10, 20)].join('\n')),
    );
    const plan = await run(['sync', '--plan', file]);
    expect(plan.code).toBe(3);
    expect(plan.said).toContain('name: "ST-B" → "Renamed"');
    // The parent is in the file but unchanged, and is still named by its number.
    expect(plan.said).toContain('in ST-A: 2 → 1');
    expect((await run(['entity', 'ST-B', '--json'])).out).toContain('"name": "ST-B"');
    expect((await run(['sync', '--plan', '--yes', file])).code).toBe(0);
    expect((await run(['entity', 'ST-B', '--json'])).out).toContain('"name": "Renamed"');
  });
  test('a file that cannot be taken is named, whoever found its fault', async () => {
    const [empty, cut] = [write('empty.csv', ''), write('cut.json', '{"entities":[{"guid":')];
    expect(await run(['sync', empty])).toMatchObject({ code: 1, said: `${empty}: The file is empty.\n` });
    expect(await run(['sync', cut])).toMatchObject({
      code: 1,
      said: expect.stringMatching(new RegExp(`^${cut}: Line 1, column 22: .+ \\(invalid_json, `)),
    });
  });

  test.skipIf(!existsSync(join(projectFolder, 'node_modules/.bin/node')))(
    'in a clone it runs by a Node that cannot read the sources, too',
    () => {
      const inClone = join(projectFolder, 'clients/cli/bin/partbook.js');
      const older = ['--no-experimental-strip-types', inClone];
      expect(execFileSync(process.execPath, [...older, '--version'], { encoding: 'utf8' })).toBe('1.0.0\n');
      const wrong = spawnSync(process.execPath, [...older, 'nonsense'], { encoding: 'utf8' });
      expect([wrong.status, wrong.stderr]).toEqual([
        2,
        expect.stringContaining("unknown command 'nonsense'"),
      ]);
    },
  );

  test('what the service warns of is counted: a part whose assembly is not there yet', async () => {
    const file = join(folder, 'early.ndjson');
    const [guid, parentGuid] = [randomUUID(), randomUUID()];
    writeFileSync(file, JSON.stringify({ guid, number: '', name: 'Early', categoryKey: 'part', parentGuid }));
    const sent = await run(['sync', file]);
    expect(sent.out).toContain('1 created, 0 updated, 0 skipped, 0 errors, 1 warning (batch ');
  });

  test('a table needs a definition or a nod; one of the workspace serves the command line and a CSV over HTTP alike', async () => {
    const file = write(
      'bom.csv',
      'Level;Teilenummer;Benennung;Menge\n0;CSV-A;Gestell;1\n1;CSV-B;Schraube;0,5\n',
    );
    const asked = await run(['sync', file]);
    expect(asked.code).toBe(2);
    expect(asked.said).toContain('"structure": "levels"');
    const suggested = await run(['suggest', file]);
    // By what it holds, whatever its name ends with.
    expect(suggested.said).toContain('bom.csv is a table with semicolons between its columns.');
    const tabbed = write('bom.tsv', 'Part Number\tName\tQty\nT-1\tNut\t2\n');
    expect((await run(['suggest', tabbed])).said).toContain('is a table with tabs between its columns.');
    const netlist = join(projectFolder, 'docs/guides/samples/board.xml');
    expect((await run(['suggest', netlist])).said).toContain('is a KiCad netlist.');
    const definition = write('definition.json', suggested.out);
    expect((await run(['definitions', 'push', 'erp', definition])).said).toContain('erp is new');
    const sent = await run(['sync', '--definition', 'erp', file, '--json']);
    expect(JSON.parse(sent.out)).toMatchObject({ profileName: 'erp', counts: { created: 2 } });
    const csv = { 'Content-Type': 'text/csv', Prefer: 'wait=30' };
    const body = readFileSync(file, 'utf8');
    const again = await workspace.ask('POST', '/pdm/sync?profile=erp', body, csv);
    expect(again.body.counts).toMatchObject({ total: 2, skipped: 2 });
    const keyed = { ...csv, 'Idempotency-Key': 'nightly' };
    const first = await workspace.ask('POST', '/pdm/sync?profile=erp', body, keyed);
    expect(first.status, first.text).toBe(200);
    const [kept] = await workspace.transact((tx) =>
      tx.query<{ mapping: string }>(
        `select mapping::text as mapping from import_definition where workspace_id = $1 and name = 'erp'`,
        [tx.workspaceId],
      ),
    );
    // By another definition the table would be other elements, and without one none: the batch is the same.
    for (const definitions of [
      `update import_definition set mapping = jsonb_set(mapping, '{columns,name}', '"Nr"') where workspace_id = $1 and name = 'erp'`,
      `update import_definition set name = 'away' where workspace_id = $1 and name = 'erp'`,
    ]) {
      await workspace.transact((tx) => tx.query(definitions, [tx.workspaceId]));
      const replayed = await workspace.ask('POST', '/pdm/sync?profile=erp', body, keyed);
      expect([replayed.status, replayed.body.batchId]).toEqual([200, first.body.batchId]);
      expect(replayed.headers.get('idempotent-replayed')).toBe('true');
      const other = await workspace.ask('POST', '/pdm/sync?profile=erp', `${body}x`, keyed);
      expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    }
    const missing = await workspace.ask('POST', '/pdm/sync?profile=erp', body, {
      ...csv,
      'Idempotency-Key': 'later',
    });
    expect([missing.status, missing.body.code]).toEqual([422, 'import_definition_missing']);
    await workspace.transact((tx) =>
      tx.query(
        `update import_definition set name = 'erp', mapping = $2::jsonb where workspace_id = $1 and name = 'away'`,
        [tx.workspaceId, kept?.mapping],
      ),
    );
    // A line that cannot be read is named in its place, as are those below it, and the others go on.
    const lines = '1;CSV-C;x;many\n2;CSV-D;y;1\n1;CSV-E;z;2\n';
    const faulty = await workspace.ask('POST', '/pdm/sync?profile=erp', body + lines, csv);
    expect([faulty.status, faulty.body.counts]).toEqual([
      200,
      expect.objectContaining({ total: 5, created: 1, skipped: 2, error: 2 }),
    ]);
    expect(faulty.body.results.slice(2)).toMatchObject([
      {
        index: 2,
        guid: null,
        result: 'error',
        code: 'unreadable_line',
        message: expect.stringMatching(/^Line 4, cell Menge: "many"/),
      },
      {
        index: 3,
        result: 'error',
        code: 'unreadable_line',
        message: expect.stringMatching(/^Line 5: "CSV-D" is below/),
      },
      { index: 4, result: 'created', number: 'CSV-E' },
    ]);
    // What could not be understood of a line is said by its result, with line and column; of a line left out by its neighbour.
    const erp = JSON.parse(suggested.out);
    const mapping = { ...erp, properties: { Masse: { column: 'Masse', type: 'numeric' } } };
    const made = await workspace.ask('POST', '/import-definitions', { name: 'erp-mass', mapping });
    expect(made.status, made.text).toBe(201);
    const noted = await workspace.ask(
      'POST',
      '/pdm/sync?profile=erp-mass',
      'Level;Teilenummer;Benennung;Menge;Masse\n0;CSV-A;Gestell;1;schwer\n1;CSV-B;Schraube;0,5;2\n1;;Mutter;3;1\n',
      csv,
    );
    expect(noted.body.counts, noted.text).toMatchObject({ total: 2, error: 0, warnings: 2 });
    expect(noted.body.results.map((one: { warnings?: object[] }) => one.warnings)).toEqual([
      [
        {
          code: 'source_warning',
          property: 'Masse',
          message: expect.stringMatching(/^Line 2, cell Masse: "schwer" is no number/),
        },
      ],
      [{ code: 'source_warning', message: expect.stringMatching(/^Line 4: "Mutter" has no number/) }],
    ]);
    // However many there are, so many are worded; the others are counted.
    const many = Array.from({ length: 1500 }, (_, at) => `1;CSV-M${at};x;1;schwer\n`).join('');
    const crowd = await workspace.ask(
      'POST',
      '/pdm/sync?profile=erp-mass&dryRun=true',
      `Level;Teilenummer;Benennung;Menge;Masse\n0;CSV-A;Gestell;1;\n${many}`,
      csv,
    );
    expect(crowd.body.counts, crowd.text.slice(0, 500)).toMatchObject({ total: 1501, warnings: 1500 });
    const { columns, ...rest } = erp;
    const { quantity: _, ...uncounted } = columns;
    const silent = { name: 'erp-silent', mapping: { ...rest, columns: uncounted } };
    expect((await workspace.ask('POST', '/import-definitions', silent)).status).toBe(201);
    const counted = await workspace.ask('POST', '/pdm/sync?profile=erp-silent', body, csv);
    expect(counted.body.results[0].warnings).toEqual([
      { code: 'source_warning', message: expect.stringMatching(/^Line 1: No column of quantities is named/) },
    ]);
    // What is no table at all is refused, and nothing of it is taken.
    const open = await workspace.ask('POST', '/pdm/sync?profile=erp', `${body}1;"CSV-F;x;1\n`, csv);
    expect(open).toMatchObject({
      status: 422,
      body: { code: 'file_unreadable', detail: expect.stringContaining('line 4') },
    });
    const unknown = await workspace.ask('POST', '/pdm/sync?profile=nobody', body, csv);
    expect(unknown.body.code).toBe('import_definition_missing');
    const history = await workspace.ask('GET', '/audit?subjectKey=erp&limit=5');
    expect(history.body.items[0]).toMatchObject({
      subjectType: 'importDefinition',
      subjectKey: 'erp',
      action: 'create',
    });
  });

  test('what cannot be read is named and stops the file; the rest goes with a word; errors of elements end with 5', async () => {
    const definition = write(
      'flat.json',
      JSON.stringify({ columns: { number: 'No', quantity: 'Qty' }, root: { number: 'FLAT' } }),
    );
    const file = write('faulty.csv', 'No,Qty\nF-1,1\nF-2,many\n');
    const stopped = await run(['sync', '-d', definition, file]);
    expect(stopped.code).toBe(5);
    expect(stopped.said).toContain('line 3, cell Qty: "many" is no quantity');
    expect((await run(['sync', '-d', definition, '--leave-out-faulty', file])).code).toBe(0);
    const wrong = write(
      'wrong.json',
      JSON.stringify({ entities: [{ guid: 'not one', number: '1', name: 'x', categoryKey: 'part' }] }),
    );
    expect(await run(['sync', wrong])).toMatchObject({
      code: 5,
      said: expect.stringContaining('invalid_entity'),
    });
    expect(
      (
        await run([
          'results',
          '--result',
          'error',
          (await run(['batches', '-n', '1', '--json'])).out.match(/"batchId": "([^"]+)"/)?.[1] ?? '',
          '--json',
        ])
      ).out,
    ).toContain('invalid_entity');
  });

  test('cancel stops a batch that is not done, and says that one is', async () => {
    // Nobody applies it.
    const idle = await startTestServer();
    try {
      const { slug, key } = await makeDefaultWorkspace(idle);
      const more = { PARTBOOK_URL: idle.baseUrl, PARTBOOK_WORKSPACE: slug, PARTBOOK_API_KEY: key };
      const file = write(
        'waits.json',
        JSON.stringify({ entities: [{ guid: randomUUID(), number: '1', name: 'x', categoryKey: 'part' }] }),
      );
      const sent = await run(['sync', '--no-wait', file, '--json'], { more });
      const id = (JSON.parse(sent.out) as { batchId: string }).batchId;
      const cancelled = await run(['cancel', id], { more });
      expect(cancelled).toMatchObject({ code: 0, out: expect.stringContaining('cancelled: 0 created') });
      expect(await run(['cancel', id], { more })).toMatchObject({
        code: 1,
        said: expect.stringContaining('batch_finished'),
      });
    } finally {
      await idle.close();
    }
  });
});

describe('the process', () => {
  test.each([
    [['sync'], {}, 2],
    [['nothing'], {}, 2],
    [['entities'], { PARTBOOK_API_KEY: `pbk_${'x'.repeat(46)}` }, 4],
    [['entities'], { PARTBOOK_URL: 'http://127.0.0.1:1' }, 75],
    [['--version'], {}, 0],
    [['doctor'], { PARTBOOK_API_KEY: `pbk_${'x'.repeat(46)}` }, 1],
    [['doctor'], {}, 0],
  ])(
    '%j ends with its code',
    async (args, more, code) => {
      expect(await run(args, { more })).toMatchObject({ code });
    },
    900_000,
  );

  test('login keeps a key for this user alone, and takes it by standard input', async () => {
    const more = { PARTBOOK_API_KEY: '', PARTBOOK_URL: '', PARTBOOK_WORKSPACE: '' };
    const signedIn = await run(['login', '--url', server.baseUrl, '--workspace', workspace.slug], {
      input: workspace.key,
      more,
    });
    expect(signedIn.code).toBe(0);
    const kept = join(folder, '.config/partbook/config.json');
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(await run(['keys'], { more })).toMatchObject({ out: expect.stringContaining('admin'), said: '' });
    expect((await run(['logout'], { more })).code).toBe(0);
    expect((await run(['keys'], { more })).code).toBe(2);
  });

  test('stock is adjusted, counted and verified', async () => {
    const made = await workspace.ask('POST', '/entities', {
      category: 'location',
      name: 'Bin',
      number: 'BIN-1',
    });
    expect(made.status).toBe(201);
    await workspace.ask('POST', '/entities', { category: 'part', name: 'Nut', number: 'NUT-1' });
    expect((await run(['stock', 'adjust', 'NUT-1', 'BIN-1', '12'])).out).toContain('12 on hand');
    const planned = await run(['stock', 'adjust', '--plan', 'NUT-1', 'BIN-1', '--', '-2']);
    expect([planned.code, planned.out]).toEqual([3, expect.stringContaining('12 → 10 on hand')]);
    const refused = await run(['stock', 'adjust', '--plan', 'NUT-1', 'BIN-1', '--', '-13']);
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('It would be refused')]);
    expect((await run(['stock', 'adjust', 'NUT-1', 'BIN-1', '--', '-2'])).out).toContain('10 on hand');
    const count = write('count.csv', 'item;location;counted\nNUT-1;BIN-1;7,5\n');
    expect(await run(['stock', 'count', count, '--decimal', ','])).toMatchObject({
      code: 3,
      said: '',
      out: expect.stringContaining('-2.5'),
    });
    expect((await run(['stock', 'count', count, '--decimal', ',', '--yes'])).code).toBe(0);
    expect((await run(['stock', 'positions', 'NUT-1', '--ndjson'])).out).toContain('"onHand":7.5');
    expect((await run(['stock', 'verify'])).out).toContain('Whole');
  });

  test('scripts go out as files and come back', async () => {
    const scripts = join(folder, 'scripts');
    mkdirSync(scripts);
    writeFileSync(join(scripts, 'hello.js'), 'api.log("hello");\n');
    const entry = { file: 'hello.js', name: 'Hello', description: '', contextTypeId: 3, enabled: false };
    writeFileSync(join(scripts, 'automations.json'), JSON.stringify([entry]));
    expect((await run(['automations', 'test', join(scripts, 'hello.js')])).out).toContain('hello');
    expect((await run(['automations', 'push', scripts, '--plan'])).code).toBe(3);
    expect((await run(['automations', 'push', scripts])).said).toContain('+ Hello');
    expect((await run(['automations', 'push', scripts])).said).toContain('Nothing differs');
    expect((await run(['automations', 'pull', join(folder, 'pulled')])).code).toBe(0);
    expect(readFileSync(join(folder, 'pulled/hello.js'), 'utf8')).toBe('api.log("hello");\n');
    writeFileSync(join(scripts, 'hello.js'), 'api.log("hello"\n');
    expect(await run(['automations', 'push', scripts])).toMatchObject({
      code: 1,
      said: expect.stringContaining('hello.js:'),
    });
  });

  test('agents are served over standard input and output', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', '--allow-writes'],
      env: environment(),
    });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['search_entities', 'get_tree', 'propose_sync', 'commit_plan']),
    );
    const guid = '5f2fdd5b-4f52-4b58-9a50-2c5b3ad6a001';
    const call = async (name: string, args: Record<string, unknown>) => {
      const { content } = (await client.callTool({ name, arguments: args })) as {
        content: { text: string }[];
      };
      return JSON.parse(content[0]?.text ?? '');
    };
    const plan = await call('propose_sync', {
      entities: [{ guid, number: 'AG-1', name: 'By an agent', categoryKey: 'part' }],
    });
    expect(plan).toMatchObject({ dryRun: true, counts: { created: 1 } });
    expect((await call('search_entities', { number: 'AG-1' })).items).toEqual([]);
    await call('commit_plan', { batch: plan.batchId });
    expect((await call('get_entity', { entity: `guid:${guid}` })).number).toBe('AG-1');
    expect((await call('get_entity', { entity: 'guid:00000000-0000-4000-8000-000000000009' })).code).toBe(
      'entity_not_found',
    );
    await client.close();
  });
});

describe('watch', () => {
  const start = (
    watched: string,
    args: readonly string[] = [],
    more: Record<string, string> = {},
  ): ChildProcess =>
    spawn(process.execPath, [program, 'watch', watched, '--settle', '0.2', '--every', '0.1', ...args], {
      cwd: folder,
      env: environment({ XDG_STATE_HOME: join(folder, 'state'), ...more }),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const batchesOf = async () =>
    (await workspace.ask('GET', '/pdm/sync/batches?limit=1000')).body.items as {
      batchId: string;
      counts: { total: number };
    }[];
  const watchedFolder = (name: string) => {
    const watched = join(folder, name);
    mkdirSync(watched);
    return watched;
  };
  const drop = (watched: string, name: string, key: string) => {
    writeFileSync(join(folder, 'dropping'), step(product(10, key)));
    renameSync(join(folder, 'dropping'), join(watched, name));
  };

  test('sends what is dropped, moves it with its results, leaves what cannot be read to be mended', async () => {
    const watched = watchedFolder('drop');
    const watching = start(watched);
    try {
      drop(watched, 'a.stp', 'W-1');
      writeFileSync(join(watched, 'b.stp'), 'ISO-10303-21;');
      writeFileSync(join(watched, 'c.csv'), 'No,Qty\nX,1\n');
      writeFileSync(join(watched, '.hidden.stp'), step(product(10, 'W-H')));
      await vi.waitUntil(
        () =>
          existsSync(join(watched, 'done/a.stp')) &&
          existsSync(join(watched, 'failed/b.stp')) &&
          existsSync(join(watched, 'failed/c.csv')),
        patience,
      );
      expect(JSON.parse(readFileSync(join(watched, 'done/a.stp.results.json'), 'utf8'))).toMatchObject({
        counts: { created: 1 },
        results: [{ result: 'created' }],
      });
      expect(JSON.parse(readFileSync(join(watched, 'failed/b.stp.results.json'), 'utf8')).code).toBe(
        'step_cut',
      );
      expect(JSON.parse(readFileSync(join(watched, 'failed/c.csv.results.json'), 'utf8')).code).toBe(
        'table_unclear',
      );
      expect(readdirSync(watched).toSorted()).toEqual(['.hidden.stp', 'done', 'failed']);
      for (const byWayOf of ['the terminal', 'npx']) expect(watching.kill('SIGINT'), byWayOf).toBe(true);
      expect(['130,', ',SIGINT']).toContain(String(await once(watching, 'close'))); // A shell reports 130 for both.
    } finally {
      watching.kill('SIGKILL');
    }
  });

  test('killed again and again, it sends each content exactly once', async () => {
    const watched = watchedFolder('killed');
    const before = (await batchesOf()).length;
    const files = 12;
    for (let file = 0; file < files; file++) drop(watched, `f${file}.stp`, `K-${file}`);
    const done = () =>
      existsSync(join(watched, 'done'))
        ? readdirSync(join(watched, 'done')).filter((name) => name.endsWith('.stp')).length
        : 0;
    // Each life is ended at another moment of the work: as soon as one more batch is there, or one more file has moved.
    for (let life = 0; done() < files; life++) {
      const watching = start(watched);
      const [sent, moved] = [(await batchesOf()).length, done()];
      await vi.waitUntil(
        async () => (life % 2 === 0 ? (await batchesOf()).length > sent : done() > moved) || done() === files,
        patience,
      );
      watching.kill('SIGKILL');
      await once(watching, 'close');
    }
    expect((await batchesOf()).length - before).toBe(files);
    // The same content under the same name, dropped once more, is sent once more.
    drop(watched, 'f0.stp', 'K-0');
    const watching = start(watched, ['--once']);
    await once(watching, 'close');
    expect((await batchesOf()).length - before).toBe(files + 1);
  });

  test('each file of a name has its results beside it; --once ends with 5 where one was not taken', async () => {
    const watched = watchedFolder('again');
    for (const key of ['N-1', 'N-2']) {
      drop(watched, 'a.stp', key);
      expect(await once(start(watched, ['--once']), 'close')).toEqual([0, null]);
    }
    const read = (name: string) => readFileSync(join(watched, 'done', name), 'utf8');
    const files = readdirSync(join(watched, 'done')).filter((name) => name.endsWith('.stp'));
    const numbers = files.map((name) => JSON.parse(read(`${name}.results.json`)).results[0].number as string);
    expect(numbers.toSorted()).toEqual(['N-1', 'N-2']);
    for (const [at, name] of files.entries()) expect(read(name)).toContain(`'${numbers[at]}'`);
    writeFileSync(join(watched, 'b.stp'), 'ISO-10303-21;');
    expect(await once(start(watched, ['--once']), 'close')).toEqual([5, null]);
  });

  test('on a share that can only be read files stay, and are sent again only when they change', async () => {
    const watched = watchedFolder('share');
    drop(watched, 'a.stp', 'S-1');
    const once1 = start(watched, ['--no-move', '--once']);
    await once(once1, 'close');
    const before = (await batchesOf()).length;
    const once2 = start(watched, ['--no-move', '--once']);
    await once(once2, 'close');
    expect((await batchesOf()).length).toBe(before);
    drop(watched, 'a.stp', 'S-2');
    const once3 = start(watched, ['--no-move', '--once']);
    await once(once3, 'close');
    expect((await batchesOf()).length).toBe(before + 1);
    expect(readdirSync(watched)).toEqual(['a.stp']);
  });

  test('with --exact an assembly has what its file names', async () => {
    const watched = watchedFolder('exact');
    const [top, bolt, nut] = [1, 2, 3].map((n) => `6f1c2f9e-3d2b-4c4e-9a51-0b8a6f3d7e0${n}`);
    const line = (guid: string | undefined, number: string, parentGuid?: string) =>
      `${JSON.stringify({ guid, number, name: number, categoryKey: 'part', parentGuid })}\n`;
    const write = (...lines: string[]) => writeFileSync(join(watched, 'x.ndjson'), lines.join(''));
    write(line(top, 'X-1'), line(bolt, 'X-2', top), line(nut, 'X-3', top));
    await once(start(watched, ['--once', '--exact']), 'close');
    write(line(top, 'X-1'), line(bolt, 'X-2', top));
    await once(start(watched, ['--once', '--exact']), 'close');
    const uses = await workspace.ask('GET', `/entities/guid:${top}/uses`);
    expect(uses.body.items.map((item: { number: string }) => item.number)).toEqual(['X-2']);
  });

  test('a key that is refused ends it with 4, and settles nothing', async () => {
    const watched = watchedFolder('refused');
    drop(watched, 'a.stp', 'R-1');
    const watching = start(watched, ['--once'], { PARTBOOK_API_KEY: `pbk_${'x'.repeat(46)}` });
    const [code] = await once(watching, 'close');
    expect(code).toBe(4);
    expect(readdirSync(watched)).toEqual(['a.stp']);
  });
});

test('whole workspaces are moved by the command of the installation, and by none where there is none', async () => {
  const elsewhere = await run(['workspace', 'move', workspace.slug]);
  expect(elsewhere).toMatchObject({ code: 2, said: expect.stringContaining('folder of the installation') });
  const inIt = await run(['workspace', 'move', '--with-name', workspace.slug], { cwd: projectFolder });
  expect(inIt).toMatchObject({ code: 2, said: expect.stringContaining('move SLUG [ADDRESS]') });
});
