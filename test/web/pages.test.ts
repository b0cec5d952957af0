// Every page, light and dark, on a phone and on a desk: nothing for axe, nothing against the policy, nothing beyond the edge.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;

const pages: readonly [name: string, path: (rover: Rover) => string, shows: string][] = [
  ['overview', () => '', 'Overview'],
  ['entities', () => '/entities', 'Entities'],
  ['entities-nothing', () => '/entities?q=zzzz', 'Nothing fits these filters'],
  ['entity', ({ wheel }) => `/entities/${wheel}`, 'Drive wheel'],
  ['entity-uses', ({ rover: id }) => `/entities/${id}/uses`, 'ROV-110'],
  ['entity-where-used', ({ screw }) => `/entities/${screw}/where-used`, 'ROV-111'],
  ['entity-revisions', ({ wheel }) => `/entities/${wheel}/revisions`, 'current'],
  ['entity-lifecycle', ({ wheel }) => `/entities/${wheel}/lifecycle`, 'Submit for review'],
  ['entity-stock', ({ screw }) => `/entities/${screw}/stock`, 'On hand over time'],
  ['ledger', () => '/stock/ledger', 'Opening balance'],
  ['positions', () => '/stock/positions', 'SCR-M3'],
  ['batches', () => '/batches', 'night-import'],
  ['batch', ({ batch }) => `/batches/${batch}`, 'with errors'],
  ['dry-run', ({ dryRun }) => `/batches/${dryRun}`, 'Commit'],
  ['stock', () => '/stock', 'SH-A1'],
  ['count', ({ shelf }) => `/stock/count?location=${shelf}`, 'SCR-M3'],
  ['labels', ({ screw, shelf }) => `/stock/labels?ids=${screw},${shelf}&copies=2`, 'Print 4'],
  ['projects', () => '/procurement', 'PRJ-1'],
  ['project', ({ project }) => `/procurement/projects/${project}`, 'Reserve'],
  ['requirements', () => '/procurement/requirements', 'ROV-110'],
  ['orders', () => '/procurement/orders', 'Purchase order'],
  ['order', ({ order }) => `/procurement/orders/${order}`, 'Receive'],
  ['settings', () => '/settings', 'Purchase order'],
  ['settings-properties', () => '/settings/properties', 'Mass (kg)'],
  ['settings-lifecycles', () => '/settings/lifecycles', 'Ready for Procurement'],
  ['settings-lifecycle', () => '/settings/lifecycles/part', 'Entities begin as'],
  ['settings-keys', () => '/settings/keys', 'First key'],
  ['settings-webhooks', () => '/settings/webhooks', 'Nobody is told yet'],
  ['settings-audit', () => '/settings/audit', 'Mass'],
  ['automations', () => '/automations', 'Automations'],
  ['automation-runs', () => '/automations/runs', 'Nothing has run yet'],
  ['automation', () => '/automations/new', 'Run now, write nothing'],
  ['imports', () => '/imports', 'Choose a file'],
  ['not-found', () => '/nowhere', 'no page at this address'],
];

/** PAGES_AT=768,1920 looks at them in more widths, and PAGES_PICTURES=true takes pictures, for whoever wants them. */
const widths = [1280, 390, ...(process.env.PAGES_AT ?? '').split(',').filter(Boolean).map(Number)];

describe.skipIf(browserMissing !== null)('the pages', () => {
  beforeAll(async () => {
    app = await startWebApp();
    rover = await makeRover(app.workspace);
  }, 180_000);
  afterAll(() => app.close());

  test.each(widths)(
    'are sound at %i pixels, light and dark',
    async (width) => {
      const { page, complaints, goto, settled, axe, shoot } = await app.open({ width });
      const findings: unknown[] = [];
      for (const [at, [name, path, shows]] of pages.entries()) {
        // Loaded in one scheme and turned to the other: the next page, and this one at the next width, the other way round.
        const schemes = ['light', 'dark'] as const;
        const first = (at + widths.indexOf(width)) % 2;
        for (const scheme of first === 0 ? schemes : schemes.toReversed()) {
          await page.emulateMedia({ colorScheme: scheme });
          if (scheme === schemes[first]) {
            await goto(path(rover));
            await page.getByText(shows).filter({ visible: true }).first().waitFor();
          }
          await page.locator(`:root[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' });
          await settled();
          await shoot(`${name}-${scheme}-${width}`);
          findings.push(...(await axe()).map((finding) => ({ name, scheme, ...finding })));
        }
        findings.push(...complaints.splice(0).map((complaint) => ({ name, complaint })));
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (beyond > 0) findings.push({ name, beyond });
      }
      expect(findings).toEqual([]);
    },
    240_000,
  );

  test('load less than 200 kB of script at first', async () => {
    const { page, goto, settled } = await app.open();
    const sizes = new Map<string, number>();
    page.on('response', async (response) => {
      if (!response.url().endsWith('.js')) return;
      sizes.set(response.url(), (await response.request().sizes()).responseBodySize);
    });
    await goto('/entities');
    await page.getByText('Entities').first().waitFor();
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
    expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0);
  });
});
