// What is received for a requirement, in the browser: the settings of stock, a delivery that is put elsewhere, and a requirement that changes.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { patience } from '../setup/patience.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { scan } from './hands.ts';
import { scrollsSideways } from './keyboard-and-edges.ts';

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
    for (const day of ['Sat', 'Sun']) await page.getByLabel(day, { exact: true }).uncheck();
    await page.getByLabel('Days that are not worked').fill('24.12.2026');
    await page.getByText('“24.12.2026” is not a date').waitFor();
    await page.getByLabel('Days that are not worked').fill('2026-12-24, 2026-12-25');
    await settled();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved.').waitFor();
    expect(await must('GET', '/stock/settings')).toMatchObject({
      overDeliveryPercent: 5,
      reserveReceived: true,
      workingDays: { weekdays: [1, 2, 3, 4, 5], holidays: ['2026-12-24', '2026-12-25'] },
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
    await app.leave(page);
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
    await app.leave(page);
  });

  test('is reviewed by project in a plan, which says what a run without the project takes back', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const make = async (category: string, number: string, name: string): Promise<string> =>
      (await must('POST', '/entities', { category, number, name })).id;
    const buoy = await make('project', 'PRJ-9', 'Light buoy');
    const chain = await make('part', 'BUOY-1', 'Buoy chain');
    await must('PUT', `/entities/${buoy}/uses/${chain}`, { quantity: 3 });
    const { id: supplierId } = await must('POST', '/suppliers', {
      name: 'Kettenwerk',
      currency: 'EUR',
      leadTimeDays: 5,
    });
    const prices = [{ from: 1, price: '12.5', currency: 'EUR' }];
    await must('POST', '/supplier-parts', { itemEntityId: chain, supplierId, sku: 'K-1', prices });
    const planned = async (requiredBy: string) => {
      const body = { projects: [{ projectId: buoy, quantity: 2, requiredBy }] };
      const { id } = await must('POST', '/planning/runs', body);
      await vi.waitUntil(
        async () => (await must('GET', `/planning/runs/${id}`)).status === 'completed',
        patience,
      );
      return id as string;
    };
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width: 1280 });
    await goto(`/procurement/plans/${await planned(inDays(30))}?project=${buoy}`);
    await page.getByText('PRJ-9 Light buoy, 2 by').waitFor();
    const plan = page.getByRole('grid', { name: 'Actions of the plan' });
    await plan.getByText('BUOY-1').waitFor();
    expect(await plan.locator('[data-row]').allInnerTexts()).toEqual([
      expect.stringMatching(/order\s+BUOY-1\s+Buoy chain\s+6.*Kettenwerk\s+75.00 EUR/s),
    ]);
    await page.getByRole('button', { name: 'Commit what to order and make of these' }).click();
    const committing = page.getByRole('dialog', { name: 'Commit 1 action' });
    await scan(page, 'Received at', 'B-02');
    await committing.getByLabel('As drafts').uncheck();
    await committing.getByRole('button', { name: 'Commit', exact: true }).click();
    await page.getByText('1 action committed, in 1 order.').waitFor();

    // The next run does not name the project, and the dialog that starts it does not unless it is asked.
    await goto('/procurement/plans');
    await page.getByRole('button', { name: 'Start a planning run' }).click();
    const starting = page.getByRole('dialog', { name: 'Start a planning run' });
    const asBefore = starting.getByLabel('Plan the whole structure of 1 project, as the run before');
    expect(await asBefore.isChecked()).toBe(false);
    await starting.getByRole('button', { name: 'Plan a whole project' }).click();
    const focused = () => page.evaluate(() => document.activeElement?.closest('fieldset')?.textContent ?? '');
    expect(await focused()).toContain('Project 1');
    await starting.getByRole('button', { name: 'Remove' }).click();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Plan a whole project');
    await starting.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('link', { name: 'cancel (1)' }).click();
    await plan.locator('[data-row]', { hasText: 'BUOY-1' }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Commit', exact: true }).click();
    await page.getByRole('dialog').getByRole('note').getByText('PRJ-9 Light buoy').waitFor();
    await settled();
    await shoot('plan-takes-back');
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);

    const moved = await planned(inDays(20));
    for (const width of [1280, 768, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 1000 });
        await page.emulateMedia({ colorScheme });
        await goto(`/procurement/plans/${moved}`);
        await plan.getByText(/was /).waitFor();
        await settled();
        await shoot(`plan-actions-${width}-${colorScheme}`);
        expect(await scrollsSideways(page)).toEqual([]);
        expect(await axe({ contrastOnly: colorScheme === 'dark' })).toEqual([]);
      }
    await page.getByRole('button', { name: 'Plan again' }).click();
    expect(await asBefore.isChecked()).toBe(true);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });
});
