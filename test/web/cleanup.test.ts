// Cleaning up: a part is replaced where it is used, and archived.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { scrollsSideways } from './keyboard-and-edges.ts';

let app: WebApp;
beforeAll(async () => {
  if (browserMissing === null) app = await startWebApp();
}, 180_000);
afterAll(() => app?.close());

const must = async (method: string, path: string, body?: unknown) => {
  const answer = await app.workspace.ask(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
};
const part = async (number: string): Promise<string> =>
  (await must('POST', '/entities', { category: 'part', name: `Named ${number}`, number })).id;

describe.skipIf(browserMissing !== null)('a part that is no longer wanted', () => {
  test.each([
    [360, 'dark'],
    [1280, 'light'],
  ] as const)('is replaced in chosen assemblies and archived at %i pixels, %s', async (width, scheme) => {
    const names = ['OLD', 'NEW', 'UPPER', 'LOWER'].map((name) => `${name}-${width}`);
    const [old, by, upper, lower] = (await Promise.all(names.map(part))) as [string, string, string, string];
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
    await page.context().close();
  });

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
    await page.context().close();
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
    await page.context().close();
  });
});
