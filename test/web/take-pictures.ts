/** Takes the pictures of the README: the demo as a newcomer finds it, in the real browser. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { fillDemo } from '../../src/workspaces/fill-demo.ts';
import { projectFolder } from '../architecture/scan-sources.ts';
import { startWebApp } from './browser.ts';

const folder = join(projectFolder, 'docs/pictures');
const BYTES_MAX = 200_000;

test('the pictures of the README', async () => {
  const app = await startWebApp();
  try {
    const { slug, key, ask } = app.workspace;
    const failures: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void failures.push(line) });
    await fillDemo(app.server.baseUrl, { slug, key }, log);
    expect(failures).toEqual([]);
    const idOf = async (number: string) => (await ask('GET', `/entities?number=${number}`)).body.items[0].id;
    const nightly = (await ask('GET', '/pdm/sync/batches?limit=1')).body.items[0].batchId;
    const { page, goto, settled } = await app.open({ width: 1280 });
    const browser = await page.context().newCDPSession(page);
    mkdirSync(folder, { recursive: true });
    const take = async (name: string) => {
      await settled();
      const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
      const bytes = Buffer.from(data, 'base64');
      expect(bytes.length).toBeLessThan(BYTES_MAX);
      writeFileSync(join(folder, `${name}.webp`), bytes);
    };
    await goto('');
    await take('overview');
    await goto(`/entities/${await idOf('HL-100')}/uses`);
    await page.getByRole('row').nth(1).waitFor();
    await page.getByRole('button', { name: 'Open all' }).click();
    await take('structure');
    await goto(`/batches/${nightly}`);
    await page.getByRole('heading', { name: 'Problems' }).waitFor();
    await take('batch');
  } finally {
    await app.close();
  }
});
