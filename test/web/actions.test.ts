// Buttons of automations in the app: made on the page of the automation, run on an item, by Ctrl-K and on many items.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AppPage, browserMissing, startWebApp, type WebApp } from './browser.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;

describe.skipIf(browserMissing !== null)('an action', () => {
  let opened: AppPage;
  beforeAll(async () => {
    app = await startWebApp();
    rover = await makeRover(app.workspace);
    opened = await app.open();
    const script = `api.log('Ordered ' + context.parameters.quantity); return context.entityNumber;`;
    const made = await app.workspace.ask('POST', '/automations', { name: 'Order', contextTypeId: 5, script });
    expect(made.status, made.text).toBe(201);
    const { page, goto } = opened;
    await goto(`/automations/${made.body.id}`);
    await page.getByLabel('Show a button in the app').check({ force: true });
    await page.getByLabel('Label', { exact: true }).fill('Order a sample');
    await page.getByLabel('Form (optional)').fill(
      JSON.stringify({
        type: 'object',
        properties: { quantity: { type: 'integer', title: 'Quantity', minimum: 1 } },
        required: ['quantity'],
      }),
    );
    await page.getByRole('group', { name: 'Preview' }).getByLabel('Quantity').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
  }, 180_000);
  afterAll(() => app.close());

  test('is run on an item, with its form, and shows its log and its result', async () => {
    const { page, goto } = opened;
    await goto(`/entities/${rover.wheel}`);
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Order a sample' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Enter Quantity.').waitFor();
    await dialog.getByLabel('Quantity').fill('0');
    await dialog.getByText('Quantity: At least 1.').waitFor();
    await dialog.getByLabel('Quantity').fill('3');
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog.getByText('Succeeded').waitFor();
    await dialog.getByText('Ordered 3').waitFor();
    await dialog.getByText('"ROV-110"').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('is found by Ctrl-K', async () => {
    const { page, goto } = opened;
    await goto(`/entities/${rover.wheel}`);
    await page.getByRole('button', { name: 'Actions', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find an item or a page' }).fill('order a sam');
    await page.getByRole('option', { name: 'Run: Order a sample' }).click();
    await page.getByRole('dialog').getByText('Runs on ROV-110.').waitFor();
    await page.keyboard.press('Escape');
  });

  test('is run on the chosen items of the list', async () => {
    const { page, goto } = opened;
    await goto('/entities?q=ROV');
    await page.getByLabel('Select ROV-110 ').check();
    await page.getByLabel('Select ROV-100 ').check();
    await page.getByRole('button', { name: 'Run an action' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByText('Runs on 2 items').waitFor();
    await dialog.getByLabel('Quantity').fill('1');
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog.getByText('2 runs started.').waitFor();
  });
});
