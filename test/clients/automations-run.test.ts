// Runs on the command line: of buttons, what can be run and what a run did; of planning, what it proposes and what becomes of it.
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

const partbook = (...args: string[]) =>
  runCli(args, {
    env: {
      PARTBOOK_URL: server.baseUrl,
      PARTBOOK_WORKSPACE: workspace.slug,
      PARTBOOK_API_KEY: workspace.key,
      HOME: projectFolder,
    },
  });
const automations = (...args: string[]) => partbook('automations', ...args);

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

test('a plan is started, read, committed in part, dismissed and cancelled', async () => {
  const plan = (...args: string[]) => partbook('plan', ...args);
  expect((await plan()).said).toContain('partbook plan start');
  const project = await workspace.create({ category: 'project', name: 'A project' });
  await workspace.create({ category: 'location', number: 'PLAN-SHELF', name: 'A shelf' });
  const requiredBy = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  for (const number of ['PLAN-1', 'PLAN-2']) {
    const { id: itemEntityId } = await workspace.create({ number });
    const need = { projectId: project.id, itemEntityId, requiredQty: 5, requiredBy };
    expect((await workspace.ask('POST', '/requirements', need)).status).toBe(201);
  }
  for (const [flag, text] of [
    ['--workdays', 'someday'],
    ['--what-if', 'PLAN-1'],
  ] as const)
    expect((await plan('start', flag, text)).said).toContain(`not "${text}"`);
  const whatIf = await plan('start', '--what-if', `PLAN-1=3@${requiredBy}`);
  expect(whatIf.out).toMatch(/completed, what-if\nactions: 2 order\n/);
  const scoped = await plan(
    'start',
    '--released',
    '--only-item',
    'PLAN-1',
    '--category',
    'part',
    '--site',
    'PLAN-SHELF',
  );
  expect(scoped.out).toMatch(/completed\nactions: 1 order\n/);
  expect((await plan('start', '--what-if-revision', 'PLAN-1=9')).said).toContain('has no revision 9');
  const { items: needs } = (await workspace.ask('GET', '/requirements?limit=1')).body;
  const moved = await plan('start', '--what-if-date', `${needs[0].number}=${requiredBy}`);
  expect(moved.out).toMatch(/completed, what-if\nactions: 2 order\n/);
  const forecast = await plan('forecasts', 'set', 'PLAN-1', '3', '2030-01-01', '2030-03-31');
  expect(forecast.out).toBe('PLAN-1: 3 from 2030-01-01 until 2030-03-31\n');
  expect((await plan('forecasts', '--item', 'PLAN-1')).out).toMatch(/PLAN-1 +2030-01-01 +2030-03-31 +3/);
  expect((await plan('forecasts', 'delete', 'PLAN-1', '2030-01-01')).out).toContain('deleted');
  const started = await plan('start', '--days', '60', '--workdays', 'mon', 'tue', 'wed', 'thu', 'fri');
  expect(started.out).toMatch(/completed\nactions: 2 order\nexceptions: 2 noSupplier, 2 noLeadTime/);
  const listed = await plan('actions', '--exception', 'noSupplier', '--item', 'PLAN-2');
  expect(listed.out).toMatch(/ order +PLAN-2 +5 .*noSupplier, noLeadTime +open/);
  const shownOver = await plan('timeline', 'PLAN-2');
  expect(shownOver.out).toMatch(/^PLAN-2: 0 available\n/);
  expect(shownOver.out).toMatch(new RegExp(`${requiredBy} +5 +0 +5 +-5 +0`));
  expect(shownOver.out).toMatch(/order +5 +5 for /);
  expect((await plan('timeline', 'PLAN-3')).code).not.toBe(0);
  const [newest, , , whatIfRun] = JSON.parse((await plan('--json')).out) as { id: string }[];
  expect((await plan('compare', whatIfRun?.id as string)).out).toMatch(/(removed|added) +order +PLAN-1 +8/);
  expect((await plan('compare', newest?.id as string)).said).toContain('Both runs have the same actions.');
  const promised = await partbook('promise', 'PLAN-2', '7');
  expect(promised.out).toMatch(
    /^7 of PLAN-2\nfrom stock and open orders: not within a year\nwith new orders: \d{4}-/,
  );
  expect(promised.out).toMatch(/order +PLAN-2 +7 .*noSupplier/);
  expect(promised.out).toContain('no lead time is known of PLAN-2.');
  expect((await partbook('promise', 'PLAN-2', '-1')).said).toMatch(/^<quantity> is -1, which is not above 0/);
  expect((await partbook('promise', 'PLAN-2', '2,5')).said).toContain('Write it with a point, such as 2.5.');
  const number = /^ *(\d+) +order/m.exec(listed.out)?.[1] as string;
  expect((await plan('commit')).said).toContain('--all-new');
  expect((await plan('commit', number)).said).toContain('names no location');
  expect((await plan('commit', number, '--at', 'PLAN-SHELF')).out).toMatch(/: 1 line\n/);
  const left = number === '1' ? '2' : '1';
  expect((await plan('dismiss', left)).out).toBe(`${left}: dismissed\n`);
  expect((await plan('dismiss', left, '--take-back')).out).toBe(`${left}: open\n`);
  expect((await plan('actions', '--project', project.id)).out.match(/ order /g)).toHaveLength(2);
  expect((await plan('commit', left, '--project', project.id)).said).toContain('narrow --all-new');
  const rest = ['--all-new', '--project', project.id, '--at', 'PLAN-SHELF'];
  expect((await plan('commit', ...rest)).out).toMatch(/: 1 line\n/);
  expect((await plan('commit', ...rest)).said).toContain('no such open actions');
  expect((await plan('cancel')).said).toContain('nothing to cancel');
  expect((await plan('show')).out).toContain('completed');
  expect((await plan()).out).toMatch(/completed, what-if +2 /);
});
