// Warnings of a batch on the command line: the first are told with it, and all of them are found, of whichever codes they are.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { runCli } from './run-cli.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'partbook-warnings-'));
  server = await startTestServer({ worker: true, environment: { SYNC_CHUNK_ELEMENTS: '50' } });
  workspace = await makeDefaultWorkspace(server);
  await workspace.ask('POST', '/property-definitions', { key: 'Mass', name: 'Mass', type: 'numeric' });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]): Promise<{ code: number; out: string; said: string }> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    PARTBOOK_URL: server.baseUrl,
    PARTBOOK_WORKSPACE: workspace.slug,
    PARTBOOK_API_KEY: workspace.key,
  };
  return runCli(args, { env, cwd: folder });
}

function write(name: string, entities: object[]): void {
  writeFileSync(join(folder, name), JSON.stringify({ entities }));
}

const guid = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
/** Every third mass is none, every fourth parent is missing: elements with two warnings, with either, and with none. */
const part = (at: number) => ({
  guid: guid(at),
  number: `W-${at}`,
  name: 'Warned of',
  categoryKey: 'part',
  ...(at % 3 === 0 ? { properties: { Mass: 'heavy' } } : {}),
  ...(at % 4 === 0 ? { parentGuid: guid(100_000 + at), quantity: 1 } : {}),
});
const batchOf = (out: string) => /\(batch (?<id>\S+)\)/.exec(out)?.groups?.id ?? '';
const indexes = (said: string) => [...said.matchAll(/\(element (\d+)\)/g)].map(([, at]) => Number(at));
const warned = Array.from({ length: 600 }, (_, at) => at).flatMap((at) => [
  ...(at % 3 === 0 ? [at] : []),
  ...(at % 4 === 0 ? [at] : []),
]);

test('the first warnings are told where they are, the others counted, with the command that shows all', async () => {
  write(
    'many.json',
    Array.from({ length: 600 }, (_, at) => part(at)),
  );
  const { code, out, said } = await run('sync', 'many.json');
  const batch = batchOf(out);
  expect(code, said).toBe(0);
  expect(out).toContain('0 errors, 350 warnings');
  expect(said.split('\n')[0]).toMatch(
    /^warning: W-0 \(element 0\): invalid_numeric: The value "heavy" of property "Mass" is not a number/,
  );
  expect(indexes(said)).toEqual(warned.slice(0, 20));
  expect(said.trimEnd().split('\n').slice(-2)).toEqual([
    `… and 330 more warnings: partbook results ${batch} --warnings`,
    'Links wait for parents that are not there: "partbook pending-links" shows which.',
  ]);

  const all = await run('results', batch, '--warnings');
  expect(all.code, all.said).toBe(0);
  expect(indexes(all.out)).toEqual(warned);
  expect(all.out).toMatch(/^W-4 \(element 4\): parent_pending: No entity has the parent's GUID/m);
  const elements = JSON.parse((await run('results', batch, '--warnings', '--json')).out);
  expect(elements.map(({ index }: { index: number }) => index)).toEqual([...new Set(warned)]);
  const first = await run('results', batch, '--warnings', '-n', '2');
  expect(indexes(first.out)).toEqual(warned.slice(0, 3));
  expect(first.said).toContain('There are more: -n 20');
  expect(await run('results', batch, '--warnings', '--result', 'error')).toMatchObject({ code: 2 });
});

test('a warning that stands for many counts as many, and few are told whole', async () => {
  const keys = Array.from({ length: 30 }, (_, at) => `Length ${at}`);
  for (const key of keys)
    await workspace.ask('POST', '/property-definitions', { key, name: key, type: 'numeric' });
  const properties = Object.fromEntries(keys.map((key) => [key, 'long']));
  write('crowd.json', [{ ...part(1001), properties }]);
  const crowd = await run('sync', 'crowd.json');
  expect(crowd.out).toContain('30 warnings');
  expect(crowd.said.trimEnd().split('\n')).toHaveLength(21);
  expect(crowd.said).toContain('… and 10 more warnings: partbook results ');
  write('one.json', [part(1002)]);
  const one = await run('sync', 'one.json');
  expect([one.code, indexes(one.said)]).toEqual([0, [0]]);
  expect(one.said).not.toContain('more warnings');
  write('none.json', [part(1003 + 4)]);
  const none = await run('sync', 'none.json');
  expect([none.code, none.said]).toEqual([0, '']);
  expect((await run('results', batchOf(none.out), '--warnings')).said).toBe('The batch has no warnings.\n');
});

test('a plan tells them too, beside what would be refused', async () => {
  write('plan.json', [part(2001), part(2004), { ...part(2005), categoryKey: 'nonsense' }]);
  const planned = await run('sync', '--plan', 'plan.json');
  expect(planned.out).toBe('plan.json: 2 new, 0 changed, 0 as they are, 1 refused, 3 warnings\n');
  expect(planned.said).toContain(`! ${guid(2005)} (element 2): category_not_found: `);
  expect(planned.said).toContain('warning: W-2001 (element 0): invalid_numeric: ');
  expect(planned.said).not.toContain('pending-links');
  const applied = await run('sync', 'plan.json', '--json');
  expect(applied.code).toBe(5);
  expect(applied.said).not.toContain('pending-links');
  expect(JSON.parse(applied.out).counts).toMatchObject({ error: 1, warnings: 3 });
  expect(indexes(applied.said)).toEqual([0, 1, 1, 2]);
});

test('a cycle that a waiting link closes leads to the links that wait, and what is refused is found by its GUID', async () => {
  const [one, other] = [guid(3001), guid(3002)];
  const link = (from: string, to: string, number: string) => ({
    guid: from,
    number,
    name: 'In a circle',
    categoryKey: 'assembly',
    parentGuid: to,
    quantity: 1,
  });
  write('one-way.json', [link(one, other, 'C-1')]);
  expect((await run('sync', 'one-way.json')).said).toContain('"partbook pending-links" shows which.');
  write('back.json', [link(other, one, 'C-2')]);
  const refused = await run('sync', 'back.json');
  expect(refused.code).toBe(5);
  expect(refused.said.trimEnd().split('\n')).toEqual([
    expect.stringContaining('would close a cycle'),
    'A link of a cycle that stands nowhere may wait: "partbook pending-links" shows those that do.',
  ]);
  const { out } = await run('results', batchOf(refused.out), '--result', 'error');
  expect(out).toMatch(new RegExp(`^ *0 +${other} +error `, 'm'));
});
