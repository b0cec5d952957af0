// Lists that go on for longer than a person, a pipe or the memory: asked of a service that is made up of their pages.
import { execFile } from 'node:child_process';
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
type PageOf = (list: string, at: number, limit: number) => Page | Promise<Page>;

/** A service that answers each list with the pages it is given: a cursor is a number. */
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
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(page));
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
