// The operator's console, as an operator uses it: in a browser, over all workspaces.
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PERIOD_SECONDS, recordPeriod } from '../../src/console/actions/record-series.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { PATIENCE_MS } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { isDeep, sample } from '../setup/tier.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { browserMissing, launchBrowser, watchPage } from './browser.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let other: DefaultWorkspace;
let browser: Browser | null = null;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
  other = await makeDefaultWorkspace(server);
  if (browserMissing === null) browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server.close();
});

const token = () => ({ Authorization: `Bearer ${server.ctx.operatorToken}`, Accept: 'text/html' });
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const open = (path: string) => server.request(path, { headers: token() });
const post = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = token()) =>
  server.request(path, {
    method: 'POST',
    headers: { ...form, ...headers },
    body: new URLSearchParams(fields).toString() || 'none=',
  });
const inInstance = (sql: string, values: unknown[]) =>
  inTransaction(server.ctx.db, 'instance', (tx) => tx.query(sql, values));

/** A batch that is held back and has failed; nothing of it is applied. */
async function failedBatch(of: DefaultWorkspace, number: string, message: string): Promise<string> {
  await post(`/admin/workspaces/${of.slug}/pause`, { work: 'batch', reason: 'The test lets it fail.' });
  const element = { guid: randomUUID(), number, name: 'A part', categoryKey: 'part' };
  const sent = await of.ask('POST', '/pdm/sync', { entities: [element] }, { Prefer: 'respond-async' });
  expect(sent.status, sent.text).toBe(202);
  const failed = `update sync_batch set status = 'failed', finished_at = now(), failure = $2
    where id = $1 and status = 'queued' returning id`;
  const failure = JSON.stringify({ code: 'chunk_failed', message });
  expect(await inInstance(failed, [sent.body.batchId, failure])).toHaveLength(1);
  await post(`/admin/workspaces/${of.slug}/resume`, { work: 'batch' });
  return sent.body.batchId;
}

const statusOf = async (of: DefaultWorkspace, id: string) =>
  (await of.ask('GET', `/pdm/sync/batches/${id}`)).body.status;

test('it opens to the operator alone, runs no script, and takes forms of its own pages only', async () => {
  for (const headers of [{}, { Authorization: `Bearer ${workspace.key}` }] as Record<string, string>[]) {
    for (const path of [
      '/admin',
      '/admin/failures',
      '/admin/search?q=x',
      `/admin/workspaces/${workspace.slug}`,
    ])
      expect([path, (await server.request(path, { headers })).status]).toEqual([path, 401]);
    expect(
      (await post(`/admin/workspaces/${workspace.slug}/pause`, { work: 'batch', reason: 'x' }, headers))
        .status,
    ).toBe(401);
  }
  const page = await open('/admin');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
  expect(page.headers.get('content-security-policy')).not.toContain('script-src');
  const entered = await post('/admin/sign-in', { token: server.ctx.operatorToken }, {});
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/admin']);
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] as string;
  const pause = (headers: Record<string, string>) =>
    post(
      `/admin/workspaces/${workspace.slug}/pause`,
      { work: 'webhook', reason: 'x' },
      { Cookie: cookie, ...headers },
    );
  expect((await pause({ Origin: 'http://127.0.0.1:1' })).status).toBe(403);
  expect((await pause({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect((await pause({ Origin: server.baseUrl })).status).toBe(303);
  expect((await post(`/admin/workspaces/${workspace.slug}/resume`, { work: 'webhook' })).status).toBe(303);
  expect((await open('/admin/nothing')).status).toBe(404);
  expect((await open('/admin/batches/x/y')).status).toBe(404);
});

test('what a caller named is text, whatever it holds', async () => {
  const evil = '<script>alert(1)</script>"\'&';
  const id = await failedBatch(workspace, evil, `Failed at ${evil}`);
  for (const path of [
    '/admin',
    '/admin/failures',
    `/admin/batches/${workspace.id}/${id}`,
    `/admin/search?q=${encodeURIComponent(evil)}`,
  ]) {
    const { status, text } = await open(path);
    expect(status).toBe(200);
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script');
  }
});

test('a workspace’s batches, automations and webhooks are held back with a reason, and go on', async () => {
  const path = `/admin/workspaces/${workspace.slug}`;
  expect((await post(`${path}/pause`, { work: 'batch' })).status).toBe(422);
  const made = await workspace.ask('POST', '/automations', {
    name: 'Held',
    contextTypeId: 3,
    script: 'return 1',
  });
  const runs = async () =>
    (await workspace.ask('GET', `/automations/${made.body.id}/runs`)).body.items.length;
  for (const work of ['batch', 'automation'])
    expect((await post(`${path}/pause`, { work, reason: 'A look at the line.' })).status).toBe(303);
  expect((await open('/admin')).text).toContain('A look at the line.');
  const element = { guid: randomUUID(), number: 'HELD-1', name: 'Held', categoryKey: 'part' };
  const sent = await workspace.ask('POST', '/pdm/sync', { entities: [element] }, { Prefer: 'respond-async' });
  await workspace.ask('POST', '/entities', { category: 'part', name: 'An event' });
  // Another workspace's work passes meanwhile: it is not merely slow.
  const beside = await other.ask('POST', '/pdm/sync', { entities: [element] });
  expect(beside.body.status).toBe('completed');
  expect(await statusOf(workspace, sent.body.batchId)).toBe('queued');
  expect(await runs()).toBe(0);
  for (const work of ['batch', 'automation']) await post(`${path}/resume`, { work, reason: 'Seen.' });
  await expect.poll(() => statusOf(workspace, sent.body.batchId)).toBe('completed');
  await expect.poll(runs).toBeGreaterThan(0);
  const { text } = await open('/admin/actions');
  expect(text).toContain('Paused imports');
  expect(text).toContain('Resumed automations');
  expect(text).toContain('A look at the line.');
});

test('failures alike are one group: counted first, retried together, each with its outcome', async () => {
  const message = (at: number) => `Part ${at} of the batch failed with database error 23514.`;
  const ids = [
    await failedBatch(workspace, 'GROUP-1', message(1)),
    await failedBatch(workspace, 'GROUP-2', message(2)),
    await failedBatch(other, 'GROUP-3', message(3)),
  ];
  const { text } = await open('/admin/failures');
  const [, path] = /href="(\/admin\/failures\/batch\/\w+)">Part \d of the batch failed/.exec(text) ?? [];
  const group = await open(path as string);
  expect(group.text).toContain('3 imports in 2 workspaces.');
  expect(group.text).toContain('Retry 3…');
  const asked = await open(`${path}/retry`);
  expect(asked.text).toContain('3 imports in 2 workspaces will be queued again.');
  expect(await statusOf(workspace, ids[0] as string)).toBe('failed');
  // The page is old: there were fewer when it was looked at.
  const old = await post(`${path}/retry`, { count: '2' });
  expect(old.headers.get('location')).toBe(path);
  expect(await statusOf(workspace, ids[0] as string)).toBe('failed');
  const retried = await post(`${path}/retry`, { count: '3' });
  expect(retried.headers.get('location')).toMatch(/^\/admin\/actions\//);
  const outcome = retried.headers.get('location') as string;
  await expect.poll(async () => (await open(outcome)).text.match(/<div>completed<\/div>/g)?.length).toBe(3);
  expect((await open(outcome)).text).toContain('3 of 3 queued, 0 refused');
  expect((await open(path as string)).status).toBe(404);
  const [first] = ids;
  const again = await post(`/admin/batches/${workspace.id}/${first}/retry`);
  expect((await open(again.headers.get('location') as string)).text).toContain(
    'only a failed one can be retried',
  );
});

test('it finds a batch by id, an entity by GUID or number, a failure by its text or request', async () => {
  const id = await failedBatch(other, 'FIND-ME-77', 'The frobnicator was full.');
  const found = await open('/admin/search?q=FIND-ME-77');
  expect(found.text).toContain(id);
  expect((await open(`/admin/search?q=${id}`)).text).toContain(other.slug);
  expect((await open('/admin/search?q=frobnicator')).text).toContain(id);
  const [part] = (await workspace.ask('GET', '/entities?number=HELD-1')).body.items;
  expect((await open('/admin/search?q=HELD-1')).text).toContain(part.id);
  expect((await open(`/admin/search?q=${part.E_Guid}`)).text).toContain(part.id);
  expect((await open('/admin/search?q=nobody-has-this')).text).toContain('no failed import contains it');
});

test('figures are recorded once a period, by however many processes', async () => {
  const now = Date.now();
  // What was done so far may lie in two periods.
  for (const at of [now, now + PERIOD_SECONDS * 1000].map((ms) => new Date(ms)))
    await Promise.all([recordPeriod(server.ctx.db, at), recordPeriod(server.ctx.db, at)]);
  const done = async (of: string) => {
    const sum = `select sum(done)::int as done from work_series where work = 'batch' and workspace = $1`;
    return ((await inInstance(sum, [of])) as { done: number }[])[0]?.done;
  };
  const ended = async (ids: string[]) => {
    const count = `select count(*)::int as done from sync_batch
      where workspace_id = any ($1::uuid[]) and status in ('completed', 'failed')`;
    return ((await inInstance(count, [ids])) as { done: number }[])[0]?.done;
  };
  expect(await done(workspace.slug)).toBe(await ended([workspace.id]));
  expect(await done(other.slug)).toBe(await ended([other.id]));
  expect(await done('')).toBe(await ended([workspace.id, other.id]));
  expect((await open('/admin')).text).toContain(`/admin/workspaces/${other.slug}`);
});

test('the workspaces are listed with their state; a workspace and an admin key are created, and each key works', async () => {
  const keyOn = (text: string) => /<code class="mono secret">(pbk_\w+)<\/code>/.exec(text)?.[1] ?? '';
  const slug = `made-${randomUUID().slice(0, 8)}`;
  expect((await post('/admin/workspaces', { slug: 'Not a slug', name: 'x' })).status).toBe(422);
  const created = await post('/admin/workspaces', { slug, name: 'Made <here>' });
  expect([created.status, created.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect((await post('/admin/workspaces', { slug, name: 'Again' })).status).toBe(409);
  const added = await post(`/admin/workspaces/${slug}/admin-key`, { name: 'For Ada' });
  const keys = [keyOn(created.text), keyOn(added.text)];
  for (const key of keys) {
    const session = await server.request(`/api/wid/${slug}/session`, { key });
    expect([session.status, session.body.permission]).toEqual([200, 'admin']);
  }
  const { text } = await open('/admin/workspaces');
  expect(text).toMatch(new RegExp(`/admin/workspaces/${slug}">.*?Made &lt;here&gt;.*?active`, 's'));
  expect((await open(`/admin/workspaces?after=${slug}`)).text).not.toContain(`/admin/workspaces/${slug}"`);
  const actions = (await open('/admin/actions')).text;
  expect(actions).toContain('Created the workspace');
  expect(actions).toContain('Created an admin key');
  for (const key of keys) expect(actions).not.toContain(key);
  const forged = await post(
    '/admin/workspaces',
    { slug: 'forged', name: 'x' },
    { Authorization: `Bearer ${keys[0]}` },
  );
  expect(forged.status).toBe(401);
});

test('a failed automation run shows the stack of its script, and is retried from its page', async () => {
  const made = await workspace.ask('POST', '/automations', {
    name: 'Breaks',
    contextTypeId: 3,
    script: 'function inner() { throw new Error("broken <script>") }\ninner()',
  });
  expect(made.status, made.text).toBe(201);
  await workspace.ask('POST', '/entities', { category: 'part', name: 'An event' });
  const failed = async () =>
    (await workspace.ask('GET', `/automations/${made.body.id}/runs`)).body.items.filter(
      ({ status }: { status: string }) => status === 'failed',
    );
  await expect.poll(async () => (await failed()).length).toBeGreaterThan(0);
  const [run] = await failed();
  const path = `/admin/runs/${workspace.id}/${run.id}`;
  const { text } = await open(path);
  expect(text).toContain('broken &lt;script&gt;');
  expect(text).toMatch(/<h2>Stack<\/h2><pre class="mono">[^<]*inner/);
  expect((await open('/admin/search?q=broken')).text).toContain(`href="${path}"`);
  const retried = await post(`${path}/retry`);
  expect((await open(retried.headers.get('location') as string)).text).toContain('1 of 1 queued, 0 refused');
  await expect.poll(async () => (await failed()).length).toBe(2);
  expect((await open(path)).text).toContain('This run was retried.');
});

test('the charts have axes, and each bar its values', async () => {
  const { text } = await open('/admin');
  expect(text).toMatch(/<span class="values"><span>\d+<\/span><span>0<\/span><\/span>/);
  expect(text).toMatch(/<span class="times"><span>\d\d:\d\d<\/span>/);
  expect(text).toMatch(/<title>\d\d:\d\d–\d\d:\d\d: \d+ completed, \d+ of them failed<\/title>/);
});

async function signedIn(width: number, scheme: 'light' | 'dark'): Promise<BrowserContext> {
  const context = await (browser as Browser).newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

test.skipIf(browserMissing !== null)(
  'from “the batch of part X failed” to the mended batch in three clicks',
  async () => {
    const id = await failedBatch(workspace, 'PART-X-1', 'A column was missing.');
    const context = await signedIn(1280, 'light');
    const { page, complaints } = await watchPage(context);
    await page.goto(`${server.baseUrl}/admin`);
    await page.getByLabel('Operator token').fill(server.ctx.operatorToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page
      .getByRole('searchbox')
      .or(page.getByLabel('Workspace, import, GUID, part number or error text'))
      .fill('PART-X-1');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator(`a[href$="${id}"]`).first().click();
    await page.getByRole('button', { name: 'Retry the import' }).click();
    await page.getByText('1 of 1 queued').waitFor();
    await expect.poll(() => statusOf(workspace, id)).toBe('completed');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Operator token').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  },
);

test.skipIf(browserMissing !== null || !isDeep)(
  'the page of the queues asks nobody outside, and nothing of it is refused',
  async () => {
    const context = await signedIn(1280, 'light');
    const { page, complaints, settled, shoot } = await watchPage(context);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    await page.goto(`${server.baseUrl}/admin`);
    await page.getByLabel('Operator token').fill(server.ctx.operatorToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Queues' }).click();
    await page.getByText('automation').first().waitFor();
    await settled();
    await shoot('console-queues-1280');
    expect([...new Set(asked)]).toEqual([server.baseUrl]);
    expect(complaints).toEqual([]);
    await context.close();
  },
);

test.skipIf(browserMissing !== null || !isDeep)(
  'its pages fit from 390 to 1920, light and dark, and axe has nothing to say',
  async () => {
    // A day of figures, of which some are bad.
    await inInstance(
      `insert into work_series (at, work, workspace, done, failed, p95_ms, oldest_seconds)
       select date_bin('5 minutes', now(), '2026-01-01') - at * interval '5 minutes', work, slug,
              (40 + 30 * sin(at / 20.0))::int, case when at % 37 = 0 then 9 else 0 end,
              300 + 200 * cos(at / 15.0), case when at between 40 and 60 then at * 3 else 1 end
       from generate_series(2, 280) as at, unnest(array['batch', 'automation', 'webhook']) as work,
            unnest(array['', $1]) as slug
       on conflict do nothing`,
      [other.slug],
    );
    const failed = await failedBatch(
      other,
      'SHOT-1',
      'The disk was full, and this is a long text about it that has to wrap somewhere.',
    );
    const reason =
      'Held back by whoever was on duty at night, who wrote at some length why that was and what is to be looked at first.';
    expect((await post(`/admin/workspaces/${other.slug}/pause`, { work: 'webhook', reason })).status).toBe(
      303,
    );
    for (const [width, scheme] of sample([
      [390, 'light'],
      [1280, 'dark'],
      [1920, 'light'],
      [390, 'dark'],
    ] as const)) {
      const context = await signedIn(width, scheme);
      const { page, complaints, axe, shoot } = await watchPage(context);
      await page.goto(`${server.baseUrl}/admin`);
      await page.getByLabel('Operator token').fill(server.ctx.operatorToken);
      await page.getByRole('button', { name: 'Sign in' }).click();
      for (const [name, path] of Object.entries({
        overview: '/admin',
        workspaces: '/admin/workspaces',
        failures: '/admin/failures',
        batch: `/admin/batches/${other.id}/${failed}`,
        workspace: `/admin/workspaces/${other.slug}`,
        actions: '/admin/actions',
        operators: '/admin/operators',
        search: '/admin/search?q=SHOT-1',
      })) {
        await page.goto(`${server.baseUrl}${path}`);
        await shoot(`console-${name}-${scheme}-${width}`);
        expect(await axe(), `${name} ${width} ${scheme}`).toEqual([]);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect(overflow, `${name} at ${width} scrolls sideways`).toBeLessThanOrEqual(0);
        const cutOff = await page.evaluate(
          `[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).length`,
        );
        expect(cutOff, `tables of ${name} at ${width} are cut off`).toBe(0);
        if (name === 'overview') await page.getByText(reason).waitFor();
      }
      expect(complaints).toEqual([]);
      await context.close();
    }
  },
);
