// Links that wait for a parent, as the command line lists them and takes them back.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { type Running, startCli } from './run-cli.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'partbook-pending-links-'));
  server = await startTestServer({ worker: true });
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

/** A workspace in which these parts, by their numbers, wait for that GUID. */
async function waiting(parentGuid: string, ...numbers: string[]): Promise<void> {
  workspace = await makeDefaultWorkspace(server);
  const entities = numbers.map((number) => ({
    guid: randomUUID(),
    number,
    name: `The ${number}`,
    categoryKey: 'part',
    parentGuid,
    quantity: 2,
  }));
  const sent = await workspace.ask('POST', '/pdm/sync', { entities });
  expect(sent.body.counts, sent.text).toMatchObject({ created: numbers.length });
}

function start(...args: string[]): Running {
  const env = {
    HOME: home,
    PARTBOOK_URL: server.baseUrl,
    PARTBOOK_WORKSPACE: workspace.slug,
    PARTBOOK_API_KEY: workspace.key,
  };
  return startCli(['pending-links', ...args], { env });
}

const run = (...args: string[]) => start(...args).ended;

test('are listed, by parent and by child too, and one is taken back', async () => {
  const guid = randomUUID();
  await waiting(guid, 'PL-1', 'PL-2');
  const { out, code } = await run();
  expect(code).toBe(0);
  const [head, ...rows] = out.trim().split('\n');
  expect(head?.split(/ {2,}/)).toEqual(['waits for', 'number', 'name', 'category', 'quantity', 'guid']);
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row).toContain(guid);
  const one = JSON.parse((await run('--child', 'PL-2', '--json')).out);
  expect(one).toMatchObject([{ parentGuid: guid, childNumber: 'PL-2', quantity: 2 }]);
  expect(JSON.parse((await run('--parent', `guid:${guid.toUpperCase()}`, '--json')).out)).toHaveLength(2);
  expect((await run('--parent', randomUUID())).said).toContain('No link matches these options.');

  const removed = await run('remove', guid, 'PL-2');
  expect([removed.code, removed.said]).toEqual([0, `PL-2 waits for ${guid} no longer.\n`]);
  const again = await run('remove', guid, 'PL-2');
  expect(again.code).toBe(1);
  expect(again.said).toBe(
    `No link of PL-2 waits for ${guid}: its parent has come, or somebody has taken it back.\n`,
  );
  expect(JSON.parse((await run('--json')).out)).toMatchObject([{ childNumber: 'PL-1' }]);
});

test('all of one parent are taken back together', async () => {
  const guid = randomUUID();
  await waiting(guid, 'PL-1', 'PL-2', 'PL-3');
  const unsaid = await run('remove', guid);
  expect(unsaid.code).toBe(2);
  expect(unsaid.said).toContain('--all');
  expect(await run('remove', guid, 'PL-1', '--all')).toMatchObject({
    code: 2,
    said: expect.stringContaining('not both'),
  });
  expect((await run('remove', 'PL-1', '--all')).said).toContain('"PL-1" is no GUID');

  const removed = await run('remove', guid, '--all');
  expect([removed.code, removed.said]).toEqual([
    0,
    `3 links taken back: nothing waits for ${guid} any more.\n`,
  ]);
  expect((await run('remove', guid, '--all')).said).toBe(`No link waits for ${guid}.\n`);
  expect((await run()).said).toBe('No link waits for its parent.\n');
});

test('whoever ends that half way is told how many are taken back already', async () => {
  const guid = randomUUID();
  // Ten calls, of which it is interrupted after some.
  const all = 5000;
  await waiting(guid, ...Array.from({ length: all }, (_, at) => `PL-${at}`));
  const removing = start('remove', guid, '--all');
  // The answer to the first call has come when entries of the second are there.
  const entries = '/audit?subjectType=pendingLink&limit=1000';
  await vi.waitUntil(async () => (await workspace.ask('GET', entries)).body.items.length > 500, patience);
  removing.interrupt();
  const { code, said } = await removing.ended;
  expect(code).toBe(130);
  expect(said).toMatch(/^\d+ links taken back until then: the same command goes on\.\nInterrupted\.\n$/);
  const left = JSON.parse((await run('--all', '--json')).out).length;
  // The call under way when it was interrupted may have been done, too: nobody heard the answer.
  expect([0, 500]).toContain(all - left - Number.parseInt(said, 10));
});
