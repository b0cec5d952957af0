// Users run automations by buttons: each entity offers some of them, with a form that is checked.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type AutomatedWorkspace, context, makeAutomatedWorkspace } from './automated-workspace.ts';

let server: TestServer;
let workspace: AutomatedWorkspace;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeAutomatedWorkspace(server);
});
afterAll(() => server.close());

const form = {
  type: 'object',
  properties: {
    quantity: { type: 'integer', title: 'Quantity', minimum: 1, maximum: 10, default: 2 },
    by: { type: 'string', format: 'date' },
    way: { type: 'string', enum: ['air', 'sea'] },
    urgent: { type: 'boolean' },
  },
  required: ['way'],
};
const button = { label: 'Order a sample', categories: ['part'], states: ['In Work'], parameters: form };
const press = (id: string, body: object) => workspace.ask('POST', `/automations/${id}/trigger`, body);
const actionsOf = async (id: string) => {
  const answer = await workspace.ask('GET', `/entities/${id}/actions`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.items as { automationId: string }[];
};

describe('a button', () => {
  test('is offered by entities of its categories in its states, to callers that may write', async () => {
    const { ask } = workspace;
    const everywhere = await workspace.automate(context.feature, '1', { button: { label: 'Anywhere' } });
    const some = await workspace.automate(context.feature, '1', { name: 'Sample', button });
    const off = await workspace.automate(context.feature, '1', { button, enabled: false });
    const bare = await workspace.automate(context.feature, '1');
    const part = await workspace.create();
    const material = await workspace.create({ category: 'material' });
    const idsOf = async (id: string) => (await actionsOf(id)).map(({ automationId }) => automationId);
    expect(await idsOf(part.id)).toEqual([everywhere.id, some.id]);
    expect(await idsOf(material.id)).toEqual([everywhere.id]);
    await ask('POST', `/entities/${part.id}/transitions`, { toState: 'In Review' });
    expect(await idsOf(part.id)).toEqual([everywhere.id]);
    const all = (await ask('GET', '/actions')).body.items;
    expect(all).toMatchObject([{ label: 'Anywhere', categories: [], states: [] }, button]);
    expect(all[1].parameters).toEqual(form);
    expect(JSON.stringify(all[1].parameters)).toBe(JSON.stringify({ ...form }));
    const { key } = (await ask('POST', '/api-keys', { name: 'Reader', permission: 'read' })).body;
    expect(
      (await server.request(`/api/wid/${workspace.slug}/actions`, { key })).body,
      'a reader may run none',
    ).toEqual({ items: [], nextCursor: null });
    for (const { id } of [everywhere, some, off, bare]) await ask('DELETE', `/automations/${id}`);
  });

  test('has a form of fields with any names', async () => {
    const parameters = {
      type: 'object',
      properties: { constructor: { type: 'string' }, toString: { type: 'number', default: 3 } },
    };
    const made = await workspace.automate(context.feature, 'return context.parameters', {
      button: { label: 'Odd', parameters },
    });
    expect((await press(made.id, { context: {} })).status).toBe(202);
    const [run] = await workspace.ended(made, 1);
    expect(run?.result).toEqual({ toString: 3 });
    await workspace.ask('DELETE', `/automations/${made.id}`);
  });

  test('runs with its form filled in, and a read that waits has the result', async () => {
    const made = await workspace.automate(context.feature, 'return context.parameters', { button });
    const part = await workspace.create();
    const answer = await press(made.id, { entityId: part.id, context: { way: 'sea', by: '2026-12-24' } });
    expect(answer.status, answer.text).toBe(202);
    const run = await workspace.ask('GET', `/automation-runs/${answer.body.id}?wait=5`);
    expect(run.body).toMatchObject({
      status: 'succeeded',
      result: { quantity: 2, way: 'sea', by: '2026-12-24' },
      context: { entityId: part.id },
    });
  });

  test.each([
    ['a missing field', {}, '/context/way'],
    ['another choice', { way: 'rail' }, '/context/way'],
    ['a number beyond its bounds', { way: 'air', quantity: 11 }, '/context/quantity'],
    ['a text for a number', { way: 'air', quantity: '3' }, '/context/quantity'],
    ['a day that there is not', { way: 'air', by: '2026-02-30' }, '/context/by'],
    ['an unknown field', { way: 'air', more: 1 }, '/context'],
  ])('refuses %s', async (_, values, pointer) => {
    const made = await workspace.automate(context.feature, '1', { button });
    const part = await workspace.create();
    const answer = await press(made.id, { entityId: part.id, context: values });
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
  });

  test('refuses an entity that does not offer it', async () => {
    const made = await workspace.automate(context.feature, '1', { button });
    const material = await workspace.create({ category: 'material' });
    for (const entityId of [material.id, null]) {
      const answer = await press(made.id, { entityId, context: { way: 'air' } });
      expect(answer.status, answer.text).toBe(409);
      expect(answer.body).toMatchObject({
        code: 'action_not_offered',
        detail: expect.stringContaining('of the category part in the state In Work'),
      });
    }
  });

  test('stays with its automation when the script is replaced as it was read, and in a clone', async () => {
    const { ask } = workspace;
    const made = await workspace.automate(context.feature, '1', { button });
    const read = (await ask('GET', `/automations/${made.id}`)).body;
    const saved = await ask('PUT', `/automations/${made.id}`, { ...read, script: '2' });
    expect(saved.body.button).toEqual({ ...button });
    const turned = {
      ...button,
      parameters: { ...form, properties: Object.assign({ urgent: { type: 'boolean' } }, form.properties) },
    };
    const again = await ask('PUT', `/automations/${made.id}`, { ...saved.body, button: turned });
    expect(Object.keys(again.body.button.parameters.properties)).toEqual(['urgent', 'quantity', 'by', 'way']);
    const clone = await ask('POST', `/automations/${made.id}/clone`, {});
    expect(clone.body.button).toEqual(again.body.button);
    const without = await ask('PUT', `/automations/${made.id}`, {
      name: 'Bare',
      contextTypeId: 5,
      script: '2',
    });
    expect(without.body.button).toBeNull();
  });

  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'boolean' }]));
  test.each([
    ['another context type', { contextTypeId: 3, button }, '/button'],
    ['no label', { button: { ...button, label: '' } }, '/button/label'],
    [
      'more than 20 fields',
      { button: { label: 'L', parameters: { type: 'object', properties: fields(21) } } },
      '/button/parameters/properties',
    ],
    [
      'a pattern, which could keep the engine busy',
      {
        button: {
          label: 'L',
          parameters: { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } },
        },
      },
      '/button/parameters/properties/a/pattern',
    ],
    [
      'a nested form',
      { button: { label: 'L', parameters: { type: 'object', properties: { a: { type: 'object' } } } } },
      '/button/parameters/properties/a/type',
    ],
    [
      'a required field that there is not',
      { button: { label: 'L', parameters: { ...form, required: ['x'] } } },
      '/button/parameters/required',
    ],
    [
      'a default beyond its bounds',
      {
        button: {
          label: 'L',
          parameters: { type: 'object', properties: { n: { type: 'number', maximum: 1, default: 2 } } },
        },
      },
      '/button/parameters/properties/n/default',
    ],
    [
      'bounds that nothing fits',
      {
        button: {
          label: 'L',
          parameters: { type: 'object', properties: { n: { type: 'number', minimum: 2, maximum: 1 } } },
        },
      },
      '/button/parameters/properties/n',
    ],
    [
      'a form of more than 16 KiB',
      {
        button: {
          label: 'L',
          parameters: {
            type: 'object',
            properties: {
              a: { type: 'string', enum: Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(200, 'x')) },
            },
          },
        },
      },
      '/button/parameters',
    ],
  ])('is refused with %s', async (_, values, pointer) => {
    const answer = await workspace.ask('POST', '/automations', {
      name: 'A test',
      contextTypeId: context.feature,
      script: '1',
      ...values,
    });
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });

  test('has a form of at most 20 fields', async () => {
    await workspace.automate(context.feature, '1', {
      button: { label: 'L', parameters: { type: 'object', properties: fields(20) } },
    });
  });
});
