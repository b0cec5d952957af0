// A buyer works through the shortages of a project, and prints the order that comes of it.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test as sampledTest, vi } from 'vitest';
import type { OrderWithLines, PlanningRun } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import { sample, coreTest as test } from '../setup/tier.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { scan } from './hands.ts';
import { scrollsSideways } from './keyboard-and-edges.ts';

let app: WebApp;
let project: string;
let shelf: string;
/** Ids of the parts by their names. */
const parts = new Map<string, string>();

async function ask(method: string, path: string, body?: unknown) {
  const answer = await app.workspace.ask(method, path, body);
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
  return answer.body;
}

const made = async (category: string, name: string, number?: string): Promise<string> => {
  const { id } = await ask('POST', '/entities', { category, name, number });
  parts.set(name, id);
  return id;
};
const partOf = (name: string) => parts.get(name) as string;
const stock = (name: string, quantity: number) =>
  ask('POST', '/stock/adjustments', { itemEntityId: partOf(name), locationEntityId: shelf, quantity });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
async function planned(options: object): Promise<PlanningRun> {
  const { id } = await ask('POST', '/planning/runs', options);
  const read = () => ask('GET', `/planning/runs/${id}`);
  await vi.waitUntil(async () => (await read()).status === 'completed', patience);
  return read();
}
const rowsOf = async (page: Page, grid: string) =>
  (await page.getByRole('grid', { name: grid }).locator('[data-row]').allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, ' '),
  );

describe.skipIf(browserMissing !== null)('a buyer', () => {
  beforeAll(async () => {
    app = await startWebApp();
    shelf = await made('location', 'Shelf B2', 'SH-B2');
    project = await made('project', 'Weather mast', 'PRJ-7');
    const head = await made('assembly', 'Mast head', 'MST-1');
    await ask('PUT', `/entities/${project}/uses/${head}`, { quantity: 2 });
    for (let at = 0; at < 40; at++) {
      const part = await made('part', `Stay rope ${at}, galvanised`, `STAY-${String(at).padStart(3, '0')}`);
      await ask('PUT', `/entities/${head}/uses/${part}`, { quantity: 1 + (at % 7) });
    }
    for (const [name, supplier] of [
      ['Stay rope 1, galvanised', 'Seilerei Nord'],
      ['Stay rope 2, galvanised', 'Kugellager Süd'],
    ] as const) {
      await ask('POST', '/orders', {
        type: 'purchaseOrder',
        supplier,
        lines: [{ itemEntityId: partOf(name), locationEntityId: shelf, quantity: 1 }],
      });
      await stock(name, 2);
    }
    await ask('POST', '/requirements', {
      projectId: project,
      itemEntityId: partOf('Stay rope 3, galvanised'),
      requiredQty: 3,
    });
  });
  afterAll(() => app.close());

  sampledTest.each(sample([390, 768, 1280]))(
    'sees at %i pixels what is bought, below what is made, and finds a part',
    async (width) => {
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      await goto(`/procurement/projects/${project}`);
      await page.getByText('41 items short').waitFor();
      await page.getByText('1 item requested and not covered yet').waitFor();
      await settled();
      await shoot(`shortages-${width}`);
      expect(await axe()).toEqual([]);
      expect(await scrollsSideways(page)).toEqual([]);
      expect(await rowsOf(page, 'Made parts')).toHaveLength(1);
      const suppliers = () => page.getByRole('heading', { level: 3 }).allInnerTexts();
      expect(await suppliers()).toEqual(['Kugellager Süd', 'Seilerei Nord', 'No supplier']);
      await page.getByLabel('Number or name').fill('rope 3');
      await page.getByRole('status').getByText('11 items', { exact: true }).waitFor();
      await page.getByLabel('Number or name').fill('galvanised stay-002');
      await page.getByRole('status').getByText('1 item', { exact: true }).waitFor();
      const [row] = await rowsOf(page, 'Shortages: Kugellager Süd');
      expect(await suppliers()).toEqual(['Kugellager Süd']);
      expect(row).toContain('STAY-002');
      if (width >= 1280) {
        // The heading of the list names the supplier.
        expect(row).not.toContain('Kugellager Süd');
        await page.getByRole('img', { name: '2 available, 1 on order of 6 needed' }).waitFor();
      }
      await page.emulateMedia({ colorScheme: 'dark' });
      await settled();
      await shoot(`shortages-${width}-dark`);
      expect(await axe({ contrastOnly: true })).toEqual([]);
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  test('sorts by supplier, reserves several at once, and orders several from their suppliers', async () => {
    const { page, goto, settled, axe, shoot, complaints } = await app.open();
    await goto(`/procurement/projects/${project}?sort=supplier`);
    await page.getByText('41 items short').waitFor();
    const [first, second] = await rowsOf(page, 'Shortages');
    expect([first, second]).toEqual([
      expect.stringContaining('STAY-002'),
      expect.stringContaining('STAY-001'),
    ]);
    await page.getByRole('button', { name: 'Item' }).last().click();
    await expect.poll(async () => (await rowsOf(page, 'Shortages'))[0]).toContain('STAY-000');
    const choose = async (...numbers: string[]) => {
      for (const number of numbers) await page.getByLabel(new RegExp(`^Select ${number}`)).check();
    };
    await choose('STAY-001', 'STAY-002', 'STAY-004');
    await page.getByText('3 items selected').waitFor();
    const bar = page.locator('.no-print').filter({ hasText: '3 items selected' });
    await bar.getByRole('button', { name: 'Reserve' }).click();
    const reserving = page.getByRole('dialog', { name: 'Reserve 3 items' });
    await reserving.getByText('1 item of those chosen: nothing is available.').waitFor();
    await reserving.getByRole('button', { name: 'Reserve', exact: true }).click();
    await reserving.waitFor({ state: 'detached' });
    await page.getByText('2 items reserved.').waitFor();

    await bar.getByRole('button', { name: 'Order' }).click();
    const ordering = page.getByRole('dialog', { name: 'Order 3 items' });
    await scan(page, 'Received at', 'SH-B2');
    const supplierOf = (number: string) => ordering.getByLabel(`Supplier of ${number}`);
    expect(await supplierOf('STAY-001').inputValue()).toBe('Seilerei Nord');
    await supplierOf('STAY-004').fill('Ropes & more');
    await settled();
    await shoot('order-shortages');
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    // A name that nobody has ordered from is confirmed first.
    expect(await ordering.getByRole('button', { name: 'Order 3 items' }).isDisabled()).toBe(true);
    await ordering.getByLabel('“Ropes & more” is a new supplier').check();
    await ordering.getByRole('button', { name: 'Order 3 items' }).click();
    await ordering.waitFor({ state: 'detached' });
    await page.getByText('38 items short').waitFor();
    const { items } = await ask('GET', '/orders?order=desc&limit=3');
    expect(items.map(({ supplier }: OrderWithLines) => supplier).toSorted()).toEqual([
      'Kugellager Süd',
      'Ropes & more',
      'Seilerei Nord',
    ]);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('exports what is listed as CSV', async () => {
    const { page, goto } = await app.open();
    await goto(`/procurement/projects/${project}?q=stay-01`);
    await page.getByRole('status').getByText('10 items', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    const stream = await download.createReadStream();
    let text = '';
    for await (const piece of stream) text += piece;
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toContain('Item,Name,Supplier,Needed,Covered');
    expect(lines).toHaveLength(11);
    expect(text).toContain('Nothing of 6 needed');
    await app.leave(page);
  });

  test('has the supplier of an item proposed for a new order, and names the customer of a sale', async () => {
    const { page, goto } = await app.open();
    await goto('/procurement/orders');
    await page.getByRole('button', { name: 'New order' }).click();
    const dialog = page.getByRole('dialog', { name: 'New order' });
    await scan(page, 'Item', 'STAY-001');
    await expect.poll(() => dialog.getByLabel('Supplier').inputValue(), patience).toBe('Seilerei Nord');
    // The same supplier in other letters is no new one.
    await dialog.getByLabel('Supplier').fill('SEILEREI  nord');
    expect(await dialog.getByText('is a new supplier').count()).toBe(0);
    await dialog.getByLabel('Supplier').fill('Seilerei Ost');
    await dialog.getByLabel('“Seilerei Ost” is a new supplier').waitFor();
    // A sales order has a customer instead.
    await dialog.getByLabel('Type').selectOption('salesOrder');
    await dialog.getByLabel('Customer').fill('Harbour Nord');
    await scan(page, 'Shipped from', 'SH-B2');
    await dialog.getByLabel('Quantity', { exact: true }).fill('1');
    await dialog.getByLabel('Back order what is not there').check();
    await dialog.getByRole('button', { name: 'Order', exact: true }).click();
    await page.getByText('for Harbour Nord').waitFor();
    await app.leave(page);
  });

  test('prints the order without the controls of the app, with all of its lines', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => ({
      itemEntityId: partOf(`Stay rope ${at}, galvanised`),
      locationEntityId: shelf,
      quantity: at + 1,
    }));
    const order = await ask('POST', '/orders', { type: 'purchaseOrder', supplier: 'Seilerei Nord', lines });
    const { page, goto, settled, shoot } = await app.open({ scheme: 'dark' });
    await goto(`/procurement/orders/${order.id}`);
    await page.getByText('STAY-000').waitFor();
    await settled();
    await page.emulateMedia({ media: 'print' });
    const lineRows = page.getByRole('grid', { name: 'Lines' }).locator('[data-row]');
    await expect.poll(() => lineRows.count(), patience).toBe(40);
    await shoot('order-print');
    const shown = await page.locator('button:visible, nav:visible, a[href="#page"]:visible').allInnerTexts();
    expect(shown).toEqual([]);
    await page.getByText('from Seilerei Nord').waitFor();
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    const bottoms = await lineRows.evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
    expect(bottoms).toEqual(bottoms.toSorted((a, b) => a - b));
    expect(new Set(bottoms).size).toBe(40);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Print' }).waitFor();
    await app.leave(page);
  });

  test('names a supplier and its prices, and orders what is below its point', async () => {
    const item = partOf('Stay rope 9, galvanised');
    const { page, goto, settled, axe, shoot, complaints } = await app.open();
    await goto('/procurement/suppliers');
    await page.getByRole('button', { name: 'New supplier' }).click();
    const creating = page.getByRole('dialog', { name: 'New supplier' });
    await creating.getByLabel('Name').fill('Drahtwerk West');
    await creating.getByLabel('Currency').fill('eur');
    await creating.getByLabel('Lead time in days').fill('5');
    await settled();
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await creating.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Drahtwerk West' }).waitFor();

    await goto(`/entities/${item}/demand`);
    await page.getByRole('button', { name: 'Add a supplier part' }).click();
    const selling = page.getByRole('dialog', { name: 'New supplier part' });
    await selling.getByLabel('Supplier', { exact: true }).selectOption({ label: 'Drahtwerk West' });
    await selling.getByLabel('SKU').fill('DW-9');
    await selling.getByLabel('Quantity of a pack').fill('10');
    await selling.getByLabel('Prices').fill('1 0.5 EUR\n100 0.4 EUR');
    await settled();
    await shoot('supplier-part');
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await selling.getByRole('button', { name: 'Create' }).click();
    await page.getByText('0.50 EUR from 1, and 1 more price').waitFor();
    await page.getByLabel('In currency').fill('chf');
    await page.getByLabel('Beside revision').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Calculate cost' }).click();
    await page.getByText('Revision A:').waitFor();
    await page.getByText('EUR has no exchange rate to CHF.').first().waitFor();
    await page.setViewportSize({ width: 768, height: 900 });
    expect(await scrollsSideways(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Change reordering' }).click();
    const planning = page.getByRole('dialog', { name: /^Reordering of STAY-009/ });
    await planning.getByLabel('Policy').selectOption('reorderPoint');
    await planning.getByLabel('Reorder point').fill('95');
    await planning.getByRole('button', { name: 'Save' }).click();
    await planning.waitFor({ state: 'detached' });

    await goto('/procurement/reorder');
    await page.getByRole('heading', { name: 'Drahtwerk West' }).waitFor();
    // 10 are on their way: 85 are missing, in packs of 10.
    const offered = await page.getByRole('table', { name: /Drahtwerk West/ }).innerText();
    expect(offered).toMatch(/DW-9, 9 × 10, 0\.50 EUR, received on/);
    await settled();
    await shoot('reorder');
    expect(await axe()).toEqual([]);
    expect(await scrollsSideways(page)).toEqual([]);
    // Without an exchange rate the sum is in no other currency, and that is said.
    await page.getByLabel('Totals also in').fill('chf');
    await page.getByText('no exchange rate to CHF').first().waitFor();
    await ask('PUT', '/exchange-rates/EUR/CHF/2026-01-01', { rate: '0.9' });
    await page.reload();
    await page.getByLabel('Totals also in').fill('CHF');
    await page.getByText('All together: 45.00 EUR (40.50 CHF at the rates of today).').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await settled();
    await shoot('reorder-390');
    expect(await scrollsSideways(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByLabel(/^Order of STAY-009/).fill('50');
    await page.getByRole('button', { name: 'Order 1 item' }).click();
    const ordering = page.getByRole('dialog', { name: 'Order 1 item' });
    await scan(page, 'Received at', 'SH-B2');
    await ordering.getByRole('button', { name: 'Order', exact: true }).click();
    await page.getByText('from Drahtwerk West').waitFor();
    await page.getByText('Amount in EUR').waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('plans, leaves out what has changed since, and commits the rest', async () => {
    const requiredBy = inDays(30);
    for (const at of [1, 2])
      await ask('POST', '/requirements', {
        projectId: project,
        itemEntityId: await made('part', `Guy rope ${at}`, `GUY-00${at}`),
        requiredQty: 300,
        requiredBy,
      });
    const { page, goto, settled, axe, shoot, complaints } = await app.open();
    await goto('/procurement/reorder');
    await page.getByRole('link', { name: 'A planning run' }).click();
    await page.getByRole('button', { name: 'Start a planning run' }).click();
    const starting = page.getByRole('dialog', { name: 'Start a planning run' });
    await starting.getByLabel('Days to plan').fill('0');
    await starting.getByText('Days to plan: a whole number from 1 to 730.').waitFor();
    await starting.getByLabel('Days to plan').fill('90');
    await starting.getByLabel('Sun').uncheck();
    await settled();
    await shoot('plan-start');
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await starting.getByRole('button', { name: 'Start', exact: true }).click();
    const plan = page.getByRole('grid', { name: 'Actions of the plan' });
    const rope = (number: string) => plan.locator('[data-row]', { hasText: number });
    // Orders of the tests before are not needed: the plan says so, and has more rows than the screen.
    await page.getByRole('link', { name: /^order \(\d+\)$/ }).click();
    await rope('GUY-001').waitFor();
    await settled();
    await shoot('plan');
    expect(await axe()).toEqual([]);
    expect(await scrollsSideways(page)).toEqual([]);

    await stock('Guy rope 2', 1);
    for (const number of ['GUY-001', 'GUY-002']) await rope(number).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Commit', exact: true }).click();
    const committing = page.getByRole('dialog', { name: 'Commit 2 actions' });
    await expect
      .poll(() => committing.innerText(), patience)
      .toMatch(/2 lines of new orders: a purchase order for each supplier\. /);
    await scan(page, 'Received at', 'SH-B2');
    await committing.getByRole('button', { name: 'Commit', exact: true }).click();
    await page.getByText('have changed since the run for 1 action').waitFor();
    await page.getByRole('button', { name: 'Leave out 1 action' }).click();
    const rest = page.getByRole('dialog', { name: 'Commit 1 action' });
    await rest.getByRole('button', { name: 'Commit', exact: true }).click();
    await page.getByText('1 action committed, in 1 order.').waitFor();
    await page.goBack();
    await rope('GUY-002').getByRole('checkbox').check();
    await page.locator('#page').getByRole('button', { name: 'Dismiss', exact: true }).click();
    await rope('GUY-002').getByText('dismissed').waitFor();
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
    await page.getByRole('link', { name: /^Exceptions/ }).click();
    const exceptions = page.getByRole('grid', { name: 'Exceptions of the plan' });
    await exceptions.getByText('no lead time', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Plan again' }).click();
    const again = page.getByRole('dialog', { name: 'Start a planning run' });
    await again.getByRole('button', { name: 'Start', exact: true }).click();
    await again.waitFor({ state: 'detached' });
    await plan.waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('plans a part of the workspace as if a revision and a date were others', async () => {
    const { page, goto, settled, axe, shoot, complaints } = await app.open();
    await goto('/procurement/plans');
    await page.getByRole('button', { name: 'Start a planning run' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a planning run' });
    await dialog.getByLabel('Plan only a part of the workspace').check();
    await dialog.getByText('Choose a project, an item, a category or a location').waitFor();
    await dialog.getByLabel('Project', { exact: true }).fill('PRJ-7');
    await dialog.getByLabel('Project', { exact: true }).press('Enter');
    await dialog.getByRole('button', { name: 'Remove PRJ-7 Weather mast' }).waitFor();
    await dialog.getByRole('button', { name: 'Plan a whole project' }).click();
    await dialog.getByText('Project 1: choose the project.').waitFor();
    const needed = dialog.getByRole('group', { name: 'Project 1' });
    await needed.getByLabel('Project').fill('PRJ-7');
    await needed.getByLabel('Project').press('Enter');
    await needed.getByLabel('Quantity').fill('2');
    await dialog.getByText('Project 1: enter the day.').waitFor();
    await needed.getByLabel('Required by').fill(inDays(60));
    const suppose = async (button: string, group: string, number: string) => {
      await dialog.getByRole('button', { name: button }).click();
      await dialog.getByText(`${group}: choose the item.`).waitFor();
      const fields = dialog.getByRole('group', { name: group });
      await fields.getByLabel('Item').fill(number);
      await fields.getByLabel('Item').press('Enter');
      return fields;
    };
    const revised = await suppose('What if another revision were made?', 'Other revision 1', 'MST-1');
    await revised.getByLabel('Revision').selectOption({ index: 1 });
    const dated = await suppose('What if a date were another?', 'Other date 1', 'STAY-001');
    await dated.getByLabel('Order line or requirement').selectOption({ index: 1 });
    await dialog.getByText('Other date 1: enter the day.').waitFor();
    await dated.getByLabel('New date').fill(inDays(50));
    for (const width of [1280, 768, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 1800 });
        await page.emulateMedia({ colorScheme });
        await settled();
        await shoot(`plan-suppose-${width}-${colorScheme}`);
        expect(await scrollsSideways(page)).toEqual([]);
        expect(await axe({ within: '[role=dialog]', contrastOnly: colorScheme === 'dark' })).toEqual([]);
      }
    await dialog.getByRole('button', { name: 'Start a what-if run' }).click();
    await page.getByText('Other revisions').waitFor();
    await page.getByText('1 line or requirement').waitFor();
    await page.getByText('1 project', { exact: true }).waitFor();
    await page.getByText('PRJ-7 Weather mast, 2 by').waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('sees how the stock of a planned item goes on, and what each action is for', async () => {
    const mast = await made('assembly', 'Signal mast', 'SIG-1');
    const lamp = await made('part', 'Signal lamp', 'SIG-2');
    await ask('PUT', `/entities/${mast}/uses/${lamp}`, { quantity: 3 });
    await ask('PUT', `/planning/items/${mast}`, { policy: 'demand', makeOrBuy: 'make', leadTimeDays: 5 });
    await stock('Signal lamp', 4);
    const need = await ask('POST', '/requirements', {
      projectId: project,
      itemEntityId: mast,
      requiredQty: 10,
      requiredBy: inDays(40),
    });
    const run = await planned({ scope: { items: [mast] }, structure: 'released' });
    const { page, goto, settled, axe, shoot, complaints } = await app.open();
    await goto(`/entities/${lamp}/demand`);
    await page.getByRole('link', { name: 'Its projected stock in the newest plan' }).click();
    await page.getByRole('heading', { name: 'SIG-2 over time' }).waitFor();
    const chart = page.getByRole('img', { name: 'Projected stock of SIG-2' });
    const said = await page.getByText(/^Lowest: .* −26 if nothing is done, 0 with the plan$/).innerText();
    const days = chart.locator('text', { hasText: new RegExp(`^${/: (\d+ \w+)/.exec(said)?.[1]}$`) });
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/^\d.*−26 if nothing is done, 0 with the plan$/).waitFor();
    expect(await rowsOf(page, 'What comes, and what for')).toEqual([
      expect.stringMatching(`order 26 .*26 requirement ${need.number} .* SIG-1`),
    ]);
    expect(await rowsOf(page, 'What needs it')).toEqual([expect.stringContaining('proposal to make SIG-1')]);
    for (const width of [1280, 768, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 1400 });
        await page.emulateMedia({ colorScheme });
        await settled();
        await shoot(`plan-item-${width}-${colorScheme}`);
        await days.waitFor();
        expect(await scrollsSideways(page)).toEqual([]);
        expect(await axe({ contrastOnly: colorScheme === 'dark' })).toEqual([]);
      }
    await page.setViewportSize({ width: 1280, height: 900 });
    await goto(`/procurement/plans/${run.id}?item=${mast}`);
    await page.getByRole('grid', { name: 'Actions of the plan' }).getByText('Signal mast').click();
    await page.getByRole('heading', { name: 'SIG-1 over time' }).waitFor();

    // What is planned again keeps its scope and its structures.
    await ask('POST', '/requirements', {
      projectId: project,
      itemEntityId: mast,
      requiredQty: 5,
      requiredBy: inDays(40),
    });
    await goto(`/procurement/plans/${run.id}`);
    await page.getByText('Newest released revisions').waitFor();
    await page.getByRole('button', { name: 'Plan again' }).click();
    const again = page.getByRole('dialog', { name: 'Start a planning run' });
    expect(await again.getByLabel('Structures').inputValue()).toBe('released');
    expect(await again.getByLabel('Only 1 item, as the run before').isChecked()).toBe(true);
    await settled();
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await again.getByRole('button', { name: 'Start', exact: true }).click();
    await again.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Comparison' }).click();
    await page.getByLabel('Compare with').selectOption(run.id);
    await page.getByText('0 new, 0 gone, 2 changed').waitFor();
    expect((await rowsOf(page, 'Differences')).toSorted()).toEqual([
      expect.stringMatching('make SIG-1 Signal mast 15, was 10'),
      expect.stringMatching('order SIG-2 Signal lamp 41, was 26'),
    ]);
    for (const width of [1280, 768, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await settled();
      await shoot(`plan-comparison-${width}`);
      expect(await scrollsSideways(page)).toEqual([]);
      expect(await axe()).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('notes what is expected to be sold, and learns by when more can be promised', async () => {
    const item = await made('part', 'Anchor plate', 'ANC-1');
    await ask('PUT', `/planning/items/${item}`, { policy: 'demand' });
    await stock('Anchor plate', 12);
    const { page, goto, settled, axe, shoot, complaints } = await app.open();
    await goto(`/entities/${item}/demand`);
    await page.getByRole('button', { name: 'Add a forecast' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a forecast' });
    await adding.getByLabel('First day').fill(inDays(20));
    await adding.getByLabel('Last day').fill(inDays(10));
    await adding.getByText('The last day is not before the first.').waitFor();
    await adding.getByLabel('Last day').fill(inDays(40));
    await adding.getByLabel('Quantity').fill('8');
    await settled();
    await shoot('forecast-add');
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await adding.getByRole('button', { name: 'Save' }).click();
    await adding.waitFor({ state: 'detached' });
    // 8 of 12 are kept for the forecast: what is asked for beyond the rest takes an order.
    await page.getByLabel('Quantity to promise').fill('10');
    await page.getByRole('button', { name: 'Find the day' }).click();
    await page.getByText('not within a year').waitFor();
    expect(await rowsOf(page, 'Orders that the promise takes')).toEqual([
      expect.stringMatching('order ANC-1 6 .*no supplier'),
    ]);
    await page.getByText('1 item has no lead time, which counts as 0 days: ANC-1').waitFor();
    for (const width of [1280, 768, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 2000 });
        await page.emulateMedia({ colorScheme });
        await settled();
        expect(await scrollsSideways(page)).toEqual([]);
        expect(await axe({ contrastOnly: colorScheme === 'dark' })).toEqual([]);
      }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: /^Delete the forecast from/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No forecasts').waitFor();
    const planningRun = { id: item, day: inDays(0), horizonEndsOn: inDays(180) };
    await page.route('**/promise?*', async (route) =>
      route.fulfill({ json: { ...(await (await route.fetch()).json()), planningRun } }),
    );
    await page.getByRole('button', { name: 'Find the day' }).click();
    const said = /today, .*It rests on the planning run of/s;
    await page.getByRole('status').filter({ hasText: said }).waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('is warned before a part with stock becomes obsolete', async () => {
    const part = await made('part', 'Old clamp', 'CLMP-1');
    await stock('Old clamp', 4);
    for (const toState of ['In Review', 'Released'])
      await ask('POST', `/entities/${part}/transitions`, { toState });
    const { page, goto } = await app.open();
    await goto(`/entities/${part}`);
    await page.getByRole('button', { name: 'Change state' }).click();
    await page.getByRole('menuitem', { name: /Obsolete/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Make obsolete' });
    await dialog.getByText('CLMP-1 is still in use: 4 on hand.').waitFor();
    await dialog.getByRole('button', { name: 'Make obsolete' }).click();
    await page.getByText('CLMP-1 is Obsolete. CLMP-1 has 4 on hand.').waitFor();
    await app.leave(page);
  });

  test('sees which of many parts are still in use after moving them', async () => {
    for (const [name, number, quantity] of [
      ['Old hook', 'HOOK-1', 2],
      ['Old eye', 'HOOK-2', 0],
    ] as const) {
      const part = await made('part', name, number);
      if (quantity > 0) await stock(name, quantity);
      for (const toState of ['In Review', 'Released'])
        await ask('POST', `/entities/${part}/transitions`, { toState });
    }
    const { page, goto } = await app.open();
    await goto('/entities?category=part&q=HOOK');
    for (const number of ['HOOK-1', 'HOOK-2']) await page.getByLabel(`Select ${number} `).check();
    await page.getByRole('button', { name: 'Move to Obsolete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move to Obsolete' });
    await dialog.getByRole('button', { name: 'Move to Obsolete' }).click();
    await dialog.getByText('2 items of 2, 1 warning').waitFor();
    await dialog.getByText('HOOK-1 has 2 on hand.').waitFor();
    await app.leave(page);
  });

  test('sees the coming number of a new part, and that a number is taken', async () => {
    const { page, goto, settled, axe, shoot } = await app.open();
    await goto('/entities?new=1');
    const dialog = page.getByRole('dialog', { name: 'New entity' });
    await dialog.getByLabel('Category').selectOption({ label: 'Part' });
    await dialog.getByText(/Left empty, it is PRT-\d{6}\./).waitFor();
    await dialog.getByLabel('Name').fill('Twin');
    await dialog.getByLabel('Number').fill('STAY-005');
    await dialog.getByLabel('Name').focus();
    await dialog.getByText('STAY-005 is the number of Stay rope 5, galvanised too.').waitFor();
    await settled();
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    const { numbering, ...category } = await ask('GET', '/categories/part');
    await ask('PUT', '/categories/part', { ...category, numbering: { ...numbering, whenTaken: 'refuse' } });
    await page.reload();
    await dialog.getByLabel('Category').selectOption({ label: 'Part' });
    await dialog.getByLabel('Name').fill('Twin');
    await dialog.getByLabel('Number').fill('STAY-005');
    await dialog.getByLabel('Name').focus();
    await settled();
    await shoot('number-taken');
    await dialog.getByText('Another entity has the number.').waitFor();
    await ask('PUT', '/categories/part', { ...category, numbering });
    await app.leave(page);
  });
});
