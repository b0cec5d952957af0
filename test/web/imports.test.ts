// What is said of a file in the app is not said twice: over a reload, and on the way back from the dry run.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sample } from '../setup/tier.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { makeRover } from './stocked-rover.ts';

let app: WebApp;

async function chooseFile(page: Page, rows: readonly string[]): Promise<void> {
  const buffer = Buffer.from(rows.join('\n'));
  await page.locator('input[type=file]').setInputFiles({ name: 'parts.csv', mimeType: 'text/csv', buffer });
  await page.getByText(/^\d+ elements? will be sent\.$/).waitFor();
}

const KEPT = 'Your last mapping for these columns is used.';
const HEAD = 'Part Number,Description,Qty,Shade';

describe.skipIf(browserMissing !== null)('an import', () => {
  beforeAll(async () => {
    app = await startWebApp();
    await makeRover(app.workspace);
  });
  afterAll(() => app.close());

  test('is not called fixed before another has come, where what it rejected has no GUID', async () => {
    const { page, goto } = await app.open();
    const entities = [{ guid: 'none', number: 'ODD-1', name: 'Odd', categoryKey: 'part' }];
    const { body } = await app.workspace.ask('POST', '/pdm/sync?profile=odd', { entities });
    await goto(`/batches/${body.batchId}`);
    const status = page.getByRole('status').filter({ hasText: /rejected|fixed/ });
    await status.waitFor();
    expect(await status.innerText()).toBe('1 item still rejected');
    await app.leave(page);
  });

  test.each(sample([380, 1280]))(
    'keeps at %i pixels what was said of the columns, for files that have the same',
    async (width) => {
      const { page, goto, axe, shoot, complaints } = await app.open({ width });
      const shade = page.getByLabel('Meaning of Shade');
      await goto('/imports');
      await chooseFile(page, [HEAD, `KM-${width},Cap,1,Brass`]);
      expect(await shade.inputValue()).toBe('');
      expect(await page.getByText(KEPT).count()).toBe(0);
      await shade.selectOption('property:Material');
      await page.getByText('Ignored columns: Shade.').waitFor({ state: 'detached' });
      // While the file is read anew there is nothing to send yet.
      await page.getByText('1 element will be sent.').waitFor();
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByRole('heading', { name: 'Dry run from upload' }).waitFor();

      // The way back to the columns keeps the file and what was chosen.
      await page.getByRole('link', { name: 'Back to columns' }).click();
      await page.getByText('1 element will be sent.').waitFor();
      expect(await shade.inputValue()).toBe('property:Material');
      await page.goBack();
      await page.getByRole('heading', { name: 'Dry run from upload' }).waitFor();

      // Something in the file was wrong: it is mended, and chosen again.
      await page.goBack();
      await chooseFile(page, [HEAD, `KM-${width},Cap,1,Copper`, `KN-${width},Lid,1,Tin`]);
      await page.getByText(KEPT).waitFor();
      expect(await shade.inputValue()).toBe('property:Material');
      // Of a thread that is ended while it loads the browser never says so: what is shown is waited for.
      await page.getByText('2 elements will be sent.').waitFor();
      await shoot(`import-kept-${width}`);
      expect(await axe()).toEqual([]);
      // No word of the table is broken: what the column is called, and what stands in it.
      for (const words of ['Part Number', `KM-${width} · KN-${width}`]) {
        const lines = await page.getByRole('cell', { name: words }).evaluate((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        });
        expect([words, lines]).toEqual([words, 1]);
      }
      await page.reload();
      await chooseFile(page, [HEAD, `KM-${width},Cap,1,Copper`]);
      await page.getByText(KEPT).waitFor();
      await page.getByText('1 element will be sent.').waitFor();
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByRole('heading', { name: 'Dry run from upload' }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      // The page is there before the batch is done.
      const sent = async () =>
        (await app.workspace.ask('GET', `/pdm/sync/batches/${id}/elements`)).body.items;
      await expect.poll(async () => (await sent())[0]?.element.properties).toEqual({ Material: 'Copper' });

      // Other columns are another file, and whoever begins afresh has the suggestion again, over a reload too.
      await goto('/imports');
      await chooseFile(page, [`${HEAD},Remark`, `KM-${width},Cap,1,Copper,none`]);
      expect(await page.getByText(KEPT).count()).toBe(0);
      await chooseFile(page, [HEAD, `KM-${width},Cap,1,Copper`]);
      await page.getByText(KEPT).waitFor();
      await page.getByRole('button', { name: 'Start over' }).click();
      await expect.poll(() => shade.inputValue()).toBe('');
      await page.getByText(KEPT).waitFor({ state: 'detached' });
      await page.reload();
      await chooseFile(page, [HEAD, `KM-${width},Cap,1,Copper`]);
      expect(await page.getByText(KEPT).count()).toBe(0);
      expect(complaints).toEqual([]);
      await app.leave(page);
    },
  );

  test('takes numbered columns of suppliers as supplier parts, and lets a person change what they mean', async () => {
    const { page, goto, axe, shoot, complaints } = await app.open({ width: 380 });
    const meaning = (title: string) => page.getByLabel(`Meaning of ${title}`, { exact: true });
    await goto('/imports');
    await chooseFile(page, [
      'Part Number,Description,Supplier 1,Supplier Part Number 1,Unit Price 1,Supplier 2,Supplier Part Number 2,Code',
      'SP-1,Cap,Alpha,A-1,0.5 EUR,Beta,B-1,M-1',
    ]);
    expect(await meaning('Supplier 2').inputValue()).toBe('supplier:supplier');
    expect(await meaning('Unit Price 1').inputValue()).toBe('supplier:price');
    await meaning('Code').selectOption({ label: "Manufacturer's number (MPN)" });
    await page.getByLabel('Currency of prices without one').fill('usd');
    // Its price says another currency: that is told, and the price is left out.
    await page.getByText(/The price has another currency beside it than USD/).waitFor();
    await page.getByLabel('Currency of prices without one').fill('');
    await page.getByText(/The price has another currency/).waitFor({ state: 'detached' });
    await page.getByText('1 element will be sent.').waitFor();
    await shoot('import-suppliers-380');
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('heading', { name: 'Dry run from upload' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const sent = async () => (await app.workspace.ask('GET', `/pdm/sync/batches/${id}/elements`)).body.items;
    await expect
      .poll(async () => (await sent())[0]?.element.supplierParts)
      .toEqual([
        { supplier: 'Alpha', sku: 'A-1', mpn: 'M-1', prices: [{ price: '0.5', currency: 'EUR' }] },
        { supplier: 'Beta', sku: 'B-1', mpn: 'M-1' },
      ]);
    // Without a column of the supplier its name is asked for.
    await goto('/imports');
    await chooseFile(page, ['Part Number,Description,Order code', 'SP-2,Lid,O-7']);
    await meaning('Order code').selectOption({ label: "Supplier's number (SKU)" });
    await page.getByText(/either "supplier", a column, or "supplierName"/).waitFor();
    await page.getByLabel('Supplier of all rows').fill('Gamma');
    await page.getByText('1 element will be sent.').waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });
});
