// The tasks that people open the app for, each from its page to its end, against the real service.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page, Route } from 'playwright-core';
import encodeQr from 'qr';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { projectFolder } from '../architecture/scan-sources.ts';
import { deepTest, coreTest as test } from '../setup/tier.ts';
import { type AppPage, browserMissing, startWebApp, type WebApp } from './browser.ts';
import { paste, scan, showCodeToCamera } from './hands.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;
let folder: string;

async function chooseFile(page: Page, name: string, text: string): Promise<void> {
  const buffer = Buffer.from(text);
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

/** Sends what the page has read, and answers the elements as they were sent. */
async function dryRunOfPage(page: Page, profile: string) {
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByRole('heading', { name: `Dry run from ${profile}` }).waitFor();
  await page.getByText('completed', { exact: true }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const { body } = await app.workspace.ask('GET', `/pdm/sync/batches/${id}/elements`);
  return body.items.map(({ element }: { element: unknown }) => element);
}

/** What the command line would send of the file by that definition. */
function readByCommandLine(file: string, mapping: unknown): unknown[] {
  const definition = join(folder, 'definition.json');
  writeFileSync(definition, JSON.stringify(mapping));
  const program = join(projectFolder, 'clients/cli/main.ts');
  const args = [program, 'sync', '--read', '--definition', definition, file];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout, stderr).not.toBe('');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function cellOf(value: string | number) {
  return typeof value === 'number' ? { value, type: Number } : { value, type: String };
}

describe.skipIf(browserMissing !== null)('a person', () => {
  let opened: AppPage;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'partbook-tasks-'));
    app = await startWebApp();
    rover = await makeRover(app.workspace);
    opened = await app.open();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await app.close();
  });

  test('sees why items were rejected, creates the missing category, and retries those items', async () => {
    const { page, goto } = opened;
    await goto('');
    await page.getByRole('link', { name: 'night-import' }).first().click();
    await page.getByRole('heading', { name: 'Problems' }).waitFor();
    const problem = (code: string) => page.getByRole('listitem').filter({ hasText: code }).first();
    await problem('cycle').waitFor();
    await problem('category_not_found').getByText('GBX-1 Gearbox, GBX-2 Gearbox, left').waitFor();
    await page.getByRole('button', { name: 'Create category gearbox' }).first().click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Category saved.').waitFor();
    expect((await app.workspace.ask('GET', '/categories/gearbox')).body.role).toBe('item');
    await page.locator('[role=row]:has-text("GBX-1") [aria-label^="Show row 0"]').click();
    await page.getByRole('dialog').getByText('"categoryKey": "gearbox"').waitFor();
    await page.keyboard.press('Escape');
    await problem('category_not_found')
      .getByRole('button', { name: /^Retry \d+ items?$/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('link', { name: 'retry of an earlier import' }).waitFor();
    await page.getByText('completed', { exact: true }).waitFor();
    await page
      .getByRole('row', { name: /created/ })
      .first()
      .waitFor();
    expect(await page.getByRole('heading', { name: 'Problems' }).count()).toBe(0);
  });

  test('sees what a table of parts would do, and commits it', async () => {
    const { page, goto } = opened;
    await goto('/imports');
    const csv =
      'Part Number,Description,Qty,Parent,Material,Colour\nANT-1,Antenna,2,ROV-100,Steel,red\nSCR-M3,Screw M3 × 10,,,,\nTWIN-1,Twin,,,,\n';
    // A number of two parts says of neither that it is meant, whether both have a GUID or not.
    for (const E_Guid of [randomUUID(), undefined]) {
      const twin = { category: 'part', name: 'Twin', number: 'TWIN-1', E_Guid };
      expect((await app.workspace.ask('POST', '/entities', twin)).status).toBe(201);
    }
    await chooseFile(page, 'parts.csv', csv);
    // By number the others are parts of the workspace, which has them by GUIDs of another tool.
    await page.getByText('Update 2 parts that the workspace has already').waitFor();
    await page.getByText('Ignored columns: Colour.').waitFor();
    await page.getByText('3 elements will be sent.').waitFor();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page
      .getByText(/creates 2 items and updates 1 item; it adds, changes or removes 1 BOM link of 1 item/)
      .waitFor();
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Commit' }).click();
    await page.getByText('commit of a dry run').waitFor();
    await page.getByText('completed', { exact: true }).waitFor();
    const [antenna] = (await app.workspace.ask('GET', '/entities?number=ANT-1')).body.items;
    expect(antenna.properties).toEqual({ Material: 'Steel' });
    expect((await app.workspace.ask('GET', `/entities/${rover.screw}`)).body.name).toBe('Screw M3 × 10');
    const uses = (await app.workspace.ask('GET', `/entities/${rover.rover}/uses`)).body.items;
    expect(uses.find((use: { number: string }) => use.number === 'ANT-1').quantity).toBe(2);
    // What was added last stands where whoever reads a list of parts looks for it.
    await goto(`/entities/${rover.rover}/uses`);
    await page.getByText('ANT-1', { exact: true }).first().waitFor();
    const rows = await page.getByRole('treegrid', { name: 'Structure' }).getByRole('row').allInnerTexts();
    const numbers = rows.flatMap((row) => /ANT-1|ROV-110|SCR-M3/.exec(row) ?? []);
    expect(numbers.length).toBeGreaterThan(1);
    expect(numbers).toEqual(numbers.toSorted());
    expect(numbers[0]).toBe('ANT-1');
    expect(uses[0].number).not.toBe('ANT-1');
  });

  test('corrects what was suggested for a list from abroad, keeps it, and the command line reads the same from it', async () => {
    const { page, goto, settled } = opened;
    const { ask } = app.workspace;
    const file = join(folder, 'liste.csv');
    const lines = [
      'Stückliste Fahrwerk;;;;;',
      'Stufe;Teilenummer;Benennung;Menge;Mass;Farbe',
      '0;FW-1;Fahrwerk;1;12,5 kg;',
      '1;FW-2;Bügel;2,5;0,75 kg;rot',
      '1;FW-3;Öse;viele;;',
      '1;FW-4;Feder;4;leicht;blau',
    ];
    // As a German spreadsheet writes it: not in UTF-8.
    writeFileSync(file, Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1'));
    await goto('/imports');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('Ignored columns: Farbe.').waitFor();
    await page.getByText('The text encoding is windows-1252.').waitFor();
    // What is not understood is named with its place, and the rest goes on.
    await page.getByText('Line 5, cell Menge: "viele" is no quantity.').waitFor();
    await page.getByText('Line 6, cell Mass: "leicht" is no number').waitFor();
    expect(await page.getByLabel('Number format').inputValue()).toBe(',');
    expect(await page.getByLabel('Structure', { exact: true }).inputValue()).toBe('levels');
    await page.getByLabel('Meaning of Farbe').selectOption('property:Material');
    await expect.poll(() => page.getByText('Ignored columns: Farbe.').count()).toBe(0);
    await page.getByRole('button', { name: 'Save mapping' }).click();
    await page.getByLabel('Name', { exact: true }).fill('erp lists');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Definition saved.').waitFor();
    await page.getByText('3 elements will be sent. 1 line').waitFor();
    await settled();
    const sent = await dryRunOfPage(page, 'erp lists');
    expect(sent).toMatchObject([
      { number: 'FW-1', name: 'Fahrwerk', categoryKey: 'assembly', properties: { Mass: '12.5' } },
      { number: 'FW-2', name: 'Bügel', quantity: 2.5, properties: { Mass: '0.75', Material: 'rot' } },
      { number: 'FW-4', parentGuid: sent[0].guid, quantity: 4, properties: { Material: 'blau' } },
    ]);
    const kept = await ask('GET', '/import-definitions/erp%20lists');
    expect(readByCommandLine(file, kept.body.mapping)).toEqual(sent);

    // The next file of this kind is read by it without a question.
    await goto('/imports');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('3 elements will be sent. 1 line').waitFor();
    expect(await page.getByLabel('Mapping', { exact: true }).inputValue()).toBe('erp lists');
  });

  test('takes a workbook as the command line does: the sheet with the list, numbers as they are shown', async () => {
    const { page, goto } = opened;
    const file = join(folder, 'bom.xlsx');
    const text = (value: string) => ({ value, type: String });
    await writeXlsxFile([
      { sheet: 'Cover', data: [[text('Quarterly release')], [text('Nothing to see')]] },
      {
        sheet: 'BOM',
        data: [
          [text('Gearbox, revision C')],
          ['Level', 'Part Number', 'Description', 'Qty', 'Mass', 'Supplier'].map(text),
          [0, 'GB-1', 'Gearbox', 1, 4.25, ''].map(cellOf),
          [1, 'GB-2', 'Housing', 1, 2, 'Acme'].map(cellOf),
          [2, 'GB-3', 'Pin', 0.5, 0.125, 'Acme'].map(cellOf),
          [1, 4711, 'Seal', 2, 0.01, ''].map(cellOf),
        ],
      },
    ]).toFile(file);
    await goto('/imports');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('Ignored columns: Supplier.').waitFor();
    await page.getByText('Sheet BOM, cell B6').waitFor();
    expect(await page.getByLabel('Sheet').inputValue()).toBe('BOM');
    const mapping = JSON.parse(await page.getByLabel('Definition as JSON').inputValue());
    await page.getByText('4 elements will be sent.').waitFor();
    const sent = await dryRunOfPage(page, 'upload');
    expect(sent).toMatchObject([
      { number: 'GB-1', categoryKey: 'assembly', properties: { Mass: '4.25' } },
      { number: 'GB-2', categoryKey: 'assembly', parentGuid: sent[0].guid, quantity: 1 },
      { number: 'GB-3', categoryKey: 'part', parentGuid: sent[1].guid, quantity: 0.5 },
      { number: '4711', categoryKey: 'part', parentGuid: sent[0].guid, quantity: 2 },
    ]);
    expect(readByCommandLine(file, mapping)).toEqual(sent);
  });

  test('finds a part and opens its structure with the keyboard alone', async () => {
    const { page, goto } = opened;
    await goto('');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ROV-100');
    await page.getByRole('option', { name: /^ROV-100/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /ROV-100/ }).waitFor();
    await page.getByRole('link', { name: /^Structure/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'ROV-110' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('row', { name: /ROV-111/ }).waitFor();
    await page.getByRole('link', { name: 'ROV-111' }).focus();
    await page.keyboard.press('ArrowRight');
    // Six wheels, one hub each, four and a half screws a hub.
    await page.getByRole('row', { name: /SCR-M3.*4\.5\s*27/ }).waitFor();
  });

  deepTest('loses nothing of what is typed while a dialog opens', async () => {
    const { page, goto } = opened;
    await goto(`/entities/${rover.wheel}/stock`);
    await page.getByRole('button', { name: 'Adjust', exact: true }).waitFor();
    // Before the browser comes to the next key, for which nobody waits.
    const isInField = (open: 'press' | 'click') =>
      page.evaluate(async (by) => {
        const key = new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true });
        if (by === 'press') window.dispatchEvent(key);
        else (document.activeElement as HTMLElement).click();
        await Promise.resolve();
        return document.activeElement?.matches('[role="dialog"] input');
      }, open);
    const adjust = page.getByRole('button', { name: 'Adjust', exact: true });
    for (const by of ['press', 'click'] as const) {
      await adjust.focus();
      expect([by, await isInField(by)]).toEqual([by, true]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => adjust.evaluate((button) => button.matches(':focus'))).toBe(true);
    }
  });

  test('goes on to the next of the list with a key, and asks for help with another', async () => {
    const { page, goto } = opened;
    await goto('/entities?q=STD-00');
    await page.getByRole('link', { name: 'STD-0000' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /STD-0000/ }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: /STD-0001/ }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Find an item or a page').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('adjusts stock with the keyboard alone', async () => {
    const { page, goto } = opened;
    await goto(`/entities/${rover.wheel}/stock`);
    await page.getByRole('button', { name: 'Adjust', exact: true }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const focused = (label: string) =>
      expect
        .poll(() => page.getByLabel(label, { exact: true }).evaluate((field) => field.matches(':focus')))
        .toBe(true);
    // What a hand scanner types goes to the field that waits for it.
    await focused('Location');
    await page.keyboard.type('SH-A1');
    await page.keyboard.press('Enter');
    await dialog.getByText('On hand').waitFor();
    // Add is chosen; the next field is the quantity.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await focused('Quantity');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    // The keyboard goes on where it was, and the figures of the page are those of now.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toBe('Adjust');
    await page.locator('dl').getByText('5', { exact: true }).first().waitFor();
    const { items } = (await app.workspace.ask('GET', `/stock/positions/by-item/${rover.wheel}`)).body;
    expect(items[0].onHand).toBe(5);
  });

  test('adjusts stock, and keeps what was typed when the service refuses', async () => {
    const { page, goto } = opened;
    await goto(`/entities/${rover.screw}/stock`);
    await page.getByRole('button', { name: 'Adjust', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await scan(page, 'Location', 'SH-A1');
    await dialog.getByLabel('Quantity').fill('0');
    expect(await dialog.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Quantity').fill('-1000');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByText('insufficient_stock').waitFor();
    expect(await dialog.getByLabel('Quantity').inputValue()).toBe('-1000');
    await dialog.getByLabel('Quantity').fill('2.5');
    await dialog.getByText('37.5 → 40').waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const { items } = (await app.workspace.ask('GET', `/stock/positions/by-item/${rover.screw}`)).body;
    expect(items[0].onHand).toBe(40);
  });

  test('counts a shelf: what is not counted stays, what moved meanwhile is asked about', async () => {
    const { page, goto } = opened;
    await goto(`/stock/count?location=${rover.shelf}`);
    await page.getByLabel('Counted of SCR-M3').fill('38');
    await app.workspace.ask('POST', '/stock/adjustments', {
      itemEntityId: rover.screw,
      locationEntityId: rover.shelf,
      quantity: 5,
    });
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByLabel(/It moved by \+5/).selectOption('before');
    await page.getByRole('button', { name: 'Apply 1 correction' }).click();
    await page.getByText('1 position corrected.').waitFor();
    const { items } = (await app.workspace.ask('GET', `/stock/positions/by-location/${rover.shelf}`)).body;
    const onHand = Object.fromEntries(
      items.map((one: { itemNumber: string; onHand: number }) => [one.itemNumber, one.onHand]),
    );
    expect(onHand).toEqual({ 'SCR-M3': 43, 'ROV-110': 5 });
  });

  test('orders what a project is short of, and receives it', async () => {
    const { page, goto } = opened;
    await goto(`/procurement/projects/${rover.project}`);
    await page
      .getByRole('row', { name: /ROV-110/ })
      .getByRole('button', { name: 'Order' })
      .click();
    await scan(page, 'Received at', 'SH-A1');
    await page.getByRole('dialog').getByLabel('Quantity').fill('4');
    await page.getByRole('dialog').getByRole('button', { name: 'Order' }).click();
    await page.getByText('4 × ROV-110 ordered.').waitFor();
    const lines = (await app.workspace.ask('GET', `/stock/lines?itemEntityId=${rover.wheel}`)).body.items;
    await goto(`/procurement/orders/${lines[0].orderId}`);
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    await page.getByRole('dialog').getByText('At SH-A1').waitFor();
    await page.getByRole('dialog').getByLabel('Quantity').fill('3');
    await page.keyboard.press('Enter');
    await page.getByText('3 of ROV-110 received at SH-A1.').waitFor();
    expect((await app.workspace.ask('GET', `/stock/lines/${lines[0].id}`)).body.receivedQty).toBe(3);
  });

  test('pastes from a spreadsheet: adjustments, what was counted, the lines of an order', async () => {
    const { page, goto } = opened;
    const { ask } = app.workspace;
    const positions = async () => {
      const { items } = (await ask('GET', `/stock/positions/by-location/${rover.shelf}`)).body;
      return Object.fromEntries(items.map((one: { itemNumber: string }) => [one.itemNumber, one]));
    };
    const before = await positions();
    await goto('/stock');
    await page.getByRole('button', { name: 'Adjust several' }).click();
    const dialog = page.getByRole('dialog');
    const block = [
      'Part\tPlace\tQty\tWhy',
      'STD-0001\tSH-A1\t12\tfound',
      'STD-0002\tSH-A1\t7',
      'SCR-M3\tSH-A1\t-1000',
    ];
    await paste(page, 'Item, row 1', block.join('\r\n'));
    await dialog.getByText('Standard part 1', { exact: true }).waitFor();
    // One of them cannot be: none is made, and what was pasted stays with the reason beside its row.
    await dialog.getByRole('button', { name: 'Apply 3' }).click();
    await dialog.getByText('insufficient_stock').waitFor();
    await dialog.getByText(/^There are only/).waitFor();
    expect(await positions()).toEqual(before);
    await dialog.getByLabel('Quantity, row 3').fill('-1');
    await dialog.getByRole('button', { name: 'Apply 3' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await positions()).toMatchObject({ 'STD-0001': { onHand: 12 }, 'STD-0002': { onHand: 7 } });

    await goto(`/stock/count?location=${rover.shelf}`);
    await paste(page, 'Counted of STD-0001', 'STD-0001\t11\nSTD-0003\t4\nNOBODY-1\t3\n');
    await page.getByText('Not taken: NOBODY-1.').waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Apply 2 corrections' }).click();
    await page.getByText('2 positions corrected.').waitFor();
    expect(await positions()).toMatchObject({ 'STD-0001': { onHand: 11 }, 'STD-0003': { onHand: 4 } });

    // A scanner is quicker than the answer of what categories there are, which is on its way until the number is looked up.
    let goOn = () => {};
    const isLookedUp = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/categories\?/, async (route) => {
      await isLookedUp;
      await route.continue();
    });
    await goto('/procurement/orders');
    await page.getByRole('button', { name: 'Order from a list' }).click();
    const lookedUp = page.waitForResponse(/[?&]number=SH-A1/);
    const taken = scan(page, 'Received at', 'SH-A1');
    await lookedUp;
    goOn();
    await taken;
    await page.unroute(/\/categories\?/);
    await paste(page, 'Item, row 1', 'STD-0004\t40\t24.12.2026\nSTD-0005\t50\n');
    await dialog.getByRole('button', { name: 'Order 2 lines' }).click();
    await page.getByRole('heading', { name: /^Purchase order/ }).waitFor();
    await page
      .getByRole('row', { name: /STD-0004/ })
      .first()
      .waitFor();
    const id = page.url().split('/').at(-1);
    expect((await ask('GET', `/orders/${id}`)).body.lines).toMatchObject([
      { itemNumber: 'STD-0004', quantity: 40, requiredBy: '2026-12-24' },
      { itemNumber: 'STD-0005', quantity: 50, requiredBy: null },
    ]);
    // More of them for the order that is there.
    await page.getByRole('button', { name: 'Add from a list' }).click();
    await scan(page, 'Received at', 'SH-A1');
    await paste(page, 'Item, row 1', 'STD-0006\t60\nSTD-0007\t70\n');
    await dialog.getByRole('button', { name: 'Add 2 lines' }).click();
    await page.getByText('2 lines added.').waitFor();
    await page
      .getByRole('row', { name: /STD-0007/ })
      .first()
      .waitFor();
    expect((await ask('GET', `/orders/${id}`)).body.lines.slice(2)).toMatchObject([
      { itemNumber: 'STD-0006', quantity: 60 },
      { itemNumber: 'STD-0007', quantity: 70 },
    ]);
  });

  deepTest('scans a label with the camera where the browser reads no codes itself', async () => {
    const { page, goto, complaints } = await app.open({ width: 390 });
    await page.addInitScript(showCodeToCamera, encodeQr('SCR-M3', 'raw', { ecc: 'medium', border: 4 }));
    await goto('/stock');
    await page.getByRole('button', { name: 'Scan' }).click();
    await page.getByRole('button', { name: 'Use the camera' }).click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /SCR-M3/ })
      .waitFor();
    expect(complaints).toEqual([]);
  });

  test('keeps what was typed when somebody else saves first, and says what they changed', async () => {
    const { page, goto } = opened;
    await goto(`/entities/${rover.screw}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Material').fill('Brass');
    const theirs = { properties: { Mass: 0.002 } };
    expect((await app.workspace.ask('PATCH', `/entities/${rover.screw}`, theirs)).status).toBe(200);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Mass (kg): – → 0.002').waitFor();
    await page.getByRole('button', { name: 'Keep my changes' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    const { properties } = (await app.workspace.ask('GET', `/entities/${rover.screw}`)).body;
    expect(properties).toMatchObject({ Mass: 0.002, Material: 'Brass' });
  });

  deepTest('goes on typing while a save is under way, and keeps it when others save first', async () => {
    const { page, goto } = opened;
    const { ask } = app.workspace;
    const save = page.getByRole('button', { name: 'Save', exact: true });
    /** Saves, and types on before the save has reached the service. */
    const saveAndTypeOn = async (field: Locator, text: string, kept: () => Promise<string>) => {
      const reached = Promise.withResolvers<void>();
      const typed = Promise.withResolvers<void>();
      const hold = async (route: Route) => {
        if (route.request().method() === 'PUT') {
          reached.resolve();
          await typed.promise;
        }
        await route.continue();
      };
      await page.route('**/api/wid/**', hold);
      await save.click();
      await reached.promise;
      await field.fill(text);
      typed.resolve();
      await page.getByText(/^(?:Lifecycle saved|Saved)\.$/).waitFor();
      await page.unroute('**/api/wid/**', hold);
      await expect.poll(() => save.isEnabled()).toBe(true);
      expect(await field.inputValue()).toBe(text);
      expect(await page.getByText('Somebody else saved').count()).toBe(0);
      await save.click();
      await expect.poll(kept).toContain(text);
      await expect.poll(() => save.getAttribute('data-loading')).toBe(null);
    };
    const script = 'return 1;';
    const made = await ask('POST', '/automations', { name: 'Count', contextTypeId: 1, script });
    expect(made.status).toBe(201);
    await goto(`/automations/${made.body.id}`);
    const description = page.getByLabel('Description');
    await description.fill('one');
    const automation = async () => (await ask('GET', `/automations/${made.body.id}`)).text;
    await saveAndTypeOn(description, 'one and two', automation);

    await goto('/settings/lifecycles/location');
    const state = page.getByLabel('State 2');
    await state.fill('Closed');
    await saveAndTypeOn(
      state,
      'Closed for good',
      async () => (await ask('GET', '/lifecycles/location')).text,
    );
    const lifecycle = (await ask('GET', '/lifecycles/location')).body;
    expect(lifecycle.states).toMatchObject([{ name: 'Active' }, { name: 'Closed for good' }]);

    await state.fill('Torn down');
    const theirs = await ask('PUT', '/lifecycles/location', { ...lifecycle, name: 'Place' });
    expect(theirs.status, theirs.text).toBe(200);
    await save.click();
    await page.getByText('Somebody else saved this').waitFor();
    expect(await state.inputValue()).toBe('Torn down');
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    await page.getByRole('heading', { name: 'Lifecycle Place' }).waitFor();
    expect(await state.inputValue()).toBe('Closed for good');
  });

  test('says what somebody else saved first of a category and of a property', async () => {
    const { page, goto } = opened;
    const { ask } = app.workspace;
    const dialog = page.getByRole('dialog');
    const contest = async (theirs: () => Promise<{ status: number; text: string }>, told: string) => {
      const { status, text } = await theirs();
      expect(status, text).toBe(200);
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.getByText(told).waitFor();
      await dialog.getByRole('button', { name: 'Keep my changes' }).click();
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await goto('/settings');
    await page.getByRole('button', { name: 'Edit Gearbox' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Gear train');
    const category = (await ask('GET', '/categories/gearbox')).body;
    await contest(
      () => ask('PUT', '/categories/gearbox', { ...category, hiddenFromNew: true }),
      'Not offered under “New”: no → yes',
    );
    expect((await ask('GET', '/categories/gearbox')).body).toEqual({
      ...category,
      name: 'Gear train',
      hiddenFromNew: true,
    });

    await ask('POST', '/property-definitions', { key: 'Finish', name: 'Finish', type: 'text' });
    await goto('/settings/properties');
    await page.getByRole('button', { name: 'Edit Finish' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Surface');
    const theirs = { key: 'Finish', name: 'Finish', type: 'boolean' };
    await contest(() => ask('PUT', '/property-definitions/Finish', theirs), 'Type: text → boolean');
    expect((await ask('GET', '/property-definitions/Finish')).body).toMatchObject({
      name: 'Surface',
      type: 'boolean',
    });
  });

  test('gives a colleague a key of their own, and takes it back', async () => {
    const { page, goto } = opened;
    await goto('/settings/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Ada');
    await page.getByRole('button', { name: 'Storekeeper' }).click();
    expect(await page.getByLabel('Stock', { exact: true }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Create' }).click();
    const key = await page.getByRole('dialog').locator('code').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    const colleague = await app.open({ key });
    await colleague.goto('/entities');
    await colleague.page.getByRole('heading', { name: 'Items' }).waitFor();
    expect(await colleague.page.getByRole('button', { name: 'New' }).count()).toBe(0);
    await colleague.goto('/stock');
    await colleague.page.getByRole('button', { name: 'Adjust', exact: true }).waitFor();
    await colleague.goto('/entities');
    await page.getByRole('button', { name: 'Revoke Ada' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('its sessions ended').waitFor();
    await colleague.page.getByLabel('Number, name or property').fill('ROV');
    await colleague.page.getByText('Your session has ended').waitFor();
  });
});
