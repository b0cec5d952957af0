// Scripts that are pushed: of each it is told what became of it, and one that is refused keeps none of the others back.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { runCli } from './run-cli.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeDefaultWorkspace(server);
  folder = mkdtempSync(join(tmpdir(), 'partbook-push-'));
  mkdirSync(join(folder, 'automations'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function push(
  args: string[] = [],
  url = server.baseUrl,
): Promise<{ code: number; out: string; said: string }> {
  const env = {
    PARTBOOK_URL: url,
    PARTBOOK_WORKSPACE: workspace.slug,
    PARTBOOK_API_KEY: workspace.key,
    HOME: folder,
  };
  return runCli(['automations', 'push', ...args], { env, cwd: folder });
}

const entry = (name: string, more: object = {}) => ({
  file: `${name}.js`,
  name,
  description: '',
  contextTypeId: 3,
  enabled: false,
  ...more,
});
function write(
  scripts: Record<string, string>,
  entries: object[] = Object.keys(scripts).map((name) => entry(name)),
): void {
  for (const [name, text] of Object.entries(scripts))
    writeFileSync(join(folder, 'automations', `${name}.js`), text);
  writeFileSync(join(folder, 'automations/automations.json'), JSON.stringify(entries));
}
const stored = async () =>
  Object.fromEntries(
    (await workspace.ask('GET', '/automations')).body.items
      .filter(({ kind }: { kind: string }) => kind === 'custom')
      .map(({ name, script }: { name: string; script: string }) => [name, script]),
  );

test('one with a syntax error is named with its place, and the others are pushed; what is done is told from what is not', async () => {
  write({ first: 'api.log(1)', second: 'api.log(2)', third: 'api.log(3)' });
  expect(await push()).toMatchObject({ code: 0, said: '+ first\n+ second\n+ third\n' });
  write({ first: 'api.log(1)', second: 'api.log("two"\n', third: 'api.log("three")', fourth: 'api.log(4)' });
  const { code, said } = await push();
  expect([code, said.split('\n')]).toEqual([
    1,
    [
      expect.stringMatching(/^! second: automations\/second\.js:\d+:\d+: \S/),
      '~ third',
      '+ fourth',
      '2 scripts pushed; 1 refused: "second". What was pushed works already; what was not is in the workspace as it was before. Mend what was refused, and push again.',
      '',
    ],
  ]);
  expect(await stored()).toEqual({
    first: 'api.log(1)',
    second: 'api.log(2)',
    third: 'api.log("three")',
    fourth: 'api.log(4)',
  });
  const again = await push(['--json']);
  expect([again.code, JSON.parse(again.out)]).toEqual([
    1,
    [
      { name: 'first', file: 'automations/first.js', result: 'same' },
      {
        name: 'second',
        file: 'automations/second.js',
        result: 'refused',
        message: expect.stringMatching(/^automations\/second\.js:\d+:\d+: /),
      },
      { name: 'third', file: 'automations/third.js', result: 'same' },
      { name: 'fourth', file: 'automations/fourth.js', result: 'same' },
    ],
  ]);
});

test('what the service refuses otherwise is told of its script, too', async () => {
  write({ odd: 'api.log(1)', even: 'api.log(2)' }, [entry('odd', { contextTypeId: 99 }), entry('even')]);
  const { code, said } = await push();
  expect(code).toBe(1);
  expect(said).toMatch(
    /^! odd: automations\/odd\.js: .*contextTypeId.*\n\+ even\n1 script pushed; 1 refused: "odd"\./,
  );
  expect(await stored()).toEqual({ even: 'api.log(2)' });
});

test('where nothing was pushed, nobody is told what works already', async () => {
  write({ odd: 'api.log("odd"\n' });
  expect((await push()).said).toMatch(
    /\n0 scripts pushed; 1 refused: "odd"\. The workspace is as it was before\. Mend what was refused, and push again\.\n$/,
  );
});

test('of a script that is named with the least nothing differs the second time', async () => {
  write({ least: 'api.log(1)' }, [{ file: 'least.js', name: 'least', contextTypeId: 3 }]);
  expect(await push()).toMatchObject({ code: 0, said: '+ least\n' });
  expect(await push(['--plan'])).toMatchObject({ code: 0, said: 'Nothing differs.\n' });
  expect(await push()).toMatchObject({ code: 0, said: 'Nothing differs.\n' });
});

test('what is wrong with the files is found before anything is sent', async () => {
  write({ here: 'api.log(1)' }, [entry('here'), entry('gone')]);
  expect(await push()).toMatchObject({ code: 2, said: 'There is no file automations/gone.js.\n' });
  write({ here: 'api.log(1)' }, [entry('here'), entry('here')]);
  expect(await push()).toMatchObject({ code: 2, said: 'automations/automations.json names "here" twice.\n' });
  write({ here: 'api.log(1)' }, [entry('here'), { name: 'nameless' }]);
  expect((await push()).said).toBe('automations/automations.json: entry 2 has no "file" and "name".\n');
  expect(await stored()).toEqual({});
});

test('where the key or the connection ends it, those are named that were not sent', async () => {
  let calls = 0;
  const gate = createServer(async (request, response) => {
    const { authorization = '', 'content-type': type = '', 'idempotency-key': key = '' } = request.headers;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    if (request.method === 'POST') calls += 1;
    if (calls > 1) {
      const problem = {
        title: 'Forbidden',
        status: 403,
        code: 'forbidden',
        detail: 'Not any more.',
        requestId: 'r',
      };
      response.writeHead(403, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify(problem));
      return;
    }
    const answer = await fetch(`${server.baseUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        authorization,
        ...(type === '' ? {} : { 'content-type': type, 'idempotency-key': String(key) }),
      },
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    });
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    gate.close();
  });
  write({ first: 'api.log(1)', second: 'api.log(2)', third: 'api.log(3)' });
  const { code, said } = await push([], `http://127.0.0.1:${(gate.address() as AddressInfo).port}`);
  expect(code).toBe(4);
  expect(said).toMatch(
    /^\+ first\n- second\n- third\n1 script pushed; 2 not sent: "second", "third"\. What was pushed works .* Push again for the rest\.\nNot any more\. \(forbidden, request r\)\n$/,
  );
  expect(await stored()).toEqual({ first: 'api.log(1)' });
});
