// The connection breaks, hangs or leads elsewhere while somebody works: nothing typed is lost, and what is said is true.
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AppPage, browserMissing, startWebApp, type WebApp } from './browser.ts';

let app: WebApp;

const named = async (name: string) =>
  (await app.workspace.ask('GET', `/entities?q=${encodeURIComponent(name)}`)).body.items.length as number;

async function typeNew({ page, goto }: AppPage, name: string): Promise<void> {
  await goto('/entities');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
}

const create = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Create' });

/** What creates an entity goes to `answer` in the service's place. */
async function instead(page: Page, answer: (route: Route) => Promise<void>): Promise<void> {
  await page.route(/\/entities$/, (route) =>
    route.request().method() === 'POST' ? answer(route) : route.continue(),
  );
}

/** Answers the question that the browser will ask, and returns its text. */
async function answerQuestion(page: Page, leave: boolean): Promise<string> {
  const question = await page.waitForEvent('dialog');
  await (leave ? question.accept() : question.dismiss());
  return question.message();
}

describe.skipIf(browserMissing !== null)('with a broken connection a person', () => {
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app.close());

  test('is told at once, keeps what was typed, and nothing is done behind their back', async () => {
    const opened = await app.open();
    const { page } = opened;
    await typeNew(opened, 'Antenna');
    await page.context().setOffline(true);
    await create(page).click();
    const said = page.getByRole('dialog').getByText('The service cannot be reached');
    await said.waitFor();
    await page.context().setOffline(false);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Antenna');
    expect(await named('Antenna')).toBe(0);
    await create(page).click();
    await page.getByRole('heading', { name: 'Antenna' }).waitFor();
    expect(await named('Antenna')).toBe(1);
  });

  test('is not told that a part is unknown which nobody could look up', async () => {
    const { page, goto } = await app.open();
    await goto('/stock');
    const field = page.getByLabel('Item, location or order', { exact: true });
    await field.waitFor();
    await page.context().setOffline(true);
    await field.fill('NOWHERE-1');
    await field.press('Enter');
    await page.getByText('NOWHERE-1 could not be looked up').waitFor();
    await page.context().setOffline(false);
    await field.press('Enter');
    await page.getByText('Nothing here has the number NOWHERE-1.').waitFor();
  });

  test.each([
    ['/procurement', 'No projects yet'],
    ['/stock', 'No locations yet'],
  ])('is not told at %s that no category is of the kind of which nobody could ask', async (path, then) => {
    const { page, goto } = await app.open();
    const categories = /\/categories(\?|$)/;
    await page.route(categories, (route) => route.abort());
    await goto(path);
    await page.getByText('The service cannot be reached', { exact: true }).waitFor();
    expect(await page.getByText(/^No category is/).count()).toBe(0);
    await page.unroute(categories);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(then).waitFor();
  });

  test('is not told that there is no such item where the categories could not be read', async () => {
    const { page, goto } = await app.open();
    const number = 'SPAR-1';
    await app.workspace.ask('POST', '/entities', { category: 'part', number, name: 'Spar' });
    await page.route(/\/categories(\?|$)/, (route) => route.abort());
    await goto('/stock');
    await page.getByRole('button', { name: 'Adjust several' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Item, row 1').fill(number);
    await dialog.getByText('Could not be loaded: the service cannot be reached.').first().waitFor();
    expect(await dialog.getByText(`No item has the number ${number}.`).count()).toBe(0);
  });

  test('has a chosen file read once it can be', async () => {
    const { page, goto } = await app.open();
    await goto('/imports');
    await page.getByText('Choose a file').waitFor();
    await page.context().setOffline(true);
    const file = {
      name: 'a.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Number,Name,Qty\nOFF-1,Nut,2\n'),
    };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('1 element will be sent.').waitFor();
  });

  test('is told by whom a call was answered that never reached the service', async () => {
    const opened = await app.open();
    const { page } = opened;
    await typeNew(opened, 'Mast');
    const html = 'text/html';
    await instead(page, (route) =>
      route.fulfill({ status: 502, contentType: html, body: '<h1>Bad Gateway</h1>' }),
    );
    await create(page).click();
    await page.getByRole('dialog').getByText('What stands before it answered 502.').waitFor();
    await page.unroute(/\/entities$/);
    await instead(page, (route) => route.fulfill({ status: 200, contentType: html, body: '<h1>Hotel</h1>' }));
    await create(page).click();
    await page.getByRole('dialog').getByText('Something else answered for the service').waitFor();
    await page.unroute(/\/entities$/);
    await create(page).click();
    await page.getByRole('heading', { name: 'Mast' }).waitFor();
  });

  test('who leaves while it is on its way is told that, and whether it was done', async () => {
    const opened = await app.open();
    const { page } = opened;
    await typeNew(opened, 'Boom');
    let held: Route | null = null;
    await instead(page, async (route) => {
      held = route;
    });
    await create(page).click();
    await expect.poll(() => held).not.toBeNull();
    await page.keyboard.press('Escape');
    await page.getByText('The request was already sent and may still be carried out.').waitFor();
    await (held as unknown as Route).abort();
    await page.getByText('No answer came: it may have been done.').waitFor();
    expect(await named('Boom')).toBe(0);
  });

  test('sees that a page did not come, and goes on when the service is back', async () => {
    const { page, goto } = await app.open();
    await goto('/entities');
    await page.getByRole('button', { name: 'New', exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Automations' }).first().click();
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await page.getByText('The service cannot be reached').first().waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('heading', { name: 'Automations', level: 1 }).waitFor();
  });

  test('is asked before what was typed is left, and not once it is saved', async () => {
    const { page, goto } = await app.open();
    await goto('/automations/new');
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('// precious\n');
    const stays = answerQuestion(page, false);
    await page.getByRole('link', { name: 'Items' }).first().click();
    expect(await stays).toContain('not saved');
    await page.locator('.cm-content', { hasText: 'precious' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/automations\/new$/);
    await page.getByLabel('Name', { exact: true }).fill('Kept');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Kept', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Items' }).first().click();
    await page.getByRole('heading', { name: 'Items', level: 1 }).waitFor();
  });

  test('is asked so of what stands beside a list, too', async () => {
    const { page, goto } = await app.open({ width: 1600 });
    for (const name of ['Left', 'Right']) {
      await app.workspace.ask('POST', '/entities', { category: 'part', number: `SIDE-${name}`, name });
    }
    await goto('/entities?q=SIDE');
    await page.getByRole('link', { name: 'SIDE-Left' }).click();
    const beside = page.getByRole('complementary', { name: 'Beside the list' });
    await beside.getByRole('button', { name: 'Edit', exact: true }).click();
    await beside.getByRole('textbox', { name: 'Name' }).fill('Left, typed');
    const stays = answerQuestion(page, false);
    await page.getByRole('link', { name: 'SIDE-Right' }).click();
    await stays;
    expect(await beside.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Left, typed');
    const leaves = answerQuestion(page, true);
    await page.getByRole('link', { name: 'SIDE-Right' }).click();
    await leaves;
    await beside.getByRole('heading', { name: /SIDE-Right/ }).waitFor();
  });
});
