// Every page, light and dark, on a phone and on a desk: nothing for axe, nothing against the policy, nothing beyond the edge.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test as sampledTest, vi } from 'vitest';
import { patience } from '../setup/patience.ts';
import { deepTest, isDeep, coreTest as test } from '../setup/tier.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { focusComesBack, scrollsSideways, unseenFocus } from './keyboard-and-edges.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;

const pages: readonly [name: string, path: (rover: Rover) => string, shows: string][] = [
  ['overview', () => '', 'Overview'],
  ['entities', () => '/entities', 'Items'],
  ['entities-nothing', () => '/entities?q=zzzz', 'No results'],
  ['pending-links', () => '/entities/pending-links', 'Nothing waits'],
  ['entity', ({ wheel }) => `/entities/${wheel}`, 'Drive wheel'],
  ['entity-uses', ({ rover: id }) => `/entities/${id}/uses`, 'ROV-110'],
  ['entity-where-used', ({ screw }) => `/entities/${screw}/where-used`, 'ROV-111'],
  ['entity-where-used-all', ({ screw }) => `/entities/${screw}/where-used?levels=all`, 'ROV-100'],
  ['entity-where-used-top', ({ screw }) => `/entities/${screw}/where-used?levels=top`, 'PRJ-1'],
  ['entity-revisions', ({ wheel }) => `/entities/${wheel}/revisions?shown=1`, 'made of'],
  ['entity-lifecycle', ({ wheel }) => `/entities/${wheel}/lifecycle`, 'Submit for review'],
  ['entity-stock', ({ screw }) => `/entities/${screw}/stock`, 'On hand over time'],
  ['entity-demand', ({ wheel }) => `/entities/${wheel}/demand`, 'What comes and goes'],
  ['compare', ({ wheel, screw }) => `/entities/compare?ids=${wheel},${screw}`, 'BOM lines'],
  ['bulk-edits', () => '/bulk-edits', 'No bulk edits yet'],
  ['ledger', () => '/stock/ledger', 'Opening balance'],
  ['positions', () => '/stock/positions', 'SCR-M3'],
  ['value', () => '/stock/value', 'Without a known cost'],
  ['transfers', () => '/stock/transfers', 'Nothing is in transit'],
  ['lots', () => '/stock/lots', 'No lots yet'],
  ['batches', () => '/batches', 'night-import'],
  ['batch', ({ batch }) => `/batches/${batch}`, 'with errors'],
  ['dry-run', ({ dryRun }) => `/batches/${dryRun}`, 'Commit'],
  ['stock', () => '/stock', 'SH-A1'],
  ['count', ({ shelf }) => `/stock/count?location=${shelf}`, 'SCR-M3'],
  ['count-nothing', () => '/stock/count', 'Which location?'],
  ['labels', ({ screw, shelf }) => `/stock/labels?ids=${screw},${shelf}&copies=2`, 'Print 4'],
  ['projects', () => '/procurement', 'PRJ-1'],
  ['project', ({ project }) => `/procurement/projects/${project}`, 'Reserve'],
  ['requirements', () => '/procurement/requirements', 'ROV-110'],
  ['requirement', ({ requirement }) => `/procurement/requirements/${requirement}`, 'Required'],
  ['orders', () => '/procurement/orders', 'Purchase order'],
  ['order-lines', () => '/procurement/lines?state=Ordered', 'SCR-M3'],
  ['plans', () => '/procurement/plans', 'No planning runs yet'],
  ['suppliers', () => '/procurement/suppliers', 'No exchange rates'],
  ['order', ({ order }) => `/procurement/orders/${order}`, 'Receive'],
  ['settings', () => '/settings', 'Purchase order'],
  ['settings-properties', () => '/settings/properties', 'Mass (kg)'],
  ['settings-lifecycles', () => '/settings/lifecycles', 'Ready for Procurement'],
  ['settings-lifecycle', () => '/settings/lifecycles/part', 'Initial state'],
  ['settings-imports', () => '/settings/imports', 'No import mappings yet'],
  ['settings-people', () => '/settings/people', 'No members yet'],
  ['settings-groups', () => '/settings/groups', 'No rules yet'],
  ['me', () => '/me', 'Make yourself a member'],
  ['inbox', () => '/inbox', 'Keys have no inbox'],
  ['work', () => '/work', 'Nothing waits for a key'],
  ['count-tasks', () => '/stock/count-tasks', 'Nothing is to be counted'],
  ['settings-keys', () => '/settings/keys', 'First key'],
  ['settings-csv-links', () => '/settings/csv-links', 'No links yet'],
  ['settings-webhooks', () => '/settings/webhooks', 'receiver.example'],
  ['settings-webhook', ({ webhook }) => `/settings/webhooks/${webhook}`, 'Send a test'],
  ['settings-audit', () => '/settings/audit', 'Mass'],
  ['automations', () => '/automations', 'Automations'],
  ['automation-runs', () => '/automations/runs', 'No runs yet'],
  ['automation', () => '/automations/new', 'Test run (no changes)'],
  ['imports', () => '/imports', 'Choose a file'],
  ['not-found', () => '/nowhere', 'Page not found'],
];

/** What opens over a page: the page is there when its buttons are pressed, one after another. */
const dialogs: readonly [name: string, path: (rover: Rover) => string, ...buttons: RegExp[]][] = [
  ['new-entity', () => '/entities', /^New$/],
  ['filters', () => '/entities', /^Filter$/],
  ['saved-views', () => '/entities', /^Saved views$/],
  ['export', () => '/entities', /^Export$/],
  ['transition', ({ wheel }) => `/entities/${wheel}`, /^Change state$/, /^Submit for review/],
  ['edit-entity', ({ wheel }) => `/entities/${wheel}/properties`, /^Edit$/],
  ['add-use', ({ wheel }) => `/entities/${wheel}/uses`, /^Add a part$/],
  ['adjust', ({ screw }) => `/entities/${screw}/stock`, /^Adjust$/],
  ['revalue', () => '/stock/value', /^Revalue SCR-M3$/],
  ['move', ({ screw }) => `/entities/${screw}/stock`, /^Move$/],
  ['order-item', ({ wheel }) => `/entities/${wheel}/demand`, /^Order$/],
  ['scan', () => '/stock', /^Scan$/],
  ['ask-count', () => '/stock/count-tasks', /^Ask for a count$/],
  ['adjust-many', () => '/stock', /^Adjust several$/],
  ['sent', ({ batch }) => `/batches/${batch}`, /^Show row 0/],
  ['resend', ({ batch }) => `/batches/${batch}`, /^Retry all rejected$/],
  ['new-order', () => '/procurement/orders', /^New order$/],
  ['start-plan', () => '/procurement/plans', /^Start a planning run$/],
  ['order-many', () => '/procurement/orders', /^Order from a list$/],
  ['receive', ({ order }) => `/procurement/orders/${order}`, /^Receive$/],
  ['receive-order', ({ order }) => `/procurement/orders/${order}`, /^Receive all open$/],
  ['cancel-line', ({ order }) => `/procurement/orders/${order}`, /^More for/, /^Cancel$/],
  ['raise', ({ project }) => `/procurement/projects/${project}`, /^Create requirements/],
  ['new-category', () => '/settings', /^New category$/],
  ['new-property', () => '/settings/properties', /^New property$/],
  ['feature', () => '/settings/lifecycles/part', /^Actions on this transition/],
  ['invite', () => '/settings/people', /^Invite$/],
  ['new-rule', () => '/settings/groups', /^New rule$/],
  ['new-key', () => '/settings/keys', /^New key$/],
  ['revoke-key', () => '/settings/keys', /^Revoke/],
  ['new-csv-link', () => '/settings/csv-links', /^New link$/],
  ['csv-link', () => '/entities?category=part', /^Export$/, /^Link for a spreadsheet/],
  ['webhook-secret', ({ webhook }) => `/settings/webhooks/${webhook}`, /^New secret$/],
  ['edit-webhook', ({ webhook }) => `/settings/webhooks/${webhook}`, /^Edit$/],
  ['audit-entry', () => '/settings/audit', /^(?:Show|See)/],
  ['help', () => '', /^Help$/],
  ['palette', () => '', /^Find an item or a page/],
];

/** The core looks at every sixth page and dialog, and the deep tier at all of them. */
const looked = <T>(all: readonly T[]): T[] => all.filter((_, at) => isDeep || at % 6 === 0);

const FLOATING = '[role=dialog], [role=menu]';
/** Over the page, or a form in the place of what it changes. */
const OVERLAY = `${FLOATING}, form`;

async function press(page: Page, names: readonly RegExp[]): Promise<void> {
  for (const name of names) {
    const button = page.getByRole('button', { name }).or(page.getByRole('menuitem', { name }));
    await button.filter({ visible: true }).first().click();
  }
  await page.locator(OVERLAY).filter({ visible: true }).first().waitFor();
}

/** Has the colours, and shows them: a page that is turned from one scheme to the other asks for nothing, and is drawn anew. */
async function drawnIn(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.locator(`:root[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' });
  await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames++) await new Promise((drawn) => requestAnimationFrame(drawn));
  });
}

/** PAGES_AT=768,1920 looks at them in more widths, and PAGES_PICTURES=true takes pictures, for whoever wants them. */
const widths = [
  ...(isDeep ? [390, 1280] : [1280]),
  ...(process.env.PAGES_AT ?? '').split(',').filter(Boolean).map(Number),
];

/** Stock has a value from then on, and some of it none that is known. */
async function valueStock({ ask }: DefaultWorkspace, { screw }: Rover): Promise<void> {
  const settings = (await ask('GET', '/stock/settings')).body;
  await ask('PUT', '/stock/settings', { ...settings, costing: { method: 'average', currency: 'EUR' } });
  await ask('POST', `/stock/value/${screw}/revaluations`, { unitCost: { price: '0.04' } });
}

describe.skipIf(browserMissing !== null)('the pages', () => {
  beforeAll(async () => {
    app = await startWebApp();
    rover = await makeRover(app.workspace);
    await valueStock(app.workspace, rover);
  });
  afterAll(() => app.close());

  // Side by side, each in a profile of its own: they change nothing, and much of looking is waiting. Those below do change something.
  sampledTest.concurrent.each(widths)(
    'are sound at %i pixels, light and dark',
    async (width) => {
      const { page, complaints, goto, settled, axe, shoot } = await app.open({ width });
      const findings: unknown[] = [];
      for (const [at, [name, path, shows]] of looked(pages).entries()) {
        // Loaded in one scheme and turned to the other: the next page, and this one at the next width, the other way round.
        const schemes = ['light', 'dark'] as const;
        const first = (at + widths.indexOf(width)) % 2;
        // The core looks at one scheme of each page, by turns.
        for (const scheme of isDeep
          ? first === 0
            ? schemes
            : schemes.toReversed()
          : [schemes[first] as 'light' | 'dark']) {
          await page.emulateMedia({ colorScheme: scheme });
          if (scheme === schemes[first]) {
            await goto(path(rover));
            await page.getByText(shows).filter({ visible: true }).first().waitFor();
            await settled();
          }
          await drawnIn(page, scheme);
          await shoot(`${name}-${scheme}-${width}`);
          // What is not of colour is the same in both.
          const look = { contrastOnly: scheme !== schemes[first] };
          findings.push(...(await axe(look)).map((finding) => ({ name, scheme, ...finding })));
        }
        findings.push(...complaints.splice(0).map((complaint) => ({ name, complaint })));
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (beyond > 0) findings.push({ name, beyond });
        findings.push(...(await unseenFocus(page)).map((unseen) => ({ name, unseen })));
        // A tablet has what the desk has, with less room.
        for (const at of isDeep && width === 1280 ? [width, 768] : [width]) {
          if (at !== width) await page.setViewportSize({ width: at, height: 900 });
          findings.push(...(await scrollsSideways(page)).map((sideways) => ({ name, at, sideways })));
          if (at !== width) await page.setViewportSize({ width, height: 900 });
        }
      }
      expect(findings).toEqual([]);
      await app.leave(page);
    },
    900_000,
  );

  sampledTest.concurrent.each(widths)(
    'open dialogs that are sound at %i pixels, light and dark',
    async (width) => {
      const { page, complaints, goto, settled, axe, shoot } = await app.open({ width });
      const findings: unknown[] = [];
      let last = '';
      for (const [name, path, ...buttons] of looked(dialogs)) {
        // A dialog of the page that is open already: its predecessor is left as a person leaves it.
        if (path(rover) === last) {
          await page.keyboard.press('Escape');
          await vi.waitUntil(async () => (await page.locator(FLOATING).count()) === 0, patience);
        } else await goto(path(rover));
        last = path(rover);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await press(page, buttons);
        const begins = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
        const isForm = (await page.locator('[role=dialog] form').count()) > 0;
        if (isForm && begins === 'Close') findings.push({ name, begins });
        await settled();
        for (const scheme of isDeep ? (['dark', 'light'] as const) : (['light'] as const)) {
          await page.emulateMedia({ colorScheme: scheme });
          await drawnIn(page, scheme);
          await shoot(`dialog-${name}-${scheme}-${width}`);
          const look = { within: OVERLAY, contrastOnly: isDeep && scheme === 'light' };
          findings.push(...(await axe(look)).map((finding) => ({ name, scheme, ...finding })));
        }
        findings.push(...complaints.splice(0).map((complaint) => ({ name, complaint })));
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (beyond > 0) findings.push({ name, beyond });
        findings.push(...(await unseenFocus(page, OVERLAY)).map((unseen) => ({ name, unseen })));
        findings.push(...(await scrollsSideways(page)).map((sideways) => ({ name, sideways })));
        await focusComesBack(page, FLOATING).catch((error) => findings.push({ name, lost: String(error) }));
      }
      expect(findings).toEqual([]);
      await app.leave(page);
    },
    900_000,
  );

  sampledTest.concurrent.each(widths)('show what is read of a file at %i pixels, soundly', async (width) => {
    const { page, complaints, goto, settled, axe, shoot } = await app.open({ width });
    await goto('/imports');
    const csv =
      'Level,Part Number,Name,Qty,Colour\n0,FW-1,Frame,1,\n1,FW-2,Bracket,many,red\n1,SCR-M3,Screw,4,';
    const file = { name: 'parts.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('Update 1 part that the workspace has already').waitFor();
    await page.getByText('Definition as JSON').click();
    const findings: unknown[] = [];
    await settled();
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await drawnIn(page, scheme);
      await shoot(`import-read-${scheme}-${width}`);
      findings.push(...(await axe({ contrastOnly: scheme === 'dark' })));
    }
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([findings, complaints, Math.max(0, beyond)]).toEqual([[], [], 0]);
    await app.leave(page);
  });

  test('stand beside their list where there is room, and alone where there is not', async () => {
    const { page, complaints, goto, settled, axe } = await app.open({ width: 1600 });
    await goto('/entities?q=ROV');
    const beside = page.getByRole('complementary', { name: 'Beside the list' });
    await page.getByRole('link', { name: 'ROV-110' }).click();
    await beside.getByRole('heading', { name: /ROV-110/ }).waitFor();
    await beside.getByRole('link', { name: /^Structure/ }).click();
    await beside.getByRole('row', { name: /ROV-111/ }).waitFor();
    await settled();
    expect(await axe()).toEqual([]);
    // The list kept its place, and the address knows both.
    expect(await page.getByLabel('Number, name or property').inputValue()).toBe('ROV');
    expect(await page.title()).toBe('Items · Partbook');
    const address = page.url();
    await page.keyboard.press('j');
    await beside.getByRole('heading', { name: /ROV-111/ }).waitFor();
    await page.keyboard.press('Escape');
    await beside.waitFor({ state: 'detached' });
    // A link that somebody made on a wide screen, opened on a phone: the page itself, and its tab.
    const phone = await app.open({ width: 390 });
    await phone.page.goto(address);
    await phone.page.getByRole('heading', { name: /ROV-110/, level: 1 }).waitFor();
    expect(new URL(phone.page.url()).pathname).toMatch(/\/entities\/[0-9a-f-]+\/uses$/);
    expect([...complaints, ...phone.complaints]).toEqual([]);
    await app.leave(page);
    await app.leave(phone.page);
  });

  test('load less than 200 kB of script at first', async () => {
    const { page, goto, settled } = await app.open({ isFirst: true });
    const sizes = new Map<string, number>();
    page.on('response', async (response) => {
      if (!response.url().endsWith('.js')) return;
      sizes.set(response.url(), (await response.request().sizes()).responseBodySize);
    });
    await goto('/entities');
    await page.getByText('Items').first().waitFor();
    await settled();
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(200_000);
  });

  test('are not shown without a session, and keep what was typed when one ends', async () => {
    const { page, goto } = await app.open({ key: null });
    await goto('/entities');
    await page.getByRole('heading', { name: `Sign in to ${app.workspace.slug}` }).waitFor();
    await page.getByLabel('API key').fill(app.workspace.key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'New' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Antenna');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Your session has ended').waitFor();
    await page.getByLabel('API key').fill(app.workspace.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Antenna' }).waitFor();
    await app.leave(page);
  });

  deepTest(
    'are where the address of the app leads whoever is signed in: at once, or by a choice of several workspaces',
    async () => {
      const { page, goto, complaints, axe, shoot } = await app.open();
      const start = `${app.server.baseUrl}/`;
      const overview = page.getByRole('heading', { name: 'Overview', level: 1 });
      const key = page.getByLabel('API key');
      const choice = page.getByRole('navigation', { name: 'You are signed in to' });
      await goto('/entities');
      await page.getByRole('heading', { name: 'Items', level: 1 }).waitFor();
      await page.goto(start);
      await overview.waitFor();
      expect(new URL(page.url()).pathname).toBe(`/w/${app.workspace.slug}`);
      // Back leads to where they were before, and not here again.
      await page.goBack();
      await page.getByRole('heading', { name: 'Items', level: 1 }).waitFor();
      // Whoever wants another workspace gets there all the same.
      await page.getByRole('button', { name: 'Signed in as' }).click();
      await page.getByRole('menuitem', { name: 'Sign in to another workspace' }).click();
      await choice.getByRole('link', { name: app.workspace.slug }).waitFor();
      const other = await makeDefaultWorkspace(app.server);
      await key.fill(other.key);
      await page.keyboard.press('Enter');
      await overview.waitFor();
      await page.goto(start);
      await choice.getByRole('link', { name: other.slug }).waitFor();
      expect(await choice.getByRole('link').count()).toBe(2);
      expect(await axe()).toEqual([]);
      await shoot('workspaces-1280');
      await choice.getByRole('link', { name: app.workspace.slug }).click();
      await overview.waitFor();
      // Signing out of one leads to the way in, not to the other.
      await page.getByRole('button', { name: 'Signed in as' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await choice.getByRole('link', { name: other.slug }).waitFor();
      expect(await choice.getByRole('link').count()).toBe(1);
      await key.waitFor();
      await page.goto(start);
      await overview.waitFor();
      expect(new URL(page.url()).pathname).toBe(`/w/${other.slug}`);
      // A workspace that does not answer, or a memory that is broken, keeps nobody from going on or from signing in.
      await page.route('**/api/wid/silent/session', () => {});
      await page.evaluate(`localStorage.setItem('partbook.workspaces', JSON.stringify([null, { slug: 3 },
      { slug: 'silent', name: 'Silent' }, ...JSON.parse(localStorage.getItem('partbook.workspaces'))]))`);
      await page.goto(start);
      await overview.waitFor();
      await page.goto(`${start}?sign-in=another`);
      await key.waitFor();
      await choice.getByRole('link', { name: other.slug }).waitFor();
      // Where the session has ended there is nothing to choose.
      await page.context().clearCookies();
      await page.goto(start);
      await page
        .getByRole('navigation', { name: 'Signed in before' })
        .getByRole('link', { name: other.slug })
        .waitFor();
      await key.waitFor();
      expect(await choice.count()).toBe(0);
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  test('offer to retry failed runs once a run has failed', async () => {
    const { page, goto } = await app.open();
    const { ask } = app.workspace;
    const again = page.getByRole('button', { name: 'Retry failed runs' });
    await goto('/automations/runs');
    await page.getByText('No runs yet').waitFor();
    expect(await again.count()).toBe(0);
    const contextTypeId = 3;
    const automation = {
      name: 'Refuses',
      contextTypeId,
      script: 'throw new Error("refused");',
      enabled: true,
    };
    expect((await ask('POST', '/automations', automation)).status).toBe(201);
    expect((await ask('POST', '/entities', { category: 'part', name: 'Odd' })).status).toBe(201);
    // The page hears of it by itself.
    await page.getByText('refused').first().waitFor();
    // An event triggered it, and no person.
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Triggered by').waitFor();
    await page.keyboard.press('Escape');
    await again.click();
    await page.getByRole('dialog').getByText('1 run failed and has not been retried.').waitFor();
    await app.leave(page);
  });

  test('show a key that may only read nothing that it may not do', async () => {
    const made = await app.workspace.ask('POST', '/api-keys', { name: 'Reader', permission: 'read' });
    const { page, goto } = await app.open({ key: made.body.key });
    await goto('/entities');
    await page.getByText('ROV-100').first().waitFor();
    expect(await page.getByRole('button', { name: 'New' }).count()).toBe(0);
    await goto(`/entities/${rover.screw}/stock`);
    await page.getByText('Opening balance').first().waitFor();
    expect(await page.getByRole('button', { name: 'Adjust' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Import a file' }).count()).toBe(0);
    await app.leave(page);
  });
});
