// Agents see the actions that people have made, and run them with the same form.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AutomatedWorkspace,
  context,
  makeAutomatedWorkspace,
} from '../automation/automated-workspace.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
let workspace: AutomatedWorkspace;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeAutomatedWorkspace(server);
});
afterAll(() => server.close());

async function call(name: string, given: object) {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  const headers = { Accept: 'application/json, text/event-stream' };
  const { text } = await workspace.ask('POST', '/mcp?writes=allowed', body, headers);
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  expect(JSON.parse(data).error, data).toBeUndefined();
  const { isError, content } = JSON.parse(data).result;
  return { isError: isError === true, answer: JSON.parse(content[0].text) };
}

test('an action is listed with its form, checked by it, and run on an entity', async () => {
  const parameters = {
    type: 'object',
    properties: { copies: { type: 'integer', minimum: 1 } },
    required: ['copies'],
  };
  const made = await workspace.automate(context.feature, 'return context.parameters.copies', {
    button: { label: 'Copy', categories: ['part'], parameters },
  });
  const part = await workspace.create();
  const listed = await call('list_actions', { entity: part.id });
  expect(listed.answer.items).toMatchObject([{ automationId: made.id, label: 'Copy', parameters }]);
  const wrong = await call('run_action', { automation: made.id, entity: part.id, parameters: { copies: 0 } });
  expect([wrong.isError, wrong.answer.code]).toEqual([true, 'validation_failed']);
  const run = await call('run_action', { automation: made.id, entity: part.id, parameters: { copies: 3 } });
  expect(run).toMatchObject({ isError: false, answer: { status: 'succeeded', result: 3 } });
  const read = await call('get_run', { run: run.answer.id });
  expect(read.answer).toMatchObject({ id: run.answer.id, context: { entityId: part.id } });
});

test('an agent plans, reads what is proposed, and commits and dismisses actions', async () => {
  const [part, other] = [await workspace.create(), await workspace.create()];
  const location = await workspace.create({ category: 'location', name: 'A shelf' });
  const project = await workspace.create({ category: 'project', name: 'A project' });
  const requiredBy = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  for (const { id: itemEntityId } of [part, other]) {
    const need = { projectId: project.id, itemEntityId, requiredQty: 3, requiredBy };
    expect((await workspace.ask('POST', '/requirements', need)).status).toBe(201);
  }
  const { answer: plan } = await call('propose_plan', { horizonDays: 30 });
  expect(plan).toMatchObject({ status: 'completed', horizonDays: 30, actions: { order: 2 } });
  const actionOf = async (item: string) =>
    (await call('planning_actions', { run: plan.id, item, has: 'exception' })).answer.items[0];
  const [first, second] = [await actionOf(part.id), await actionOf(other.id)];
  expect(first).toMatchObject({ action: 'order', quantity: 3, status: 'open' });
  const substitutes = await call('planning_actions', { run: plan.id, action: 'useSubstitute' });
  expect(substitutes).toMatchObject({ isError: false, answer: { items: [] } });
  const served = await call('planning_actions', { run: plan.id, project: project.id });
  expect(served.answer.items).toHaveLength(2);
  const timeline = await call('planning_timeline', { run: plan.id, item: part.id });
  expect(timeline.answer).toMatchObject({ isCurrent: true, actions: [{ quantity: 3 }] });
  const differences = await call('compare_planning_runs', { run: plan.id, with: plan.id });
  expect(differences.answer.items).toEqual([]);
  const promised = await call('promise', { item: part.id, quantity: 2 });
  expect(promised.answer).toMatchObject({ quantity: 2, availableOn: null });
  const asked = { run: plan.id, actions: [first.number] };
  const refused = await call('commit_planned_actions', asked);
  expect([refused.isError, refused.answer.code]).toEqual([true, 'validation_failed']);
  const done = await call('commit_planned_actions', { ...asked, location: location.id });
  expect(done.answer.orders).toMatchObject([{ lines: [{ itemEntityId: part.id, state: 'Draft' }] }]);
  await call('dismiss_planned_actions', { run: plan.id, actions: [second.number] });
  expect(await actionOf(other.id)).toMatchObject({ status: 'dismissed' });
  expect((await call('planning_runs', {})).answer.items).toMatchObject([{ id: plan.id }]);
});
