// Writing a script in the app, with completion by the types of what it has.
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { deepTest, coreTest as test } from '../setup/tier.ts';
import { type AppPage, browserMissing, startWebApp, type WebApp } from './browser.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;

describe.skipIf(browserMissing !== null)('who writes a script', () => {
  let opened: AppPage;
  beforeAll(async () => {
    app = await startWebApp();
    rover = await makeRover(app.workspace);
    opened = await app.open();
  });
  afterAll(async () => {
    await app.close();
  });

  test('has completion, tries the automation, and switches it on', async () => {
    const { page, goto } = opened;
    await goto('/automations/new');
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('const part = await api.getEn');
    // An Enter at the very moment in which the list opens is one in the script.
    await page.getByRole('option', { name: /getEntity/ }).click();
    await page.keyboard.type('(context.entityId);\napi.log(part.name);\nthrow new Error("not yet");');
    await page.getByLabel('Item').fill('ROV-110');
    await page.getByLabel('Item').press('Enter');
    await expect.poll(() => page.getByLabel('Context').inputValue()).toContain(rover.wheel);
    await page.getByRole('button', { name: 'Test run (no changes)' }).click();
    await page.getByText('Line 3: Error: not yet').waitFor();
    await page.getByText('Drive wheel').first().waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Greet wheels');
    await page.getByLabel('Enabled', { exact: true }).check({ force: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Greet wheels' }).waitFor();
    const { items } = (await app.workspace.ask('GET', '/automations')).body;
    expect(items.find((one: { name: string }) => one.name === 'Greet wheels').enabled).toBe(true);
  });

  deepTest(
    'is offered completion for what was typed while an answer for what stood there before was awaited',
    async () => {
      const { page, goto } = opened;
      await page.addInitScript(`{
      const { postMessage } = Worker.prototype;
      globalThis.asked = 0;
      Worker.prototype.postMessage = function (...given) {
        globalThis.asked++;
        return postMessage.apply(this, given);
      };
    }`);
      const typed = Promise.withResolvers<void>();
      await page.route(/types\.worker/, async (route) => {
        await typed.promise;
        await route.continue();
      });
      await goto('/automations/new');
      await page.locator('.cm-content').click();
      await page.keyboard.press('Control+a');
      // There is nothing to be offered for the name of what is declared.
      await page.keyboard.type('const part');
      await expect.poll(() => page.evaluate('globalThis.asked')).toBe(1);
      await page.keyboard.type(' = await api.getEn');
      typed.resolve();
      await page.getByRole('option', { name: /getEntity/ }).waitFor();
      await page.unroute(/types\.worker/);
    },
  );
});
