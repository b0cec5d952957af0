// What a service says goes to a terminal: nothing of it may steer that, whichever way it comes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { runCli } from './run-cli.ts';

const steering = '\u001b]0;owned\u0007\u009b2J\u202e';

/** What is said where every call is answered so. */
async function told(status: number, body: string, ...args: string[]): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const env = {
    PARTBOOK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    PARTBOOK_WORKSPACE: 'w',
    PARTBOOK_API_KEY: 'key',
    HOME: projectFolder,
  };
  const { out, said } = await runCli(args, { env });
  return out + said;
}

const problem = (more: object) =>
  JSON.stringify({ title: 'Refused', status: 400, code: `no${steering}`, requestId: steering, ...more });

test('a refusal is told without what would steer the terminal, and in its own line', async () => {
  const refused = await told(400, problem({ detail: `Not${steering}\nso.` }), 'entities');
  expect(refused).toMatch(/^Not +\]0;owned 2J so\. \(no \]0;owned 2J , request {2}\]0;owned 2J \)\n$/);
});

test('so is each of several things that are wrong', async () => {
  const errors = ['/one', '/two'].map((pointer) => ({
    pointer: `${pointer}${steering}`,
    message: `Wrong${steering}\n.`,
  }));
  const refused = await told(400, problem({ detail: 'Not so.', errors }), 'entities');
  expect(refused.split('\n').slice(1)).toEqual([
    '  /one ]0;owned 2J : Wrong ]0;owned 2J .',
    '  /two ]0;owned 2J : Wrong ]0;owned 2J .',
    '',
  ]);
});

test('so is what is no answer of a service at all', async () => {
  expect(await told(200, `<h1>${steering}</h1>\n<p>`, 'entities')).toMatch(
    / answered with no JSON, but with "<h1> \]0;owned 2J <\/h1> <p>": is the service there\?\n$/,
  );
});

test.each([
  [
    'Whole',
    ['stock', 'verify'],
    { positions: 1, entries: 1, problems: [{ kind: 'cut', message: steering }] },
  ],
  [
    'Compared with',
    ['batches', 'absent', crypto.randomUUID()],
    { items: [], nextCursor: null, comparedWith: { batches: 1, since: steering, complete: true } },
  ],
])('so is an answer in words: %s', async (begins, args, answer) => {
  const said = await told(200, JSON.stringify({ ok: true, ...answer }), ...args);
  expect(said).toContain(begins);
  expect(said).toContain(' ]0;owned 2J ');
});
