// `partbook picture` sets the picture of a part from a file, and removes it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../clients/run-cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { drawPng, sha256Of } from './draw.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'partbook-picture-'));
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  await workspace.ask('POST', '/entities', { category: 'part', number: 'M6-20', name: 'Bolt' });
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await server.close();
});

const run = (...args: string[]) =>
  runCli(['picture', 'M6-20', ...args], {
    env: {
      HOME: home,
      PARTBOOK_URL: server.baseUrl,
      PARTBOOK_WORKSPACE: workspace.slug,
      PARTBOOK_API_KEY: workspace.key,
    },
  });
const pictureOf = async () => (await workspace.ask('GET', '/entities?number=M6-20')).body.items[0].picture;

test('a file becomes the picture, and --remove takes it away', async () => {
  const bytes = await drawPng(30, 20);
  const file = join(home, 'bolt.PNG');
  writeFileSync(file, bytes);
  expect(await run(file)).toMatchObject({ code: 0, out: 'M6-20 Bolt, revision A: has a new picture\n' });
  expect(await pictureOf()).toBe(sha256Of(bytes));
  expect(await run('--remove')).toMatchObject({ code: 0, out: 'M6-20 Bolt, revision A: has no picture\n' });
  expect(await pictureOf()).toBeNull();
});

test('what is no picture is refused, before it is sent or by the service', async () => {
  const file = join(home, 'bolt.png');
  writeFileSync(file, 'no picture');
  const refused = await run(file);
  expect([refused.code === 0, refused.said]).toEqual([false, expect.stringContaining('not a PNG')]);
  for (const args of [[], ['bolt.step'], [join(home, 'absent.png')], [file, '--remove']])
    expect((await run(...args)).code, args.join(' ')).toBe(2);
});
