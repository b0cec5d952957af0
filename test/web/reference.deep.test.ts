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

    const sidebar = page.getByRole('complementary', { name: 'Sidebar for Partbook' });
    await sidebar.getByRole('link', { name: 'Stock' }).waitFor();
    await sidebar.getByRole('button', { name: /Open Search/ }).click();
    await page.getByRole('combobox', { name: 'Enter search query' }).fill('adjust stock by hand');
    await page.getByRole('option', { name: /Adjust stock by hand/ }).click();
    await page.getByRole('heading', { name: 'Adjust stock by hand' }).first().waitFor();

    await page
      .getByRole('button', { name: /Shell Curl/ })
      .first()
      .click();
    for (const name of ['Curl', 'Requests'])
      await page.getByRole('option', { name, exact: true }).first().waitFor();
    await page.getByRole('option', { name: 'TypeScript client' }).click();
    await page.getByText("await partbook('POST /api/workspaces'").first().waitFor();

    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(mode).toContain('light-mode');
    expect([...hosts]).toEqual([server.baseUrl]);
    expect(complaints).toEqual([]);
  },
);
