// Runs on the command line: which automation it was, and of which entity, without an id that has to be looked up.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AutomatedWorkspace,
  context,
  makeAutomatedWorkspace,
} from '../automation/automated-workspace.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { projectFolder } from './project-folder.ts';
import { runCli } from './run-cli.ts';

let server: TestServer;
let workspace: AutomatedWorkspace;
/** What the command asked for. */
const asked: string[] = [];
const counter = createServer(async (request, response) => {
  asked.push(`${request.method} ${request.url}`);
  const { authorization = '' } = request.headers;
  const answer = await fetch(`${server.baseUrl}${request.url}`, { headers: { authorization } });
  response.writeHead(answer.status, { 'Content-Type': 'application/json' });
  response.end(await answer.text());
});
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeAutomatedWorkspace(server);
  await new Promise<void>((resolve) => counter.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  counter.close();
  await server.close();
});

const logs = (...args: string[]) =>
  new Promise<string>((resolve) => {
    const env = {
      PARTBOOK_URL: `http://127.0.0.1:${(counter.address() as AddressInfo).port}`,
      PARTBOOK_WORKSPACE: workspace.slug,
      PARTBOOK_API_KEY: workspace.key,
      HOME: projectFolder,
    };
    void runCli(['automations', 'logs', ...args], { env }).then(({ out, said }) => resolve(out + said));
  });

test('each run is told with the name of its automation and with its entity, by one look at the automations', async () => {
  const fails = await workspace.automate(context.created, `throw new Error('no');`, { name: 'Weigh' });
  const logsIt = await workspace.automate(context.created, `api.log('seen')`, { name: 'See' });
  const gone = await workspace.automate(context.created, `throw new Error('too')`, { name: 'Gone' });
  await workspace.create({ number: 'LOG-1' });
  for (const one of [fails, logsIt, gone]) await workspace.ended(one, 1);
  const removed = await workspace.ask('DELETE', `/automations/${gone.id}`);
  expect(removed.status, removed.text).toBe(204);

  const failed = await logs('--failed');
  expect(failed).toMatch(/ failed {2}Weigh {2}entityCreated of LOG-1 {2}\S+\n {2}1 runtime: no$/m);
  expect(failed).toContain(`  failed  deleted automation ${gone.id}  entityCreated of LOG-1  `);
  expect(failed).not.toContain('See');
  expect(asked.filter((one) => one.includes('/automations'))).toHaveLength(1);
  expect(await logs('See')).toMatch(/ succeeded {2}See {2}entityCreated of LOG-1 /);

  const [run] = JSON.parse(await logs('--failed', '--json', 'Weigh')) as object[];
  const { items } = (await workspace.ask('GET', `/automations/${fails.id}/runs`)).body;
  const { body } = await workspace.ask('GET', `/automation-runs/${items[0].id}`);
  expect(run).toEqual(body);
});

test('a name that no automation has is told which there are', async () => {
  await workspace.automate(context.created, `api.log('weighed')`, { name: 'Weigh twice' });
  expect(await logs('weigh twise')).toMatch(
    /^There is no automation called "weigh twise"\. Is it "Weigh twice"(?:, .*)?\?\n$/,
  );
  expect(await logs('Anneal')).toMatch(
    /^There is no automation called "Anneal"\. There is .*"Weigh twice".*\.\n$/,
  );
});
