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
