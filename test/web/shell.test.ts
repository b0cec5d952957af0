// The shell of the app and its start page: signing in by a link, first steps, the command palette, notices.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { makeRover, type Rover } from './stocked-rover.ts';

let app: WebApp;
let rover: Rover;

describe.skipIf(browserMissing !== null)('a person', () => {
  beforeAll(async () => {
    app = await startWebApp();
    rover = await makeRover(app.workspace);
  }, 180_000);
  afterAll(() => app.close());

  test('opens the app by a sign-in link that was used before, and is told where the key is when it has expired', async () => {
    const code = app.server.ctx.signInCodes.make(app.workspace.key, 15);
    const link = `${app.server.baseUrl}/?code=${code}`;
    const { page } = await app.open({ key: null });
    const overview = page.getByRole('heading', { name: 'Overview', level: 1 });
    await page.goto(link);
    await overview.waitFor();
    await page.goto(link);
    await overview.waitFor();
    await page.context().clearCookies();
    await page.goto(link);
    await page.getByText('already used or has expired').waitFor();
    await page.getByText('.data/demo-key').waitFor();
    await page.getByLabel('API key').fill(app.workspace.key);
    await page.keyboard.press('Enter');
    await overview.waitFor();
    await page.context().close();
  });

  test('sees first steps in a new workspace, and no empty chart', async () => {
    const fresh = await makeDefaultWorkspace(app.server);
    const { page, axe } = await app.open({ key: fresh.key });
    await page.goto(`${app.server.baseUrl}/w/${fresh.slug}`);
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByText('Nothing is overdue and nothing has failed.').waitFor();
    expect(await page.getByRole('img', { name: /^Column chart/ }).count()).toBe(0);
    expect(await axe()).toEqual([]);
    const made = await fresh.ask('POST', '/entities', { category: 'part', number: 'P-1', name: 'Part' });
    expect(made.status, made.text).toBe(201);
    await page.reload();
    await page.getByRole('listitem').filter({ hasText: 'Import your parts' }).getByText('Done.').waitFor();
    await page.context().close();
  });

  test('finds all items of a text by Ctrl-K, tells equal names apart, and keeps the focus', async () => {
    for (let made = 0; made < 14; made++) {
      const body = { category: 'part', name: 'Twin spacer' };
      expect((await app.workspace.ask('POST', '/entities', body)).status).toBe(201);
    }
    const { page, goto } = await app.open();
    const isOnBody = () => page.evaluate(() => document.activeElement === document.body);
    await goto('');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(isOnBody).toBe(false);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Twin spacer');
    const options = page.getByRole('option', { name: /Twin spacer/ });
    await page.getByRole('option', { name: 'Show all results for “Twin spacer”' }).waitFor();
    const shown = await options.allInnerTexts();
    expect(new Set(shown).size).toBe(shown.length);
    for (let at = 0; at <= shown.length; at++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=Twin/);
    await expect.poll(isOnBody).toBe(false);
    await page.context().close();
  });

  test('is warned of unreleased parts when an assembly is released, and submits the comment with Ctrl-Enter', async () => {
    const make = async (name: string) =>
      (await app.workspace.ask('POST', '/entities', { category: 'assembly', number: randomUUID(), name }))
        .body;
    const [top, part] = [await make('Top'), await make('Loose part')];
    const path = `/entities/${top.id}/uses/${part.id}`;
    expect((await app.workspace.ask('PUT', path, { quantity: 1 })).status).toBe(201);
    const category = (await app.workspace.ask('GET', '/categories/assembly')).body;
    const lifecycle = (await app.workspace.ask('GET', `/lifecycles/${category.lifecycle}`)).body;
    const released = lifecycle.states.find((state: { released: boolean }) => state.released).name;
    // By the shortest way to a state from which a transition releases.
    const last = lifecycle.transitions.find((one: { to: string }) => one.to === released);
    for (let state = top.state; state !== last.from; ) {
      const step = lifecycle.transitions.find((one: { from: string }) => one.from === state);
      const moved = await app.workspace.ask('POST', `/entities/${top.id}/transitions`, { toState: step.to });
      expect(moved.status, moved.text).toBeLessThan(300);
      state = step.to;
    }
    const { page, goto, axe } = await app.open();
    await goto(`/entities/${top.id}`);
    await page.getByRole('button', { name: 'Change state' }).click();
    await page.getByRole('menuitem', { name: last.name }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 part of its structure is not released').waitFor();
    await dialog.getByRole('link', { name: part.number }).waitFor();
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await dialog.getByLabel('Comment (optional)').fill('As agreed.');
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    expect((await app.workspace.ask('GET', `/entities/${top.id}`)).body.state).toBe(released);
    await page.context().close();
  });

  test('takes an adjustment back from its notice, which covers no button, and reads filters by their names', async () => {
    const { page, goto } = await app.open();
    await goto(`/entities/${rover.screw}/stock`);
    await page.getByRole('button', { name: 'Adjust', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const onHand = async () =>
      (await app.workspace.ask('GET', `/entities/${rover.screw}/summary`)).body.stock.onHand as number;
    const before = await onHand();
    if ((await dialog.getByLabel('Location').count()) > 0) {
      await dialog.getByLabel('Location').fill('SH-A1');
      await page.getByRole('option', { name: /SH-A1/ }).click();
    }
    await dialog.getByLabel('Quantity').fill('5');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await onHand()).toBe(before + 5);
    const notice = await page.getByRole('status').filter({ hasText: 'Undo' }).boundingBox();
    const main = await page.getByRole('main').boundingBox();
    expect(notice?.y).toBeGreaterThanOrEqual((main?.y ?? 0) + (main?.height ?? 0));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await onHand()).toBe(before);
    const [key] = (await app.workspace.ask('GET', '/api-keys')).body.items;
    await goto(`/settings/audit?actorId=${key.id}`);
    await page.getByRole('button', { name: `Remove filter Who: ${key.name}` }).waitFor();
    await page.context().close();
  });
});
