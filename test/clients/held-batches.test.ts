// Batches that the operator holds back: whoever waits for one is told so, once, and nothing else becomes of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pausedSince } from '../../clients/cli/held-batches.ts';
import type { Partbook } from '../../clients/typescript/connect.ts';
import { ApiError, ConnectionError } from '../../clients/typescript/errors.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { type Running, startCli } from './run-cli.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'partbook-held-'));
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(...args: string[]): Running {
  const env = {
    PARTBOOK_URL: server.baseUrl,
    PARTBOOK_WORKSPACE: workspace.slug,
    PARTBOOK_API_KEY: workspace.key,
    HOME: folder,
  };
  return startCli(args, { env });
}

const hold = async (doing: 'pause' | 'resume') => {
  const answer = await server.request(`/admin/workspaces/${workspace.slug}/${doing}`, {
    method: 'POST',
    key: server.ctx.operatorToken,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ work: 'batch', reason: 'for the operator alone' }).toString(),
  });
  expect(answer.status, answer.text).toBe(303);
};

test('whoever waits for a batch, or lists it, is told that the operator holds batches back, and it ends as ever', async () => {
  const file = join(folder, 'held.json');
  const part = { guid: crypto.randomUUID(), number: 'HELD-1', name: 'Held', categoryKey: 'part' };
  writeFileSync(file, JSON.stringify({ entities: [part] }));
  await hold('pause');
  const [{ since }] = (await workspace.ask('GET', '/overview')).body.paused;
  const told = `Batches are paused by the operator since ${since}: what is queued goes on by itself when they are resumed.`;
  const waiting = [];
  // One behind the other: a plan that stood behind the batch would find nothing to do.
  for (const how of ['--plan', '--json']) {
    const one = start('sync', how, file);
    await vi.waitUntil(() => one.said().includes(told), patience);
    waiting.push(one);
  }
  const left = start('sync', file);
  await vi.waitUntil(() => left.said().includes(told), patience);
  left.interrupt();
  expect(await left.ended).toMatchObject({ code: 130, said: expect.stringContaining('The batch goes on') });

  const listed = await start('batches').ended;
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('queued'), said: `${told}\n` });
  expect(await start('batches', '--json').ended).toMatchObject({ code: 0, said: '' });
  await hold('resume');
  const [planned, sent] = await Promise.all(waiting.map(({ ended }) => ended));
  expect(planned?.code).toBe(3);
  expect(sent).toMatchObject({ code: 0, said: `${told} Ctrl-C leaves the batch in line.\n` });
  await vi.waitUntil(
    async () => (await start('batches', '--status', 'queued').ended).said === 'No batch is queued.\n',
    patience,
  );
});

test('where it cannot be learnt nothing is said, and nothing fails', async () => {
  const problem = {
    type: '',
    title: '',
    status: 403,
    detail: '',
    instance: '',
    code: 'forbidden',
    requestId: '',
  };
  for (const error of [new ApiError(problem), new ConnectionError('gone')]) {
    const partbook = Object.assign(() => Promise.reject(error), { send: () => Promise.reject(error) });
    const { signal } = new AbortController();
    expect(await pausedSince({ partbook: partbook as unknown as Partbook, signal })).toBe(null);
  }
});
