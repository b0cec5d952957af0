// The web app is built by the first start that finds it changed, and by no other.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withBuildLock } from '../../src/web-app/build-lock.ts';
import { buildWebApp, stampOf } from '../../src/web-app/build-web-app.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'partbook-build-'));
  await write('package.json', packageWith('node build.mjs'));
  await write('package-lock.json', '{}');
  await write('docs/openapi.json', '{}');
  await write('web/vite.config.ts', 'export default {};');
  await write('web/main.tsx', 'first');
  await write('clients/readers/element.ts', 'first');
  await write('node_modules/vite/package.json', '{}');
  await write(
    'build.mjs',
    `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
     mkdirSync('web/dist', { recursive: true });
     writeFileSync('web/dist/index.html', readFileSync('web/main.tsx'));`,
  );
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}
const packageWith = (build: string) => JSON.stringify({ name: 'tried', scripts: { build } });
const page = () => readFile(join(root, 'web/dist/index.html'), 'utf8').catch(() => null);

async function start(): Promise<{ outcome: string; said: string[]; log: string }> {
  const said: string[] = [];
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const web = buildWebApp(root, log, (line) => said.push(line));
  return { outcome: await web.done, said, log: lines.join('') };
}

test('the first start builds and says so, the next finds it built', async () => {
  const first = await start();
  expect([first.outcome, first.said.length, await page()]).toEqual(['built', 1, 'first']);
  const second = await start();
  expect([second.outcome, second.said]).toEqual(['current', []]);
});

test('a change of the app, of the packages or of the interface is built', async () => {
  await start();
  const scriptTypes = 'src/automation/conductor/api.d.ts';
  for (const path of [
    'web/main.tsx',
    'web/new/page.tsx',
    'clients/readers/element.ts',
    'package-lock.json',
    'docs/openapi.json',
    scriptTypes,
  ]) {
    await write(path, `changed ${path}`);
    expect([path, (await start()).outcome]).toEqual([path, 'built']);
  }
  await rm(join(root, 'web/new/page.tsx'));
  expect((await start()).outcome).toBe('built');
  await write('web/dist/assets/main.js', 'output is no source');
  expect((await start()).outcome).toBe('current');
});

test('of two starts at once one builds; a lock whose process is gone holds up nobody', async () => {
  // A process that has ended: its number is nobody's.
  const { pid } = spawnSync(process.execPath, ['--version']);
  await write('web/dist.lock', String(pid));
  const outcomes = await Promise.all([start(), start()]);
  expect(outcomes.map((one) => one.outcome).toSorted()).toEqual(['built', 'current']);
  expect(existsSync(join(root, 'web/dist.lock'))).toBe(false);
  expect(existsSync(join(root, 'web/dist.lock.removing'))).toBe(false);
});

test('a lock whose process is gone goes to one of many who find it so, again and again', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const file = join(root, 'web/dist.lock');
  const stays = new AbortController().signal;
  for (let round = 0; round < 60; round++) {
    await write('web/dist.lock', String(pid));
    let inside = 0;
    const most: number[] = [];
    const work = async () => {
      inside++;
      await stat(root);
      most.push(inside);
      inside--;
    };
    await Promise.all(Array.from({ length: 8 }, () => withBuildLock(file, stays, work, 2)));
    expect(most).toEqual(Array(8).fill(1));
  }
});

test('a build that fails is told with its last words, and is tried again', async () => {
  await write('package.json', packageWith('echo a type is wrong >&2; exit 3'));
  const failed = await start();
  expect(failed.outcome).toBe('failed');
  expect(failed.log).toContain('a type is wrong');
  await write('package.json', packageWith('node build.mjs'));
  expect((await start()).outcome).toBe('built');
});

test('what changes while it is built is built by the next start', async () => {
  await write('package.json', packageWith('node build.mjs && echo later > web/main.tsx'));
  const before = await stampOf(root);
  expect((await start()).outcome).toBe('built');
  expect(await stampOf(root)).not.toBe(before);
  expect((await start()).outcome).toBe('built');
});

test('a start that ends meanwhile ends the build', async () => {
  await write('package.json', packageWith('node build.mjs && node -e "setInterval(() => {}, 1000)"'));
  const early = buildWebApp(root, pino({ level: 'silent' }), () => {});
  await early.close();
  expect([await early.done, await page()]).toEqual(['failed', null]);
  const late = buildWebApp(root, pino({ level: 'silent' }), () => {});
  await expect.poll(page).toBe('first');
  await late.close();
  expect(await late.done).toBe('failed');
});

test('without sources nothing is built', async () => {
  await rm(join(root, 'node_modules/vite'), { recursive: true });
  expect((await start()).outcome).toBe('absent');
});
