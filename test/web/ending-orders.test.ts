// A buyer's order comes to its end, and two people work on the same line of one.
import { afterAll, beforeAll, describe, expect, test as sampledTest, vi } from 'vitest';
import type { OrderWithLines } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import { deepTest, sample, coreTest as test } from '../setup/tier.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';

let app: WebApp;
let item: string;
let shelf: string;
const must = async (method: string, path: string, body?: unknown) => {
  const answer = await app.workspace.ask(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
};
const makeOrder = (quantities: readonly number[], type = 'purchaseOrder'): Promise<OrderWithLines> =>
  must('POST', '/orders', {
    type,
    lines: quantities.map((quantity) => ({ itemEntityId: item, locationEntityId: shelf, quantity })),
  });
beforeAll(async () => {
  if (browserMissing !== null) return;
  app = await startWebApp();
  item = (await must('POST', '/entities', { category: 'part', number: 'NUT-4', name: 'Nut M4' })).id;
  shelf = (await must('POST', '/entities', { category: 'location', number: 'A-01', name: 'Rack A' })).id;
});
afterAll(() => app?.close());

describe.skipIf(browserMissing !== null)('an order', () => {
  sampledTest.each(sample([375, 1280]))(
    'is cancelled, or closed and opened again, at %i pixels from its page',
    async (width) => {
      const order = await makeOrder([10, 20]);
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      await goto(`/procurement/orders/${order.id}`);
      await page.getByRole('button', { name: 'Close or Cancel' }).click();
      await page.getByRole('menuitem', { name: 'Cancel the order' }).click();
      const dialog = page.getByRole('dialog', { name: `Cancel ${order.number}?` });
      await dialog.getByText('2 lines with 30 open end with it, and are no longer on order.').waitFor();
      await dialog.getByLabel('Note').fill('The supplier has ceased trading');
      await settled();
      await shoot(`cancel-order-${width}`);
      expect(await axe({ within: '[role=dialog]' })).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
      await dialog.getByRole('button', { name: 'Cancel the order' }).click();
      await page.getByText(`${order.number} is Cancelled.`).waitFor();
      await page.getByRole('button', { name: 'Receive all open' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Add a line' }).waitFor({ state: 'detached' });
      const { state, lines } = (await must('GET', `/orders/${order.id}`)) as OrderWithLines;
      expect([state, ...lines.map((line) => [line.state, line.receivedQty, line.openQty])]).toEqual([
        'Cancelled',
        ['Cancelled', 0, 0],
        ['Cancelled', 0, 0],
      ]);

      const done = await makeOrder([3]);
      await must('POST', `/orders/${done.id}/receipts`, {});
      await goto(`/procurement/orders/${done.id}`);
      // The order closed by itself with its last receipt.
      await page.getByRole('button', { name: 'Reopen' }).click();
      await page.getByRole('menuitem', { name: 'Reopen the order' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reopen the order' }).click();
      await page.getByText(`${done.number} is Open.`).waitFor();
      await page.getByRole('button', { name: 'Add a line' }).waitFor();
      await page.getByRole('button', { name: 'Close or Cancel' }).click();
      await page.getByRole('menuitem', { name: 'Close the order' }).click();
      await page.getByText('No line is open: only the order itself changes.').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText(`${done.number} is Closed.`).waitFor();
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  deepTest('shows whoever receives a line what somebody else has received of it meanwhile', async () => {
    const order = await makeOrder([60]);
    const { page, goto } = await app.open();
    await goto(`/procurement/orders/${order.id}`);
    await page.getByRole('grid').getByRole('button', { name: 'Receive', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Receive NUT-4' });
    await dialog.getByText('Open: 60 of 60.').waitFor();
    await must('POST', `/stock/lines/${order.lines[0]?.id}/receipts`, { quantity: 45 });
    const receive = dialog.getByRole('button', { name: 'Receive', exact: true });
    await receive.click();
    await dialog.getByText('Open: 15 of 60.').waitFor();
    await dialog.getByText('Only 15 open.').waitFor();
    expect(await dialog.getByLabel('Quantity').inputValue()).toBe('60');
    expect(await receive.isDisabled()).toBe(true);
    await dialog.getByLabel('Quantity').fill('15');
    await receive.click();
    await page.getByText('15 of NUT-4 received at A-01.').waitFor();
    expect(((await must('GET', `/orders/${order.id}`)) as OrderWithLines).totals.openQty).toBe(0);
    await app.leave(page);
  });

  test('is corrected where a receipt was wrong, and goods of it go back', async () => {
    const order = await makeOrder([42]);
    await must('POST', `/orders/${order.id}/receipts`, {});
    const { page, goto, axe, complaints } = await app.open();
    await goto(`/procurement/orders/${order.id}`);
    await page.getByRole('button', { name: 'Correct', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Quantity to take back').fill('2');
    await dialog.getByLabel('Why').fill('Counted 40');
    await dialog.getByText('received 42 → 40, Received → Ordered').waitFor();
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('2 × NUT-4 taken back.').waitFor();

    await page.getByRole('button', { name: 'Return', exact: true }).click();
    await dialog.getByRole('columnheader', { name: 'From' }).waitFor();
    await dialog.getByLabel('Taken from (by default the location of each line)').waitFor();
    await dialog.getByLabel('Return now of NUT-4, line 1').fill('5');
    await dialog.getByLabel('The supplier replaces it').check();
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: 'Return 1 line' }).click();
    await page.getByText(`1 line of ${order.number} returned.`).waitFor();
    const { state, totals } = (await must('GET', `/orders/${order.id}`)) as OrderWithLines;
    expect([state, totals.receivedQty, totals.returnedQty, totals.openQty]).toEqual(['Open', 40, 5, 7]);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('is received, returned and shipped with the lots of each line', async () => {
    const lotted = (await must('POST', '/entities', { category: 'part', number: 'GLUE', name: 'Glue' })).id;
    await must('PUT', `/stock/tracking/${lotted}`, { tracking: 'lot' });
    const order: OrderWithLines = await must('POST', '/orders', {
      type: 'purchaseOrder',
      lines: [lotted, item].map((itemEntityId) => ({ itemEntityId, locationEntityId: shelf, quantity: 10 })),
    });
    const { page, goto, axe, complaints } = await app.open({ width: 375 });
    await goto(`/procurement/orders/${order.id}`);
    await page.getByRole('button', { name: 'Receive all open' }).click();
    const dialog = page.getByRole('dialog');
    const lots = dialog.getByLabel('Lots of GLUE, line 1');
    // A scanner that sends no Enter: its label is read as soon as the field loses the focus.
    await lots.fill('L-1 = 4, (01)08806388269617(10)L-9');
    await lots.blur();
    await vi.waitUntil(async () => (await lots.inputValue()) === 'L-1 = 4, L-9', patience);
    await lots.fill('L-1 = 4, L-2 = 5');
    await dialog.getByText('GLUE: The lots add up to 9, not 10.').waitFor();
    expect(await dialog.getByLabel('Lots of NUT-4, line 2').count()).toBe(0);
    await lots.fill('L-1 = 4, L-2 = 6');
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    await dialog.getByRole('button', { name: 'Receive 2 lines' }).click();
    await page.getByText(`2 lines of ${order.number} received.`).waitFor();
    const inStock = async (id: string) =>
      (await must('GET', `/stock/lots?itemEntityId=${id}`)).items.map(
        ({ number, onHand }: { number: string; onHand: number }) => [number, onHand],
      );
    expect(await inStock(lotted)).toEqual([
      ['L-1', 4],
      ['L-2', 6],
    ]);

    await page.getByRole('button', { name: 'Return', exact: true }).click();
    await dialog.getByLabel('Return now of GLUE, line 1').fill('1');
    await lots.fill('L-2');
    await dialog.getByRole('button', { name: 'Return 1 line' }).click();
    await page.getByText(`1 line of ${order.number} returned.`).waitFor();

    const sale: OrderWithLines = await must('POST', '/orders', {
      type: 'salesOrder',
      lines: [{ itemEntityId: lotted, locationEntityId: shelf, quantity: 5 }],
    });
    await goto(`/procurement/orders/${sale.id}`);
    await page.getByRole('button', { name: 'Ship all open' }).click();
    await dialog.getByLabel('Take the lots that expire first').check();
    await dialog.getByRole('button', { name: 'Ship 1 line' }).click();
    await page.getByText(`1 line of ${sale.number} shipped.`).waitFor();
    expect(await inStock(lotted)).toEqual([
      ['L-1', 0],
      ['L-2', 4],
    ]);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('proposes to reserve exactly what is open and not reserved', async () => {
    await must('POST', '/stock/adjustments', { itemEntityId: item, locationEntityId: shelf, quantity: 5 });
    const order = await makeOrder([0.3], 'salesOrder');
    await must('POST', `/stock/lines/${order.lines[0]?.id}/releases`, { quantity: 0.2 });
    const { page, goto } = await app.open();
    await goto(`/procurement/orders/${order.id}`);
    await page.getByRole('button', { name: 'More for NUT-4' }).click();
    await page.getByRole('menuitem', { name: 'Reserve' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reserve NUT-4' });
    expect(await dialog.getByLabel('Quantity').inputValue()).toBe('0.2');
    await dialog.getByRole('button', { name: 'Reserve', exact: true }).click();
    await page.getByText('0.2 of NUT-4 reserved at A-01.').waitFor();
    await app.leave(page);
  });
});
