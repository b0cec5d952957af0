// Webhooks on the command line: which of them do not get through, and what an administrator does about it, told at each step.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { projectFolder } from './project-folder.ts';
import { runCli } from './run-cli.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let receiver: Receiver;
beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_BASE_MS: '3600000' },
  });
  receiver = await openReceiver();
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});
beforeEach(async () => {
  workspace = await makeDefaultWorkspace(server);
  receiver.received.length = 0;
  receiver.answers.splice(0, receiver.answers.length, 200);
});

function run(...args: string[]): Promise<{ code: number; out: string; said: string }> {
  const env = {
    PARTBOOK_URL: server.baseUrl,
    PARTBOOK_WORKSPACE: workspace.slug,
    PARTBOOK_API_KEY: workspace.key,
    HOME: projectFolder,
  };
  return runCli(['webhooks', ...args], { env });
}
const create = async (url: string, description = '') => {
  const made = await run('create', url, '--events', 'entity.created', '--description', description, '--json');
  expect(made.code, made.said).toBe(0);
  return JSON.parse(made.out) as { id: string; secret: string };
};
const deliveries = async (id: string) =>
  (await workspace.ask('GET', `/webhooks/${id}/deliveries`)).body.items;
const happen = (name: string) => workspace.ask('POST', '/entities', { category: 'part', name });
/** As the end of its attempts, days later, leaves them. */
const giveUp = (id: string) =>
  inTransaction(server.ctx.db, 'instance', (tx) =>
    tx.query(`update webhook_delivery set status = 'failed' where webhook_id = $1 and status = 'pending'`, [
      id,
    ]),
  );

test('a webhook is made with its secret alone on standard output, tried, listed and deleted', async () => {
  const none = await run();
  expect(none).toMatchObject({ code: 0, out: '', said: expect.stringContaining('webhooks create ADDRESS') });
  const made = await run('create', receiver.url, '--events', 'entity.created, import.completed');
  expect(made.out).toMatch(/^whsec_\S+\n$/);
  expect(made.said).toContain(`${receiver.url} is told of entity.created, import.completed from now on`);
  const [{ id }] = (await workspace.ask('GET', '/webhooks')).body.items;
  expect(made.said).toContain(`"partbook webhooks test ${id}" tries it.`);

  const tried = await run('test', receiver.url);
  expect(tried).toMatchObject({
    code: 0,
    out: expect.stringMatching(/: delivered: answered 200 in \d+ ms\n$/),
  });
  expect(receiver.received).toHaveLength(1);
  const { out } = await run();
  expect(out.split('\n')[1]).toMatch(/^http\S+ .* on .* delivered .* answered 200 in \d+ ms .*/);
  expect(JSON.parse((await run('--json')).out)).toEqual((await workspace.ask('GET', '/webhooks')).body.items);

  const rotated = await run('rotate-secret', 'hook');
  expect([rotated.out, rotated.said]).toEqual([
    expect.stringMatching(/^whsec_\S+\n$/),
    expect.stringMatching(
      /signed with the old secret, too, until 2\S+\. Give the receiver the new one by then/,
    ),
  ]);
  expect((await run('rotate-secret', 'hook', '--overlap', '0')).said).toContain('signs no more');
  const wrong = await run('rotate-secret', 'hook', '--overlap', '-1');
  expect(wrong.said).toContain('--overlap is a whole number, 0 or more, not "-1"');
  expect(await run('delete', 'hook')).toMatchObject({
    code: 2,
    said: expect.stringContaining('Nobody can be asked. --yes deletes'),
  });
  expect((await run('delete', 'hook', '--yes')).said).toContain('is deleted');
  expect((await workspace.ask('GET', '/webhooks')).body.items).toEqual([]);
});

test('one that fails is seen in the list, and shown with what did not arrive, why, and what to do', async () => {
  const { id } = await create(receiver.url, 'ERP of the works');
  receiver.answers[0] = 500;
  for (const name of ['One', 'Two']) await happen(name);
  await vi.waitUntil(
    async () => (await deliveries(id)).filter((one: { attempts: number }) => one.attempts === 1).length === 2,
    patience,
  );
  const list = await run();
  expect(list.out).toMatch(/ERP of the works {2}failing {2}pending .* answered 500 /);
  expect(list.said).toContain('"partbook webhooks show ADDRESS" says what is wrong');
  const shown = await run('show', 'erp');
  expect(shown.out).toMatch(/^state +failing$/m);
  expect(shown.out.match(/entity\.created {2}pending {2,}1 .* answered 500 /g)).toHaveLength(2);
  expect(shown.said).toContain(`"partbook webhooks test ${id}" tries it, and what is pending follows`);
  expect(shown.said).not.toContain('resend');
  const whole = JSON.parse((await run('show', id, '--json')).out);
  expect([whole.id, whole.deliveries]).toEqual([id, await deliveries(id)]);

  expect((await run('resend', 'erp')).said).toContain('Nothing to send again: no delivery');
  const failed = await run('test', 'erp');
  expect(failed).toMatchObject({ code: 1, out: expect.stringContaining(': failed: answered 500') });
  expect(failed.said).toContain('Mend the receiver');
  receiver.answers[0] = 204;
  expect(await run('test', 'erp')).toMatchObject({
    code: 0,
    out: expect.stringContaining(': delivered: answered 204'),
    said: 'What is pending is sent now.\n',
  });
  await vi.waitUntil(
    async () => (await deliveries(id)).every((one: { status: string }) => one.status !== 'pending'),
    patience,
  );
  const [one] = await deliveries(id);
  const message = JSON.parse((await run('deliveries', 'erp', one.id)).out);
  expect(message).toEqual((await workspace.ask('GET', `/webhooks/${id}/deliveries/${one.id}`)).body);
});

test('what failed for good is sent again, the oldest first, and tests are not', async () => {
  const { id } = await create(receiver.url);
  receiver.answers[0] = 500;
  for (const name of ['First', 'Second', 'Third']) await happen(name);
  await vi.waitUntil(async () => receiver.received.length === 3, patience);
  expect((await run('test', id)).code).toBe(1);
  await vi.waitUntil(
    async () => (await deliveries(id)).every((one: { attempts: number }) => one.attempts === 1),
    patience,
  );
  await giveUp(id);
  expect((await run('show', id)).said).toContain(`"partbook webhooks resend ${id}" sends what failed again`);
  expect((await run('deliveries', id, '--status', 'failed', '--ndjson')).out.trim().split('\n')).toHaveLength(
    4,
  );
  expect((await run('deliveries', id, '--status', 'pending')).said).toBe('No delivery is pending.\n');
  receiver.answers[0] = 200;
  const events = (await deliveries(id)).filter((one: { type: string }) => one.type !== 'webhook.test');
  const oldestFirst = events.map((one: { id: string }) => one.id).toReversed();
  const planned = await run('resend', id, '--plan', '--json');
  expect([planned.code, JSON.parse(planned.out).deliveries]).toEqual([3, oldestFirst]);
  const sent = await run('resend', id);
  expect([sent.code, sent.said]).toEqual([
    0,
    `3 messages are in line to ${receiver.url} again: "partbook webhooks deliveries ${id}" shows what becomes of them.\n`,
  ]);
  await vi.waitUntil(async () => receiver.received.length === 4 + 3, patience);
  const [last] = oldestFirst.slice(-1);
  const again = await run('resend', id, last, crypto.randomUUID());
  expect([again.code, again.said]).toEqual([
    1,
    expect.stringMatching(
      /^1 message is in line .*\n1 is not there: of another webhook, or past its retention\.\n$/,
    ),
  ]);
  expect(await run('resend', id, 'abc')).toMatchObject({ code: 2 });
});

test('one is switched off and on, and what then is said; nothing is sent to one that is off', async () => {
  const { id } = await create(receiver.url);
  expect((await run('disable', 'hook')).said).toMatch(
    / is off: .*\n"partbook webhooks enable \S+" switches it on again\.\n$/,
  );
  expect((await run('disable', 'hook')).said).toContain('is off already.');
  for (const act of ['test', 'resend'])
    expect(await run(act, id)).toMatchObject({
      code: 1,
      out: '',
      said: expect.stringContaining(`"partbook webhooks enable ${id}" switches it on.`),
    });
  expect((await run()).out).toMatch(/ off +none /);
  expect((await run('show', id)).said).toContain('It is told of nothing while it is off');
  expect((await run('enable', 'hook')).said).toContain('is on: what is pending is sent now');
  expect((await run('enable', 'hook')).said).toContain('is on already');
  expect((await workspace.ask('GET', `/webhooks/${id}`)).body).toMatchObject({
    enabled: true,
    events: ['entity.created'],
  });
});

test('which webhook is meant is told where it is none or several; a key that reads may look, and not act', async () => {
  await create(`${receiver.url}/one`);
  const two = await create(`${receiver.url}/one/two`, 'Second');
  // A whole address is that webhook, though another one begins so.
  expect(JSON.parse((await run('show', `${receiver.url}/one`, '--json')).out).description).toBe('');
  expect(await run('show', 'ONE')).toMatchObject({
    code: 2,
    said: expect.stringMatching(
      /^Several webhooks are meant by "ONE": name one by its id\. There are:\n(?: {2}\S+ {2}http\S+one\S*(?: {2}Second)?\n){2}$/,
    ),
  });
  expect(await run('show', 'nowhere')).toMatchObject({
    code: 2,
    said: expect.stringContaining(`No webhook has "nowhere" in its address or description. There are:`),
  });
  expect(await run('create', receiver.url, '--events', 'entity.made')).toMatchObject({
    code: 2,
    said: expect.stringContaining(
      'There is no event "entity.made". Write commas between several events of: import.completed, ',
    ),
  });
  const reader = (await workspace.ask('POST', '/api-keys', { name: 'Reader', permission: 'read' })).body;
  workspace = { ...workspace, key: reader.key };
  expect((await run('show', 'second')).code).toBe(0);
  for (const act of ['enable', 'disable', 'test']) expect((await run(act, two.id)).code).toBe(4);
});

test('what the operator holds back is told where somebody looks for it, and a test does not wait for it', async () => {
  const { id } = await create(receiver.url);
  const hold = async (doing: 'pause' | 'resume') => {
    const answer = await server.request(`/admin/workspaces/${workspace.slug}/${doing}`, {
      method: 'POST',
      key: server.ctx.operatorToken,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ work: 'webhook', reason: 'for the operator alone' }).toString(),
    });
    expect(answer.status, answer.text).toBe(303);
  };
  await hold('pause');
  const paused = 'Webhooks are paused by the operator since 2';
  for (const args of [[], ['show', id], ['deliveries', id]])
    expect((await run(...args)).said).toContain(paused);
  const tried = await run('test', id);
  expect([tried.code, tried.out]).toEqual([75, `${receiver.url}: a test is in line\n`]);
  expect(tried.said).toContain(paused);
  await hold('resume');
  await vi.waitUntil(async () => receiver.received.length === 1, patience);
});
