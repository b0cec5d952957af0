// What is long or large has room on every screen: nothing is cut off that is not said to be.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
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
  }, 180_000);
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
      await page.context().close();
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
    const chart = page.getByRole('img', { name: 'Columns of elements by the hour' });
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
    await page.context().close();
  });
});
