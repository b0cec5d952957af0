// From a lifecycle transition to somebody else's door: the feature automation notifyWebhook, end to end.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let receiver: Receiver;
beforeAll(async () => {
  server = await startTestServer({ worker: true, environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  workspace = await makeProcuringWorkspace(server);
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await server.close();
});

test('a webhook that listens to feature events is told of the transition', async () => {
  await workspace.must(201, 'POST', '/webhooks', { url: receiver.url, events: ['feature.triggered'] });
  const { body } = await workspace.ask('GET', '/lifecycles/part');
  for (const way of body.transitions) {
    if (way.id === 'submit')
      way.featureAutomations = [{ feature: 'notifyWebhook', settings: { event: 'look' } }];
  }
  await workspace.must(200, 'PUT', '/lifecycles/part', body);
  const part = workspace.items[0] as string;
  expect((await workspace.move(part, 'In Review')).status).toBe(200);
  await vi.waitUntil(async () => receiver.received.length > 0, patience);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'feature.triggered',
    data: {
      feature: 'notifyWebhook',
      entityId: part,
      workspaceSlug: workspace.slug,
      parameters: { event: 'look', fromState: 'In Work', toState: 'In Review', note: null },
      triggeredBy: (await workspace.must(200, 'GET', '/session')).actor,
    },
  });
});
