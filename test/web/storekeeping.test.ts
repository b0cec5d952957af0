// What whoever keeps the store looks for: which order a movement came from, what is open, what lies where, and what a day means.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test as sampledTest, vi } from 'vitest';
import type { Order } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import { deepTest, sample, coreTest as test } from '../setup/tier.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { paste, scan } from './hands.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;
/** Of the rover: a hundred screws. */
let screws: Order;
/** Three lines, one of which has come. */
let mixed: Order;

async function ask(method: string, path: string, body?: unknown) {
  const answer = await app.workspace.ask(method, path, body);
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
  return answer.body;
}

const everyWidth = [360, 768, 1280];
const widths = sample(everyWidth);
const wide = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

/** How much of it lies beyond the screen, to the right. */
const cutOf = (one: Locator) =>
  one.evaluate((element) => Math.max(0, Math.round(element.getBoundingClientRect().right - innerWidth)));

describe.skipIf(browserMissing !== null)('who keeps the store', () => {
  beforeAll(async () => {
    app = await startWebApp();
    rover = await makeRover(app.workspace);
    screws = await ask('GET', `/orders/${rover.order}`);
    const at = { locationEntityId: rover.shelf };
    mixed = await ask('POST', '/orders', {
      type: 'purchaseOrder',
      supplier: 'Kugellager Süd',
      lines: [
        { ...at, itemEntityId: rover.screw, quantity: 70, requiredBy: '2026-01-16' },
        { ...at, itemEntityId: rover.wheel, quantity: 3, requiredBy: '2199-01-01' },
        { ...at, itemEntityId: rover.rover, quantity: 1 },
      ],
    });
    const { lines } = await ask('GET', `/orders/${mixed.id}`);
    await ask('POST', `/orders/${mixed.id}/receipts`, { lines: [{ lineId: lines[1].id, quantity: 3 }] });
    await ask('POST', `/orders/${mixed.id}/receipts`, { lines: [{ lineId: lines[0].id, quantity: 12 }] });
  });
  afterAll(() => app.close());

  /** The page as it was loaded, and turned to the other colours. */
  async function look(of: Awaited<ReturnType<WebApp['open']>>, name: string, width: number): Promise<void> {
    const { page, settled, axe, shoot } = of;
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`:root[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' });
      await settled();
      await shoot(`store-${name}-${scheme}-${width}`);
      expect(await axe({ contrastOnly: scheme === 'dark' })).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await wide(page)).toBe(0);
  }

  sampledTest.each(widths)(
    'reads at %i pixels which order a movement came from, and goes there',
    async (width) => {
      const opened = await app.open({ width });
      const { page, goto, complaints } = opened;
      const pages = [
        ['ledger', '/stock/ledger', 'Ledger'],
        ['ledger-item', `/entities/${rover.screw}/stock`, 'Ledger of the item'],
        ['ledger-location', `/entities/${rover.shelf}/stock`, 'Ledger of the location'],
      ] as const;
      for (const [name, path, label] of pages) {
        await goto(path);
        const ledger = page.getByRole('grid', { name: label, exact: true });
        await ledger.getByRole('link', { name: String(screws.number), exact: true }).waitFor();
        await ledger.scrollIntoViewIfNeeded();
        await look(opened, name, width);
      }
      await page
        .getByRole('link', { name: String(mixed.number), exact: true })
        .first()
        .click();
      await page.getByRole('heading', { name: new RegExp(String(mixed.number)) }).waitFor();
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  sampledTest.each(widths)('sees at %i pixels how many lines of an order are open', async (width) => {
    const opened = await app.open({ width });
    const { page, goto, complaints } = opened;
    await goto('/procurement/orders');
    const row = page.getByRole('row', { name: new RegExp(String(mixed.number)) });
    await row.getByText('2 of 3', { exact: true }).waitFor();
    // Screws, wheels and a rover are no sum.
    expect(await row.getByText('59', { exact: true }).count()).toBe(0);
    await look(opened, 'orders', width);
    // A view that was kept with the sum still has it.
    if (width === 1280) {
      await goto('/procurement/orders?columns=number,open');
      await row.getByText('59', { exact: true }).waitFor();
    }
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  sampledTest.each(sample([360, 744, 768, 820, 1024, 1280]))(
    'sees at %i pixels what came of a line, and when it is due',
    async (width) => {
      const opened = await app.open({ width });
      const { page, goto, complaints } = opened;
      await goto(`/procurement/orders/${mixed.id}`);
      const lines = page.getByRole('grid', { name: 'Lines' });
      await lines.getByRole('row', { name: /SCR-M3/ }).waitFor();
      for (const header of width < 640 ? [] : ['Item', 'Quantity', 'Received', 'Required by'])
        await lines.getByRole('columnheader', { name: header, exact: true }).waitFor();
      await look(opened, 'lines', width);
      expect(await lines.evaluate((grid) => grid.scrollWidth - grid.clientWidth)).toBe(0);
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  deepTest.each(everyWidth)('is told at %i pixels that a day is past, and may mean it', async (width) => {
    const opened = await app.open({ width });
    const { page, goto, complaints } = opened;
    await goto('/procurement/orders');
    await page.getByRole('button', { name: 'New order' }).click();
    await scan(page, 'Item', 'SCR-M3');
    await scan(page, 'Received at', 'SH-A1');
    await page.getByLabel('Quantity', { exact: true }).fill('5');
    const day = page.getByLabel('Required by', { exact: true });
    const past = page.getByText('This day is in the past.');
    await day.fill('2199-01-01');
    expect(await past.count()).toBe(0);
    await day.fill('2026-01-16');
    await past.waitFor();
    await look(opened, 'past-day', width);
    await page.getByRole('button', { name: 'Order', exact: true }).click();
    await page.getByRole('heading', { name: /Purchase order PO-/ }).waitFor();
    await page.getByText('16 Jan 2026').waitFor();
    // The same of a line that is changed.
    await page.getByRole('button', { name: /^More for/ }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    await past.waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    // And of many that are pasted: all of them are ready.
    await page.getByRole('button', { name: 'Add from a list' }).click();
    await paste(page, 'Item, row 1', 'SCR-M3\t4\t2026-01-16\nROV-110\t2\t2199-01-01');
    await page.getByText('Screw M3 × 8 Required by: this day is in the past.').waitFor();
    await page.getByText('2 lines ready.').waitFor();
    await look(opened, 'past-days', width);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  sampledTest.each(widths)('opens at %i pixels from anywhere a part, or its stock', async (width) => {
    const opened = await app.open({ width });
    const { page, goto, complaints } = opened;
    const begin = async (text: string) => {
      await goto('');
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text);
    };
    const isAt = (path: string) =>
      expect.poll(() => new URL(page.url()).pathname).toMatch(new RegExp(`${path}$`));
    await begin('SCR-M3');
    await page.getByRole('option', { name: 'Stock of SCR-M3' }).waitFor();
    await look(opened, 'palette', width);
    await page.getByRole('option', { name: 'Stock of SCR-M3' }).click();
    await isAt(`/entities/${rover.screw}/stock`);
    await begin('SCR-M3');
    await page.keyboard.press('Enter');
    await isAt(`/entities/${rover.screw}`);
    // Typed, and pressed before the answer is there.
    const held: (() => void)[] = [];
    await begin('SC');
    await page.getByRole('option', { name: /^SCR-M3/ }).waitFor();
    await page.route(/\/entities\?/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined);
    });
    await page.keyboard.type('R-M3');
    await page.keyboard.press('Shift+Enter');
    await vi.waitUntil(() => held.length > 0, patience);
    await page.getByRole('dialog', { name: 'Find an item or a page' }).waitFor();
    await page.unroute(/\/entities\?/);
    for (const go of held) go();
    await isAt(`/entities/${rover.screw}/stock`);
    // Of a location it is what lies there; an order has none, and is opened itself.
    await begin('SH-A1');
    await page.getByRole('option', { name: 'Stock of SH-A1' }).waitFor();
    await page.keyboard.press('Shift+Enter');
    await isAt(`/entities/${rover.shelf}/stock`);
    await begin(String(mixed.number));
    await page.getByRole('option', { name: new RegExp(String(mixed.number)) }).waitFor();
    await page.keyboard.press('Shift+Enter');
    await isAt(`/procurement/orders/${mixed.id}`);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  deepTest.each(everyWidth)(
    'edits properties at %i pixels when it is known which there are',
    async (width) => {
      const opened = await app.open({ width });
      const { page, goto, shoot } = opened;
      let answer: 'held' | 'refused' | 'given' = 'held';
      await page.route(/\/property-definitions/, async (route) => {
        await vi.waitUntil(() => answer !== 'held', patience);
        await (answer === 'refused' ? route.abort() : route.continue()).catch(() => undefined);
      });
      await goto(`/entities/${rover.wheel}/properties`);
      const edit = page.getByRole('button', { name: 'Edit' });
      await page.getByText('Looking…').waitFor();
      expect(await edit.isDisabled()).toBe(true);
      await shoot(`store-edit-waits-${width}`);
      answer = 'refused';
      await page.getByText('Which properties there are could not be looked up.').waitFor();
      expect(await edit.isDisabled()).toBe(true);
      await look(opened, 'edit-refused', width);
      answer = 'given';
      await page.getByRole('button', { name: 'Try again' }).click();
      await edit.click();
      await expect.poll(() => page.getByLabel('Material').inputValue()).toBe('Rubber');
      await app.leave(page);
    },
  );

  sampledTest.each(widths)(
    'sees at %i pixels of a location what is there, and on request what is not',
    async (width) => {
      const bin = (
        await ask('POST', '/entities', { category: 'location', number: `B-${width}`, name: 'Bin' })
      ).id;
      const move = (itemEntityId: string, quantity: number) =>
        ask('POST', '/stock/adjustments', { itemEntityId, locationEntityId: bin, quantity });
      await move(rover.screw, 7);
      await move(rover.wheel, 2);
      await move(rover.wheel, -2);
      const opened = await app.open({ width });
      const { page, goto, complaints } = opened;
      await goto(`/entities/${bin}`);
      await page.getByText('and 1 with none here').waitFor();
      await look(opened, 'location', width);
      await page.getByRole('link', { name: '1', exact: true }).click();
      const list = page.getByRole('grid', { name: 'Positions at the location' });
      await list.getByText('SCR-M3').waitFor();
      await page.getByText('1 position', { exact: true }).waitFor();
      expect(await list.getByText('ROV-110').count()).toBe(0);
      await look(opened, 'location-stock', width);
      await page.getByRole('link', { name: 'Also items with none here' }).click();
      await list.getByText('ROV-110').waitFor();
      await page.getByText('2 positions', { exact: true }).waitFor();
      await look(opened, 'location-stock-all', width);
      for (const name of ['Move', 'Adjust'])
        expect(await cutOf(page.getByRole('button', { name, exact: true }).first())).toBe(0);
      await page.getByRole('link', { name: 'Only what is here' }).click();
      await page.getByText('1 position', { exact: true }).waitFor();
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  sampledTest.each(widths)(
    'tracks an item at %i pixels, adds a lot, and follows it to where it went',
    async (width) => {
      const lot = `L-${width}`;
      const glue = await ask('POST', '/entities', {
        category: 'part',
        number: `GL-${width}`,
        name: 'Adhesive',
      });
      const opened = await app.open({ width });
      const { page, goto, complaints } = opened;
      await goto(`/entities/${glue.id}/stock`);
      await page.getByText('Not tracked').waitFor();
      await page.getByRole('button', { name: 'Change tracking', exact: true }).click();
      await page.getByLabel('Tracked').selectOption('lot');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page
        .getByRole('definition')
        .filter({ hasText: /^By lot$/ })
        .waitFor();
      await page.getByRole('button', { name: 'Adjust', exact: true }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Adjust stock' });
      await scan(page, 'Location', String((await ask('GET', `/entities/${rover.shelf}`)).number));
      await dialog.getByLabel('Quantity').fill('5');
      await dialog.getByLabel('Lot', { exact: true }).fill(lot);
      await dialog.getByLabel('Expires').fill('2999-01-31');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await goto(`/stock/count?location=${rover.shelf}`);
      await page.getByRole('button', { name: `Lots of GL-${width}` }).click();
      await page.getByLabel(`Counted of GL-${width}, ${lot}`).fill('4');
      await page.getByLabel(`Another lot of GL-${width}`).fill(`${lot}-B`);
      await page.keyboard.press('Enter');
      await page.getByLabel(`Counted of GL-${width}, ${lot}-B`).fill('1');
      await look(opened, 'count-lots', width);
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('button', { name: 'Apply 2 corrections' }).click();
      await page.getByText('2 positions corrected.').waitFor();
      const { items: counted } = await ask('GET', `/stock/lots?itemEntityId=${glue.id}`);
      expect(counted.map((one: { onHand: number }) => one.onHand)).toEqual([4, 1]);
      await goto(`/entities/${glue.id}/stock`);
      const { line } = await ask('POST', '/stock/lines', {
        type: 'salesOrder',
        itemEntityId: glue.id,
        locationEntityId: rover.shelf,
        quantity: 2,
      });
      await ask('POST', `/stock/lines/${line.id}/shipments`, { quantity: 2, lots: 'firstExpired' });
      await look(opened, 'item-lots', width);
      await page
        .getByRole('grid', { name: 'Lots of the item' })
        .getByRole('link', { name: lot, exact: true })
        .click();
      const trace = page.getByRole('list', { name: 'Used for, and shipped to' });
      await trace.getByRole('link', { name: String(line.orderNumber) }).waitFor();
      await page.getByRole('button', { name: 'Change status', exact: true }).click();
      await page.getByLabel('Status', { exact: true }).selectOption('quarantine');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page
        .getByRole('definition')
        .filter({ hasText: /^Quarantine$/ })
        .waitFor();
      await look(opened, 'lot', width);
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  test('receives goods in transit, and says why the rest does not come', async () => {
    const [{ id: van }, { id: nail }] = await Promise.all([
      ask('POST', '/entities', { category: 'location', name: 'Van' }),
      ask('POST', '/entities', { category: 'part', name: 'Nail', number: 'NAIL' }),
    ]);
    const place = { itemEntityId: nail, locationEntityId: rover.shelf };
    await ask('POST', '/stock/adjustments', { ...place, quantity: 10 });
    const { locationEntityId: fromLocationEntityId, itemEntityId } = place;
    const line = { itemEntityId, fromLocationEntityId, toLocationEntityId: van, quantity: 10 };
    await ask('POST', '/stock/transfers', { lines: [line], inTransit: true });
    const { page, goto, axe, complaints } = await app.open();
    await goto(`/entities/${nail}/stock`);
    const grid = page.getByRole('grid', { name: 'Positions of the item' });
    await grid.getByRole('columnheader', { name: 'In transit' }).waitFor();
    await page.getByRole('definition').filter({ hasText: /^10$/ }).first().waitFor();
    await goto('/stock/transfers');
    await page.getByRole('button', { name: /^Receive NAIL at / }).click();
    const dialog = page.getByRole('dialog', { name: 'Receive: NAIL' });
    await dialog.getByLabel('Quantity that arrived').fill('8');
    await dialog.getByRole('checkbox', { name: 'Nothing more arrives' }).check();
    await dialog.getByText('Say why the quantity differs.').waitFor();
    await dialog.getByLabel('Reason of the difference').selectOption('scrap');
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: 'Receive' }).click();
    await page.getByText('The transfer is received.').waitFor();
    await page.getByText('Nothing is in transit').waitFor();
    await goto('/stock/ledger');
    await page.getByText('No longer in transit').first().waitFor();
    const { items } = await ask('GET', `/stock/positions/by-item/${nail}?stocked=true`);
    expect(items).toMatchObject([{ locationEntityId: van, onHand: 8, onOrder: 0 }]);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  sampledTest.each(widths)('counts in another unit of the item at %i pixels', async (width) => {
    const cable = await ask('POST', '/entities', {
      category: 'part',
      number: `CB-${width}`,
      name: 'Ferrule, in reels',
    });
    const units = [{ unit: 'reel', numerator: 4000, denominator: 1 }];
    await ask('PUT', `/stock/units/${cable.id}`, { baseUnit: 'pcs', units });
    const at = { itemEntityId: cable.id, locationEntityId: rover.shelf };
    await ask('POST', '/stock/adjustments', { ...at, quantity: 7999 });
    const opened = await app.open({ width });
    const { page, goto, complaints } = opened;
    await goto(`/stock/count?location=${rover.shelf}`);
    await page.getByLabel(`Counted of CB-${width}`).fill('2');
    await page.getByLabel(`Unit of CB-${width}`).selectOption('reel');
    await page.getByText('= 8,000 pcs').waitFor();
    await look(opened, 'count-units', width);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Apply 1 correction' }).click();
    await page.getByText('1 position corrected.').waitFor();
    const { items } = await ask('GET', `/stock/ledger/by-item/${cable.id}?limit=1`);
    expect(items[0]).toMatchObject({ quantity: 1, onHandAfter: 8000 });
    expect(complaints).toEqual([]);
  });

  sampledTest.each(widths)(
    'reads at %i pixels what stock is worth, and gives it another cost',
    async (width) => {
      const opened = await app.open({ width });
      const { page, goto, complaints } = opened;
      await goto('/settings/stock');
      await page.getByLabel('Value stock').selectOption('fifo');
      // At another width it was begun before.
      const currency = page.getByLabel('Currency of the value');
      if (await currency.isEnabled()) {
        await currency.fill('eur');
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Settings saved.').waitFor();
      }
      await look(opened, 'settings-costing', width);
      const part = { category: 'part', number: `GEM-${width}`, name: 'Gear motor' };
      const [{ id: gear }, { id: place }] = await Promise.all([
        ask('POST', '/entities', part),
        ask('POST', '/entities', { category: 'location', number: `VAULT-${width}`, name: 'Vault' }),
      ]);
      const at = { itemEntityId: gear, locationEntityId: place };
      await ask('POST', '/stock/adjustments', { ...at, quantity: 10, unitCost: { price: '2.5' } });
      await ask('POST', '/stock/adjustments', { ...at, quantity: 4 });
      await goto(`/stock/value?below=${place}`);
      const row = page.getByRole('row', { name: new RegExp(`GEM-${width}`) });
      await row.getByText('25.00 EUR', { exact: true }).waitFor();
      await row.getByText('4 unknown').waitFor();
      const known = page.getByRole('definition').filter({ hasText: '25.00 EUR' });
      await known.waitFor();
      await look(opened, 'value', width);
      await row.getByRole('button', { name: `Revalue GEM-${width}` }).click();
      const dialog = page.getByRole('dialog', { name: `Revalue: GEM-${width}` });
      await dialog.getByLabel('Cost of one base unit').fill('3');
      await look(opened, 'revalue', width);
      await dialog.getByRole('button', { name: 'Revalue' }).click();
      await page.getByText('14 on hand: 25.00 EUR before, 42.00 EUR now.').waitFor();
      await known.waitFor({ state: 'detached' });
      await goto(`/entities/${gear}/stock`);
      const layers = page.getByRole('grid', { name: 'Cost layers of the item' });
      await layers.getByText('30.00 EUR', { exact: true }).waitFor();
      await layers.scrollIntoViewIfNeeded();
      await look(opened, 'item-value', width);
      await layers.getByRole('button', { name: /^Revalue 4 at VAULT/ }).click();
      await page.getByLabel('Cost of one base unit').fill('1,5');
      await page.getByRole('dialog').getByRole('button', { name: 'Revalue' }).click();
      await layers.getByText('6.00 EUR', { exact: true }).waitFor();
      expect(await ask('GET', `/stock/value/total?below=${place}`)).toMatchObject({
        value: '36',
        unknownItems: 0,
      });
      await page.getByRole('button', { name: 'Standard cost', exact: true }).click();
      const standard = page.getByRole('dialog', { name: `Standard cost: GEM-${width}` });
      await standard.getByLabel('Cost of one base unit in EUR').fill('2,5');
      await look(opened, 'standard-cost', width);
      await standard.getByRole('button', { name: 'Set standard cost' }).click();
      await page.getByText('on hand: 36.00 EUR before, 35.00 EUR now.').waitFor();
      await ask('POST', '/stock/adjustments', { ...at, quantity: 2, unitCost: { price: '3' } });
      await page.reload();
      const paid = page.getByRole('grid', { name: 'What was paid compared with the standard cost' });
      await paid.getByText('1.00 EUR', { exact: true }).waitFor();
      await page.getByText('Arrived at a price').scrollIntoViewIfNeeded();
      await look(opened, 'variances', width);
      await page.getByRole('button', { name: 'Standard cost', exact: true }).click();
      await standard.getByRole('button', { name: 'Remove standard cost' }).click();
      await page.getByText('Standard cost removed.').waitFor();
      const lines = [1, 2].map(() => ({ ...at, quantity: 10, price: '2', currency: 'EUR' }));
      const order = await ask('POST', '/orders', { type: 'purchaseOrder', lines });
      await goto(`/procurement/orders/${order.id}`);
      await page.getByRole('button', { name: 'Receive all open' }).click();
      const receipt = page.getByRole('dialog', { name: `Receive ${order.number}` });
      await receipt.getByLabel('State what it cost').check();
      await receipt.getByLabel(/^Cost of one of .*line 1$/).fill('three');
      await receipt.getByText('A cost is a number such as 1.25').first().waitFor();
      await receipt.getByLabel(/^Cost of one of .*line 1$/).fill('3,5');
      await look(opened, 'receive-cost', width);
      await receipt.getByRole('button', { name: 'Receive 2 lines' }).click();
      await receipt.waitFor({ state: 'detached' });
      expect(await ask('GET', `/stock/value/total?below=${place}`)).toMatchObject({ value: '95' });
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );
});
