// Whoever waits for a batch on the command line is told who cancelled it, and why.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { patience } from '../setup/patience.ts';
import { startTestServer } from '../setup/server.ts';
import { makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { runCli } from './run-cli.ts';

test('a batch that the operator cancelled is told with the reason', async () => {
  // Nobody applies it.
  const idle = await startTestServer({ environment: { SYNC_AT_ONCE_ELEMENTS_MAX: '0' } });
  const folder = mkdtempSync(join(tmpdir(), 'partbook-cancelled-'));
  try {
    const { slug, key } = await makeDefaultWorkspace(idle);
    const env = {
      PARTBOOK_URL: idle.baseUrl,
      PARTBOOK_WORKSPACE: slug,
      PARTBOOK_API_KEY: key,
      HOME: folder,
    };
    const run = (...args: string[]) => runCli(args, { env });
    const file = join(folder, 'waits.json');
    const part = { guid: randomUUID(), number: '1', name: 'x', categoryKey: 'part' };
    writeFileSync(file, JSON.stringify({ entities: [part] }));
    const waiting = run('sync', file);
    const asked = { key: idle.ctx.operatorToken, headers: { Accept: 'text/html' } };
    const path = await vi.waitUntil(
      async () => /\/admin\/batches\/[^"]+/.exec((await idle.request('/admin', asked)).text)?.[0],
      patience,
    );
    const stopped = await idle.request(`${path}/cancel`, {
      method: 'POST',
      key: idle.ctx.operatorToken,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ reason: 'It keeps the others: ticket 9' }).toString(),
    });
    expect(stopped.status).toBe(303);
    const why = 'It was cancelled by the operator of the installation: It keeps the others: ticket 9';
    expect(await waiting).toMatchObject({ code: 1, said: expect.stringContaining(why) });
    expect((await run('batches')).out).toContain('by the operator of the installation: It keeps');
  } finally {
    await idle.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
