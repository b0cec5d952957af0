// The first page of the operator's console says which receivers answer nothing, long before a delivery counts as failed.
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { browserMissing, launchBrowser, watchPage } from './browser.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let receiver: Server;
let answer = 500;

beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_BASE_MS: '1000' },
  });
  workspace = await makeDefaultWorkspace(server);
  receiver = createServer((req, res) => {
    req.resume();
    res.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await server.close();
});

const pageAt = async (path: string) => {
  const headers = { Authorization: `Bearer ${server.ctx.operatorToken}`, Accept: 'text/html' };
  const { status, text } = await server.request(path, { headers });
  expect(status).toBe(200);
  return text;
};
const firstPage = () => pageAt('/admin');
const workspacePage = () => pageAt(`/admin/workspaces/${workspace.slug}`);

async function hold(doing: 'pause' | 'resume'): Promise<void> {
  const { status } = await server.request(`/admin/workspaces/${workspace.slug}/${doing}`, {
    method: 'POST',
    key: server.ctx.operatorToken,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ work: 'webhook', reason: 'A look at the receiver.' }).toString(),
  });
  expect(status).toBe(303);
}

test('a receiver that fails stands on the first page, and is gone from it once it answers', async () => {
  expect(await firstPage()).not.toContain('Failing webhooks');
  expect(await firstPage()).toContain('No deliveries are waiting.');
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hooks/secret-in-the-path`;
  const made = await workspace.ask('POST', '/webhooks', { url, events: ['entity.created'] });
  expect(made.status, made.text).toBe(201);
  for (const name of ['An event', 'Another'])
    await workspace.ask('POST', '/entities', { category: 'part', number: randomUUID(), name });
  await expect.poll(firstPage, patience).toMatch(/Failing webhooks[\s\S]*500/);
  const text = await firstPage();
  expect(text).toContain(`127.0.0.1:${port}`);
  expect(text).toContain('retrying');
  expect(text).not.toContain('secret-in-the-path');
  expect(text).toContain('No open failures.');
  // What waits for its next try is said, in all and of each receiver, and what another workspace has is not its own.
  const waits =
    /2 deliveries are<\/b> waiting, the oldest since <time [^>]+>[^<]+<\/time>; the next attempt is at <time /;
  await expect.poll(firstPage, patience).toMatch(waits);
  await expect.poll(workspacePage, patience).toMatch(waits);
  expect(await firstPage()).toMatch(/retrying<br>2 waiting[\s\S]*<br>next <time /);
  const other = await makeDefaultWorkspace(server);
  expect(await pageAt(`/admin/workspaces/${other.slug}`)).toContain('No deliveries are waiting.');
  await hold('pause');
  for (const page of [await firstPage(), await workspacePage()])
    expect(page).toMatch(
      /2 deliveries are<\/b> waiting, the oldest since <time [^>]+>[^<]+<\/time>; webhooks are paused/,
    );
  await hold('resume');
  if (browserMissing === null) await look();
  answer = 410;
  // Another event is told at once, where what was refused twice waits for a minute.
  await workspace.ask('POST', '/entities', { category: 'part', number: randomUUID(), name: 'A third' });
  await expect.poll(firstPage, patience).toContain('<span class="bad">disabled</span>');
  expect(await firstPage()).toContain('No deliveries are waiting.');
  answer = 204;
  const { id } = made.body;
  const { body, headers } = await workspace.ask('GET', `/webhooks/${id}`);
  const again = { url, events: body.events, enabled: true };
  const changed = await workspace.ask('PUT', `/webhooks/${id}`, again, {
    'If-Match': headers.get('etag') ?? '',
  });
  expect(changed.status, changed.text).toBe(200);
  await expect.poll(firstPage, patience).not.toContain('Failing webhooks');
});

async function look(): Promise<void> {
  const browser = await launchBrowser();
  for (const [width, colorScheme] of [
    [375, 'light'],
    [768, 'dark'],
    [1280, 'light'],
  ] as const) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const { page, axe, shoot } = await watchPage(context);
    await page.goto(`${server.baseUrl}/admin`);
    await page.getByLabel('Operator token').fill(server.ctx.operatorToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Failing webhooks' }).scrollIntoViewIfNeeded();
    await shoot(`console-webhooks-${width}-${colorScheme}`);
    expect(await axe()).toEqual([]);
    expect(
      await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
    ).toBeLessThanOrEqual(0);
    await context.close();
  }
  await browser.close();
}
