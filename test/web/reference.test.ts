// The API reference in a browser: what it shows, whom it asks, and the colours of the system.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserMissing, startWebApp, type WebApp } from './browser.ts';

let app: WebApp | null = null;
beforeAll(async () => {
  if (browserMissing === null) app = await startWebApp();
});
afterAll(() => app?.close());

test.skipIf(browserMissing !== null)(
  '/docs has a sidebar, a search and samples, asks no other host, and follows the colours of the system',
  async () => {
    const { server, open } = app as WebApp;
    const { page, complaints, shoot } = await open({ key: null, scheme: 'dark' });
    const hosts = new Set<string>();
    page.on('request', (request) => void hosts.add(new URL(request.url()).origin));
    await page.goto(`${server.baseUrl}/docs`);
    await page.getByRole('heading', { level: 1, name: 'Partbook' }).waitFor();
    const mode = () => page.evaluate<string>('document.body.className');
    await expect.poll(mode).toContain('dark-mode');
    await shoot('reference-dark');

    await page.getByRole('navigation').getByText('Stock', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('combobox').fill('Adjust stock by hand');
    await page
      .getByRole('option', { name: /Adjust stock by hand/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Adjust stock by hand' }).first().waitFor();

    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(mode).toContain('light-mode');
    expect([...hosts]).toEqual([server.baseUrl]);
    expect(complaints).toEqual([]);
  },
);
