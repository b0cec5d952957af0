// Users run automations by buttons: each entity offers some of them, with a form that is checked.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { endMemberStatement, insertMember } from '../../src/access/members/member.sql.ts';
import { ACTORS_OF_CALLER_MAX } from '../../src/audit/actors-of-caller.ts';
import { recordChange } from '../../src/audit/record-change.ts';
import { triggerAutomation } from '../../src/automation/runs/trigger-automation.ts';
import { newId } from '../../src/db/ids.ts';
import type { Tx } from '../../src/db/transaction.ts';
import { patience } from '../setup/patience.ts';
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

describe('a run that a caller triggered', () => {
  const asKey = (key: string, method: string, path: string, body?: object) =>
    server.request(`/api/wid/${workspace.slug}${path}`, {
      method,
      key,
      ...(body === undefined ? {} : { body }),
    });
  const ended = (runId: string) =>
    vi.waitUntil(async () => {
      const { body: run } = await workspace.ask('GET', `/automation-runs/${runId}?wait=5`);
      return run.status !== 'queued' && run;
    }, patience);
  /** Presses the button of an automation with another key, and returns the run when it has ended. */
  const pressWith = async (key: string, id: string, body: object = {}) => {
    const answer = await asKey(key, 'POST', `/automations/${id}/trigger`, body);
    expect(answer.status, answer.text).toBe(202);
    return ended(answer.body.id);
  };
  const addKey = async (areas: readonly string[]) => {
    const answer = await workspace.ask('POST', '/api-keys', { name: `Key for ${areas}`, areas });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.key as string;
  };
  const nameOf = async (key: string) => (await asKey(key, 'GET', '/session')).body.actor;
  const rename = `await api.setProperties(context.entityId, { Note: 'x' }); return 1;`;

  test('names the caller, and so do history, audit of names and ledger', async () => {
    const { ask } = workspace;
    await ask('POST', '/property-definitions', { key: 'Note', name: 'Note', type: 'text' });
    const key = await addKey(['read', 'engineering', 'procurement']);
    const caller = await nameOf(key);
    const [item] = await workspace.addEntities(1);
    const [location] = await workspace.addEntities(1, { category: 'location', state: 'Active' });
    const order = await workspace.automate(
      context.feature,
      `await api.setProperties(context.entityId, { Note: 'x' });
       const { lineId } = await api.actions.draftOrder({ location: '${location}', quantity: 2 });
       await api.transition(lineId, 'Ordered');
       return lineId;`,
      { name: 'Order one' },
    );
    const run = await pressWith(key, order.id, { entityId: item });
    expect(run).toMatchObject({ status: 'succeeded', triggeredBy: caller });
    expect(run.timeline[0]).toMatchObject({ kind: 'event', text: `feature, by ${caller.name}` });
    expect((await workspace.runsOf(order))[0]?.triggeredBy).toEqual(caller);
    const revisions = await ask('GET', `/entities/${run.result}/transitions`);
    const both = { type: 'automation', name: `Order one, by ${caller.name}` };
    expect(JSON.stringify(revisions.body)).toContain(both.name);
    const ledger = () => ask('GET', `/stock/ledger?lineId=${run.result}`);
    const [entry] = (await ledger()).body.items;
    expect(entry.actor).toMatchObject(both);
    expect(run.context.triggeredBy).toEqual(caller);
    // What automations did for a caller is among what the caller did.
    const ledgerOfCaller = await ask('GET', `/stock/ledger?actorId=${caller.id}`);
    expect(ledgerOfCaller.body.items, ledgerOfCaller.text).toMatchObject([{ id: entry.id }]);
    const actors = (await ask('GET', '/stock/ledger/actors')).body.items;
    expect(actors.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining([caller.id, entry.actor.id]),
    );
    const runsBy = async (id: string, path: string) => {
      const answer = await ask('GET', `${path}triggeredBy=${id}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.items.map((one: { id: string }) => one.id);
    };
    for (const path of [
      `/automations/${order.id}/runs?`,
      '/automation-runs?',
      '/automation-runs?status=succeeded&',
    ])
      expect(await runsBy(caller.id, path), path).toEqual([run.id]);
    expect(await runsBy(caller.id, '/automation-runs?status=failed&')).toEqual([]);
    expect(await runsBy(order.id, '/automation-runs?')).toEqual([]);
    await workspace.transact((tx) =>
      recordChange(tx, {
        actor: entry.actor,
        action: 'create',
        subjectType: 'category',
        subjectKey: 'cable',
        before: null,
        after: {},
      }),
    );
    const audit = async (query: string) =>
      (await ask('GET', `/audit?${query}`)).body.items.map(({ actor }: { actor: object }) => actor);
    expect(await audit(`actorId=${caller.id}`)).toEqual([entry.actor]);
    expect(await audit(`actorId=${caller.id}&subjectKey=cable`)).toEqual([entry.actor]);
    // A renamed key has its new name everywhere; the id stays.
    const renamed = await ask('PUT', `/api-keys/${caller.id}`, {
      name: 'Key of Erika',
      areas: ['read', 'engineering', 'procurement'],
      expiresAt: null,
    });
    expect(renamed.status, renamed.text).toBe(200);
    expect((await ledger()).body.items[0].actor).toEqual({
      ...entry.actor,
      name: 'Order one, by Key of Erika',
    });
    const read = (await ask('GET', `/automations/${order.id}`)).body;
    await ask('PUT', `/automations/${order.id}`, { ...read, name: 'Order two' });
    expect((await ledger()).body.items[0].actor.name).toBe('Order two, by Key of Erika');
    const verified = await ask('GET', '/stock/ledger/verify');
    expect(verified.body, verified.text).toMatchObject({ ok: true });
  });

  test.each([
    ['a property', ['read', 'stock'], rename, 'engineering'],
    [
      'an entity',
      ['read', 'stock'],
      `return api.createEntity({ category: 'part', name: 'New' })`,
      'engineering',
    ],
    [
      'a state',
      ['read', 'procurement'],
      `return api.actions.setState({ toState: 'In Review' })`,
      'engineering',
    ],
    [
      'a requirement',
      ['read', 'engineering'],
      `return api.actions.raiseRequirement({ project: context.entityId, quantity: 1 })`,
      'procurement',
    ],
    [
      'an order',
      ['read', 'engineering'],
      `return api.actions.draftOrder({ location: context.entityId, quantity: 1 })`,
      'procurement',
    ],
    ['a planning run', ['read', 'engineering'], `return api.actions.startPlanningRun({})`, 'procurement'],
  ] as const)('is refused %s where the caller lacks the area', async (_, areas, script, needed) => {
    const part = await workspace.create();
    const made = await workspace.automate(context.feature, script);
    const run = await pressWith(await addKey(areas), made.id, { entityId: part.id });
    expect(run).toMatchObject({
      status: 'failed',
      error: { kind: 'api', code: 'area_missing' },
      changes: [],
    });
    expect(run.error.message).toContain(`"${needed}"`);
    const own = await pressWith(await addKey(['read', 'stock', 'procurement', 'engineering']), made.id, {
      entityId: part.id,
    });
    expect(own.error?.message ?? '').not.toContain('area');
  });

  test('is refused after the caller has triggered a thousand other automations', async () => {
    const key = await addKey(['read', 'engineering']);
    const { id } = await nameOf(key);
    const known = await workspace.automate(context.feature, 'return 1');
    await pressWith(key, known.id);
    await workspace.transact((tx) =>
      tx.query(
        `insert into actor (workspace_id, id, type, name, automation_id, acts_for)
         select $1, gen_random_uuid(), 'automation', 'Another, by the key', gen_random_uuid(), $2
         from generate_series(1, ${ACTORS_OF_CALLER_MAX - 1})`,
        [workspace.id, id],
      ),
    );
    const other = await workspace.automate(context.feature, 'return 1');
    const refused = await asKey(key, 'POST', `/automations/${other.id}/trigger`, {});
    expect(refused.body, refused.text).toMatchObject({ status: 409, code: 'configuration_full' });
    expect((await workspace.runsOf(other)).length).toBe(0);
    expect((await pressWith(key, known.id)).result).toBe(1);
  });

  test('is tested with the rights of the tester', async () => {
    const part = await workspace.create();
    const body = { script: rename, contextTypeId: 5, context: { entityId: part.id } };
    const key = await addKey(['read', 'configuration']);
    const refused = await asKey(key, 'POST', '/automations/test', body);
    expect(refused.body, refused.text).toMatchObject({ ok: false });
    expect(refused.body.error.message).toContain('"engineering"');
    expect((await asKey(key, 'POST', '/automations/test', { ...body, contextTypeId: 3 })).body.ok).toBe(true);
  });

  test('is retried for the same caller, with its present rights, and not after its end', async () => {
    const { ask } = workspace;
    const part = await workspace.create();
    const made = await workspace.automate(context.feature, rename);
    const key = await addKey(['read', 'stock']);
    const { id: keyId } = await nameOf(key);
    const failed = await pressWith(key, made.id, { entityId: part.id });
    const retry = () => ask('POST', `/automation-runs/${failed.id}/retry`, {});
    const runAgain = async () => ended((await retry()).body.id);
    expect(await runAgain()).toMatchObject({ status: 'failed', triggeredBy: { id: keyId } });
    const changed = await ask('PUT', `/api-keys/${keyId}`, {
      name: 'Key',
      areas: ['read', 'engineering'],
      expiresAt: null,
    });
    expect(changed.status, changed.text).toBe(200);
    expect(await runAgain()).toMatchObject({ status: 'succeeded', triggeredBy: { id: keyId } });
    const other = await pressWith(key, (await workspace.automate(context.feature, 'throw 1')).id);
    await ask('DELETE', `/api-keys/${keyId}`);
    const refused = await retry();
    expect(refused.status, refused.text).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'api_key_revoked',
      detail: expect.stringContaining('Run the action anew'),
    });
    const some = { automationId: other.automationId, dryRun: true };
    expect((await ask('POST', '/automation-runs/retries', some)).body).toMatchObject({
      matching: 0,
      disabled: 1,
    });
  });

  test('is not made for a member that has ended before its turn, and not repeated', async () => {
    const made = await workspace.automate(context.feature, 'throw 1');
    const member = { type: 'member' as const, id: newId(), name: 'Max Muster' };
    const trigger = (tx: Tx) =>
      triggerAutomation(tx, member, {
        automationId: made.id,
        workspaceSlug: workspace.slug,
        entityId: null,
        parameters: {},
      });
    await workspace.transact((tx) =>
      tx.query(insertMember, [workspace.id, member.id, member.name, ['read', 'stock'], 'hand']),
    );
    await workspace.transact(trigger);
    const [failed] = await workspace.ended(made, 1);
    expect(failed).toMatchObject({ status: 'failed', triggeredBy: member });
    await workspace.transact(async (tx) => {
      await trigger(tx);
      await tx.query(endMemberStatement, [workspace.id, member.id, 'hand']);
    });
    const runs = await workspace.ended(made, 2);
    expect(runs[1]).toMatchObject({
      status: 'suppressed',
      error: { name: 'CallerEndedError', message: expect.stringContaining('Max Muster') },
    });
    const retried = await workspace.ask('POST', `/automation-runs/${failed?.id}/retry`, {});
    expect(retried.body, retried.text).toMatchObject({ status: 409, code: 'member_ended' });
  });
});
