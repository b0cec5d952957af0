// What is received for a requirement, in the browser: the settings of stock, a delivery that is put elsewhere, and a requirement that changes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { scan } from './hands.ts';

let app: WebApp;
let bin: string;
let requirement: { id: string };
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
  const itemEntityId = await make('part', 'BOLT', 'Bolt');
  const locationEntityId = await make('location', 'A-01', 'Rack A');
  bin = await make('location', 'B-02', 'Bin B');
  const projectId = await make('project', 'PROJ', 'A project');
  requirement = await must('POST', '/requirements', { projectId, itemEntityId, requiredQty: 32 });
  line = (await must('POST', `/requirements/${requirement.id}/orders`, { locationEntityId, quantity: 100 }))
    .line;
});
afterAll(() => app?.close());

describe.skipIf(browserMissing !== null)('supply of requirements', () => {
  test('is received beyond the order by the tolerance, elsewhere, and reserved where it is', async () => {
    const { page, goto, settled, axe, complaints } = await app.open({ width: 1280 });
    await goto('/settings/stock');
    await page.getByLabel('Over-delivery in percent').fill('5');
    await settled();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved.').waitFor();
    expect(await must('GET', '/stock/settings')).toMatchObject({
      overDeliveryPercent: 5,
      reserveReceived: true,
    });

    await goto(`/procurement/orders/${line.orderId}`);
    await page.getByText('68 free').waitFor();
    await page.getByRole('button', { name: 'Receive all open' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Received now of BOLT').fill('106');
    await dialog.getByText('Only 105 accepted.').first().waitFor();
    await dialog.getByLabel('Received now of BOLT').fill('105');
    await scan(page, 'Put into (by default as planned)', 'B-02');
    await dialog.getByRole('button', { name: 'Receive 1 line' }).click();
    await page.getByText('1 line of').first().waitFor();
    const { items } = await must('GET', `/stock/positions/by-location/${bin}`);
    expect(items[0]).toMatchObject({ onHand: 105, reserved: 32 });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('is needed by a requirement that is changed', async () => {
    const { page, goto, axe, complaints } = await app.open({ width: 1280 });
    await goto(`/procurement/requirements/${requirement.id}`);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Quantity').fill('31');
    await dialog.getByText('32 are reserved or ordered already.').waitFor();
    await dialog.getByLabel('Quantity').fill('40');
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText('40 of BOLT are required now.').waitFor();
    expect(await must('GET', `/requirements/${requirement.id}`)).toMatchObject({
      requiredQty: 40,
      openQty: 8,
    });
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
