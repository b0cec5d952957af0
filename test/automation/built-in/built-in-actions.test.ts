// Built-in actions: on every context type once with the event, in scripts as `api.actions`, undone in tests, within the limits of scripts.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { patience } from '../../setup/patience.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { openReceiver, type Receiver } from '../../webhooks/receiver.ts';
import { type AutomatedWorkspace, context, makeAutomatedWorkspace } from '../automated-workspace.ts';
import { type MailServer, openMailServer } from './mail-server.ts';

let mails: MailServer;
let receiver: Receiver;
let server: TestServer;
let workspace: AutomatedWorkspace;
beforeAll(async () => {
  mails = await openMailServer();
  receiver = await openReceiver();
  server = await startTestServer({
    worker: true,
    environment: {
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SMTP_URL: mails.url,
      SMTP_FROM: 'Partbook <partbook@example.com>',
      MAILS_PER_DAY: '6',
      MAIL_RETRY_BASE_MS: '100',
      SCRIPT_API_CALLS_MAX: '20',
    },
  });
  workspace = await makeAutomatedWorkspace(server);
  for (const [key, type] of [
    ['Mass', 'numeric'],
    ['Description', 'text'],
  ]) {
    const answer = await workspace.ask('POST', '/property-definitions', { key, name: key, type });
    expect(answer.status, answer.text).toBe(201);
  }
});
afterAll(async () => {
  await server.close();
  await receiver.close();
  await mails.close();
});

const perform = (contextTypeId: number, actions: object[], more = {}) =>
  workspace.automate(contextTypeId, '', { actions, ...more });

async function placed() {
  const [item] = await workspace.addEntities(1);
  const [location] = await workspace.addEntities(1, { category: 'location', state: 'Active' });
  const project = await workspace.create({ category: 'project', name: 'A project' });
  return { item: item as string, location: location as string, project };
}

const requirementsOf = async (item: string) =>
  (await workspace.ask('GET', `/requirements?itemEntityId=${item}`)).body.items as {
    requiredQty: number;
    projectId: string;
    requiredBy: string | null;
  }[];

describe('an automation with actions', () => {
  test('raises a requirement and drafts an order when stock falls below a threshold, once', async () => {
    const { item, location, project } = await placed();
    const low = await perform(
      context.thresholdCrossed,
      [
        { action: 'raiseRequirement', settings: { project: project.number, quantity: 7, requiredInDays: 3 } },
        { action: 'draftOrder', settings: { location, quantity: 12.5, supplier: ' Digi  Key ' } },
      ],
      { threshold: { figure: 'available', below: 5 } },
    );
    const answer = await workspace.ask('POST', '/stock/adjustments', {
      itemEntityId: item,
      locationEntityId: location,
      quantity: 2,
    });
    expect(answer.status, answer.text).toBe(201);
    const [run] = await workspace.ended(low, 1);
    expect(run).toMatchObject({
      status: 'succeeded',
      context: { entityId: item },
      apiCalls: [
        { method: 'actions.raiseRequirement', ok: true },
        { method: 'actions.draftOrder', ok: true },
      ],
    });
    expect(run?.timeline.map(({ kind }) => kind)).toEqual([
      'event',
      'start',
      'call',
      'call',
      'change',
      'change',
      'change',
      'end',
    ]);
    expect(await requirementsOf(item)).toMatchObject([{ requiredQty: 7, projectId: project.id }]);
    const [raised] = await requirementsOf(item);
    const days = (Date.parse(raised?.requiredBy ?? '') - Date.parse(run?.event.at ?? '')) / 86_400_000;
    expect(Math.round(days)).toBeGreaterThanOrEqual(2);
    const lines = (await workspace.ask('GET', `/stock/lines?itemEntityId=${item}`)).body.items;
    expect(lines).toMatchObject([
      {
        type: 'purchaseOrder',
        state: 'Draft',
        quantity: 12.5,
        supplier: 'Digi Key',
        locationEntityId: location,
      },
    ]);
    expect(run?.changes.map(({ property }) => property)).toEqual(['requirement', 'item', 'purchaseOrder']);
  });

  test('for an item means the item of an order line, also when a user runs it on the line', async () => {
    const { item, location, project } = await placed();
    const body = { type: 'purchaseOrder', itemEntityId: item, locationEntityId: location, quantity: 1 };
    const { line } = (await workspace.ask('POST', '/stock/lines', body)).body;
    const button = await perform(context.feature, [
      { action: 'raiseRequirement', settings: { project: project.id, quantity: 3 } },
    ]);
    await workspace.ask('POST', `/automations/${button.id}/trigger`, { entityId: line.id });
    const [run] = await workspace.ended(button, 1);
    expect(run?.error).toBeNull();
    // A threshold of another test may have raised one, too.
    expect((await requirementsOf(item)).map(({ requiredQty }) => requiredQty)).toContain(3);
  });

  test('sets a property by its type and a state, with fields of the event in its texts', async () => {
    const mass = await perform(
      context.created,
      [
        { action: 'setProperty', settings: { property: 'Mass', value: '1.5' } },
        {
          action: 'setProperty',
          settings: { property: 'Description', value: 'Made as {entityNumber} {other}' },
        },
        { action: 'setState', settings: { toState: 'In Review', note: '{categoryKey}' } },
      ],
      { filter: { properties: [{ property: 'name', is: 'equal', value: 'By actions' }] } },
    );
    const made = await workspace.create({ name: 'By actions' });
    const [run] = await workspace.ended(mass, 1);
    expect(run?.error).toBeNull();
    expect((await workspace.ask('GET', `/entities/${made.id}`)).body).toMatchObject({
      state: 'In Review',
      properties: { Mass: 1.5, Description: `Made as ${made.number} {other}` },
    });
  });

  test('is undone as a whole when one of its actions is refused', async () => {
    const { item, project } = await placed();
    const button = await perform(context.feature, [
      { action: 'raiseRequirement', settings: { project: project.id, quantity: 1 } },
      { action: 'setState', settings: { toState: 'Nowhere' } },
    ]);
    const path = `/automations/${button.id}/trigger`;
    expect((await workspace.ask('POST', path, { entityId: item })).status).toBe(202);
    const [run] = await workspace.ended(button, 1);
    expect(run).toMatchObject({ status: 'failed', changes: [], error: { kind: 'api' } });
    expect(await requirementsOf(item)).toEqual([]);
  });

  test('is shown with the script that the service writes, which may be sent back, and its history', async () => {
    const actions = [{ action: 'notifyWebhook', settings: { text: 'a "quoted" \u2028 {text}' } }];
    const made = await perform(context.schedule, actions, { schedule: { cron: '0 0 1 1 *' } });
    expect(made).toMatchObject({ actions });
    expect(made.script).toContain('api.actions.notifyWebhook');
    const again = await workspace.ask('PUT', `/automations/${made.id}`, {
      ...made,
      actions: [...actions, { action: 'notifyWebhook' }],
    });
    expect(again.body, again.text).toMatchObject({ scriptVersion: 2 });
    const script = await workspace.ask('PUT', `/automations/${made.id}`, { ...again.body, actions: null });
    expect(script.body).toMatchObject({ actions: null, scriptVersion: 2 });
  });

  test.each([
    ['an unknown action', [{ action: 'explode' }], 5, '/actions/0/action'],
    [
      'an unknown setting',
      [{ action: 'setState', settings: { toState: 'A', x: 1 } }],
      5,
      '/actions/0/settings/x',
    ],
    ['a missing setting', [{ action: 'setState' }], 5, '/actions/0/settings/toState'],
    ['no entity where the event has none', [{ action: 'printLabel' }], 10, '/actions/0/settings/entity'],
    ['no actions', [], 5, '/actions'],
    ['eleven actions', Array(11).fill({ action: 'notifyWebhook' }), 5, '/actions'],
    [
      'a supplier of what is sold',
      [{ action: 'draftOrder', settings: { type: 'salesOrder', location: 'x', quantity: 1, supplier: 'y' } }],
      5,
      '/actions/0/settings/supplier',
    ],
  ])('%s is refused', async (_, actions, contextTypeId, pointer) => {
    const answer = await workspace.ask('POST', '/automations', { name: 'A test', contextTypeId, actions });
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  test('has no script of its own, and an automation without either is refused', async () => {
    const both = { name: 'A test', contextTypeId: 5, script: '1', actions: [{ action: 'notifyWebhook' }] };
    for (const body of [both, { name: 'A test', contextTypeId: 5 }]) {
      const answer = await workspace.ask('POST', '/automations', body);
      expect(answer.status, answer.text).toBe(422);
      expect(answer.body.errors[0].pointer).toBe('/script');
    }
  });

  test('has forms: every field of every action is one that a form can show', async () => {
    const { items } = (await workspace.ask('GET', '/automations/built-in-actions')).body;
    expect(items.length).toBeGreaterThanOrEqual(8);
    for (const { settingsSchema } of items) {
      const fields = Object.entries<{ type: string; title: string }>(settingsSchema.properties);
      expect(fields.length).toBeGreaterThan(0);
      for (const [name, { type, title }] of fields)
        expect([name, ['string', 'number', 'integer', 'boolean'].includes(type), typeof title]).toEqual([
          name,
          true,
          'string',
        ]);
    }
  });
});

describe('a script', () => {
  const tested = async (script: string, entityId: string) =>
    (await workspace.ask('POST', '/automations/test', { script, contextTypeId: 5, context: { entityId } }))
      .body;

  test('calls the same actions, and its test leaves nothing of them', async () => {
    const { item, project } = await placed();
    const script = `const { number } = await api.actions.raiseRequirement({ project: '${project.id}', quantity: 3 });
await api.actions.sendMail({ to: 'a@example.com', subject: 'A test', text: 'x' });
await api.actions.printLabel({});
return number`;
    const result = await tested(script, item);
    expect(result).toMatchObject({ ok: true, error: null, result: expect.stringMatching(/\d/) });
    expect(await requirementsOf(item)).toEqual([]);
    expect(mails.received.filter(({ subject }) => subject === 'A test')).toEqual([]);
  });

  test('starts a planning run, and joins one with the same options that waits', async () => {
    const { item } = await placed();
    const script = `const start = (settings) => api.actions.startPlanningRun(settings);
const [first, second] = [await start({}), await start({})];
const { isNew } = await start({ workingDays: 'mondayToFriday' });
return [first.isNew, second.isNew, first.id === second.id, isNew];`;
    expect(await tested(script, item)).toMatchObject({ error: null, result: [true, false, true, true] });
    expect((await workspace.ask('GET', '/planning/runs?limit=100')).body.items).toEqual([]);
    const button = await perform(context.feature, [
      { action: 'startPlanningRun', settings: { horizonDays: 30, workingDays: 'mondayToFriday' } },
    ]);
    await workspace.ask('POST', `/automations/${button.id}/trigger`, {});
    const [run] = await workspace.ended(button, 1);
    expect(run).toMatchObject({ status: 'succeeded', result: [{ isNew: true }] });
    const [{ id } = { id: '' }] = (run?.result ?? []) as { id: string }[];
    const plan = await vi.waitUntil(async () => {
      const { body } = await workspace.ask('GET', `/planning/runs/${id}`);
      return body.finishedAt !== null && body;
    }, patience);
    expect(plan).toMatchObject({
      status: 'completed',
      horizonDays: 30,
      periodDays: 7,
      weekdays: [1, 2, 3, 4, 5],
      by: { type: 'automation' },
    });
  });

  test('hears of the end of a planning run, and counts in its chain when it starts another one', async () => {
    const events = ['planning.finished'];
    const hook = await workspace.ask('POST', '/webhooks', { url: receiver.url, events });
    const again = await workspace.automate(
      context.planningFinished,
      'await api.actions.startPlanningRun({ horizonDays: 11 })',
    );
    const { id } = (await workspace.ask('POST', '/planning/runs', { horizonDays: 12 })).body;
    const [first, second] = await workspace.ended(again, 2);
    await workspace.ask('DELETE', `/automations/${again.id}`);
    expect([first, second]).toMatchObject([
      { depth: 0, context: { planningRunId: id, status: 'completed', isWhatIf: false, failure: null } },
      { depth: 1, causeRunId: first?.id },
    ]);
    const heard = await vi.waitUntil(
      () =>
        receiver.received.map(({ body }) => JSON.parse(body)).find(({ data }) => data.planningRunId === id),
      patience,
    );
    expect(heard).toMatchObject({ type: 'planning.finished', data: { status: 'completed' } });
    expect((await workspace.ask('DELETE', `/webhooks/${hook.body.id}`)).status).toBe(204);
  });

  test('that calls actions in a loop meets the limit of calls, and nothing of it stays', async () => {
    const { item, project } = await placed();
    const loop = await workspace.automate(
      context.feature,
      `for (;;) await api.actions.raiseRequirement({ project: '${project.id}', quantity: 1 })`,
    );
    await workspace.ask('POST', `/automations/${loop.id}/trigger`, { entityId: item });
    const [run] = await workspace.ended(loop, 1);
    expect(run).toMatchObject({ status: 'failed', changes: [] });
    expect(run?.error?.message).toMatch(/more than 20 api calls/);
    expect(await requirementsOf(item)).toEqual([]);
  });

  test('that reacts to its own actions is suppressed as a chain', async () => {
    const { item, project } = await placed();
    const chain = await workspace.automate(
      context.created,
      `await api.actions.raiseRequirement({ item: '${item}', project: '${project.id}', quantity: 1 })`,
      { filter: { categories: ['materialRequirement'] } },
    );
    const first = { projectId: project.id, itemEntityId: item, requiredQty: 1 };
    expect((await workspace.ask('POST', '/requirements', first)).status).toBe(201);
    const runs = await workspace.ended(chain, 9);
    const [began, ended] = [runs[0]?.timeline.at(-1), runs[8]?.timeline.at(-1)];
    expect([began, ended]).toMatchObject([
      { kind: 'run', runId: runs[1]?.id },
      { kind: 'end', ok: false },
    ]);
    expect(runs.map(({ status }) => status)).toEqual([...Array(8).fill('succeeded'), 'suppressed']);
    await workspace.ask('DELETE', `/automations/${chain.id}`);
  });

  test.each([
    [`api.actions.setState({ entity: 'nothing has it', toState: 'A' })`, 'entity_not_found'],
    [`api.actions.setProperty({ property: 'Mass', value: 'heavy' })`, 'validation_failed'],
    [`api.actions.setProperty({ property: 'None', value: '1' })`, 'unknown_property'],
    [`api.actions.sendMail({ to: 'nobody', subject: 'x', text: '' })`, 'validation_failed'],
    [`api.actions.raiseRequirement({ quantity: 1 })`, 'validation_failed'],
  ])('%s is refused with %s', async (call, code) => {
    const { item } = await placed();
    const script = `try { await ${call} } catch (error) { return error.code }`;
    expect(await tested(script, item)).toMatchObject({ result: code });
  });
});

describe('a mail', () => {
  const sent = (subject: string) =>
    vi.waitUntil(() => mails.received.find((mail) => mail.subject === subject), patience);
  const mailing = (subject: string, to = 'stock@example.com, buyer@example.com') =>
    perform(context.feature, [
      { action: 'sendMail', settings: { to, subject, text: 'For {parameters.what}' } },
    ]);
  const press = async (automation: { id: string }, what = 'you') => {
    const body = { context: { what } };
    expect((await workspace.ask('POST', `/automations/${automation.id}/trigger`, body)).status).toBe(202);
  };
  const mailOf = async (automation: { id: string }, status: string) => {
    const [run] = await workspace.ended(automation, 1);
    return vi.waitUntil(async () => {
      const [mail] = (await workspace.ask('GET', `/automation-runs/${run?.id}`)).body.mails;
      return mail?.status === status && mail;
    }, patience);
  };

  test('leaves after the run, once, with fields of the event', async () => {
    const automation = await mailing('Stock is low\r\nBcc: thief@example.com');
    await press(automation, 'the buyer');
    const mail = await sent('Stock is low Bcc: thief@example.com');
    expect(mail).toMatchObject({
      from: 'partbook@example.com',
      to: ['stock@example.com', 'buyer@example.com'],
      text: expect.stringContaining('For the buyer'),
    });
    expect(await mailOf(automation, 'sent')).toMatchObject({ attempts: 1, error: null });
  });

  test('is tried again while the server is busy, and given up when it is refused', async () => {
    mails.refuseNext(450);
    const busy = await mailing('After a while', 'one@example.com');
    await press(busy);
    await sent('After a while');
    expect(await mailOf(busy, 'sent')).toMatchObject({ attempts: 2 });
    mails.refuseNext(550);
    const refused = await mailing('Never', 'one@example.com');
    await press(refused);
    expect(await mailOf(refused, 'failed')).toMatchObject({
      attempts: 1,
      error: expect.stringContaining('550'),
    });
    const { failedMails } = (await workspace.ask('GET', '/overview')).body;
    expect(failedMails).toMatchObject({ count: 1, message: expect.stringContaining('550') });
  });

  test('is refused beyond the addresses of a day', async () => {
    const automation = await mailing('Too many', 'a@example.com,b@example.com,c@example.com');
    await press(automation);
    const [run] = await workspace.ended(automation, 1);
    expect(run?.error?.message).toContain('MAILS_PER_DAY');
  });
});

test('labels and notifications reach webhooks, and no automation that a user runs', async () => {
  const { item } = await placed();
  const events = ['feature.triggered'];
  const hook = await workspace.ask('POST', '/webhooks', { url: receiver.url, events });
  expect(hook.status, hook.text).toBe(201);
  const button = await perform(context.feature, [
    { action: 'printLabel', settings: { copies: 2, printer: 'shelf' } },
    { action: 'notifyWebhook', settings: { event: 'labelled', text: 'Label of {entityNumber}' } },
  ]);
  await workspace.ask('POST', `/automations/${button.id}/trigger`, { entityId: item });
  const messages = await vi.waitUntil(() => {
    const heard = receiver.received.map(({ body }) => JSON.parse(body));
    const ours = heard.filter(({ data }) => ![undefined, 'A test'].includes(data.feature));
    return ours.length >= 2 && ours;
  }, patience);
  const { actor: triggeredBy } = (await workspace.ask('GET', '/session')).body;
  expect(messages.map(({ data }) => data)).toMatchObject([
    {
      feature: 'printLabel',
      entityId: item,
      parameters: { copies: 2, label: `/entities/${item}/label` },
      triggeredBy,
    },
    { feature: 'notifyWebhook', parameters: { event: 'labelled' }, triggeredBy },
  ]);
  expect(await workspace.runsOf(button)).toHaveLength(1);
});
