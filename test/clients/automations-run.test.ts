// Buttons on the command line: what can be run, and what a run did.
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
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeAutomatedWorkspace(server);
});
afterAll(() => server.close());

const automations = (...args: string[]) =>
  runCli(['automations', ...args], {
    env: {
      PARTBOOK_URL: server.baseUrl,
      PARTBOOK_WORKSPACE: workspace.slug,
      PARTBOOK_API_KEY: workspace.key,
      HOME: projectFolder,
    },
  });

test('an automation is run on an entity by its number, with typed values, and its result is shown', async () => {
  await workspace.automate(context.feature, `api.log('seen'); return context.parameters;`, {
    name: 'Order',
    button: {
      label: 'Order a sample',
      categories: ['part'],
      parameters: {
        type: 'object',
        properties: {
          quantity: { type: 'integer', maximum: 5 },
          urgent: { type: 'boolean' },
          to: { type: 'string' },
        },
      },
    },
  });
  await workspace.create({ number: 'RUN-1' });
  const listed = await automations('actions', 'RUN-1');
  expect(listed.out).toMatch(/Order a sample +part +all +quantity, urgent, to/);
  const ran = await automations(
    'run',
    'Order',
    'RUN-1',
    '--set',
    'quantity=3',
    '--set',
    'urgent=true',
    '--set',
    'to=7',
  );
  expect(ran.out).toContain('1 info: seen\nsucceeded: {');
  expect(JSON.parse(/succeeded: (.*)/.exec(ran.out)?.[1] ?? '')).toEqual({
    quantity: 3,
    urgent: true,
    to: '7',
  });
  expect(ran.code).toBe(0);
  const refused = await automations('run', 'Order', 'RUN-1', '--set', 'quantity=9');
  expect(refused.said).toContain('/context/quantity');
  expect(refused.code).not.toBe(0);
});

test('built-in actions are listed, with the settings of one', async () => {
  expect((await automations('built-in-actions')).out).toContain(
    'raiseRequirement: Raises a material requirement',
  );
  const one = await automations('built-in-actions', 'draftOrder');
  expect(one.out).toContain('  location: string, required. The location');
  expect(one.out).toContain('  type: string (purchaseOrder, ');
  const unknown = await automations('built-in-actions', 'fly');
  expect(unknown.said).toContain('There are: raiseRequirement, draftOrder');
  expect(unknown.code).not.toBe(0);
});

test('a run that fails says where and ends with 1', async () => {
  await workspace.automate(context.feature, `throw new Error('no');`, { name: 'Fails' });
  const { out, said, code } = await automations('run', 'Fails');
  expect(out + said).toContain('1 runtime: no');
  expect(code).toBe(1);
});
