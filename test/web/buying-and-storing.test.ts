// A day of whoever buys and of whoever keeps the stock, from the page where it begins to what stands in the book.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test as sampledTest } from 'vitest';
import type { OrderWithLines } from '../../web/client/operations.ts';
import { deepTest, sample } from '../setup/tier.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { scan } from './hands.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;

async function idOf(number: string): Promise<string> {
  const { items } = (await app.workspace.ask('GET', `/entities?number=${number}`)).body;
  return items[0].id;
}

/** A purchase order of its own for each test: quantities of standard parts, to the shelf. */
async function makeOrder(
  quantities: Readonly<Record<string, number>>,
  requiredBy?: string,
  { type = 'purchaseOrder', state }: { type?: OrderWithLines['type']; state?: string } = {},
): Promise<OrderWithLines> {
  const lines = [];
  for (const [number, quantity] of Object.entries(quantities)) {
    const item = await idOf(number);
    lines.push({ itemEntityId: item, locationEntityId: rover.shelf, quantity, requiredBy, state });
  }
  const { status, body, text } = await app.workspace.ask('POST', '/orders', { type, lines });
  expect(status, text).toBe(201);
  return body;
}

async function receivedOf({ id }: { id: string }): Promise<Record<string, number>> {
  const { lines } = (await app.workspace.ask('GET', `/orders/${id}`)).body as OrderWithLines;
  return Object.fromEntries(lines.map(({ itemNumber, receivedQty }) => [itemNumber, receivedQty]));
}

/** Somebody with a key of their own takes five screws from the shelf. */
async function takeFive(): Promise<void> {
  const { ask, slug } = app.workspace;
  const made = await ask('POST', '/api-keys', { name: 'Ada Storekeeper', permission: 'write' });
  expect(made.status, made.text).toBe(201);
  const { status, text } = await app.server.request(`/api/wid/${slug}/stock/adjustments`, {
    key: made.body.key,
    body: {
      itemEntityId: rover.screw,
      locationEntityId: rover.shelf,
      quantity: -5,
      note: 'For the museum',
    },
  });
  expect(status, text).toBe(201);
}

async function openReceipt(page: Page, { number }: { number: string | null }) {
  await page.getByRole('button', { name: 'Receive all open' }).click();
  const dialog = page.getByRole('dialog', { name: `Receive ${number}` });
  await dialog.waitFor();
  return { dialog, now: (item: string) => dialog.getByLabel(`Received now of ${item}`) };
}

describe.skipIf(browserMissing !== null)('who buys and who keeps the stock', () => {
  beforeAll(async () => {
    app = await startWebApp();
    rover = await makeRover(app.workspace);
    await takeFive();
  });
  afterAll(() => app.close());

  sampledTest.each(sample([390, 1280]))(
    'receive a delivery at %i pixels: part of it, then all that is open',
    async (width) => {
      const order = await makeOrder({ 'STD-0010': 10, 'STD-0011': 20.5, 'STD-0012': 30 });
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      await goto(`/procurement/orders/${order.id}`);
      const { dialog, now } = await openReceipt(page, order);
      // Everything open is proposed, and what that would do is said.
      await expect.poll(() => now('STD-0010').evaluate((one) => one === document.activeElement)).toBe(true);
      await dialog.getByText('This receives 3 lines in full; no line remains open.').waitFor();
      expect(await now('STD-0011').inputValue()).toBe('20.5');
      await settled();
      await shoot(`receive-all-${width}`);
      expect(await axe({ within: '[role=dialog]' })).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
      // With the keyboard alone: more than is open is refused beside the button, before anything is sent.
      await page.keyboard.press('ArrowDown');
      await page.keyboard.type('20.500001');
      const receive = dialog.getByRole('button', { name: /^Receive/ });
      await dialog.getByText('STD-0011: Only 20.5 open.').waitFor();
      expect(await receive.isDisabled()).toBe(true);
      await now('STD-0011').fill('8,25');
      await now('STD-0011').press('ArrowDown');
      await page.keyboard.press('Delete');
      await dialog.getByText('This receives 1 line in full, 1 line in part; 2 lines remain open.').waitFor();
      await dialog.getByLabel('Note').fill('Delivery note 7788');
      await page.keyboard.press('Enter');
      await page.getByText(`2 lines of ${order.number} received.`).waitFor();
      await dialog.waitFor({ state: 'detached' });
      expect(await receivedOf(order)).toEqual({ 'STD-0010': 10, 'STD-0011': 8.25, 'STD-0012': 0 });
      const { items } = (await app.workspace.ask('GET', '/stock/ledger?movementType=POReceipt&limit=2')).body;
      expect(items).toMatchObject([{ note: 'Delivery note 7788' }, { note: 'Delivery note 7788' }]);

      const rest = await openReceipt(page, order);
      await rest.dialog.getByText('This receives 2 lines in full; no line remains open.').waitFor();
      expect(await rest.now('STD-0010').count()).toBe(0);
      expect(await rest.now('STD-0011').inputValue()).toBe('12.25');
      await rest.dialog.getByRole('button', { name: 'Clear all' }).click();
      await rest.dialog.getByText('No line is received; 2 lines remain open.').waitFor();
      expect(await rest.dialog.getByRole('button', { name: 'Receive', exact: true }).isDisabled()).toBe(true);
      await rest.dialog.getByRole('button', { name: 'Use open quantities' }).click();
      await rest.dialog.getByRole('button', { name: 'Receive 2 lines' }).click();
      await rest.dialog.waitFor({ state: 'detached' });
      expect(await receivedOf(order)).toEqual({ 'STD-0010': 10, 'STD-0011': 20.5, 'STD-0012': 30 });
      await page.getByRole('button', { name: 'Receive all open' }).waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  deepTest(
    'book nothing of a delivery of which somebody else has received meanwhile, and see what is open now',
    async () => {
      const order = await makeOrder({ 'STD-0013': 10, 'STD-0014': 20 });
      const { page, goto } = await app.open();
      await goto(`/procurement/orders/${order.id}`);
      const { dialog, now } = await openReceipt(page, order);
      const [, second] = order.lines;
      const theirs = await app.workspace.ask('POST', `/stock/lines/${second?.id}/receipts`, { quantity: 15 });
      expect(theirs.status, theirs.text).toBe(201);
      await dialog.getByRole('button', { name: 'Receive 2 lines' }).click();
      await dialog.getByText('STD-0014: Only 5 open.').waitFor();
      expect(await receivedOf(order)).toEqual({ 'STD-0013': 0, 'STD-0014': 15 });
      await now('STD-0014').fill('5');
      await dialog.getByRole('button', { name: 'Receive 2 lines' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await receivedOf(order)).toEqual({ 'STD-0013': 10, 'STD-0014': 20 });
      await app.leave(page);
    },
  );

  sampledTest.each(sample([380, 768, 1280]))(
    'see at %i pixels who took five of a part last week',
    async (width) => {
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      for (const path of [
        '/stock/ledger',
        `/entities/${rover.screw}/stock`,
        `/entities/${rover.shelf}/stock`,
      ]) {
        await goto(path);
        const taken = page.getByRole('grid', { name: /^Ledger/ }).getByRole('row', { name: /−5\b/ });
        await taken.waitFor();
        await settled();
        await taken.scrollIntoViewIfNeeded();
        const words = (await taken.innerText()).replaceAll(/\s+/g, ' ');
        expect([path, words]).toEqual([
          path,
          expect.stringMatching(width < 640 ? /by Ada Storekeeper/ : /Ada/),
        ]);
        expect(await taken.getByText('Ada Storekeeper').isVisible()).toBe(true);
        // In sight, and not beyond an edge that has to be scrolled to.
        const box = await taken.getByText('Ada Storekeeper').boundingBox();
        expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
        await shoot(`ledger${path.replaceAll(/[^a-z]+/g, '-')}-${width}`);
        expect(await axe({ within: '[role=grid][aria-label^=Ledger]' })).toEqual([]);
      }
      // Of one part, too, for a time: nothing of it before tomorrow is nothing from tomorrow on.
      await goto(`/entities/${rover.screw}/stock`);
      await page.getByText(/^\d+ entr/).waitFor();
      // The chart above it comes last, and moves it.
      await settled();
      await page.getByRole('button', { name: 'Filter' }).click();
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
      await page.getByLabel('From', { exact: true }).fill(tomorrow);
      await page.keyboard.press('Enter');
      await page.getByText('No results').waitFor();
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  sampledTest.each(sample([390, 1280]))(
    'change at %i pixels how much of a line is ordered, and for when',
    async (width) => {
      const order = await makeOrder({ 'STD-0015': 10 }, '2199-01-15');
      const id = order.lines[0]?.id;
      await app.workspace.ask('POST', `/stock/lines/${id}/receipts`, { quantity: 4 });
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      await goto(`/procurement/orders/${order.id}`);
      await page.getByRole('button', { name: 'More for STD-0015' }).click();
      await page.getByRole('menuitem', { name: 'Change' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change the line of STD-0015' });
      await dialog.getByText('Nothing is changed yet.').waitFor();
      await settled();
      await shoot(`change-line-${width}`);
      expect(await axe({ within: '[role=dialog]' })).toEqual([]);
      const quantity = dialog.getByLabel('Quantity');
      expect(await quantity.inputValue()).toBe('10');
      expect(await quantity.evaluate((one) => one === document.activeElement)).toBe(true);
      await quantity.fill('3,5');
      await dialog.getByText('4 have come already.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Change', exact: true }).isDisabled()).toBe(true);
      await quantity.fill('12,5');
      await dialog.getByLabel('Required by').fill('2199-02-01');
      await dialog.getByLabel('Note').fill('They sell by the box');
      await page.keyboard.press('Enter');
      await page.getByText('The line of STD-0015 is for 12.5 now.').waitFor();
      await dialog.waitFor({ state: 'detached' });
      const read = async () => (await app.workspace.ask('GET', `/stock/lines/${id}`)).body;
      expect(await read()).toMatchObject({ quantity: 12.5, openQty: 8.5, requiredBy: '2199-02-01' });
      const row = page.getByRole('grid', { name: 'Lines' }).getByRole('row').filter({ hasText: 'STD-0015' });
      await row.getByText('8.5', { exact: true }).waitFor();
      await settled();
      await shoot(`changed-line-${width}`);

      // The day is taken away, and the trail has what there was.
      await page.getByRole('button', { name: 'More for STD-0015' }).click();
      await page.getByRole('menuitem', { name: 'Change' }).click();
      await dialog.getByLabel('Required by').fill('');
      await dialog.getByRole('button', { name: 'Change', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await read()).toMatchObject({ quantity: 12.5, requiredBy: null });
      await goto('/settings/audit');
      await page.getByText(`Stock line ${order.lines[0]?.number}`).first().waitFor();
      await settled();
      await shoot(`changed-line-audit-${width}`);
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  sampledTest.each(sample([380, 768, 1280]))(
    'see at %i pixels what was ordered and is overdue',
    async (width) => {
      const late = await makeOrder({ 'STD-0020': 7 }, '2026-01-15');
      const coming = await makeOrder({ 'STD-0021': 8 }, '2199-01-15');
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      await goto('');
      await page.getByRole('link', { name: 'View overdue deliveries' }).click();
      const row = ({ number }: OrderWithLines) =>
        page
          .getByRole('grid', { name: 'Lines of orders' })
          .getByRole('row')
          .filter({ hasText: number ?? '' });
      await row(late).getByText('15 Jan 2026, overdue').waitFor();
      expect(await row(coming).count()).toBe(0);
      await settled();
      await shoot(`overdue-${width}`);
      expect(await axe()).toEqual([]);
      await page.getByRole('button', { name: /^Remove filter Required before/ }).click();
      await row(coming).getByText('15 Jan 2199').waitFor();
      expect(await row(coming).getByText('overdue').count()).toBe(0);
      // The row is its order, where the line says the same; once all of it is there nothing is late any more.
      await row(late).getByRole('link').first().click();
      await page.getByRole('heading', { name: `Purchase order ${late.number}` }).waitFor();
      const told = page.getByText('15 Jan 2026, overdue');
      // A tablet has no room for the day of each line.
      if (width !== 768) await told.waitFor();
      await page.getByText('1 overdue', { exact: true }).waitFor();
      const receipt = await openReceipt(page, late);
      await receipt.dialog.getByRole('button', { name: 'Receive 1 line' }).click();
      await receipt.dialog.waitFor({ state: 'detached' });
      await told.waitFor({ state: 'detached' });
      await goto(`/procurement/lines?state=Ordered&requiredBefore=2026-02-01`);
      await page.getByText('No results').waitFor();
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  sampledTest.each(sample([380, 1280]))(
    'move stock at %i pixels: all of it is booked or nothing, and the ledger says where it went',
    async (width) => {
      const { ask } = app.workspace;
      const number = `SH-B${width}`;
      const made = await ask('POST', '/entities', { category: 'location', number, name: 'Shelf B' });
      expect(made.status, made.text).toBe(201);
      const onHand = async () => {
        const { items } = (await ask('GET', `/stock/positions/by-item/${rover.screw}`)).body;
        return Object.fromEntries(
          items.map((one: { locationNumber: string; onHand: number }) => [one.locationNumber, one.onHand]),
        );
      };
      const before = await onHand();
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      await goto('/stock');
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Move stock' });
      await scan(page, 'Item', 'SCR-M3');
      await dialog.getByText('Choose where it goes.').waitFor();
      await dialog.getByLabel('From', { exact: true }).selectOption(rover.shelf);
      // The field of a phone is too narrow for the whole place.
      await dialog.getByText('Shelf A1', { exact: true }).waitFor();
      await scan(page, 'To', 'SH-A1');
      await dialog.getByText('It is there already.').waitFor();
      await scan(page, 'To', number);
      await dialog.getByLabel('Quantity').fill('1000');
      await dialog.getByText(/^Only .* are available there\.$/).waitFor();
      await dialog.getByLabel('Quantity').fill('2,5');
      await dialog.getByLabel('Reason').fill('nearer to the bench');
      await dialog
        .getByText(`On hand at SH-A1 ${before['SH-A1']} → ${before['SH-A1'] - 2.5}, at ${number} 0 → 2.5`)
        .waitFor();
      await settled();
      await shoot(`move-${width}`);
      expect(await axe({ within: '[role=dialog]' })).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByText(`2.5 of SCR-M3 moved to ${number}.`).waitFor();
      expect(await onHand()).toEqual({ ...before, 'SH-A1': before['SH-A1'] - 2.5, [number]: 2.5 });
      const { items } = (await ask('GET', '/stock/ledger?limit=2')).body;
      expect(items.map((one: { note: string }) => one.note).toSorted()).toEqual([
        `SH-A1 → ${number}: nearer to the bench`,
        `SH-A1 → ${number}: nearer to the bench`,
      ]);

      // Somebody takes it away while the dialog is open: nothing is booked, neither here nor there.
      await goto(`/entities/${made.body.id}/stock`);
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      await scan(page, 'Item', 'SCR-M3');
      // What the page stands at is where it is taken from.
      await expect.poll(() => dialog.getByLabel('From', { exact: true }).inputValue()).toBe(made.body.id);
      await scan(page, 'To', 'SH-A1');
      await dialog.getByLabel('Quantity').fill('2.5');
      const taken = { itemEntityId: rover.screw, locationEntityId: made.body.id, quantity: -2 };
      expect((await ask('POST', '/stock/adjustments', taken)).status).toBe(201);
      await page.keyboard.press('Enter');
      await dialog.getByText('Only 0.5 are available there.').waitFor();
      expect(await onHand()).toMatchObject({ 'SH-A1': before['SH-A1'] - 2.5, [number]: 0.5 });
      // And the rest too: it is not taken from another place, which nobody has chosen.
      await dialog.getByLabel('Quantity').fill('0.5');
      expect((await ask('POST', '/stock/adjustments', { ...taken, quantity: -0.5 })).status).toBe(201);
      await page.keyboard.press('Enter');
      await dialog.getByText('Only 0 are available there.').waitFor();
      expect(await dialog.getByLabel('From', { exact: true }).inputValue()).toBe(made.body.id);
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  sampledTest.each(sample([380, 1280]))(
    'order at %i pixels what several requirements are open by, as one order',
    async (width) => {
      const { ask } = app.workspace;
      const raise = async (number: string, requiredQty: number) => {
        const body = {
          projectId: rover.project,
          itemEntityId: await idOf(number),
          requiredQty,
          requiredBy: '2199-03-01',
        };
        const { status, body: made, text } = await ask('POST', '/requirements', body);
        expect(status, text).toBe(201);
        return made;
      };
      const [bolt, nut, cover] = [
        await raise('STD-0030', 12),
        await raise('STD-0031', 4.5),
        await raise('STD-0032', 1),
      ];
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      await goto('/procurement/requirements');
      for (const { number } of [bolt, nut, cover]) await page.getByLabel(`Select ${number} `).check();
      await page.getByRole('button', { name: 'Order', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'New order from requirements' });
      await dialog.getByText('Choose a location.').waitFor();
      await scan(page, 'Received at', 'SH-A1');
      const now = (item: string) => dialog.getByLabel(`Ordered now of ${item}`);
      expect(await now('STD-0031').inputValue()).toBe('4.5');
      // A pack is more than is needed.
      await now('STD-0031').fill('5');
      await now('STD-0032').fill('');
      await settled();
      await shoot(`order-required-${width}`);
      expect(await axe({ within: '[role=dialog]' })).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
      // Somebody orders one of them first: nothing is ordered, and the requirement in the way is named.
      const theirs = await ask('POST', `/requirements/${nut.id}/orders`, {
        locationEntityId: rover.shelf,
        quantity: 4.5,
      });
      expect(theirs.status, theirs.text).toBe(201);
      await dialog.getByRole('button', { name: 'Order 2 lines' }).click();
      await dialog
        .getByText(new RegExp(`more than the 0 that requirement ${nut.number} has left`))
        .first()
        .waitFor();
      expect((await ask('GET', `/requirements/${bolt.id}`)).body.openQty).toBe(12);
      await now('STD-0031').fill('');
      await dialog.getByRole('button', { name: 'Order 1 line' }).click();
      await page.getByRole('heading', { name: /^Purchase order/ }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      expect((await ask('GET', `/orders/${id}`)).body.lines).toMatchObject([
        { itemNumber: 'STD-0030', quantity: 12, requirementId: bolt.id, requiredBy: '2199-03-01' },
      ]);
      const left = async ({ id: one }: { id: string }) =>
        (await ask('GET', `/requirements/${one}`)).body.openQty;
      expect([await left(bolt), await left(nut), await left(cover)]).toEqual([0, 0, 1]);
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  sampledTest.each(sample([390, 1280]))(
    'ship at %i pixels what a customer waits for, as much as there is',
    async (width) => {
      const [first, second] = width === 390 ? ['STD-0016', 'STD-0017'] : ['STD-0018', 'STD-0019'];
      const stock = async (number: string, quantity: number) => {
        const at = { itemEntityId: await idOf(number), locationEntityId: rover.shelf };
        const made = await app.workspace.ask('POST', '/stock/adjustments', { ...at, quantity });
        expect(made.status, made.text).toBe(201);
      };
      await stock(first as string, 10);
      await stock(second as string, 8);
      const sale = { type: 'salesOrder' } as const;
      const order = await makeOrder({ [first as string]: 10, [second as string]: 8 }, '2199-01-15', sale);
      // Somebody gives back what was reserved of the second, and five of it are promised to another.
      const [, released] = order.lines;
      await app.workspace.ask('POST', `/stock/lines/${released?.id}/releases`, { quantity: 8 });
      await makeOrder({ [second as string]: 5 }, undefined, sale);
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      await goto(`/procurement/orders/${order.id}`);
      await page.getByRole('button', { name: 'Ship all open' }).click();
      const dialog = page.getByRole('dialog', { name: `Ship ${order.number}` });
      await dialog.getByText('This ships 2 lines in full; no line remains open.').waitFor();
      await settled();
      await shoot(`ship-order-${width}`);
      expect(await axe({ within: '[role=dialog]' })).toEqual([]);
      await dialog.getByRole('button', { name: 'Ship 2 lines' }).click();
      await dialog.getByText('Only 3 available.').waitFor();
      await settled();
      await shoot(`ship-order-short-${width}`);
      await dialog.getByLabel(`Shipped now of ${second}`).fill('3');
      await dialog.getByText('This ships 1 line in full, 1 line in part; 1 line remains open.').waitFor();
      await dialog.getByLabel('Note').fill('Parcel 4711');
      await dialog.getByRole('button', { name: 'Ship 2 lines' }).click();
      await page.getByText(`2 lines of ${order.number} shipped.`).waitFor();
      await dialog.waitFor({ state: 'detached' });
      const { lines } = (await app.workspace.ask('GET', `/orders/${order.id}`)).body as OrderWithLines;
      expect(lines.map(({ state, shippedQty, openQty }) => [state, shippedQty, openQty])).toEqual([
        ['Shipped', 10, 0],
        ['Reserved', 3, 5],
      ]);
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  sampledTest.each(sample([390, 1280]))(
    'find at %i pixels the orders of a supplier, and say from whom one is',
    async (width) => {
      const order = await makeOrder({ 'STD-0021': 3 }, '2026-01-15');
      await makeOrder({ 'STD-0022': 3 }, '2199-01-15');
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      await goto(`/procurement/orders/${order.id}`);
      await page.getByRole('button', { name: 'Name the supplier' }).click();
      const dialog = page.getByRole('dialog', { name: `Supplier of ${order.number}` });
      await expect
        .poll(() =>
          dialog.getByLabel('Supplier', { exact: true }).evaluate((one) => one === document.activeElement),
        )
        .toBe(true);
      const name = `Kugellager Süd ${width}`;
      await page.keyboard.type(name);
      await settled();
      await shoot(`supplier-${width}`);
      expect(await axe({ within: '[role=dialog]' })).toEqual([]);
      // Enter alone makes no new supplier.
      await dialog.getByLabel(`“${name}” is a new supplier`).check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`${order.number} is from ${name}.`).waitFor();
      await settled();
      await shoot(`order-from-${width}`);
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
      // Its name leads to all of its orders, and one click to those that are late.
      await page.getByRole('link', { name }).click();
      await page.getByText(`Supplier: ${name}`).waitFor();
      await page.getByText('1 order', { exact: true }).waitFor();
      await settled();
      await shoot(`orders-from-${width}`);
      expect(await axe()).toEqual([]);
      await page.getByRole('link', { name: 'What is overdue' }).click();
      await page.getByText('Required before:').waitFor();
      const grid = page.getByRole('grid', { name: 'Orders' });
      await grid.getByText(String(order.number)).first().waitFor();
      await page.goBack();
      await page.getByText(`Supplier: ${name}`).waitFor();
      // Who opens a new order says it there.
      await page.getByRole('button', { name: 'New order' }).click();
      const fresh = page.getByRole('dialog', { name: 'New order' });
      await fresh.getByLabel('Supplier', { exact: true }).fill(name.toUpperCase());
      await scan(page, 'Item', 'STD-0023');
      await scan(page, 'Received at', 'SH-A1');
      await fresh.getByLabel('Quantity').fill('4');
      await fresh.getByRole('button', { name: 'Order', exact: true }).click();
      // A text would be found whatever its case, and what was said of the first order may still be read.
      await page.getByText(new RegExp(`from ${name.toUpperCase()}`)).waitFor();
      const { items } = (await app.workspace.ask('GET', `/orders?supplier=${encodeURIComponent(name)}`)).body;
      expect(items).toHaveLength(2);
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  deepTest(
    'read of an address with a day that is none what the service says of it, and mend it there',
    async () => {
      const { page, goto } = await app.open();
      for (const [path, chip] of [
        ['/procurement/orders?requiredBefore=2026-13-41', 'Required before: 2026-13-41'],
        ['/procurement/lines?requiredFrom=soon', 'Required from: soon'],
        ['/stock/ledger?from=yesterday', 'From: yesterday'],
      ] as const) {
        await goto(path);
        await page.getByText(chip).waitFor();
        await page.getByText('validation_failed').waitFor();
        // How many there are is not known: none would be an answer.
        expect(await page.locator('main').getByText(/^0 /).count()).toBe(0);
        await page.getByRole('button', { name: 'Filter', exact: true }).click();
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: `Remove filter ${chip}` }).click();
        await page.getByText('validation_failed').waitFor({ state: 'detached' });
      }
      await app.leave(page);
    },
  );

  sampledTest.each(sample([390, 1280]))(
    'find at %i pixels in the ledger of all what one person moved',
    async (width) => {
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      await goto('/stock/ledger');
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.getByLabel('By', { exact: true }).selectOption({ label: 'Ada Storekeeper' });
      await page.getByText('By: Ada Storekeeper').waitFor();
      await page.getByText('1 entry', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await settled();
      await shoot(`ledger-of-one-${width}`);
      expect(await axe()).toEqual([]);
      // The address has it: reloaded, and sent to somebody else, it shows the same.
      await page.reload();
      await page.getByText('By: Ada Storekeeper').waitFor();
      await page.getByText('1 entry', { exact: true }).waitFor();
      await page.getByText('For the museum').waitFor();
      await page.goBack();
      await page.getByText('By: Ada Storekeeper').waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  sampledTest.each(sample([390, 1280]))('begin at %i pixels a line that was a draft', async (width) => {
    const order = await makeOrder({ 'STD-0020': 6 }, undefined, { state: 'Draft' });
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
    await goto(`/procurement/orders/${order.id}`);
    await page
      .getByRole('grid', { name: 'Lines' })
      .getByRole('button', { name: 'Order', exact: true })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Order STD-0020' });
    await dialog.getByText('On order from then on: 6').waitFor();
    await settled();
    await shoot(`begin-line-${width}`);
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('6 of STD-0020 ordered.').waitFor();
    await page.getByRole('button', { name: 'Receive all open' }).waitFor();
    const { lines } = (await app.workspace.ask('GET', `/orders/${order.id}`)).body as OrderWithLines;
    expect(lines.map(({ state, openQty }) => [state, openQty])).toEqual([['Ordered', 6]]);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });
});
