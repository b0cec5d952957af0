// A receiver that was away is mended: what waits for it goes at once, and not at the time at which it would have been tried again.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { WebhookDelivery, WebhookWithSecret } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { openReceiver, type Receiver } from './receiver.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let receiver: Receiver;
beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    // Nothing is tried again by itself while a test runs.
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_BASE_MS: '3600000' },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeDefaultWorkspace(server);
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const ask: DefaultWorkspace['ask'] = (...given) => workspace.ask(...given);
async function subscribe(): Promise<WebhookWithSecret> {
  const answer = await ask('POST', '/webhooks', { url: receiver.url, events: ['entity.created'] });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}
const create = async (number: string) => {
  const made = await ask('POST', '/entities', { category: 'part', number, name: 'A part' });
  expect(made.status, made.text).toBe(201);
};
const deliveries = async ({ id }: { id: string }): Promise<WebhookDelivery[]> =>
  (await ask('GET', `/webhooks/${id}/deliveries`)).body.items;
const until = (webhook: { id: string }, holds: (all: WebhookDelivery[]) => boolean) =>
  vi.waitUntil(async () => {
    const all = await deliveries(webhook);
    return holds(all) && all;
  }, patience);
const refused = (count: number) => (all: WebhookDelivery[]) =>
  all.filter(({ status, attempts }) => status === 'pending' && attempts === 1).length === count;
const delivered = (count: number) => (all: WebhookDelivery[]) =>
  all.filter(({ status }) => status === 'delivered').length === count;

/** Three messages that the receiver refused, each once. */
async function outage(): Promise<WebhookWithSecret> {
  const webhook = await subscribe();
  receiver.answer = () => 503;
  for (const number of ['A', 'B', 'C']) await create(number);
  await until(webhook, refused(3));
  receiver.answer = () => 204;
  return webhook;
}

test('by a test that arrives', async () => {
  const webhook = await outage();
  expect((await ask('POST', `/webhooks/${webhook.id}/test`)).status).toBe(202);
  await until(webhook, delivered(4));
});

test('by the next message that arrives', async () => {
  const webhook = await outage();
  await create('D');
  await until(webhook, delivered(4));
});

test('by another address, and by being switched on again', async () => {
  for (const mend of ['address', 'switch'] as const) {
    workspace = await makeDefaultWorkspace(server);
    const webhook = await outage();
    const change = async (fields: object) => {
      const { body, headers } = await ask('GET', `/webhooks/${webhook.id}`);
      const { url, events } = body;
      const changed = await ask(
        'PUT',
        `/webhooks/${webhook.id}`,
        { url, events, ...fields },
        { 'If-Match': headers.get('etag') ?? '' },
      );
      expect(changed.status, changed.text).toBe(200);
    };
    if (mend === 'address') await change({ url: `${receiver.url}/mended` });
    else {
      await change({ enabled: false });
      await change({ enabled: true });
    }
    await until(webhook, delivered(3));
  }
});

test('one that is switched off by hand needs nobody, also where a try fails that was under way', async () => {
  const webhook = await subscribe();
  const answered = Promise.withResolvers<number>();
  receiver.answer = () => answered.promise;
  await create('A');
  await vi.waitUntil(() => receiver.received.length > 0, patience);
  const { url, events } = webhook;
  const off = await ask('PUT', `/webhooks/${webhook.id}`, { url, events, enabled: false });
  answered.resolve(503);
  await until(webhook, refused(1));
  expect(off.body).toMatchObject({ enabled: false, failingSince: null });
  expect((await ask('GET', `/webhooks/${webhook.id}`)).body).toMatchObject({ failingSince: null });
  const failed = await outage();
  expect((await ask('GET', '/overview')).body.failingWebhooks).toMatchObject([{ webhookId: failed.id }]);
  await ask('PUT', `/webhooks/${failed.id}`, { url, events, enabled: false });
  expect((await ask('GET', '/overview')).body.failingWebhooks).toEqual([]);
});

test('a message that is never taken keeps its times among others that are', async () => {
  const webhook = await subscribe();
  receiver.answer = ({ body }) => (JSON.parse(body).data.entityNumber === 'POISON' ? 400 : 204);
  await create('POISON');
  await until(webhook, refused(1));
  for (const number of ['D', 'E', 'F']) {
    await create(number);
    await until(webhook, (all) => all.some(({ status }) => status === 'delivered') && all.length > 1);
  }
  const all = await until(webhook, delivered(3));
  expect(all.filter(({ status }) => status === 'pending')).toMatchObject([{ attempts: 1 }]);
});

test('of more that fail than the overview names it says how many there are', async () => {
  const webhooks = [];
  for (let made = 0; made < 11; made++) webhooks.push(await subscribe());
  receiver.answer = () => 503;
  await create('A');
  const seen = await vi.waitUntil(async () => {
    const { body } = await ask('GET', '/overview');
    return body.failingWebhookCount === webhooks.length && body;
  }, patience);
  expect(seen.failingWebhooks).toHaveLength(10);
});
