// Receivers that never answer hold what belongs to their own workspace, and nobody else's deliveries or events.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { openReceiver, type Receiver } from './receiver.ts';

/** Longer than any test: while it runs, no message to the silent receiver has been given up. */
const NEVER_MS = 120_000;
const SHARE = 10;
const TARGETS = 50;

let server: TestServer;
let silent: Receiver;
beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    environment: {
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_TIMEOUT_MS: String(NEVER_MS),
      WEBHOOK_SHARE: String(SHARE),
    },
  });
  silent = await openReceiver();
  silent.answers.splice(0, 1, null);
});
afterAll(async () => {
  await server.close();
  await silent.close();
});

async function subscribe(workspace: DefaultWorkspace, url: string): Promise<string> {
  const made = await workspace.ask('POST', '/webhooks', { url, events: ['entity.created'] });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

const create = (workspace: DefaultWorkspace) =>
  workspace.ask('POST', '/entities', { category: 'part', name: 'Block' });

test('beside 150 targets of three workspaces that never answer, another workspace is served', async () => {
  const hostile = await Promise.all([1, 2, 3].map(() => makeDefaultWorkspace(server)));
  await Promise.all(
    hostile.map(async (workspace) => {
      for (let n = 0; n < TARGETS; n++) await subscribe(workspace, `${silent.url}/${n}`);
      await create(workspace);
    }),
  );
  const held = async (workspace: DefaultWorkspace) => {
    const rows = await workspace.transact((tx) =>
      tx.query('select from webhook where workspace_id = $1 and announced_at is not null', [workspace.id]),
    );
    return rows.length;
  };
  await vi.waitUntil(async () => {
    const counts = await Promise.all(hostile.map(held));
    return counts.every((count) => count >= SHARE) && silent.received.length >= hostile.length;
  }, patience);

  const quiet = await makeDefaultWorkspace(server);
  const receiver = await openReceiver();
  try {
    await subscribe(quiet, receiver.url);
    for (let n = 1; n <= 5; n++) {
      await create(quiet);
      await vi.waitUntil(async () => receiver.received.length >= n, patience);
    }
    // What is due goes on being written down for those who wait.
    await create(hostile[0] as DefaultWorkspace);
    await vi.waitUntil(async () => {
      const [row] = await (hostile[0] as DefaultWorkspace).transact((tx) =>
        tx.query<{ count: number }>(
          'select count(*)::int as count from webhook_delivery where workspace_id = $1',
          [hostile[0]?.id],
        ),
      );
      return row?.count === 2 * TARGETS;
    }, patience);
  } finally {
    await receiver.close();
  }
  for (const workspace of hostile) expect(await held(workspace)).toBeLessThanOrEqual(SHARE);
  expect(silent.received.length).toBeLessThanOrEqual(hostile.length * SHARE);
});
