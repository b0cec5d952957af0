// What a storekeeper types: figures that could be read in two ways are taken as neither, and Enter takes what was meant.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { paste, scan } from './hands.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;

async function idOf(number: string): Promise<string> {
  const { items } = (await app.workspace.ask('GET', `/entities?number=${number}`)).body;
  return items[0].id;
}

async function post(path: string, body: unknown) {
  const made = await app.workspace.ask('POST', path, body);
  expect(made.status, made.text).toBeLessThan(300);
  return made.body;
}

describe.skipIf(browserMissing !== null)('who types figures', () => {
  beforeAll(async () => {
    app = await startWebApp();
    rover = await makeRover(app.workspace);
  });
  afterAll(() => app.close());

  test.each([390, 1280])('is told at %i pixels how to write what could be two quantities', async (width) => {
    const location = await post('/entities', { category: 'location', number: `BIN-${width}`, name: 'Bin' });
    const item = await idOf('STD-0001');
    await post('/stock/adjustments', { itemEntityId: item, locationEntityId: location.id, quantity: 2500 });
    const order = await post('/orders', {
      type: 'purchaseOrder',
      lines: [{ itemEntityId: item, locationEntityId: rover.shelf, quantity: 1.125 }],
    });
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
    const room = () => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

    // A count: the book says 2,500.
    await goto(`/stock/count?location=${location.id}`);
    const counted = page.getByLabel('Counted of STD-0001');
    await counted.fill('2,499');
    const twofold = '“2,499” can be read in two ways: write 2499 or 2.4990.';
    await page.getByText(twofold, { exact: true }).waitFor();
    await page.getByText(`STD-0001: ${twofold}`).waitFor();
    expect(await page.getByRole('button', { name: 'Review' }).isDisabled()).toBe(true);
    await settled();
    await shoot(`twofold-count-${width}`);
    expect(await axe()).toEqual([]);
    expect(await room()).toBe(0);
    await paste(page, 'Counted of STD-0001', 'STD-0001\t2,500\n');
    await page
      .getByText('Not taken: STD-0001. “2,500” can be read in two ways: write 2500 or 2.5.')
      .waitFor();
    await counted.fill('2499');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Apply 1 correction' }).click();
    await page.getByText('1 position corrected.').waitFor();

    // A list of cells, in the same words.
    await goto('/procurement/orders');
    await page.getByRole('button', { name: 'Order from a list' }).click();
    const list = page.getByRole('dialog');
    await scan(page, 'Received at', 'SH-A1');
    await paste(page, 'Item, row 1', 'STD-0004\t12.500\nSTD-0005\t0,125\n');
    await list.getByText('“12.500” can be read in two ways: write 12500 or 12.5.').waitFor();
    await list.getByRole('button', { name: 'Order 1 line', exact: true }).waitFor();
    await settled();
    await shoot(`twofold-list-${width}`);

    // What is filled in of three decimal places can be sent as it stands.
    await goto(`/procurement/orders/${order.id}`);
    await page.getByRole('button', { name: 'Receive all open' }).click();
    const receipt = page.getByRole('dialog', { name: `Receive ${order.number}` });
    const now = receipt.getByLabel('Received now of STD-0001');
    expect(await now.inputValue()).toBe('1.1250');
    await now.fill('1.125');
    await receipt
      .getByText('“1.125” can be read in two ways: write 1125 or 1.1250.', { exact: true })
      .waitFor();
    await settled();
    await shoot(`twofold-receipt-${width}`);
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    expect(await room()).toBe(0);
    await receipt.getByRole('button', { name: 'Use open quantities' }).click();
    await receipt.getByRole('button', { name: 'Receive 1 line' }).click();
    await receipt.waitFor({ state: 'detached' });
    const { lines } = (await app.workspace.ask('GET', `/orders/${order.id}`)).body;
    expect(lines).toMatchObject([{ receivedQty: 1.125, openQty: 0 }]);

    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('has a number among the properties refused that could be two', async () => {
    const { page, goto } = await app.open();
    await goto(`/entities/${rover.wheel}/properties`);
    await page.getByRole('button', { name: 'Edit' }).first().click();
    await page.getByLabel('Mass (kg)').fill('1,250');
    await page.getByText('“1,250” can be read in two ways: write 1250 or 1.25.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Mass (kg): “1,250” can be read in two ways').waitFor();
    await page.getByLabel('Mass (kg)').fill('1,25');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Saved/).waitFor();
    const { properties } = (await app.workspace.ask('GET', `/entities/${rover.wheel}`)).body;
    expect(properties.Mass).toBe(1.25);
    await app.leave(page);
  });

  test('takes by Enter the number that was typed, in other capitals too, or the only part that is found', async () => {
    const bin = await post('/entities', { category: 'location', number: 'BIN-7', name: 'Wrist bin' });
    for (const [number, name] of [
      ['WR-7', 'Torque wrist'],
      ['WR-70', 'Cap of the joint'],
      ['HL-114', 'Hinge, left'],
      ['HL-115', 'Hinge, right'],
      ['hl-115', 'Hinge, right, old'],
    ])
      await post('/entities', { category: 'part', number, name });
    const { page, goto, settled, shoot, complaints } = await app.open();
    await goto(`/stock/count?location=${bin.id}`);
    const field = page.getByLabel('Add an item that is not on the sheet');
    const enter = async (text: string) => {
      await field.fill(text);
      await field.press('Enter');
    };
    // Before it is known what the text finds; the bin of that name is no item.
    let gate = Promise.resolve();
    let goOn = () => {};
    const hold = () => {
      gate = new Promise((resolve) => {
        goOn = resolve;
      });
    };
    await page.route(/[?&]q=/, async (route) => {
      await gate;
      await route.continue();
    });
    hold();
    const asked = page.waitForRequest(/[?&]q=wrist/);
    await enter('wrist');
    await asked;
    goOn();
    await page.getByLabel('Counted of WR-7', { exact: true }).waitFor();

    // What is still shown of a shorter text is not what was typed.
    await field.fill('cap of');
    await page.getByRole('option', { name: /WR-70/ }).waitFor();
    hold();
    const longer = page.waitForRequest(/[?&]q=cap\+of\+nothing|[?&]q=cap%20of%20nothing/);
    await enter('cap of nothing');
    await longer;
    goOn();
    await page.getByText('Nothing here has the number cap of nothing.').waitFor();
    expect(await page.getByLabel('Counted of WR-70').count()).toBe(0);

    // A whole number goes before those that begin so, also while it is not known what the text finds.
    hold();
    await enter('hl-115');
    await page.getByLabel('Counted of hl-115', { exact: true }).waitFor();
    goOn();
    await enter('hl-114');
    await page.getByLabel('Counted of HL-114', { exact: true }).waitFor();
    await enter('Hl-115');
    await page.getByText('Several have the number Hl-115: choose one.').waitFor();
    // One that nothing has is not taken for a part of another: it may have been scanned.
    await enter('L-114');
    await page.getByText('Nothing here has the number L-114: choose what fits.').waitFor();
    await enter('Hinge');
    // Not behind what is found.
    const several = page.getByText('Several fit Hinge: choose one.');
    await several.waitFor();
    await several.click({ trial: true });
    await settled();
    await shoot('several-fit-1280');
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot('several-fit-390');
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test.each([390, 1280])(
    'sees at %i pixels no sum of different items at the head of an order',
    async (width) => {
      const [strap, cap] = [await idOf('STD-0002'), await idOf('STD-0003')];
      const orderOf = (lines: readonly [item: string, quantity: number][]) =>
        post('/orders', {
          type: 'purchaseOrder',
          lines: lines.map(([itemEntityId, quantity]) => ({
            itemEntityId,
            locationEntityId: rover.shelf,
            quantity,
          })),
        });
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width });
      const figures = async () => {
        await settled();
        return (await page.locator('main dl').first().innerText()).replaceAll(/\s/g, '');
      };
      const several = await orderOf([
        [strap, 60],
        [cap, 1.5],
      ]);
      await post(`/stock/lines/${several.lines[0].id}/receipts`, { quantity: 60 });
      await goto(`/procurement/orders/${several.id}`);
      await page.getByText('Lines complete').waitFor();
      expect(await figures()).toBe('Linesopen1of2Linescomplete1');
      await shoot(`order-of-several-${width}`);

      const one = await orderOf([
        [cap, 42],
        [cap, 60],
      ]);
      await post(`/stock/lines/${one.lines[0].id}/receipts`, { quantity: 42 });
      await post(`/stock/lines/${one.lines[1].id}/cancel`, {});
      await goto(`/procurement/orders/${one.id}`);
      await page.getByText('1 cancelled').waitFor();
      expect(await figures()).toBe('Linesopen0of2Linescomplete11cancelledOrdered42Received42Open0');
      await shoot(`order-of-one-${width}`);
      expect(await axe()).toEqual([]);
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );
});
