// What a page says can be read by whoever is there: with a finger, a keyboard, a screen reader.
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { deepTest, coreTest as test } from '../setup/tier.ts';
import { type AppPage, browserMissing, startWebApp, type WebApp } from './browser.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;
let phone: AppPage;

describe.skipIf(browserMissing !== null)('a page', () => {
  beforeAll(async () => {
    app = await startWebApp();
    rover = await makeRover(app.workspace);
    phone = await app.open({ width: 375 });
  });
  afterAll(() => app.close());

  test('says beside a button why it cannot be pressed, until it can', async () => {
    const { page, goto, shoot, axe } = phone;
    const why = async (name: string, reason: string | null) => {
      const button = page.getByRole('button', { name, exact: true, description: reason ?? '' });
      await button.waitFor();
      expect(await button.isDisabled()).toBe(reason !== null);
      if (reason !== null) await page.getByText(reason, { exact: true }).waitFor();
    };
    await goto(`/stock/count?location=${rover.shelf}`);
    await why('Review', 'Count something first.');
    await shoot('count-why-375');
    await page.getByLabel('Counted of SCR-M3').fill('x');
    await why(
      'Review',
      'SCR-M3: “x” is no quantity: at most 9 digits, 6 decimal places, and nothing between thousands.',
    );
    await page.getByLabel('Counted of SCR-M3').fill('-1');
    await why('Review', 'SCR-M3: A count cannot be below 0.');
    await page.getByLabel('Counted of SCR-M3').fill('38');
    await why('Review', null);
    await goto('/automations/new');
    await why('Save', 'Enter a name.');
    await shoot('automation-why-375');
    expect(await axe()).toEqual([]);
    await page.getByLabel('Name', { exact: true }).fill('Named');
    await why('Save', null);
  });

  test('lets what a row has no room to explain be pressed, and says why not', async () => {
    const { page, goto, shoot } = phone;
    await goto(`/procurement/projects/${rover.project}?all=1`);
    const reserve = page.getByRole('button', { name: 'Reserve', disabled: true }).first();
    await reserve.focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^Nothing of .* is available\.$/).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await shoot('project-375');
  });

  test('says on a phone what each figure of a row is', async () => {
    const { page, goto, settled, shoot, axe } = phone;
    const rows = async (path: string) => {
      await goto(path);
      await page.getByRole('row').first().waitFor();
      await settled();
      await shoot(`figures-${path.replaceAll(/[^a-z]+/g, '-')}-375`);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect([path, overflow]).toEqual([path, 0]);
      return (await page.getByRole('row').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    };
    expect(await rows('/stock/positions')).toContainEqual(expect.stringMatching(/^SCR-M3.* 37\.5 On hand/));
    expect(await axe()).toEqual([]);
    expect(await rows('/procurement/orders')).toContainEqual(expect.stringMatching(/\d of \d Lines open/));
    expect(await rows('/procurement/requirements')).toContainEqual(expect.stringMatching(/\d Open\b/));
    expect(await rows(`/procurement/orders/${rover.order}`)).toContainEqual(
      expect.stringMatching(/\d Open\b/),
    );
    expect(await rows(`/procurement/projects/${rover.project}`)).toContainEqual(
      expect.stringMatching(/\d Short\b/),
    );
    expect(await rows(`/entities/${rover.wheel}/demand`)).toContainEqual(
      expect.stringMatching(/\d Available after/),
    );
    expect(await rows('/stock/ledger')).toContainEqual(expect.stringMatching(/[+−]\d+ Quantity/));
  });

  deepTest('stops the tab key at one row of a grid, whose buttons the arrow keys reach', async () => {
    const { page, goto, settled, axe } = await app.open();
    await goto('/stock/positions');
    await page.getByRole('link', { name: 'SCR-M3' }).waitFor();
    await settled();
    const stops = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('[data-row] :is(a, button, input)')]
          .filter((one) => one.tabIndex >= 0)
          .map((one) => one.closest<HTMLElement>('[data-row]')?.dataset.row),
      );
    expect(await stops()).toEqual(['0', '0', '0']);
    await page.getByRole('row').nth(1).getByRole('link').first().focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(stops).toEqual(['1', '1', '1']);
    await page.keyboard.press('ArrowUp');
    await expect.poll(stops).toEqual(['0', '0', '0']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    const second = page
      .getByRole('row')
      .nth(2)
      .getByRole('button', { name: /^Adjust / });
    await expect.poll(() => second.evaluate((one) => one === document.activeElement)).toBe(true);
    // Behind the last button of the row the grid is left.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[data-row]') ?? null)).toBeNull();
    expect(await axe()).toEqual([]);
    await second.press('Enter');
    await page.getByRole('dialog').getByLabel('Quantity').waitFor();
    await app.leave(page);
  });

  deepTest('never says of a batch that has ended that its results are to come', async () => {
    const { page, goto } = await app.open();
    const { ask, transact } = app.workspace;
    const { E_Guid: guid } = (await ask('GET', `/entities/${rover.wheel}`)).body;
    const { batchId } = await transact(async (tx) => {
      // Whoever holds what it is to change holds the batch up.
      await tx.query('select from entity where workspace_id = $1 and id = $2 for update', [
        app.workspace.id,
        rover.wheel,
      ]);
      const entities = [{ guid, number: 'ROV-110', name: 'Drive wheel, wide', categoryKey: 'assembly' }];
      const sent = await ask('POST', '/pdm/sync', { entities }, { Prefer: 'respond-async' });
      expect(sent.status, sent.text).toBe(202);
      await goto(`/batches/${sent.body.batchId}`);
      await page.getByText('No results yet').waitFor();
      await page.evaluate(() => {
        const seen: string[] = [];
        Object.assign(globalThis, { seen });
        const look = () => {
          const text = document.querySelector('main')?.textContent ?? '';
          if (text.includes('completed') && text.includes('No results yet')) seen.push(text);
        };
        new MutationObserver(look).observe(document.body, {
          childList: true,
          characterData: true,
          subtree: true,
        });
      });
      return sent.body as { batchId: string };
    });
    await page.getByRole('row', { name: /ROV-110.*updated/ }).waitFor();
    await page.getByText('completed', { exact: true }).waitFor();
    expect(await page.evaluate('seen')).toEqual([]);
    expect((await ask('GET', `/pdm/sync/batches/${batchId}`)).body.status).toBe('completed');
    await app.leave(page);
  });
});
