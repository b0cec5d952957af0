// How whoever buys narrows and sorts what there is to come, and says from whom it is ordered.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Category, Order, StockLine } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { paste, scan } from './hands.ts';
import { scrollsSideways } from './keyboard-and-edges.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;

async function ask(method: string, path: string, body?: unknown) {
  const answer = await app.workspace.ask(method, path, body);
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
  return answer.body;
}

async function makeOrder(supplier: string | null, ...days: (string | undefined)[]): Promise<Order> {
  const lines = days.map((requiredBy) => ({
    itemEntityId: rover.wheel,
    locationEntityId: rover.shelf,
    quantity: 4,
    requiredBy,
  }));
  return ask('POST', '/orders', { type: 'purchaseOrder', supplier, lines });
}

/** What the rows of a list say first, from the top. */
async function rowsOf(page: Page, grid: string): Promise<string[]> {
  const rows = page.getByRole('grid', { name: grid }).locator('[data-row]');
  return (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
}

const filterOf = (page: Page) => page.getByRole('button', { name: 'Filter', exact: true }).click();
const wide = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

describe.skipIf(browserMissing !== null)('who buys', () => {
  beforeAll(async () => {
    app = await startWebApp();
    rover = await makeRover(app.workspace);
    // A workspace of its own ways: what was confirmed by the supplier has a state.
    const { items } = await ask('GET', '/categories');
    const { lifecycle } = items.find(({ behaviour }: Category) => behaviour === 'purchaseOrder') as Category;
    const { key: _, ...drawn } = await ask('GET', `/lifecycles/${lifecycle}`);
    await ask('PUT', `/lifecycles/${lifecycle}`, {
      ...drawn,
      states: [...drawn.states, { name: 'Confirmed', released: false }],
      transitions: [
        ...drawn.transitions,
        { id: 'confirm', name: 'Confirm', from: 'Open', to: 'Confirmed', featureAutomations: [] },
      ],
    });
    const confirmed = await makeOrder('Zellwerk', '2026-02-01');
    await ask('POST', `/entities/${confirmed.id}/transitions`, { toState: 'Confirmed' });
    await makeOrder('Zellwerk', '2026-03-01', undefined, '2199-01-01');
    await makeOrder('Kugellager Süd', '2026-01-01');
  });
  afterAll(() => app.close());

  test.each([375, 1280])('choose at %i pixels a state among those that there are', async (width) => {
    const { page, goto, settled, axe, complaints } = await app.open({ width });
    await goto('/procurement/orders');
    await filterOf(page);
    const state = page.getByLabel('State', { exact: true });
    const offered = async () => (await state.locator('option').allInnerTexts()).toSorted();
    await expect.poll(offered).toEqual(['Any', 'Cancelled', 'Closed', 'Confirmed', 'Open']);
    await settled();
    expect(await axe()).toEqual([]);
    await state.selectOption('Confirmed');
    await page.keyboard.press('Escape');
    await page.getByText('1 order', { exact: true }).waitFor();
    // Those of the chosen type alone: what is sold is not confirmed here.
    await goto('/procurement/lines?type=salesOrder');
    await filterOf(page);
    await expect.poll(offered).toEqual(['Any', 'Cancelled', 'Closed', 'Draft', 'Reserved', 'Shipped']);
    // What an address of before asks for is said, whether it is a state or not.
    await goto('/procurement/orders?state=Sent');
    await filterOf(page);
    await expect.poll(() => state.inputValue()).toBe('Sent');
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test.each([375, 1280])('see at %i pixels what is overdue of what they were looking at', async (width) => {
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
    await goto('/procurement/orders?supplier=Zellwerk');
    await page.getByText('2 orders', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'What is overdue' }).click();
    await page.getByText('Required before:').waitFor();
    // Of a workspace in which an order can be open in two ways both are overdue.
    await page.getByText('2 orders', { exact: true }).waitFor();
    await page.getByText('Supplier: Zellwerk').waitFor();
    await page.getByRole('link', { name: 'Not only what is overdue' }).click();
    await page.getByText('Required before:').waitFor({ state: 'detached' });
    await page.getByText('Supplier: Zellwerk').waitFor();

    await goto(
      `/procurement/lines?itemEntityId=${rover.wheel}&requiredFrom=2026-01-15&columns=item,supplier`,
    );
    await page.getByText('3 lines', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'What is overdue' }).click();
    await page.getByText('2 lines', { exact: true }).waitFor();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toMatchObject({
      itemEntityId: rover.wheel,
      requiredFrom: '2026-01-15',
      columns: 'item,supplier',
      state: 'Ordered',
      sort: 'requiredBy',
    });
    await settled();
    await shoot(`overdue-of-${width}`);
    expect(await axe()).toEqual([]);
    expect(await wide(page)).toBe(0);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test.each([375, 1280])(
    'are told at %i pixels on the overview what is overdue to come and to go',
    async (width) => {
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      const [late] = (await ask('GET', '/stock/lines?state=Reserved&type=salesOrder')).items;
      if (late === undefined) {
        const item = { itemEntityId: rover.screw, locationEntityId: rover.shelf };
        for (const requiredBy of ['2026-01-07', '2199-01-01'])
          await ask('POST', '/stock/lines', { type: 'salesOrder', ...item, quantity: 1, requiredBy });
      }
      const isPast = ({ requiredBy }: StockLine) =>
        requiredBy !== null && requiredBy < new Date().toISOString().slice(0, 10);
      const toCome = (await ask('GET', '/stock/lines?state=Ordered')).items.filter(isPast).length;
      expect(toCome).toBeGreaterThan(2);
      for (const [what, listed] of [
        [`${toCome} overdue deliveries`, `${toCome} lines`],
        ['1 overdue shipment', '1 line'],
      ] as const) {
        await goto('/');
        const told = page.getByRole('paragraph').filter({ hasText: what });
        await told.waitFor();
        await settled();
        await shoot(`overview-overdue-${width}`);
        expect(await axe()).toEqual([]);
        expect(await wide(page)).toBe(0);
        expect(await scrollsSideways(page)).toEqual([]);
        // The list says the same, and that it is what is overdue.
        await told.getByRole('link', { name: /^View/ }).click();
        await page.getByText(listed, { exact: true }).waitFor();
        await page.getByRole('link', { name: 'Not only what is overdue' }).waitFor();
      }
      await goto('/');
      // From whom the longest overdue one is, which leads to its order.
      const longest = page.getByRole('row', { name: /Kugellager Süd/ });
      await longest.getByRole('link', { name: 'ROV-110' }).click();
      await page
        .getByRole('heading', { name: /Kugellager Süd|Purchase order|PO/ })
        .first()
        .waitFor();
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  test.each([375, 1280])('see at %i pixels what tells orders apart, and nothing twice', async (width) => {
    const unnamed = await makeOrder('Zellwerk', '2199-01-01', '2199-01-02');
    const named = await makeOrder(null, '2199-01-01');
    await ask('PATCH', `/entities/${named.id}`, { name: 'Spares for the museum' });
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
    await goto('/procurement/orders');
    const row = (number: string | null) =>
      page
        .getByRole('grid', { name: 'Orders' })
        .locator('[data-row]')
        .filter({ hasText: String(number) });
    await row(named.number).getByText('Spares for the museum', { exact: true }).waitFor();
    const said = await row(unnamed.number).innerText();
    expect(said.match(/Purchase order/g)).toHaveLength(1);
    expect(said).toContain('Zellwerk');
    if (width > 1000) expect(said).toContain('2 of 2');
    await settled();
    await shoot(`orders-apart-${width}`);
    expect(await axe()).toEqual([]);
    expect(await wide(page)).toBe(0);
    // Where the names were chosen as a column they stand there, and nothing stands there of what has none.
    await goto('/procurement/orders?columns=number,type,name');
    await row(named.number).getByText('Spares for the museum', { exact: true }).waitFor();
    expect((await row(named.number).innerText()).match(/Spares/g)).toHaveLength(1);
    expect((await row(unnamed.number).innerText()).match(/Purchase order/g)).toHaveLength(1);
    await row(named.number).getByRole('link').first().click();
    await page.getByRole('heading', { name: `Purchase order ${named.number}` }).waitFor();
    await page.getByText('Spares for the museum', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test.each([375, 1280])('sort at %i pixels what is to come by its day, and see from whom', async (width) => {
    const { page, goto, settled, shoot, complaints } = await app.open({ width });
    await goto('/procurement/lines?state=Ordered');
    await page.getByRole('grid', { name: 'Lines of orders' }).waitFor();
    if (width < 640) {
      await filterOf(page);
      await page.getByLabel('Sort by').selectOption({ label: 'Required by' });
      await page.keyboard.press('Escape');
    } else {
      const head = page.getByRole('columnheader', { name: 'Required by' });
      await head.getByRole('button').focus();
      await page.keyboard.press('Enter');
    }
    await expect.poll(async () => (await rowsOf(page, 'Lines of orders'))[0]).toContain('1 Jan 2026');
    const rows = await rowsOf(page, 'Lines of orders');
    for (const [at, said] of ['Kugellager Süd', 'Zellwerk', 'Zellwerk'].entries())
      expect(rows[at]).toContain(said);
    expect(rows[1]).toContain('1 Feb 2026');
    expect(rows.at(-1)).not.toContain('20');
    await settled();
    await shoot(`lines-by-day-${width}`);
    expect(await wide(page)).toBe(0);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test.each([375, 1280])('order at %i pixels for a requirement, from somebody', async (width) => {
    const name = `Radwerk ${width}`;
    const { id, number } = await ask('POST', '/requirements', {
      projectId: rover.project,
      itemEntityId: rover.wheel,
      requiredQty: 2,
      requiredBy: '2199-02-01',
    });
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
    await goto(`/procurement/requirements/${id}`);
    await page.getByText(number).first().waitFor();
    await page.getByRole('button', { name: 'Order', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Order ROV-110' });
    await scan(page, 'Received at', 'SH-A1');
    await dialog.getByLabel('Supplier', { exact: true }).fill(` ${name}`);
    await settled();
    await shoot(`order-requirement-${width}`);
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await dialog.getByLabel(/ is a new supplier$/).check();
    await dialog.getByLabel('Supplier', { exact: true }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    // Which order it became, and when it comes, stands with the requirement.
    const ordered = page.getByRole('grid', { name: 'Ordered for it' });
    await ordered.getByText(name).waitFor();
    await settled();
    await shoot(`requirement-ordered-${width}`);
    expect(await axe()).toEqual([]);
    const { items } = await ask('GET', `/stock/lines?requirementId=${id}`);
    expect(items).toMatchObject([
      { supplier: name, quantity: 2, requiredBy: '2199-02-01' } as Partial<StockLine>,
    ]);
    await ordered.getByRole('link').first().click();
    await page.getByText(`from ${name}`).waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('come from a number to the page where it is worked on, scanned, typed or found', async () => {
    const order = await makeOrder('Zellwerk', '2199-03-01');
    const [line] = (await ask('GET', `/orders/${order.id}`)).lines;
    const { page, goto, axe } = await app.open();
    const isOrder = () => page.getByRole('heading', { name: `Purchase order ${order.number}` }).waitFor();
    // A scanner is quicker than the page: categories, by which it is known where a number leads, come when it has typed.
    const held: (() => void)[] = [];
    await page.route(/\/categories\?/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined);
    });
    await page.goto(`${app.server.baseUrl}/w/${app.workspace.slug}/stock`);
    const find = page.getByLabel('Item, location or order');
    await find.fill(String(order.number));
    await find.press('Enter');
    await vi.waitUntil(() => held.length > 0, patience);
    await page.unroute(/\/categories\?/);
    for (const go of held) go();
    await isOrder();
    await goto('/stock');
    await page.getByRole('button', { name: 'Scan' }).click();
    const scanner = page.getByRole('dialog', { name: 'Scan' });
    await scanner.waitFor();
    for (const number of [order.number, 'SH-A1']) {
      await page.keyboard.type(`${number}`);
      await page.keyboard.press('Enter');
      await scanner.getByRole('link', { name: new RegExp(`^${number}`) }).waitFor();
    }
    await scanner.getByRole('link', { name: new RegExp(`^${order.number}`) }).click();
    await isOrder();
    await goto('');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    // Of what it begins with another is the first; Enter opens what was typed, though its answer comes later.
    const number = String(order.number);
    const [first] = (await ask('GET', `/entities?q=${number.slice(0, 3)}&limit=12`)).items;
    expect(first.id).not.toBe(order.id);
    await page.keyboard.type(number.slice(0, 3));
    await page.getByRole('option', { name: new RegExp(`^${first.number}`), selected: true }).waitFor();
    held.length = 0;
    await page.route(/\/entities\?/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined);
    });
    await page.keyboard.type(number.slice(3));
    await page.keyboard.press('Enter');
    await vi.waitUntil(() => held.length > 0, patience);
    await page.getByRole('dialog', { name: 'Find an item or a page' }).waitFor();
    await page.unroute(/\/entities\?/);
    for (const go of held) go();
    await isOrder();
    // From its page as an entity, too, and from that of its line.
    for (const [id, name] of [
      [order.id, 'Lines and deliveries'],
      [line.id, `Order ${order.number}`],
    ]) {
      await goto(`/entities/${id}`);
      await page.getByRole('link', { name }).waitFor();
      expect(await axe()).toEqual([]);
      await page.getByRole('link', { name }).click();
      await isOrder();
    }
    await goto(`/entities/${rover.requirement}`);
    await page.getByRole('link', { name: 'What covers it' }).click();
    await page.getByRole('heading', { name: /Drive wheel$/ }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`/requirements/${rover.requirement}$`));
    await app.leave(page);
  });

  test('are proposed to reserve for a project what it needs and is there, and see what is covered', async () => {
    const made = async (category: string, name: string) =>
      (await ask('POST', '/entities', { category, name })).id;
    const [built, part, spare] = [
      await made('project', 'Mast'),
      await made('part', 'Stay'),
      await made('part', 'Tackle'),
    ];
    for (const [child, quantity] of [
      [part, 50],
      [spare, 1],
    ])
      await ask('PUT', `/entities/${built}/uses/${child}`, { quantity });
    for (const [itemEntityId, quantity] of [
      [part, 40],
      [spare, 1],
    ])
      await ask('POST', '/stock/adjustments', { itemEntityId, locationEntityId: rover.shelf, quantity });
    // It is requested, and not short: stock covers it.
    await ask('POST', '/requirements', { projectId: built, itemEntityId: spare, requiredQty: 1 });
    const { page, goto, complaints } = await app.open();
    await goto(`/procurement/projects/${built}`);
    await page.getByText('Stay').waitFor();
    expect(await page.getByText('Tackle').count()).toBe(0);
    await page.getByRole('button', { name: 'Reserve', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Reserve/ });
    await expect.poll(() => dialog.getByLabel('Quantity').inputValue()).toBe('40');
    await dialog.getByRole('button', { name: 'Reserve', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByLabel('All needed items').check();
    await page.getByText('Tackle').waitFor();
    await page.getByText('1 item short').waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('are asked before rows that they typed or pasted are thrown away, and not once they are taken', async () => {
    const { page, goto } = await app.open();
    let asked = 0;
    let answer = false;
    page.on('dialog', (question) => {
      asked += 1;
      void (answer ? question.accept() : question.dismiss());
    });
    const open = async (path: string, button: string) => {
      await goto(path);
      await page.getByRole('button', { name: button }).click();
      await page.getByLabel('Item, row 1', { exact: true }).waitFor();
    };
    for (const [path, button] of [
      ['/procurement/orders', 'Order from a list'],
      ['/stock', 'Adjust several'],
    ] as const) {
      answer = false;
      await open(path, button);
      const dialog = page.getByRole('dialog');
      await paste(page, 'Item, row 1', 'SCR-M3\nROV-110\n');
      const before = asked;
      await page.keyboard.press('Escape');
      await expect.poll(() => asked).toBe(before + 1);
      expect(await dialog.getByLabel('Item, row 2', { exact: true }).inputValue()).toBe('ROV-110');
      answer = true;
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(asked).toBe(before + 2);
      // Of what was never typed nobody is asked.
      await open(path, button);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(asked).toBe(before + 2);
    }
    await open('/stock', 'Adjust several');
    await paste(page, 'Item, row 1', 'SCR-M3\tSH-A1\t1\n');
    await page.getByRole('button', { name: 'Apply 1' }).click();
    await page.getByText('1 adjustment made.').waitFor();
    expect(asked).toBe(4);
    await app.leave(page);
  });

  test('are proposed to reserve no more than there is', async () => {
    const { id } = await ask('POST', '/requirements', {
      projectId: rover.project,
      itemEntityId: rover.screw,
      requiredQty: 1000,
    });
    const { items } = await ask('GET', `/stock/positions/by-item/${rover.screw}`);
    const { page, goto } = await app.open();
    await goto(`/procurement/requirements/${id}`);
    await page.getByRole('button', { name: 'Reserve', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Reserve SCR-M3' });
    const quantity = dialog.getByLabel('Quantity');
    await expect.poll(() => quantity.inputValue()).toBe(String(items[0].available));
    expect(await dialog.getByText(/^Only /).count()).toBe(0);
    await quantity.fill('');
    expect(await quantity.inputValue()).toBe('');
    await app.leave(page);
  });
});
