// Buttons of automations in the app: made on the page of the automation, run on an item, by Ctrl-K and on many items.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { patience } from '../setup/patience.ts';
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
  });
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

  test('can be a list of built-in actions, filled in as forms, whose run shows its timeline', async () => {
    const { page, goto } = opened;
    await goto('/automations/new');
    await page.getByLabel('Name', { exact: true }).fill('Review it');
    await page.getByLabel('Runs when').selectOption({ label: 'Manual' });
    await page.getByLabel('Does', { exact: true }).selectOption({ label: 'Actions' });
    await page.getByRole('button', { name: 'Add an action' }).click();
    const first = page.getByRole('region', { name: 'Action 1' });
    await first.getByLabel('Action 1', { exact: true }).selectOption({ label: 'Set state' });
    await first.getByRole('combobox', { name: /^State/ }).selectOption('In Review');
    await page.getByRole('button', { name: 'Add an action' }).click();
    const second = page.getByRole('region', { name: 'Action 2' });
    const place = await app.workspace.ask('POST', '/entities', { category: 'location', name: 'Shelf Nine' });
    await second.getByLabel('Action 2', { exact: true }).selectOption({ label: 'Draft order' });
    await second.getByLabel(/^Location/).fill('Shelf Nine');
    await second
      .locator(`option[value="${place.body.number}"]`)
      .filter({ hasText: 'Shelf Nine' })
      .waitFor({ state: 'attached' });
    await second.getByRole('button', { name: 'Remove' }).click();
    await page.getByLabel('Enabled').check({ force: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const { items } = (await app.workspace.ask('GET', '/automations?contextTypeId=5')).body;
    const made = items.find(({ name }: { name: string }) => name === 'Review it');
    expect(made.actions).toEqual([{ action: 'setState', settings: { toState: 'In Review' } }]);
    const part = await app.workspace.ask('POST', '/entities', { category: 'part', name: 'To be reviewed' });
    const path = `/automations/${made.id}/trigger`;
    const run = (await app.workspace.ask('POST', path, { entityId: part.body.id })).body;
    await app.workspace.ask('GET', `/automation-runs/${run.id}?wait=5`);
    await goto(`/automations/runs/${run.id}`);
    await page.getByText(`by ${run.triggeredBy.name}`, { exact: true }).waitFor();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('state: In Work → In Review').waitFor();
    await timeline.getByText('actions.setState').waitFor();
  });

  test('can watch the number of items in a saved view, and shows the last count', async () => {
    const { page, goto } = opened;
    const view = { name: 'Parts in work', list: 'entities', filters: { category: 'part', state: 'In Work' } };
    expect((await app.workspace.ask('POST', '/views', view)).status).toBe(201);
    await goto('/automations/new');
    await page.getByLabel('Name', { exact: true }).fill('Too many parts');
    await page.getByLabel('Runs when').selectOption('9');
    await page.getByLabel('Value', { exact: true }).selectOption({ label: 'Parts in work' });
    await page.getByLabel('Crossing', { exact: true }).selectOption({ label: 'rises above' });
    await page.getByLabel('Threshold', { exact: true }).fill('100');
    await page.getByLabel('Enabled').check({ force: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const read = async () => {
      const { items } = (await app.workspace.ask('GET', '/automations?contextTypeId=9')).body;
      return items.find(({ name }: { name: string }) => name === 'Too many parts');
    };
    const counted = await vi.waitUntil(async () => {
      const made = await read();
      return made.thresholdStatus !== null && made;
    }, patience);
    expect(counted).toMatchObject({ threshold: { above: 100 }, thresholdStatus: { error: null } });
    await page.getByText(/^Count: \d/).waitFor();
  });

  test('on a transition is filled in as a form', async () => {
    const { page, goto } = opened;
    await goto('/settings/lifecycles/part');
    await page
      .getByRole('button', { name: /^Actions on this transition/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Create Material Requirement').check();
    await dialog.getByLabel('A part without a project').selectOption('fail');
    await dialog.getByLabel('Property with the required date').fill('NeededBy');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/saved/i).first().waitFor();
    const { transitions } = (await app.workspace.ask('GET', '/lifecycles/part')).body;
    expect(transitions[0].featureAutomations).toEqual([
      {
        feature: 'createMaterialRequirement',
        settings: { whenNoProject: 'fail', whenRequired: 'topUp', requiredByProperty: 'NeededBy' },
      },
    ]);
  });

  test('the tabs of an item are those that its category names, in that order', async () => {
    const { page, goto } = opened;
    await goto('/settings');
    await page.getByRole('button', { name: 'Edit Part', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Revisions', { exact: true }).uncheck();
    await dialog.getByLabel('Demand', { exact: true }).uncheck();
    await dialog.getByRole('button', { name: 'Move Stock down' }).click();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await app.workspace.ask('GET', '/categories/part')).body.tabs).toEqual([
      'uses',
      'stockLedger',
      'whereUsed',
    ]);
    await goto(`/entities/${rover.screw}`);
    const tabs = page.getByRole('navigation', { name: 'Entity', exact: true }).getByRole('link');
    await tabs.getByText('Where used').waitFor();
    const expected = ['Properties', 'Structure (BOM)', 'Stock', 'Where used', 'Lifecycle'];
    await expect
      .poll(async () => (await tabs.allTextContents()).map((text) => text.replace(/[\d+]+$/, '')), patience)
      .toEqual(expected);
  });
});
