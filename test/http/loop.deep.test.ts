// No call keeps the others of its process waiting: neither the largest answers nor the largest bodies that are legal.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { type ProbedServer, startProbedServer } from '../setup/probed-server.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
let probed: ProbedServer;
let workspace: ProcuringWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeProcuringWorkspace(server);
  probed = await startProbedServer(server);
});
afterAll(async () => {
  await probed.end();
  await server.close();
});

/** Sends it, and holds every turn of the loop meanwhile against the bound; a turn that was too long, by what it takes again. */
async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; bytes: Buffer }> {
  const answer = await send(method, path, body);
  if (!probed.isTooLong(await probed.longestTurnMs())) return answer;
  await send(method, path, body);
  const ms = await probed.longestTurnMs();
  expect(probed.isTooLong(ms), `${method} ${path} ${ms} ms`).toBe(false);
  return answer;
}

async function send(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; bytes: Buffer }> {
  const response = await fetch(`${probed.baseUrl}/api/wid/${workspace.slug}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${workspace.key}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function addLinks(links: readonly (readonly [parent: string, child: string])[], quantity: string) {
  for (let from = 0; from < links.length; from += 20_000) {
    const some = links.slice(from, from + 20_000);
    await workspace.transact((tx) =>
      tx.query(
        `insert into entity_link (workspace_id, parent_id, child_id, quantity)
         select $1, p, c, $4 from unnest($2::uuid[], $3::uuid[]) as l (p, c)`,
        [workspace.id, some.map(([parent]) => parent), some.map(([, child]) => child), quantity],
      ),
    );
  }
}

test('a chain of 10 000 parts whose quantities are not whole', async () => {
  const project = await workspace.addProject();
  const parts = await workspace.addEntities(10_000);
  await addLinks(
    parts.map((part, at) => [parts[at - 1] ?? project, part]),
    '1.000001',
  );
  const { status, bytes } = await ask('GET', `/projects/${project}/shortages`);
  expect(status).toBe(200);
  expect(JSON.parse(bytes.toString()).items).toHaveLength(10_000);
  expect((await ask('GET', `/entities/${project}/tree`)).status).toBe(422);
  expect((await ask('POST', `/projects/${project}/shortages/requirements`)).status).toBe(201);
});

test('a structure as wide as may be exploded', async () => {
  const project = await workspace.addProject();
  const parents = await workspace.addEntities(400);
  const children = await workspace.addEntities(480);
  await addLinks(
    [
      ...parents.map((parent) => [project, parent] as const),
      ...parents.flatMap((parent) => children.map((child) => [parent, child] as const)),
    ],
    '0.999999',
  );
  expect((await ask('GET', `/projects/${project}/shortages`)).status).toBe(200);
  expect((await ask('GET', `/entities/${project}/tree`)).status).toBe(200);
});
