// The structure of an entity as the app shows it, in a real browser against the real service.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AppPage, browserMissing, startWebApp, type WebApp } from './browser.ts';

const PARTS = 450;

let app: WebApp;

describe.skipIf(browserMissing !== null)('a structure', () => {
  let opened: AppPage;
  beforeAll(async () => {
    app = await startWebApp();
    opened = await app.open();
  }, 180_000);
  afterAll(() => app.close());

  test('of hundreds of parts is in the order of their find numbers, whatever order they came in', async () => {
    const top = { guid: randomUUID(), number: 'BRD', name: 'Board', categoryKey: 'assembly' };
    const parts = Array.from({ length: PARTS }, (_, i) => ({
      guid: randomUUID(),
      number: `R-${i}`,
      name: `Resistor ${PARTS - i}`,
      categoryKey: 'part',
      parentGuid: top.guid,
      findNumber: String(PARTS - i),
    }));
    const sent = await app.workspace.ask(
      'POST',
      '/pdm/sync',
      { entities: [top, ...parts] },
      { Prefer: 'wait=60' },
    );
    expect(sent.body.counts).toMatchObject({ created: 1 + PARTS });
    const { page, goto } = opened;
    await goto(`/entities/${sent.body.results[0].entityId}/uses`);
    const names = page.getByRole('treegrid', { name: 'Uses' }).getByRole('row');
    await names.filter({ hasText: 'Resistor' }).first().waitFor();
    const shown = (await names.allInnerTexts()).join('\n').match(/Resistor \d+/g) ?? [];
    expect(shown.length).toBeGreaterThan(3);
    expect(shown).toEqual(shown.map((_, i) => `Resistor ${i + 1}`));
  });
});
