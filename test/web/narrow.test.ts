// What stands at the edge of a narrow screen is there to be read and to be typed into, however long the names are.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test as sampledTest } from 'vitest';
import { sample, coreTest as test } from '../setup/tier.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';

const LONG_NAME = 'Low-side U-channel, 72 mm, anodised black, with countersunk holes for M4 on both flanges';
const LONG_SUPPLIER = 'Kugellager- und Präzisionsteilehandelsgesellschaft Süd mbH & Co. KG';

let app: WebApp;
let shelf: string;
let order: { id: string };
beforeAll(async () => {
  if (browserMissing !== null) return;
  app = await startWebApp();
  const must = async (path: string, body: unknown) => {
    const answer = await app.workspace.ask('POST', path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  };
  shelf = (await must('/entities', { category: 'location', number: 'A-01-01', name: 'Rack A, bay 01' })).id;
  const number = '1120-0002-0072-REV-C';
  const item = (await must('/entities', { category: 'part', number, name: LONG_NAME })).id;
  const at = { itemEntityId: item, locationEntityId: shelf };
  await must('/stock/adjustments', { ...at, quantity: 7 });
  order = await must('/orders', {
    type: 'purchaseOrder',
    supplier: LONG_SUPPLIER,
    lines: [{ ...at, quantity: 74, requiredBy: '2026-01-16' }],
  });
});
afterAll(() => app?.close());

/** Nothing around it cuts it off, and it is on the screen as a whole. */
async function expectWhole(one: Locator): Promise<void> {
  await one.waitFor();
  const cutBy = await one.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    if (left < 0 || right > innerWidth + 0.5) return 'the screen';
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      const box = around.getBoundingClientRect();
      if (
        getComputedStyle(around).overflowX !== 'visible' &&
        (right > box.right + 0.5 || left < box.left - 0.5)
      )
        return around.outerHTML.slice(0, 120);
    }
    return null;
  });
  expect(cutBy).toBeNull();
}

describe.skipIf(browserMissing !== null)('a narrow screen', () => {
  sampledTest.each(sample([375, 768, 1024]))(
    'shows at %i pixels the fields of a count whole',
    async (width) => {
      const { page, goto, settled, shoot } = await app.open({ width });
      await goto(`/stock/count?location=${shelf}`);
      const counted = page.getByLabel('Counted of 1120-0002-0072-REV-C');
      await counted.fill('5');
      await settled();
      await shoot(`narrow-count-${width}`);
      await expectWhole(counted);
      if (width > 640) await expectWhole(page.getByRole('cell', { name: '−2' }));
      await app.leave(page);
    },
  );

  sampledTest.each(sample([768, 1024]))('shows at %i pixels how much of an order is open', async (width) => {
    const { page, goto, settled, shoot } = await app.open({ width });
    await goto('/procurement/orders');
    const list = page.getByRole('grid', { name: 'Orders' });
    await list.getByText(LONG_SUPPLIER).waitFor();
    await settled();
    await shoot(`narrow-orders-${width}`);
    await expectWhole(list.getByText('1 of 1', { exact: true }));
    await app.leave(page);
  });

  sampledTest.each(sample([375, 768, 1024]))(
    'says at %i pixels of a line, once, that it is overdue',
    async (width) => {
      const { page, goto, settled, shoot } = await app.open({ width });
      await goto(`/procurement/orders/${order.id}`);
      const due = page.getByRole('grid', { name: 'Lines' }).getByText(/overdue/i);
      await settled();
      await shoot(`narrow-lines-${width}`);
      await expectWhole(due);
      await app.leave(page);
    },
  );

  test('shows at 820 pixels what is available, and how many of a line were ordered', async () => {
    const { page, goto, settled, shoot } = await app.open({ width: 820 });
    await goto('/stock/positions');
    await settled();
    await shoot('narrow-positions-820');
    await expectWhole(page.getByRole('columnheader', { name: 'Available' }));
    await goto(`/procurement/orders/${order.id}`);
    await settled();
    await expectWhole(page.getByRole('columnheader', { name: 'Quantity' }).first());
    await app.leave(page);
  });

  test('keeps at 375 pixels the filters of a list on the screen', async () => {
    const { page, goto, shoot } = await app.open({ width: 375 });
    await goto('/procurement/orders');
    await page.getByRole('button', { name: 'Filter' }).click();
    const supplier = page.getByLabel('Supplier', { exact: true });
    await supplier.getByRole('option', { name: LONG_SUPPLIER }).waitFor({ state: 'attached' });
    await shoot('narrow-filters');
    await expectWhole(supplier);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    await app.leave(page);
  });
});
