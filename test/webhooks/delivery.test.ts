// Events go out: signed as Standard Webhooks says, again until they arrive, with a log, and not for ever.

import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '../../src/db/ids.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { recordEvents } from '../../src/events/record-events.ts';
import { MESSAGE_CHARS_MAX } from '../../src/webhooks/expand-events.ts';
import { WebhookMessage } from '../../src/webhooks/message.schema.ts';
import type {
  Webhook,
  WebhookDelivery,
  WebhookDeliveryWithPayload,
  WebhookWithSecret,
} from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { element, type Several, syncCalls } from '../sync/sync-calls.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { openReceiver, type Received, type Receiver } from './receiver.ts';

const TIMEOUT_MS = 3000;
let server: TestServer;
let workspace: DefaultWorkspace;
let receiver: Receiver;
beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    environment: {
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_RETRY_BASE_MS: '5',
      // Longer than a slow machine takes over an attempt, which would be made again otherwise; two below wait as long.
      WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
      WEBHOOK_DISABLE_AFTER_MINUTES: '600',
    },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeDefaultWorkspace(server);
  receiver = await openReceiver();
});
afterEach(async () => {
  await receiver.close();
  // Whatever a test had sent: as the document says it, and nothing besides.
  for (const { body } of receiver.received) {
    const message = JSON.parse(body);
    expect(WebhookMessage.parse(message)).toEqual(message);
  }
});

const ask: DefaultWorkspace['ask'] = (...given) => workspace.ask(...given);

async function subscribe(events: string[], more: object = {}): Promise<WebhookWithSecret> {
  const answer = await ask('POST', '/webhooks', { url: receiver.url, events, ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const create = (name: string) => ask('POST', '/entities', { category: 'part', name });

const arrived = (count: number) =>
  vi.waitUntil(async () => receiver.received.length >= count && receiver.received, patience);

/** By the text of the standard, and not by our own code. */
function verifies({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(content).digest('base64');
  const given = String(headers['webhook-signature']).split(' ');
  return given.some((one) => one === `v1,${expected}`);
}

const deliveries = async (webhook: Webhook): Promise<Several<WebhookDelivery>> =>
  (await ask('GET', `/webhooks/${webhook.id}/deliveries`)).body.items;

test('a message is signed, says what happened, and is logged as delivered', async () => {
  const webhook = await subscribe(['entity.created']);
  expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const before = Math.floor(Date.now() / 1000);
  const made = (await create('Block')).body;
  const [message] = (await arrived(1)) as [Received];
  expect(verifies(message, webhook.secret)).toBe(true);
  expect(verifies({ ...message, body: `${message.body} ` }, webhook.secret)).toBe(false);
  const timestamp = Number(message.headers['webhook-timestamp']);
  expect(timestamp).toBeGreaterThanOrEqual(before);
  expect(timestamp).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  expect(JSON.parse(message.body)).toEqual({
    type: 'entity.created',
    timestamp: expect.stringMatching(/Z$/),
    data: {
      entityId: made.id,
      entityNumber: made.number,
      entityGuid: null,
      categoryKey: 'part',
      workspaceSlug: workspace.slug,
      batchId: null,
    },
  });
  const [delivery] = await vi.waitUntil(async () => {
    const all = await deliveries(webhook);
    return all[0]?.status === 'delivered' && all;
  }, patience);
  expect(delivery).toMatchObject({ attempts: 1, lastStatus: 200, lastError: null, nextAttemptAt: null });
  expect(delivery.messageId).toBe(message.headers['webhook-id']);
  const read = (await ask('GET', `/webhooks/${webhook.id}`)).body;
  expect(read.secret).toBeUndefined();
  expect(JSON.stringify((await ask('GET', '/audit')).body)).not.toContain('whsec_');
});

test('an event that is too large is delivered without its changes, and those around it whole', async () => {
  await subscribe(['entity.updated', 'feature.triggered']);
  const subject = {
    entityId: newId(),
    entityNumber: 'A-1',
    entityGuid: null,
    categoryKey: 'part',
    workspaceSlug: workspace.slug,
    batchId: null,
  };
  const half = 'x'.repeat(MESSAGE_CHARS_MAX / 2);
  const updated = (from: string | null, to: string) => ({
    ...subject,
    changes: [{ property: 'Note', from, to }],
  });
  await inTransaction(server.ctx.db, { workspaceId: workspace.id }, async (tx) => {
    await recordEvents(tx, 'entityUpdated', [
      updated(null, 'small'),
      updated(half, half),
      ...Array.from({ length: 12 }, () => updated(null, half)),
    ]);
    const { entityId, entityNumber, workspaceSlug } = subject;
    const parameters = { event: half, again: half };
    const event = { feature: 'f', entityId, entityNumber, workspaceSlug, parameters, triggeredBy: null };
    await recordEvents(tx, 'feature', [event]);
  });
  const data = (await arrived(15)).map(({ body }) => JSON.parse(body).data);
  expect(data.filter(({ changesOmitted }) => changesOmitted)).toEqual([
    { ...subject, changes: [], changesOmitted: true },
  ]);
  expect(data.filter(({ changes }) => changes?.[0]?.to === half)).toHaveLength(12);
  expect(data.filter(({ changes }) => changes?.[0]?.to === 'small')).toHaveLength(1);
  expect(data.filter(({ feature }) => feature === 'f')).toMatchObject([
    { parameters: {}, parametersOmitted: true },
  ]);
});

test('every event of a sync goes out once, and only those that were asked for', async () => {
  await subscribe(['entity.created', 'import.completed']);
  const entities = Array.from({ length: 60 }, () => element());
  await syncCalls(server, workspace).sync(entities);
  await syncCalls(server, workspace).sync(entities.map((one) => ({ ...one, name: `${one.name} x` })));
  const messages = (await arrived(62)).map((one) => JSON.parse(one.body));
  const created = messages.filter((one) => one.type === 'entity.created');
  expect(created.map((one) => one.data.entityGuid).toSorted()).toEqual(
    entities.map((one) => one.guid).toSorted(),
  );
  expect(messages.filter((one) => one.type === 'import.completed')).toHaveLength(2);
  expect(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size).toBe(62);
});

test('a failed message is sent again with the same id until it arrives', async () => {
  receiver.answers.splice(0, 1, 500, 302, null, 200);
  const webhook = await subscribe(['entity.created']);
  await create('Block');
  const messages = await arrived(4);
  expect(new Set(messages.map((one) => one.headers['webhook-id'])).size).toBe(1);
  expect(messages.every((one) => one.path === '/hook' && verifies(one, webhook.secret))).toBe(true);
  const [listed] = await vi.waitUntil(async () => {
    const all = await deliveries(webhook);
    return all[0]?.status === 'delivered' && all;
  }, patience);
  const { body } = await ask('GET', `/webhooks/${webhook.id}/deliveries/${listed.id}`);
  expect(
    body.history.map((one: WebhookDeliveryWithPayload['history'][number]) => [one.status, one.error]),
  ).toEqual([
    [500, 'answered 500'],
    [302, 'answered 302: redirects are not followed'],
    [null, `did not answer within ${TIMEOUT_MS} ms`],
    [200, null],
  ]);
  expect((await ask('GET', `/webhooks/${webhook.id}`)).body.failingSince).toBeNull();
  const again = await ask('POST', `/webhooks/${webhook.id}/deliveries/${listed.id}/resend`);
  expect(again.status, again.text).toBe(202);
  expect((await arrived(5))[4]?.headers['webhook-id']).toBe(listed.messageId);
});

test('a test is signed and logged, sent once, and its failure is not held against the receiver', async () => {
  const webhook = await subscribe(['import.completed']);
  const sent = await ask('POST', `/webhooks/${webhook.id}/test`);
  expect([sent.status, sent.body.type, sent.body.status]).toEqual([202, 'webhook.test', 'pending']);
  const [message] = (await arrived(1)) as [Received];
  expect(verifies(message, webhook.secret)).toBe(true);
  expect(JSON.parse(message.body)).toMatchObject({
    type: 'webhook.test',
    data: { webhookId: webhook.id, sentBy: { type: 'apiKey', name: expect.any(String) } },
  });
  const ended = (count: number, status: string) =>
    vi.waitUntil(async () => {
      const all = await deliveries(webhook);
      return all.length === count && all[0]?.status === status && all;
    }, patience);
  await ended(1, 'delivered');

  receiver.answers.splice(0, 1, 500);
  await ask('POST', `/webhooks/${webhook.id}/test`);
  expect((await ended(2, 'failed'))[0]).toMatchObject({ attempts: 1, lastStatus: 500, nextAttemptAt: null });
  expect((await ask('GET', `/webhooks/${webhook.id}`)).body.failingSince).toBeNull();
  receiver.answers.splice(0, 1, null);
  const third = await ask('POST', `/webhooks/${webhook.id}/test`);
  const fourth = await ask('POST', `/webhooks/${webhook.id}/test`);
  expect([third.status, fourth.status, fourth.body.code]).toEqual([202, 409, 'test_waiting']);
  await ended(3, 'failed');
  await ask('PUT', `/webhooks/${webhook.id}`, { url: webhook.url, events: webhook.events, enabled: false });
  const off = await ask('POST', `/webhooks/${webhook.id}/test`);
  expect([off.status, off.body.code]).toEqual([409, 'webhook_disabled']);
});

test('while a secret is rotated both are valid, and afterwards the new one alone', async () => {
  const webhook = await subscribe(['entity.created']);
  const rotate = (body: object) => ask('POST', `/webhooks/${webhook.id}/rotate-secret`, body);
  const second = (await rotate({})).body;
  expect(second.previousSecretUntil).toMatch(/Z$/);
  await create('one');
  const [first] = (await arrived(1)) as [Received];
  expect([verifies(first, webhook.secret), verifies(first, second.secret)]).toEqual([true, true]);
  const third = (await rotate({ overlapHours: 0 })).body;
  await create('two');
  const last = (await arrived(2))[1] as Received;
  expect([webhook.secret, second.secret, third.secret].map((secret) => verifies(last, secret))).toEqual([
    false,
    false,
    true,
  ]);
});

test('a receiver that is gone, or fails for too long, is disabled with the reason, and enabled again by hand', async () => {
  const gone = await subscribe(['entity.created']);
  receiver.answers.splice(0, 1, 410);
  await create('one');
  const disabled = async () => {
    const { body } = await ask('GET', `/webhooks/${gone.id}`);
    return !body.enabled && body;
  };
  expect((await vi.waitUntil(disabled, patience)).disabledReason).toContain('410');
  receiver.answers.splice(0, 1, 500);
  const current = (await ask('GET', `/webhooks/${gone.id}`)).body;
  const enabled = await ask('PUT', `/webhooks/${gone.id}`, { ...current, enabled: true });
  expect(enabled.body).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
  await workspace.transact((tx) =>
    tx.query(`update webhook set failing_since = now() - interval '11 hours' where id = $1`, [gone.id]),
  );
  await create('two');
  const body = await vi.waitUntil(disabled, patience);
  expect(body.disabledReason).toContain('11 hours');
  expect((await ask('GET', '/audit?limit=1')).body.items[0].actor).toMatchObject({ type: 'system' });
  const listening = await workspace.transact((tx) =>
    tx.query('select from event_listener where listener_id = $1', [gone.id]),
  );
  expect(listening).toEqual([]);
});

test('a webhook of another workspace is not to be seen', async () => {
  const webhook = await subscribe(['entity.created']);
  const other = await makeDefaultWorkspace(server);
  for (const path of ['', '/deliveries']) {
    const answer = await other.ask('GET', `/webhooks/${webhook.id}${path}`);
    expect(answer.body.code).toBe('webhook_not_found');
  }
});

test('If-Match guards against lost changes', async () => {
  const webhook = await subscribe(['entity.created']);
  const read = await ask('GET', `/webhooks/${webhook.id}`);
  const etag = read.headers.get('etag') as string;
  const first = await ask(
    'PUT',
    `/webhooks/${webhook.id}`,
    { ...read.body, description: 'a' },
    { 'If-Match': etag },
  );
  expect(first.status, first.text).toBe(200);
  const second = await ask('PUT', `/webhooks/${webhook.id}`, read.body, { 'If-Match': etag });
  expect(second.status).toBe(412);
  expect((await ask('DELETE', `/webhooks/${webhook.id}`)).status).toBe(204);
});
