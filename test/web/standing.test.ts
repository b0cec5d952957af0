// What stands still, is held back or has failed is what an administrator sees first, and what leads to it; once mended it is gone.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test as sampledTest } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { sample, coreTest as test } from '../setup/tier.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';

let app: WebApp;

/** As the operator does it in the console. */
async function hold(doing: 'pause' | 'resume', work: string): Promise<void> {
  const { status } = await app.server.request(`/admin/workspaces/${app.workspace.slug}/${doing}`, {
    method: 'POST',
    key: app.server.ctx.operatorToken,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ work, reason: 'ticket 1432, between us' }).toString(),
  });
  expect(status).toBe(303);
}

async function send(fields: { guid?: string; name?: string } = {}): Promise<string> {
  const entity = { guid: randomUUID(), number: randomUUID(), name: 'Sent', categoryKey: 'part', ...fields };
  const sent = await app.workspace.ask(
    'POST',
    '/pdm/sync',
    { entities: [entity] },
    { Prefer: 'respond-async' },
  );
  expect(sent.status, sent.text).toBe(202);
  return sent.body.batchId;
}

const statusOf = async (id: string) =>
  (await app.workspace.ask('GET', `/pdm/sync/batches/${id}`)).body.status;
const set = (sql: string, values: unknown[]) =>
  inTransaction(app.server.ctx.db, 'instance', (tx) => tx.query(sql, values));

describe.skipIf(browserMissing !== null)('an administrator', () => {
  beforeAll(async () => {
    app = await startWebApp({ SYNC_MAX_QUEUED_BATCHES: '3' });
  });
  afterAll(() => app.close());

  test('is told what the operator holds back, on a phone before all else, without his reason', async () => {
    for (const work of ['batch', 'automation', 'webhook']) await hold('pause', work);
    const first = await send();
    await send();
    const opened = await app.open({ width: 375 });
    const { page, goto } = opened;
    await goto('/');
    const told = page.getByText('Imports of this workspace are paused by the operator');
    await told.waitFor();
    const sent = page.getByRole('heading', { name: /^Imports \(last/ });
    expect((await told.boundingBox())?.y).toBeLessThan((await sent.boundingBox())?.y ?? 0);
    expect(await page.getByText('nothing has failed').count()).toBe(0);
    await page.getByText('New imports are accepted').waitFor();
    const last = await send();
    await goto('/');
    await page.getByText('3 imports queued: no more are accepted').waitFor();
    await page.getByText('The queue is full and no more imports are accepted').waitFor();
    expect(await page.getByText('New imports are accepted').count()).toBe(0);
    for (const [path, what] of [
      ['/batches', 'Imports'],
      [`/batches/${first}`, 'Imports'],
      ['/automations', 'Automations'],
      ['/automations/runs', 'Automations'],
      ['/settings/webhooks', 'Webhooks'],
    ] as const) {
      await goto(path);
      await page.getByText(`${what} of this workspace are paused by the operator`).waitFor();
      expect(await page.getByText('ticket 1432').count()).toBe(0);
      expect(await opened.axe({ contrastOnly: true })).toEqual([]);
    }
    await hold('resume', 'automation');
    await hold('resume', 'webhook');
    await goto('/settings/webhooks');
    await page.getByText('No webhooks yet').waitFor();
    await opened.settled();
    expect(await page.getByText('are paused by the operator').count()).toBe(0);
    await hold('resume', 'batch');
    await expect.poll(() => statusOf(last)).toBe('completed');
  });

  sampledTest.each(sample([390, 1280]))('tells webhooks of one address apart at %i pixels', async (width) => {
    const url = 'https://receiver.example/hook';
    const description = `ERP at ${width}`;
    // Switched off: one that fails is told on the overview.
    const body = { url, events: ['import.completed', 'entity.created'], description, enabled: false };
    expect((await app.workspace.ask('POST', '/webhooks', body)).status).toBe(201);
    const { page, goto, settled, shoot } = await app.open({ width });
    await goto('/settings/webhooks');
    await page.getByRole('grid', { name: 'Webhooks' }).getByText(description, { exact: true }).waitFor();
    await settled();
    await shoot(`webhooks-described-${width}`);
    await app.leave(page);
  });

  test('is told which batch the others wait for, that it stands still, and which failed until it goes on', async () => {
    const guid = randomUUID();
    const sent = await send({ guid });
    await expect.poll(() => statusOf(sent)).toBe('completed');
    const holder = new Client({ connectionString: app.server.ctx.databaseUrl });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('set local role partbook_system');
      await holder.query('select from entity where guid = $1 for update', [guid]);
      const first = await send({ guid, name: 'Changed' });
      const second = await send();
      await expect.poll(() => statusOf(first)).toBe('processing');
      // As if it had stood so for an hour.
      await set(`update sync_batch set progressed_at = now() - interval '1 hour' where id = $1`, [first]);
      const opened = await app.open();
      const { page, goto } = opened;
      await goto(`/batches/${second}`);
      await page.getByRole('link', { name: 'the import at the head of the queue' }).click();
      await page.getByText('No progress since').waitFor();
      await goto('/');
      await page.getByText('2 imports queued, no progress since').waitFor();
      await set(
        `update sync_batch set status = 'failed', finished_at = now(),
           failure = '{"code":"chunk_failed","message":"It stood still. ${'A part failed. '.repeat(9)}"}' where id = $1`,
        [first],
      );
      await goto('/');
      await page.getByText('It stood still.').waitFor();
      // However long the reason is, the name beside it is read in one line.
      await page.setViewportSize({ width: 375, height: 800 });
      const name = page.getByRole('row', { name: 'It stood still.' }).getByRole('link');
      expect((await name.boundingBox())?.height).toBeLessThan(30);
      await page.setViewportSize({ width: 1280, height: 800 });
      await holder.query('rollback');
      await goto(`/batches/${first}`);
      await page.getByText('Later imports were applied without it.').waitFor();
      await page.getByRole('button', { name: 'Resume' }).click();
      await expect.poll(() => statusOf(first)).toBe('completed');
      await goto('/');
      await page.getByText('Nothing is overdue and nothing has failed.').waitFor();
      await hold('pause', 'batch');
      const { id } = app.workspace;
      const stopped = await app.server.request(`/admin/batches/${id}/${await send()}/cancel`, {
        method: 'POST',
        key: app.server.ctx.operatorToken,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ reason: 'The file is 40 GB of one part: ask us.' }).toString(),
      });
      expect(stopped.status).toBe(303);
      await hold('resume', 'batch');
      await goto('/batches');
      await page.getByRole('link', { name: 'pdm' }).first().click();
      await page.getByText('by the operator of the installation: The file is 40 GB of one part').waitFor();
      expect(await opened.axe({ contrastOnly: true })).toEqual([]);
    } finally {
      await holder.end();
    }
  });
});
