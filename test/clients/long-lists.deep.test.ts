// Lists that go on for longer than a person, a pipe or the memory: asked of a service that is made up of their pages.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { projectFolder } from './project-folder.ts';

const program = join(projectFolder, 'clients/cli/bin/partbook.js');
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'partbook-long-'));
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

interface Page {
  items: object[];
  nextCursor: string | null;
}
type PageOf = (list: string, at: number, limit: number) => Page | null | Promise<Page>;

/** A service that answers each list with the pages it is given, and refuses where there is none: a cursor is a number. */
async function serve(pageOf: PageOf): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const list = pathname.replace('/api/wid/w', '');
    asked.push(list);
    const page = await pageOf(
      list,
      Number(searchParams.get('cursor') ?? 0),
      Number(searchParams.get('limit')),
    );
    const problem = { title: 'Refused', status: 400, code: 'invalid_request', detail: 'Not so.' };
    response
      .writeHead(page === null ? 400 : 200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(page ?? problem));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const environment = (url: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  PARTBOOK_URL: url,
  PARTBOOK_WORKSPACE: 'w',
  PARTBOOK_API_KEY: 'key',
});

function run(url: string, ...args: string[]): Promise<{ code: number; out: string; said: string }> {
  return new Promise((resolve) => {
    const options = { env: environment(url), maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [program, ...args], options, (error, out, said) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, said }),
    );
  });
}

const line = (at: number) => ({ orderNumber: 'PO-1', itemNumber: `I-${at}`, quantity: at, openQty: 1 });
const lines = (count: number, from = 0) => Array.from({ length: count }, (_, at) => line(from + at));
const rows = (out: string) => out.match(/I-\d+/g)?.length ?? 0;

test('a list that is full is shown without another page: whether there are more is told by the page in hand', async () => {
  // As a list that is narrowed may: page after page in which nothing is found.
  const { url, asked } = await serve((_, at) => ({
    items: at === 0 ? lines(50) : [],
    nextCursor: at < 20 ? String(at + 1) : null,
  }));
  const full = await run(url, 'lines', '-n', '50');
  expect([full.code, rows(full.out), full.said]).toEqual([
    0,
    50,
    'There may be more: -n 500 looks for further ones, --all for all.\n',
  ]);
  expect(asked).toHaveLength(1);
  const cut = await run(url, 'lines', '-n', '49');
  expect([rows(cut.out), cut.said]).toEqual([
    49,
    'There are more: -n 490 shows further ones, --all shows all.\n',
  ]);
  expect(await run(url, 'lines', '-n', '50', '--ndjson')).toMatchObject({ code: 0, said: '' });
  expect(asked).toHaveLength(3);
  const over = await run(url, 'lines', '-n', '51');
  expect([rows(over.out), over.said]).toEqual([50, '']);
  expect(asked).toHaveLength(3 + 21);
});

test('a list that ends where it is full has no more', async () => {
  const { url } = await serve((_, at) => ({ items: lines(25, at), nextCursor: at === 0 ? '25' : null }));
  const whole = await run(url, 'lines', '-n', '50');
  expect([whole.code, rows(whole.out), whole.said]).toEqual([0, 50, '']);
});

test.each([
  ['--json', '"itemNumber": "I-999"'],
  ['--ndjson', '"itemNumber":"I-999"'],
  [undefined, 'I-999 '],
])('%s: what is there is written while the next page is still awaited', async (form, last) => {
  let letGo = () => {};
  const isSeen = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const { url } = await serve(async (_, at) => {
    if (at === 1000) await isSeen;
    return { items: lines(at === 1000 ? 2 : 500, at), nextCursor: at < 1000 ? String(at + 500) : null };
  });
  const args = [program, 'lines', '--all', ...(form === undefined ? [] : [form])];
  const child = spawn(process.execPath, args, {
    env: environment(url),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  for await (const piece of child.stdout.setEncoding('utf8')) {
    out += piece;
    if (out.includes(last)) letGo();
  }
  const all = lines(1002);
  if (form === '--json') expect(out).toBe(`${JSON.stringify(all, null, 2)}\n`);
  else if (form === '--ndjson') expect(out).toBe(all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  // Also behind those that the columns were measured by.
  else {
    const [titles = '', ...shown] = out.trimEnd().split('\n');
    expect(shown.map((row) => row.indexOf('I-'))).toEqual(all.map(() => titles.indexOf('item')));
  }
});

test('of a list that is refused there is nothing, and of one that breaks off nothing that passes for a whole one', async () => {
  const { url } = await serve((_, at) =>
    at === 2 ? null : { items: lines(1, at), nextCursor: String(at + 1) },
  );
  const broken = await run(url, 'lines', '--all', '--json');
  expect(broken).toMatchObject({ code: 1, said: expect.stringContaining('Not so.') });
  expect(() => JSON.parse(broken.out)).toThrow();
  const refusing = await serve(() => null);
  expect(await run(refusing.url, 'lines', '--all', '--json')).toMatchObject({ code: 1, out: '' });
});

test.each([['--json'], ['--ndjson'], []])(
  '%s: of a list without an end one may read the beginning',
  async (...form) => {
    const { url } = await serve((_, at) => ({ items: lines(500, at), nextCursor: String(at + 500) }));
    const list = [process.execPath, program, 'lines', '--all', ...form].map((one) => `"${one}"`).join(' ');
    const script = `${list} | head -n 3; echo "ended with \${PIPESTATUS[0]}"`;
    const out = await new Promise<string>((resolve) => {
      execFile('bash', ['-c', script], { env: environment(url) }, (_, all) => resolve(all));
    });
    expect(out.split('\n').slice(3)).toEqual(['ended with 0', '']);
  },
);

test.each([
  ['the same page again and again', () => '1', 1],
  ['the first page behind the third', (at: number) => String((at + 1) % 3), 3],
])('a list that goes round, %s, ends with an error', async (_, nextCursor, pages) => {
  const { url, asked } = await serve((_list, at) => ({
    items: lines(1, at),
    nextCursor: nextCursor(at),
    comparedWith: { batches: 0, since: null, complete: true },
  }));
  for (const form of [[], ['--json']]) {
    const before = asked.length;
    const round = await run(url, 'lines', '--all', ...form);
    expect([round.code, round.said]).toEqual([
      1,
      expect.stringMatching(/^The list goes round in a circle .* is not all\.\n$/),
    ]);
    expect(asked.length - before).toBe(pages + 1);
    expect(rows(round.out)).toBe(pages);
  }
  // What was asked for is there, whatever the service would say of further ones.
  expect(await run(url, 'lines', '-n', '1', '--json')).toMatchObject({ code: 0, said: '' });
  const absent = await run(url, 'batches', 'absent', crypto.randomUUID());
  expect([absent.code, absent.said]).toEqual([1, expect.stringContaining('goes round in a circle')]);
});

test.each(['json', 'ndjson', 'text'])(
  'as %s no more waits in memory than the pipe has not taken yet',
  (form) => {
    const source = `import { Output } from ${JSON.stringify(join(projectFolder, 'clients/cli/output.ts'))};
    let waiting = 0;
    function* texts() {
      for (let at = 0; at < 2000; at += 1) {
        waiting = Math.max(waiting, process.stdout.writableLength);
        yield { text: 'x'.repeat(10_000) };
      }
    }
    await new Output('${form}').list(texts(), { text: ({ text }) => text }, 'None.');
    process.stderr.write(String(waiting));`;
    const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', source], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(ran.stdout.match(/x{10000}/g)).toHaveLength(2000);
    // The first rows of a table go as one.
    expect(Number(ran.stderr)).toBeLessThan(form === 'text' ? 10_100_000 : 100_000);
  },
);
