// Pending links for an assembly that is not there: seen where the part is, and taken back there.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test as sampledTest } from 'vitest';
import { deepTest, sample, coreTest as test } from '../setup/tier.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';
import { scrollsSideways } from './keyboard-and-edges.ts';

let app: WebApp;
beforeAll(async () => {
  if (browserMissing === null) app = await startWebApp();
});
afterAll(() => app?.close());

/** A part that waits for these assemblies, twice for each. */
async function waiting(number: string, parents: readonly string[]): Promise<{ id: string; batch: string }> {
  const part = { guid: randomUUID(), number, name: `Named ${number}`, categoryKey: 'part', quantity: 2 };
  const sent = await app.workspace.ask(
    'POST',
    '/pdm/sync',
    { entities: parents.map((parentGuid) => ({ ...part, parentGuid })) },
    { Prefer: 'wait=60' },
  );
  expect(sent.body.counts, sent.text).toMatchObject({ created: 1, error: 0 });
  return { id: sent.body.results[0].entityId, batch: sent.body.batchId };
}
const listed = async (id: string): Promise<string[]> =>
  (await app.workspace.ask('GET', `/pending-links?child=${id}`)).body.items.map(
    ({ parentGuid }: { parentGuid: string }) => parentGuid,
  );

describe.skipIf(browserMissing !== null)('a part that waits for its assembly', () => {
  test.each([
    [360, 'dark'],
    [1280, 'light'],
  ] as const)('says so at %i pixels, %s, and its link is taken back', async (width, scheme) => {
    const [wrong, other] = [randomUUID(), randomUUID()].sort() as [string, string];
    const { id } = await waiting(`WT-${width}`, [wrong, other]);
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width, scheme });
    await goto(`/entities/${id}/where-used`);
    const waits = page.getByRole('region', { name: 'Pending links' });
    const line = waits.getByRole('listitem').filter({ hasText: wrong });
    await line.waitFor();
    expect((await line.innerText()).replace(/\s+/g, ' ')).toContain(
      `Waits for an assembly with the GUID ${wrong}, quantity 2`,
    );
    await page.getByText('It is built in when the assembly comes').waitFor();
    await settled();
    await shoot(`waits-${width}-${scheme}`);
    expect(await scrollsSideways(page)).toEqual([]);
    expect(await axe()).toEqual([]);

    await line.getByRole('button', { name: 'Take back' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(wrong).waitFor();
    await settled();
    await shoot(`take-back-${width}-${scheme}`);
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await line.waitFor({ state: 'detached' });
    expect(await waits.getByRole('listitem').count()).toBe(1);
    expect(await listed(id)).toEqual([other]);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });

  deepTest('that was taken back by somebody else says so, and is read anew', async () => {
    const parentGuid = randomUUID();
    const { id } = await waiting('WT-ELSE', [parentGuid]);
    const { page, goto } = await app.open();
    await goto(`/entities/${id}/where-used`);
    await page.getByRole('button', { name: `Take back the link to ${parentGuid}` }).click();
    const gone = await app.workspace.ask('DELETE', `/pending-links/${parentGuid}/${id}`);
    expect(gone.status).toBe(204);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await dialog.getByText('This link is no longer pending').waitFor();
    await page.getByRole('region', { name: 'Pending links' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'hidden' });
    await app.leave(page);
  });

  test('of many shows the first, and all of them in the list of all', async () => {
    const { id } = await waiting(
      'WT-MANY',
      Array.from({ length: 7 }, () => randomUUID()),
    );
    const { page, goto, settled, axe, shoot } = await app.open({ width: 360 });
    await goto(`/entities/${id}/where-used`);
    const waits = page.getByRole('region', { name: 'Pending links' });
    await waits.getByRole('listitem').first().waitFor();
    expect(await waits.getByRole('listitem').count()).toBe(5);
    await waits.getByRole('link', { name: 'Show all' }).click();
    await page.getByRole('heading', { name: 'Pending links' }).waitFor();
    const rows = page.getByRole('grid', { name: 'Pending links' }).getByText('WT-MANY', { exact: true });
    await expect.poll(() => rows.count()).toBe(7);
    await settled();
    await shoot('pending-links-360');
    expect(await scrollsSideways(page)).toEqual([]);
    expect(await axe()).toEqual([]);
    await page
      .getByRole('button', { name: /^Take back the link of WT-MANY to/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => rows.count()).toBe(6);
    await app.leave(page);
  });

  sampledTest.each(sample([768, 1024]))(
    'has its button in sight at %i pixels in the list of all',
    async (width) => {
      await waiting(`WT-WIDE-${width}`, [randomUUID()]);
      const { page, goto } = await app.open({ width });
      await goto('/entities/pending-links');
      const takeBack = page.getByRole('button', { name: `Take back the link of WT-WIDE-${width} to` });
      const box = await takeBack.boundingBox();
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThan(width);
      await app.leave(page);
    },
  );

  test('is found from its batch, and a key that only reads takes nothing back', async () => {
    const { id, batch } = await waiting('WT-READ', [randomUUID()]);
    const made = await app.workspace.ask('POST', '/api-keys', { name: 'Reads', permission: 'read' });
    const { page, goto, settled, shoot } = await app.open({ key: made.body.key });
    await goto(`/batches/${batch}`);
    await page.getByRole('link', { name: 'Pending links' }).click();
    await page.getByRole('grid', { name: 'Pending links' }).getByText('WT-READ', { exact: true }).waitFor();
    await settled();
    await shoot('pending-links-1280');
    expect(await page.getByRole('button', { name: /^Take back the link/ }).count()).toBe(0);
    await goto(`/entities/${id}/where-used`);
    const waits = page.getByRole('region', { name: 'Pending links' });
    await waits.getByRole('listitem').waitFor();
    expect(await waits.getByRole('button').count()).toBe(0);
    await app.leave(page);
  });
});
