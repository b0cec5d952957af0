// A build in the browser: its components, all of them reserved, units received after a preview, and the pick list on a phone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';

let app: WebApp;
let shelf: string;
let line: { id: string; orderId: string };
const must = async (method: string, path: string, body?: unknown) => {
  const answer = await app.workspace.ask(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
};
beforeAll(async () => {
  if (browserMissing !== null) return;
  app = await startWebApp();
  const make = async (category: string, number: string, name: string): Promise<string> =>
    (await must('POST', '/entities', { category, number, name })).id;
  const lamp = await make('assembly', 'LAMP', 'Lamp');
  shelf = await make('location', 'A-01', 'Rack A');
  for (const [number, quantity, stock] of [
    ['LED', 3, 20],
    ['CASE', 1, 10],
  ] as const) {
    const part = await make('part', number, `${number} of the lamp`);
    await must('PUT', `/entities/${lamp}/uses/${part}`, { quantity });
    await must('POST', '/stock/adjustments', {
      itemEntityId: part,
      locationEntityId: shelf,
      quantity: stock,
    });
  }
  const order = { type: 'manufacturingOrder', itemEntityId: lamp, locationEntityId: shelf, quantity: 10 };
  line = (await must('POST', '/stock/lines', order)).line;
});
afterAll(() => app?.close());

describe.skipIf(browserMissing !== null)('a build', () => {
  test('shows what limits it, and takes components with a receipt', async () => {
    const { page, goto, settled, axe, complaints } = await app.open({ width: 1280 });
    await goto(`/procurement/orders/${line.orderId}`);
    await page.getByRole('link', { name: 'components' }).click();
    await page.getByText('limited by').waitFor();
    await settled();
    expect(await axe()).toEqual([]);

    await page.getByRole('button', { name: 'Reserve all' }).click();
    const reserve = page.getByRole('dialog', { name: 'Reserve all: LAMP' });
    await reserve.getByRole('list', { name: 'Short' }).getByText('LED').waitFor();
    expect(await reserve.getByRole('button', { name: 'Reserve all' }).isDisabled()).toBe(true);
    await reserve.getByLabel('Number of units').fill('2');
    await reserve.getByRole('list', { name: 'Taken' }).waitFor();
    await reserve.getByRole('button', { name: 'Reserve all' }).click();
    await page.getByText('2 of LAMP: components reserved.').waitFor();

    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    const receive = page.getByRole('dialog', { name: 'Receive: LAMP' });
    await receive.getByLabel('Quantity').fill('3');
    await receive.getByRole('list', { name: 'Taken' }).getByText('LED').first().waitFor();
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await receive.getByRole('button', { name: 'Receive', exact: true }).click();
    await page.getByText('3 of LAMP: received.').waitFor();
    expect(await must('GET', `/stock/lines/${line.id}/components`)).toMatchObject({
      receivedQty: 3,
      openQty: 7,
    });

    await goto('/stock/ledger?movementType=MOReceipt');
    await page.getByRole('button', { name: /^Correct/ }).click();
    const correct = page.getByRole('dialog', { name: 'Correct: MO receipt of LAMP' });
    await correct.getByText('received 3 → 0').waitFor();
    await correct
      .getByText(/^Taken back: MR issue of LED at A-01, /)
      .first()
      .waitFor();
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('is picked from a list on a phone, which reports what is not there', async () => {
    await must('PATCH', `/stock/lines/${line.id}`, { quantity: 5 });
    const { page, goto, settled, axe, complaints } = await app.open({ width: 375 });
    await goto(`/procurement/builds/${line.id}/picks`);
    await page.getByText('2 positions left').waitFor();
    await settled();
    expect(await axe()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    const scan = page.getByLabel('Scan or type a part number');
    await scan.fill('led');
    await scan.press('Enter');
    await page.getByText('1 position left').waitFor();
    const missing = page.getByRole('listitem').filter({ hasText: 'CASE' });
    await missing.getByRole('button', { name: 'Not found' }).click();
    await page.getByLabel('Counted').fill('5');
    await page.getByRole('button', { name: 'Record the count' }).click();
    await page.getByText('CASE counted at A-01.').waitFor();
    await scan.fill('CASE');
    await scan.press('Enter');
    await page.getByRole('button', { name: 'Issue what was picked' }).click();
    await page.getByText('Components issued.').waitFor();
    const { components } = await must('GET', `/stock/lines/${line.id}/components`);
    expect(components.map((one: { missingQty: number }) => one.missingQty)).toEqual([0, 0]);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('is reserved with a substitute, some of it, which the pick list and the release of the requirement name', async () => {
    const guid = '9e3f4d82-6c75-4a20-8c8d-517fbe404001';
    await must('POST', '/pdm/sync', {
      entities: [{ guid, number: 'LED-G', name: 'Green LED', categoryKey: 'part' }],
    });
    const item = (await must('POST', '/entities', { category: 'assembly', number: 'SIGN', name: 'Sign' })).id;
    const part = (await must('POST', '/entities', { category: 'part', number: 'LED-R', name: 'Red LED' })).id;
    const green = (await must('GET', `/entities/guid:${guid}`)).id;
    const substitutes = [{ guid, ratio: 2 }];
    await must('PUT', `/entities/${item}/uses/${part}`, { quantity: 1, substitutes });
    for (const itemEntityId of [part, green])
      await must('POST', '/stock/adjustments', { itemEntityId, locationEntityId: shelf, quantity: 4 });
    const order = { type: 'manufacturingOrder', itemEntityId: item, locationEntityId: shelf, quantity: 5 };
    const { id } = (await must('POST', '/stock/lines', order)).line;
    const { page, goto, settled, axe, complaints } = await app.open({ width: 375 });
    await goto(`/procurement/builds/${id}`);
    await page.getByText('or LED-G 4 available').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'LED-R' });
    for (const figure of ['5 required', '0 issued', '0 reserved']) await row.getByText(figure).waitFor();
    await page.getByRole('button', { name: 'Reserve all' }).click();
    const reserve = page.getByRole('dialog', { name: 'Reserve all: SIGN' });
    await reserve.getByLabel('Instead of LED-R', { exact: true }).selectOption(green);
    await reserve.getByLabel('How many, instead of LED-R').fill('2');
    await reserve.getByRole('list', { name: 'Taken' }).getByText('instead of').waitFor();
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await reserve.getByRole('button', { name: 'Reserve all' }).click();
    await page.getByText('5 of SIGN: components reserved.').waitFor();

    await goto(`/procurement/builds/${id}/picks`);
    await page.getByText('instead of 1 × LED-R').waitFor();
    await settled();
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    const [requirement] = (await must('GET', `/requirements?lineId=${id}`)).items;
    await goto(`/procurement/requirements/${requirement.id}`);
    await page.getByRole('button', { name: 'Release' }).click();
    const release = page.getByRole('dialog', { name: 'Release what is reserved' });
    await release.getByLabel('At').selectOption({ label: 'A-01: 2 of LED-G reserved' });
    await release.getByRole('button', { name: 'Release' }).click();
    await page.getByText('Given back.').waitFor();
    expect(await must('GET', `/requirements/${requirement.id}`)).toMatchObject({
      reservedQty: 4,
      held: [{ quantity: 4, substitute: null }],
    });
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('is taken apart by its serial number', async () => {
    const item = (await must('POST', '/entities', { category: 'assembly', number: 'TORCH', name: 'Torch' }))
      .id;
    const led = (await must('GET', `/stock/positions/by-location/${shelf}`)).items.find(
      (one: { itemNumber: string }) => one.itemNumber === 'CASE',
    ).itemEntityId;
    await must('PUT', `/entities/${item}/uses/${led}`, { quantity: 1 });
    await must('PUT', `/stock/tracking/${item}`, { tracking: 'serial' });
    await must('PUT', `/stock/units/${item}`, { baseUnit: 'pcs' });
    const made = await must('POST', '/stock/lines', {
      type: 'manufacturingOrder',
      itemEntityId: item,
      locationEntityId: shelf,
      quantity: 2,
    });
    const { page, goto, axe, complaints } = await app.open({ width: 375 });
    await goto(`/procurement/builds/${made.line.id}`);
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    const receive = page.getByRole('dialog', { name: 'Receive: TORCH' });
    await receive.getByLabel('Quantity').fill('1');
    await receive.getByLabel('Unit').selectOption('pair');
    await receive.getByText('= 2 pcs').waitFor();
    await receive.getByLabel('Serial numbers').fill('T-1..2');
    await receive.getByRole('button', { name: 'Receive', exact: true }).click();
    await page.getByText('1 pair of TORCH: received.').waitFor();
    const [serial] = (await must('GET', `/stock/lots?itemEntityId=${item}`)).items;
    await goto(`/stock/lots/${serial.id}`);
    await page.getByRole('button', { name: 'Take apart' }).click();
    const dialog = page.getByRole('dialog', { name: 'Take T-1 apart' });
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: 'Take apart' }).click();
    await page.getByText('T-1 is taken apart: 1 component came back.').waitFor();
    await page.getByText('not in stock').waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });
});
