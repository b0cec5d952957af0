// Cleaning up: a part is replaced where it is used, and archived.
import { afterAll, beforeAll, describe, expect, test as sampledTest } from 'vitest';
import { sample, coreTest as test } from '../setup/tier.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { scrollsSideways } from './keyboard-and-edges.ts';

let app: WebApp;
beforeAll(async () => {
  if (browserMissing === null) app = await startWebApp();
});
afterAll(() => app?.close());

const must = async (method: string, path: string, body?: unknown) => {
  const answer = await app.workspace.ask(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
};
const part = async (number: string): Promise<string> =>
  (await must('POST', '/entities', { category: 'part', name: `Named ${number}`, number })).id;

describe.skipIf(browserMissing !== null)('a part that is no longer wanted', () => {
  sampledTest.each(sample([[360, 'dark'] as const, [1280, 'light'] as const]))(
    'is replaced in chosen assemblies and archived at %i pixels, %s',
    async (width, scheme) => {
      const names = ['OLD', 'NEW', 'UPPER', 'LOWER'].map((name) => `${name}-${width}`);
      const [old, by, upper, lower] = (await Promise.all(names.map(part))) as [
        string,
        string,
        string,
        string,
      ];
      for (const parent of [upper, lower])
        await must('PUT', `/entities/${parent}/uses/${old}`, { quantity: 2 });
      const { page, goto, settled, axe, shoot, complaints } = await app.open({ width, scheme });

      await goto(`/entities/${old}/where-used`);
      await page.getByRole('button', { name: 'Replace in assemblies' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Use instead').fill(`NEW-${width}`);
      await page.getByRole('option', { name: new RegExp(`NEW-${width}`) }).click();
      const ofLower = dialog.getByRole('checkbox', { name: new RegExp(`LOWER-${width}`) });
      await ofLower.waitFor();
      await ofLower.uncheck();
      await dialog.getByLabel('Reason').fill('Discontinued');
      await settled();
      await shoot(`replace-${width}-${scheme}`);
      expect(await scrollsSideways(page)).toEqual([]);
      expect(await axe({ within: '[role=dialog]' })).toEqual([]);
      await dialog.getByRole('button', { name: 'Replace' }).click();
      await dialog.waitFor({ state: 'hidden' });
      expect((await must('GET', `/entities/${upper}/uses`)).items).toMatchObject([{ entityId: by }]);
      expect((await must('GET', `/entities/${lower}/uses`)).items).toMatchObject([{ entityId: old }]);

      // It is still used: the refusal says by what.
      await page.getByRole('button', { name: 'Archive', exact: true }).click();
      await dialog.getByRole('button', { name: 'Archive' }).click();
      await dialog.getByText('1 assembly that is not released uses it').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await must('DELETE', `/entities/${lower}/uses/${old}`);
      await page.getByRole('button', { name: 'Archive', exact: true }).click();
      await dialog.getByRole('button', { name: 'Archive' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Unarchive' }).waitFor();
      await settled();
      await shoot(`archived-${width}-${scheme}`);
      expect(await axe()).toEqual([]);

      await goto(`/entities?q=OLD-${width}&archived=only`);
      await page.getByText(`Named OLD-${width}`).first().waitFor();
      expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
      await app.leave(page);
    },
  );

  test('and exists twice is merged into the other, to which its page leads', async () => {
    const [twice, once, upper] = (await Promise.all(['TWICE', 'ONCE', 'USER'].map(part))) as [
      string,
      string,
      string,
    ];
    await must('PUT', `/entities/${upper}/uses/${twice}`, { quantity: 2 });
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width: 360, scheme: 'dark' });
    await goto(`/entities/${once}`);
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Item that exists twice').fill('TWICE');
    await page.getByRole('option', { name: /TWICE/ }).click();
    await dialog.getByText('Moves: 1 assembly.').waitFor();
    await settled();
    await shoot('merge-360-dark');
    expect(await scrollsSideways(page)).toEqual([]);
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await must('GET', `/entities/${upper}/uses`)).items).toMatchObject([{ entityId: once }]);
    await goto(`/entities/${twice}`);
    await page.getByRole('link', { name: 'ONCE', exact: true }).click();
    await page.getByRole('heading', { name: /Named ONCE/ }).waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });
});

describe.skipIf(browserMissing !== null)('a saved view', () => {
  test('is saved with filters and columns, shared, renamed and opened by its address; views of the browser move over', async () => {
    await Promise.all(['VIEW-1', 'VIEW-2'].map(part));
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width: 1280, scheme: 'light' });
    await goto('/entities?q=VIEW-1&columns=number,name,guid');
    await page.evaluate((slug) => {
      const old = [{ name: 'Old view', search: 'q=VIEW-2&sort=name&order=desc' }];
      window.localStorage.setItem(`partbook.views.${slug}.Items`, JSON.stringify(old));
    }, app.workspace.slug);
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByLabel('Save this view as').fill('First');
    await page.getByRole('checkbox', { name: 'Share in the workspace' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: /^First/ }).waitFor();
    await page.getByRole('button', { name: 'Move 1 view of this browser to the workspace' }).click();
    await page.getByRole('link', { name: 'Old view' }).waitFor();
    await page.getByRole('button', { name: 'Rename view First' }).click();
    await page.getByLabel('New name').fill('Named anew');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('link', { name: /^Named anew/ }).waitFor();
    await settled();
    await shoot('saved-views-1280-light');
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    const { items } = await must('GET', '/views');
    expect(items).toMatchObject([
      { name: 'Old view', shared: false, filters: { q: ['VIEW-2'] }, sort: 'name', order: 'desc' },
      { name: 'Named anew', shared: true, filters: { q: ['VIEW-1'] }, columns: ['number', 'name', 'E_Guid'] },
    ]);
    expect(
      await page.evaluate(
        (at) => window.localStorage.getItem(at),
        `partbook.views.${app.workspace.slug}.Items`,
      ),
    ).toBe('[]');

    await goto(`/entities?view=${items[0].id}`);
    await page.getByText('Named VIEW-2').first().waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('VIEW-2');
    expect(await page.getByText('Named VIEW-1').count()).toBe(0);
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('button', { name: 'Delete view Old view' }).click();
    await page.getByRole('link', { name: 'Old view' }).waitFor({ state: 'hidden' });
    await goto(`/entities?view=${items[0].id}`);
    await page.getByText('There is no such view, or its owner does not share it.').waitFor();
    expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
    await app.leave(page);
  });
});

describe.skipIf(browserMissing !== null)('many items', () => {
  test('get a value together after a look at the differences, and lose it again', async () => {
    const defined = { key: 'Alloy', name: 'Alloy', type: 'text' };
    await must('POST', '/property-definitions', defined);
    const ids = await Promise.all(['EDIT-1', 'EDIT-2'].map(part));
    await must('PATCH', `/entities/${ids[0]}`, { properties: { Alloy: 'S235' } });
    const alloys = async () =>
      Promise.all(ids.map(async (id) => (await must('GET', `/entities/${id}`)).properties.Alloy));
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width: 1280, scheme: 'light' });

    await goto('/entities?q=EDIT-');
    await page.getByRole('checkbox', { name: /all/i }).first().check();
    await page.getByRole('button', { name: 'Edit properties' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Property', { exact: true }).selectOption('Alloy');
    await dialog.getByLabel('Alloy').fill('EN AW-6082');
    await settled();
    await shoot('bulk-edit-dialog');
    expect(await scrollsSideways(page)).toEqual([]);
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: 'Show the differences' }).click();
    await page.getByRole('heading', { name: 'Dry run of a bulk edit' }).waitFor();
    await page.getByText('Would change').first().waitFor();
    const apply = page.getByRole('button', { name: 'Apply to 2 items' });
    await apply.waitFor();
    await page.getByText('EDIT-2').first().waitFor();
    await settled();
    await shoot('bulk-edit-dry-run');
    expect(await axe()).toEqual([]);
    expect(await scrollsSideways(page)).toEqual([]);
    expect(await alloys()).toEqual(['S235', undefined]);
    await apply.click();
    await page.getByRole('heading', { name: 'Applied dry run' }).waitFor();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    expect(await alloys()).toEqual(['EN AW-6082', 'EN AW-6082']);
    await undo.click();
    await page.getByRole('heading', { name: 'Undo of a bulk edit' }).waitFor();
    await page.getByText('First change', { exact: true }).waitFor();
    await page.getByText('completed').waitFor();
    expect(await alloys()).toEqual(['S235', undefined]);
    await page.getByRole('link', { name: 'Bulk edits' }).click();
    await page.getByText('Set Alloy to EN AW-6082').first().waitFor();
    await settled();
    await shoot('bulk-edits');
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  test('refer to another one that is picked by number, shown by number and name, and cleared again', async () => {
    const twin = { key: 'Twin', name: 'Twin', type: 'reference', description: 'The mirrored part' };
    await must('POST', '/property-definitions', twin);
    const [left, right, third] = (await Promise.all(['LEFT-1', 'RIGHT-1', 'THIRD-1'].map(part))) as [
      string,
      string,
      string,
    ];
    const twinOf = async (id: string) => (await must('GET', `/entities/${id}`)).properties.Twin;
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width: 390, scheme: 'dark' });
    await goto(`/entities/${left}`);
    const properties = page.locator('form').filter({ has: page.getByLabel('Twin', { exact: true }) });
    const field = properties.getByLabel('Twin', { exact: true });
    const pick = async (number: string) => {
      await field.fill(number);
      await page.getByRole('option', { name: new RegExp(number) }).click();
    };
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await pick('RIGHT-1');
    await expect.poll(() => field.inputValue()).toBe('RIGHT-1 Named RIGHT-1');
    await settled();
    expect(await axe()).toEqual([]);
    expect(await scrollsSideways(page)).toEqual([]);
    await shoot('reference-field');
    await properties.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'RIGHT-1 Named RIGHT-1' }).waitFor();
    expect(await twinOf(left)).toBe(right);
    // Text of which nothing is chosen changes nothing.
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await expect.poll(() => field.inputValue()).toBe('RIGHT-1 Named RIGHT-1');
    await field.fill('THIRD');
    await properties.getByRole('textbox', { name: /^Name/ }).click();
    await page.getByText('Nothing was chosen for “THIRD”.').waitFor();
    expect(await field.inputValue()).toBe('RIGHT-1 Named RIGHT-1');
    await properties.getByRole('button', { name: 'Clear Twin' }).click();
    await properties.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No properties are set').waitFor();
    expect(await twinOf(left)).toBeUndefined();
    await app.leave(page);

    // A default, a new item and a bulk edit take references in the same way.
    const wide = await app.open({ width: 1280, scheme: 'light' });
    await wide.goto('/settings/properties');
    await wide.page.getByRole('button', { name: 'Edit Twin' }).click();
    const dialog = wide.page.getByRole('dialog');
    await dialog.getByLabel('Default', { exact: true }).fill('THIRD-1');
    await dialog.getByLabel('Default', { exact: true }).press('Enter');
    await expect
      .poll(() => dialog.getByLabel('Default', { exact: true }).inputValue())
      .toBe('THIRD-1 Named THIRD-1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await must('GET', '/property-definitions/Twin')).default).toBe(third);
    await wide.goto('/entities?q=LEFT-1');
    await wide.page.getByRole('checkbox', { name: /all/i }).first().check();
    await wide.page.getByRole('button', { name: 'Edit properties' }).first().click();
    await dialog.getByLabel('Property', { exact: true }).selectOption('Twin');
    await dialog.getByLabel('Twin', { exact: true }).fill('RIGHT-1');
    await wide.page.getByRole('option', { name: /RIGHT-1/ }).click();
    await dialog.getByRole('button', { name: 'Show the differences' }).click();
    await wide.page.getByText('Set Twin to RIGHT-1 Named RIGHT-1').waitFor();
    await wide.page.getByRole('grid').getByRole('link', { name: 'RIGHT-1 Named RIGHT-1' }).waitFor();
    await wide.settled();
    await wide.shoot('reference-in-bulk-edit');
    expect(await wide.axe()).toEqual([]);
    expect([...complaints, ...wide.complaints]).toEqual([]);
    await app.leave(wide.page);
  });

  test('are filtered by several conditions, shown in columns as wide as somebody likes, and compared side by side with what differs marked', async () => {
    await must('POST', '/property-definitions', { key: 'Height', name: 'Height', type: 'numeric' });
    const ids = await Promise.all(['SIDE-1', 'SIDE-2', 'SIDE-3'].map(part));
    await must('PATCH', `/entities/${ids[0]}`, { properties: { Height: 12 } });
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width: 1280, scheme: 'light' });
    await goto('/entities?q=SIDE-&columns=number,p.Height');
    await page.getByRole('button', { name: 'Filter by Height' }).click();
    const narrow = page.getByRole('dialog', { name: 'Filter by Height' });
    await narrow.getByLabel('Condition').selectOption('gt');
    await narrow.getByLabel('Value').fill('5');
    await settled();
    expect(await axe()).toEqual([]);
    await narrow.getByRole('button', { name: 'Add condition' }).click();
    await page.getByText('Height > 5').waitFor();
    await page.getByText('1 item', { exact: true }).waitFor();
    // Each condition and each category stays beside the others, also in an address that is opened again.
    await page.getByRole('button', { name: 'Filter by Height' }).click();
    await narrow.getByLabel('Condition').selectOption('le');
    await narrow.getByLabel('Value').fill('11');
    await narrow.getByRole('button', { name: 'Add condition' }).click();
    await page.getByText('No results').waitFor();
    await goto(
      `${new URL(page.url()).pathname.replace(/^.w.[^/]+/, '')}${new URL(page.url()).search}&category=part&category=assembly`,
    );
    await page.getByText('No results').waitFor();
    for (const chip of ['Height > 5', 'Height ≤ 11', 'Category: Part', 'Category: Assembly'])
      await page.getByText(chip).waitFor();
    // A reference is picked by number, and its chip names the number.
    await must('POST', '/property-definitions', { key: 'Replaces', name: 'Replaces', type: 'reference' });
    await must('PATCH', `/entities/${await part('REFERS')}`, { properties: { Replaces: ids[2] } });
    await goto('/entities?columns=number,p.Replaces');
    await page.getByRole('button', { name: 'Filter by Replaces' }).click();
    const referred = page.getByRole('dialog', { name: 'Filter by Replaces' });
    await referred.getByLabel('Value').fill('SIDE-3');
    await referred.getByRole('option', { name: /SIDE-3/ }).click();
    await referred.getByRole('button', { name: 'Add condition' }).click();
    await page.getByText('Replaces = SIDE-3').waitFor();
    await page.getByText('1 item', { exact: true }).waitFor();
    await page
      .getByRole('row', { name: 'REFERS' })
      .getByRole('link', { name: /SIDE-3/ })
      .waitFor();
    await goto('/entities?q=SIDE-');
    const widthOf = async () =>
      Math.round((await page.getByRole('columnheader', { name: 'Name' }).boundingBox())?.width ?? 0);
    const edge = await page.getByRole('columnheader', { name: 'Name' }).boundingBox();
    if (edge === null) throw new Error('There is no column Name.');
    await page.mouse.move(edge.x + edge.width + 8, edge.y + edge.height / 2);
    await page.mouse.down();
    await page.mouse.move(edge.x + 400 + 8, edge.y + 5, { steps: 4 });
    await page.mouse.up();
    await expect.poll(widthOf).toBe(400);
    await goto('/entities?q=SIDE-');
    await page.getByRole('button', { name: 'Columns' }).click();
    const width = page.getByLabel('Width of Name in pixels');
    expect(await width.inputValue()).toBe('400');
    await settled();
    expect(await axe()).toEqual([]);
    await width.fill('250');
    await width.press('Enter');
    await expect.poll(widthOf).toBe(250);
    await width.fill('');
    await width.press('Enter');
    await expect.poll(widthOf).not.toBe(250);
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: /all/i }).first().check();
    await page.getByRole('button', { name: 'Compare' }).first().click();
    const height = page.getByRole('row', { name: /^Height/ });
    await height.waitFor();
    expect(await height.getByRole('cell').allTextContents()).toEqual(['12', '–', '–']);
    await page.getByText('2 differences').waitFor();
    await page.getByLabel('Only what differs').check();
    expect(await page.getByRole('row', { name: /^Category/ }).count()).toBe(0);
    await settled();
    await shoot('compare');
    expect(await axe()).toEqual([]);
    expect(await scrollsSideways(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove SIDE-1' }).click();
    await page.getByText('1 difference', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });
});

describe.skipIf(browserMissing !== null)('comments', () => {
  test('are written with a mention, shown as text whatever HTML they hold, edited and deleted', async () => {
    const id = await part('TALKED');
    await app.workspace.transact((tx) =>
      tx.query(
        `insert into member (workspace_id, id, name, areas, managed) values ($1, $2, 'Anna Berg', '{read}', 'hand')`,
        [app.workspace.id, crypto.randomUUID()],
      ),
    );
    const { page, goto, settled, axe, complaints } = await app.open({ width: 360, scheme: 'dark' });
    await goto(`/entities/${id}`);
    await page.getByRole('button', { name: 'Write a comment' }).click();
    const field = page.getByLabel('Comment', { exact: true });
    await field.fill(
      'Old **pattern** <img src=x onerror=alert(1)> [here](javascript:alert(2)) #[TALKED] @an',
    );
    await page.getByRole('button', { name: 'Anna Berg' }).waitFor();
    await field.press('Enter');
    expect(await field.inputValue()).toMatch(/@\[Anna Berg\] $/);
    // A number is offered the same way, and one that was typed by chance is left as it is.
    const text = await field.inputValue();
    await field.fill(`${text}see #talk`);
    await page.getByRole('group', { name: 'Link to a part' }).waitFor();
    await page.getByRole('status').filter({ hasText: '1 offered: TALKED' }).waitFor();
    await settled();
    expect(await axe()).toEqual([]);
    await field.press('Escape');
    await page.getByRole('group', { name: 'Link to a part' }).waitFor({ state: 'detached' });
    await field.fill(`${text}see #[tal`);
    await page.getByRole('group', { name: 'Link to a part' }).waitFor();
    await field.press('Enter');
    expect(await field.inputValue()).toMatch(/see #\[TALKED\] $/);
    await field.fill(text);
    await settled();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    const thread = page.getByRole('article');
    await thread.getByText('pattern').waitFor();
    expect(await thread.locator('img, script, [onerror], a[href^="javascript"]').count()).toBe(0);
    await thread.getByText('onerror=alert(1)').waitFor();
    await thread.getByText('@Anna Berg').waitFor();
    expect(await thread.getByRole('link', { name: 'TALKED' }).getAttribute('href')).toContain(
      'number=TALKED',
    );
    await settled();
    expect(await scrollsSideways(page)).toEqual([]);
    expect(await axe()).toEqual([]);

    await thread.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Edit comment').fill('New pattern');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Edit comment').waitFor({ state: 'hidden' });
    await thread.getByText('New pattern').waitFor();
    await thread.getByRole('button', { name: 'edited' }).click();
    await page.getByRole('dialog').getByText('onerror=alert(1)').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await thread.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('was deleted.').first().waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });
});
