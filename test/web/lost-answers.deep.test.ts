// The service does what was asked and the answer is lost on its way: nothing is done twice, and nobody is told that it was not done.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderWithLines } from '../../web/client/operations.ts';
import { type AppPage, browserMissing, startWebApp, type WebApp } from './browser.ts';

let app: WebApp;
let items: string[];
let shelf: string;

async function must(method: string, path: string, body?: unknown) {
  const answer = await app.workspace.ask(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

const makeOrder = (quantities: readonly number[]): Promise<OrderWithLines> =>
  must('POST', '/orders', {
    type: 'purchaseOrder',
    lines: quantities.map((quantity, at) => ({
      itemEntityId: items[at],
      locationEntityId: shelf,
      quantity,
      state: 'Ordered',
    })),
  });

async function receivedOf({ id }: { id: string }): Promise<number[]> {
  const { lines } = (await must('GET', `/orders/${id}`)) as OrderWithLines;
  return lines.map(({ receivedQty }) => receivedQty);
}

/** The service does the next write to that address, and nobody hears of it. */
async function loseNext(page: Page, address: RegExp): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}

async function openReceipt({ page, goto }: AppPage, order: OrderWithLines) {
  await goto(`/procurement/orders/${order.id}`);
  await page.getByRole('button', { name: 'Receive all open' }).click();
  const dialog = page.getByRole('dialog', { name: `Receive ${order.number}` });
  await dialog.waitFor();
  await loseNext(page, /\/receipts$/);
  return {
    dialog,
    now: (item: string) => dialog.getByLabel(`Received now of ${item}`),
    told: () => dialog.getByText('it may have been done. Press again to be sure').waitFor(),
  };
}

describe.skipIf(browserMissing !== null)('of what was done and had no answer', () => {
  beforeAll(async () => {
    app = await startWebApp();
    const numbers = ['NUT-1', 'NUT-2'];
    items = [];
    for (const number of numbers)
      items.push((await must('POST', '/entities', { category: 'part', number, name: 'Nut' })).id);
    shelf = (await must('POST', '/entities', { category: 'location', number: 'A-01', name: 'Rack' })).id;
  });
  afterAll(() => app.close());

  test('a person presses again and it is done once, though the page proposes something else by then', async () => {
    const order = await makeOrder([10, 20]);
    const opened = await app.open();
    const { dialog, now, told } = await openReceipt(opened, order);
    await now('NUT-2').fill('8');
    await dialog.getByRole('button', { name: 'Receive 2 lines' }).click();
    await told();
    // The line that came in full is gone from the page, which was read anew.
    await now('NUT-1').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Receive 2 lines' }).click();
    await opened.page.getByText(`2 lines of ${order.number} received.`).waitFor();
    expect(await receivedOf(order)).toEqual([10, 8]);
  });

  test('a person sees what is open now, and what is changed is another request', async () => {
    const order = await makeOrder([100]);
    const opened = await app.open();
    const { dialog, now, told } = await openReceipt(opened, order);
    await now('NUT-1').fill('10');
    await dialog.getByRole('button', { name: 'Receive 1 line' }).click();
    await told();
    await dialog.getByRole('cell', { name: '90', exact: true }).waitFor();
    await now('NUT-1').fill('5');
    const send = dialog.getByRole('button', { name: 'Receive 1 line' });
    await send.click();
    await opened.page.getByText(`1 line of ${order.number} received.`).waitFor();
    expect(await receivedOf(order)).toEqual([15]);
  });

  test('a person cannot do another thing before the page could be read', async () => {
    const order = await makeOrder([100]);
    const opened = await app.open();
    const { dialog, now, told } = await openReceipt(opened, order);
    const reading = new RegExp(`/orders/${order.id}$`);
    await opened.page.route(reading, (route) => route.abort());
    await now('NUT-1').fill('10');
    await dialog.getByRole('button', { name: 'Receive 1 line' }).click();
    await told();
    await now('NUT-1').fill('12');
    await dialog.getByRole('button', { name: 'Receive 1 line' }).click();
    await dialog.getByText('look whether it was done, then press again').waitFor();
    expect(await receivedOf(order)).toEqual([10]);
    await opened.page.unroute(reading);
    await dialog.getByRole('cell', { name: '90', exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Receive 1 line' }).click();
    await opened.page.getByText(`1 line of ${order.number} received.`).waitFor();
    expect(await receivedOf(order)).toEqual([22]);
  });

  test('a person who cancels is told so, and sees it on the page', async () => {
    const order = await makeOrder([100]);
    const opened = await app.open();
    const { dialog, now, told } = await openReceipt(opened, order);
    await now('NUT-1').fill('35');
    await dialog.getByRole('button', { name: 'Receive 1 line' }).click();
    await told();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await opened.page.getByText('No answer came: it may have been done.').waitFor();
    await opened.page.getByText('65', { exact: true }).first().waitFor();
  });

  test('a person reserves for a project once, though what it asked for is covered by then', async () => {
    const project = (await must('POST', '/entities', { category: 'project', number: 'PRJ-9', name: 'Boat' }))
      .id;
    await must('PUT', `/entities/${project}/uses/${items[0]}`, { quantity: 6 });
    await must('POST', '/stock/adjustments', {
      itemEntityId: items[0],
      locationEntityId: shelf,
      quantity: 50,
    });
    const asked = await must('POST', '/requirements', {
      projectId: project,
      itemEntityId: items[0],
      requiredQty: 6,
    });
    const { page, goto } = await app.open();
    await goto(`/procurement/requirements/${asked.id}`);
    await page.getByRole('button', { name: 'Reserve', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Reserve NUT-1' });
    await dialog.getByLabel('Quantity').fill('4');
    await loseNext(page, /\/reservations$/);
    await dialog.getByRole('button', { name: 'Reserve', exact: true }).click();
    await dialog.getByText('it may have been done. Press again to be sure').waitFor();
    await dialog.getByRole('button', { name: 'Reserve', exact: true }).click();
    await page.getByText('4 × NUT-1 reserved.').waitFor();
    expect((await must('GET', `/requirements/${asked.id}`)).reservedQty).toBe(4);
  });

  test('a person who moves many is not told that they were refused', async () => {
    const { page, goto } = await app.open();
    await goto('/entities?category=part&q=NUT-2');
    await page.getByLabel('Select NUT-2 ').check();
    await loseNext(page, /\/transitions$/);
    await page
      .getByRole('button', { name: /^Move to / })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Move to / }).click();
    await dialog.getByText('No answer came: it may have been done.').waitFor();
  });
});
