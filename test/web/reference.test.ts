// The API reference in a browser: in the colours of the system, and without anything that the policy refuses.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { browserMissing, launchBrowser, watchPage } from './browser.ts';

let server: TestServer;
let browser: Browser | null = null;
beforeAll(async () => {
  server = await startTestServer();
  if (browserMissing === null) browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server.close();
});

test.skipIf(browserMissing !== null)('/docs is dark where the system is, and follows it', async () => {
  const context = await (browser as Browser).newContext({ colorScheme: 'dark' });
  const { page, complaints, shoot } = await watchPage(context);
  await page.goto(`${server.baseUrl}/docs`);
  await page.locator('.opblock-tag').first().waitFor();
  const behind = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
  expect(await behind()).toBe('rgb(28, 32, 34)');
  await shoot('reference-dark');
  expect(complaints).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => page.evaluate('document.documentElement.className')).toBe('');
  await context.close();
});
