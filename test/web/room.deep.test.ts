// What is long or large has room on every screen: nothing is cut off that is not said to be.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { patience } from '../setup/patience.ts';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';

let app: WebApp;

async function send(entities: unknown[]): Promise<string> {
  const sent = await app.workspace.ask('POST', '/pdm/sync', { entities });
  expect([sent.status, sent.body.status], sent.text).toEqual([200, 'completed']);
  return sent.body.batchId;
}

describe.skipIf(browserMissing !== null)('there is room', () => {
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app.close());

  test.each([390, 1280])(
    'at %i pixels for what went wrong, beside the names of the elements',
    async (width) => {
      const id = await send(
        Array.from({ length: 4 }, (_, n) => ({
          guid: randomUUID(),
          number: `BAT-000${n}`,
          name: `Lithium iron phosphate cell, prismatic, 280 Ah, grade A, lot ${n}`,
          categoryKey: 'battery',
        })),
      );
      const { page, goto, settled, shoot } = await app.open({ width });
      await goto(`/batches/${id}`);
      const names = page.getByText('BAT-0000 Lithium iron phosphate cell', { exact: false });
      await names.first().waitFor();
      await settled();
      await shoot(`problems-${width}`);
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter(
            (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'auto',
          )
          .map((one) => [one.className, one.scrollWidth, one.clientWidth, one.textContent?.slice(0, 40)]),
      );
      expect(wide).toEqual([]);
      await app.leave(page);
    },
  );

  test.each([390, 1280])('at %i pixels for the figures of an hour of millions', async (width) => {
    const id = await send([{ guid: randomUUID(), number: 'ONE', name: 'One', categoryKey: 'part' }]);
    await inTransaction(app.server.ctx.db, 'instance', (tx) =>
      tx.query(
        `update sync_batch set element_count = 2176750, counts = counts || '{"total":2176750,"created":2176750}' where id = $1`,
        [id],
      ),
    );
    const { page, goto, settled, shoot } = await app.open({ width });
    await goto('');
    const chart = page.getByRole('img', { name: 'Column chart of imported items per hour' });
    await chart.getByText('2,000,000').waitFor();
    await settled();
    await shoot(`millions-${width}`);
    const cut = await chart.locator('text').evaluateAll((texts) =>
      texts
        .map((one) => one as SVGTextElement)
        .filter((text) => text.getBBox().x < 0)
        .map((text) => text.textContent),
    );
    expect(cut).toEqual([]);
    await app.leave(page);
  });

  test('a warning names the part that it is of, and leads to it and to the result', async () => {
    const { page, goto, axe, shoot } = await app.open();
    const hub = { number: 'HUB-7', name: 'Wheel hub', categoryKey: 'part', parentGuid: randomUUID() };
    const rim = { ...hub, number: 'RIM-7', name: 'Wheel rim' };
    const odd = { message: 'Odd, says the file.' };
    const twice = { number: 'HUB-8', name: 'Hub cap', categoryKey: 'nothing', sourceWarnings: [odd, odd] };
    const sent = await app.workspace.ask('POST', '/pdm/sync', {
      entities: [hub, rim, twice].map((one) => ({ guid: randomUUID(), ...one })),
    });
    expect(sent.body.counts, sent.text).toMatchObject({ created: 2, error: 1, warnings: 4 });
    await goto(`/batches/${sent.body.batchId}`);
    const warning = (text: string) => page.getByRole('listitem').filter({ hasText: text });
    // What is refused is named, once, and is nowhere to be looked at.
    await warning('source_warning').getByText('HUB-8 Hub cap', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'HUB-8' }).count()).toBe(0);
    // What leads to some of the results leads to where they are.
    await page.setViewportSize({ width: 1280, height: 440 });
    await warning('parent_pending').getByRole('link', { name: 'Show items' }).click();
    const chip = page.getByText('Warning: parent_pending');
    await vi.waitUntil(async () => {
      const box = await chip.boundingBox();
      return box !== null && box.y > 0 && box.y + box.height < 440;
    }, patience);
    await page.setViewportSize({ width: 1280, height: 900 });
    // What is of one element leads to that one: its result, and what was sent; what is listed below stays.
    const dialog = page.getByRole('dialog');
    for (const code of ['source_warning', 'category_not_found']) {
      await warning(code).getByRole('link', { name: 'Show row 2 as received' }).click();
      await dialog.getByText('"number": "HUB-8"').waitFor();
      await dialog.getByText('rejected', { exact: true }).waitFor();
      await dialog.getByText('Category "nothing" does not exist').waitFor();
      await chip.waitFor();
      expect(await axe({ within: '[role=dialog]' })).toEqual([]);
      await shoot(`element-of-problem-${code}`);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?warning=parent_pending');
    }
    // It has an address of its own that can be sent to whoever mends it.
    await goto(`/batches/${sent.body.batchId}?element=1`);
    await dialog.getByText('"number": "RIM-7"').waitFor();
    await dialog.getByText('created', { exact: true }).waitFor();
    await goto(`/batches/${sent.body.batchId}?element=7`);
    await dialog.getByText('This import has no row 7').waitFor();
    await page.keyboard.press('Escape');
    await warning('parent_pending').getByRole('link', { name: 'HUB-7 Wheel hub' }).click();
    await page.getByRole('heading', { name: 'Wheel hub' }).first().waitFor();
    // What was noted of it stays known when what was sent is not kept any more.
    await inTransaction(app.server.ctx.db, 'instance', (tx) =>
      tx.query('delete from sync_payload where batch_id = $1', [sent.body.batchId]),
    );
    await goto(`/batches/${sent.body.batchId}`);
    await warning('category_not_found').getByRole('link', { name: 'Show row 2 as received' }).click();
    await dialog.getByText('Category "nothing" does not exist').waitFor();
    await dialog.getByText('payload_gone').waitFor();
    await shoot('element-not-kept');
    await app.leave(page);
  });
});
