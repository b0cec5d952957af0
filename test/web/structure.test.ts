// The structure of an entity as the app shows it, in a real browser against the real service.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { drawPng, sha256Of } from '../pictures/draw.ts';
import { deepTest, coreTest as test } from '../setup/tier.ts';
import { type AppPage, browserMissing, startWebApp, type WebApp } from './browser.ts';
import { scrollsSideways } from './keyboard-and-edges.ts';

/** More than the service gives at once. */
const PARTS = 1_100;

let app: WebApp;
beforeAll(async () => {
  if (browserMissing === null) app = await startWebApp();
});
afterAll(() => app?.close());

describe.skipIf(browserMissing !== null)('a structure', () => {
  deepTest(
    'of more parts than a page holds is in the order of their find numbers, or in the one that was chosen',
    async () => {
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
      const { page, goto } = await app.open();
      await goto(`/entities/${sent.body.results[0].entityId}/uses`);
      const grid = page.getByRole('treegrid', { name: 'Structure' });
      const shown = async () => (await grid.allInnerTexts()).join('\n').match(/Resistor \d+/g) ?? [];
      /** From the first row or the last on, as far as rows are drawn. */
      const expectShown = async (from: number, step: 1 | -1) => {
        await grid.getByText(`Resistor ${from}`, { exact: true }).waitFor();
        const names = await shown();
        expect(names.length).toBeGreaterThan(3);
        expect(names).toEqual(names.map((_, i) => `Resistor ${from + step * i}`));
      };
      await expectShown(1, 1);
      const header = (name: string) => grid.getByRole('columnheader', { name }).getByRole('button');
      await header('Number').click();
      await expectShown(PARTS, -1);
      await header('Number').click();
      await expectShown(1, 1);
      await page.reload();
      expect(new URL(page.url()).search).toBe('?sort=number&order=desc');
      await expectShown(1, 1);
      expect(await grid.getByRole('columnheader', { name: 'Number' }).getAttribute('aria-sort')).toBe(
        'descending',
      );
      // The third click is the order of the drawing's list again.
      await header('Number').click();
      expect(new URL(page.url()).search).toBe('');
      await expectShown(1, 1);
    },
  );
});

describe.skipIf(browserMissing !== null)('a line of a structure', () => {
  test('is added when it is known what is there: one that is there already would be written over', async () => {
    const { page, goto } = await app.open();
    const made = await app.workspace.ask('POST', '/entities', { category: 'assembly', name: 'Slowly read' });
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    await page.route(/\/uses(\?|$)/, async (route) => {
      if (route.request().resourceType() === 'fetch') await held;
      await route.continue();
    });
    await goto(`/entities/${made.body.id}/uses`);
    const add = page.getByRole('button', { name: 'Add a part' });
    await add.waitFor();
    expect(await add.isDisabled()).toBe(true);
    goOn();
    await page.getByText('No children yet').waitFor();
    expect(await add.isDisabled()).toBe(false);
    await app.leave(page);
  });

  test('is written whole, survives others who are first, and leaves open what was open', async () => {
    const { page, goto, complaints } = await app.open();
    const { ask } = app.workspace;
    const make = async (number: string, category = 'part') =>
      (await ask('POST', '/entities', { category, name: `Named ${number}`, number })).body.id as string;
    const [top, sub, bolt, nut] = [
      await make('LN-1', 'assembly'),
      await make('LN-2', 'assembly'),
      await make('LN-3'),
      await make('LN-4'),
    ];
    const link = (parent: string, child: string, body: object) =>
      ask('PUT', `/entities/${parent}/uses/${child}`, body);
    await link(top, sub, { quantity: 1 });
    await link(sub, nut, { quantity: 5 });
    await link(top, bolt, { quantity: 4, unit: 'pcs', note: 'greased' });
    const boltLine = async () =>
      (await ask('GET', `/entities/${top}/uses`)).body.items.find(
        ({ entityId }: { entityId: string }) => entityId === bolt,
      );
    await goto(`/entities/${top}/uses`);
    await page.getByRole('button', { name: 'Open LN-2' }).click();
    await page.getByRole('row', { name: /LN-4/ }).waitFor();
    const dialog = page.getByRole('dialog');
    const field = (name: string) => dialog.getByRole('textbox', { name });
    const gone = () => dialog.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Change the line of LN-3' }).click();
    await field('Find no.').fill('20');
    await field('Designators').fill('H1 H2, H10');
    await field('Note').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await gone();
    expect(await boltLine()).toMatchObject({
      quantity: 4,
      unit: 'pcs',
      findNumber: '20',
      referenceDesignators: ['H1', 'H2', 'H10'],
      note: null,
    });
    // The level below is open still.
    await page.getByRole('row', { name: /LN-4/ }).waitFor();

    // All of it goes into a table, whatever is open.
    await page.getByRole('button', { name: 'Export' }).click();
    const written = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const table = await readFile(await (await written).path(), 'utf8');
    expect(
      table
        .trim()
        .split(/\r?\n/)
        .map((line) => line.split(',').slice(0, 7).join(',')),
    ).toEqual([
      expect.stringContaining('Level,Number,Name,Find no.,Quantity,Unit,Total per assembly'),
      '0,LN-1,Named LN-1,,1,,1',
      '1,LN-3,Named LN-3,20,4,pcs,4',
      '1,LN-2,Named LN-2,,1,,1',
      '2,LN-4,Named LN-4,,5,,5',
    ]);

    // Another line of the parent changes while this one is typed: that is nobody's conflict.
    await page.getByRole('button', { name: 'Change the line of LN-3' }).click();
    await link(top, sub, { quantity: 2 });
    await field('Quantity').fill('6');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await gone();
    expect(await boltLine()).toMatchObject({ quantity: 6, findNumber: '20' });

    // This very line changes: nobody is overwritten unseen, and nothing that was typed is lost.
    await page.getByRole('button', { name: 'Change the line of LN-3' }).click();
    await field('Note').fill('dry');
    await link(top, bolt, { quantity: 9 });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Quantity: 6 → 9').waitFor();
    expect(await boltLine()).toMatchObject({ quantity: 9, note: null });
    await dialog.getByRole('button', { name: 'Keep my changes' }).click();
    expect(await field('Quantity').inputValue()).toBe('9');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await gone();
    expect(await boltLine()).toMatchObject({ quantity: 9, note: 'dry' });

    // A part that is there already is not set back to one.
    await page.getByRole('button', { name: 'Add a part' }).click();
    await page.keyboard.type('LN-3');
    await dialog
      .getByRole('option', { name: /LN-3/ })
      .or(page.getByRole('option', { name: /LN-3/ }))
      .first()
      .click();
    await dialog.getByText('LN-3 is in LN-1 already').waitFor();
    expect(await field('Quantity').inputValue()).toBe('9');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    // It is taken out as it is shown: another line may change meanwhile, and this one not unseen.
    await page.getByRole('button', { name: 'Remove LN-3' }).click();
    await link(top, sub, { quantity: 3 });
    await link(top, bolt, { quantity: 11 });
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByText('Quantity: 9 → 11').waitFor();
    expect(await boltLine()).toMatchObject({ quantity: 11 });
    await link(top, sub, { quantity: 4 });
    await dialog.getByRole('button', { name: 'Remove anyway' }).click();
    await gone();
    expect(await boltLine()).toBeUndefined();

    // Somebody else was first.
    await page.getByRole('button', { name: 'Remove LN-2' }).click();
    await ask('DELETE', `/entities/${top}/uses/${sub}`);
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByText('Someone else has already removed it.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('No children yet').waitFor();
    // A refused call is a line in the console of the browser.
    expect(complaints.filter((line) => !/412|404/.test(line))).toEqual([]);
    await app.leave(page);
  });

  deepTest('of a part that is behind what was read of a large level is changed, and not added', async () => {
    const { page, goto } = await app.open();
    const { ask } = app.workspace;
    const guid = randomUUID();
    const parts = Array.from({ length: 20_001 }, (_, i) => ({
      guid: randomUUID(),
      number: `FAR-${i}`,
      name: `Contact ${i}`,
      categoryKey: 'part',
      parentGuid: guid,
      quantity: 7,
    }));
    const assembly = { guid, number: 'FAR', name: 'Harness', categoryKey: 'assembly' };
    const body = { entities: [assembly, ...parts] };
    const sent = await ask('POST', '/pdm/sync', body, { Prefer: 'wait=60' });
    expect(sent.body.counts).toMatchObject({ created: 20_002 });
    const top = (await ask('GET', `/entities/guid:${guid}`)).body.id as string;
    const { items } = (await ask('GET', '/entities?number=FAR-20000')).body;
    const path = `/entities/${top}/uses/${items[0].id}`;
    await goto(`/entities/${top}/uses`);
    await page.getByText('More than 20,000 parts in one').waitFor();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add a part' }).click();
    await dialog.getByLabel('Part').first().fill('FAR-20000');
    await page
      .getByRole('option', { name: /FAR-20000/ })
      .first()
      .click();
    await dialog.getByText(/is in .* already/).waitFor();
    const quantity = dialog.getByRole('textbox', { name: 'Quantity' });
    expect(await quantity.inputValue()).toBe('7');
    await quantity.fill('8');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await ask('GET', path)).body).toMatchObject({ number: 'FAR-20000', quantity: 8 });
  });
});

describe.skipIf(browserMissing !== null)('a search', () => {
  test('finds by number: exactly one, and says why several words find nothing', async () => {
    const { page, goto } = await app.open();
    for (const number of ['SR-1', 'SR-10'])
      await app.workspace.ask('POST', '/entities', {
        category: 'part',
        name: `Beam of 24 mm ${number}`,
        number,
      });
    await goto('/entities');
    const search = page.getByPlaceholder('Number, name or property');
    await search.fill('number:SR-1');
    await page.getByText('1 item', { exact: true }).waitFor();
    await page.getByRole('row', { name: /SR-1 Beam/ }).waitFor();
    await search.fill('24 mm beam');
    await page.getByText('2 items', { exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('number:SR-10');
    await page.getByRole('dialog').getByText('Beam of 24 mm SR-10').waitFor();
    await app.leave(page);
  });
});

describe.skipIf(browserMissing !== null)('a revision', () => {
  test('shows what it was, and what it was made of, by its own address', async () => {
    const { page, goto, complaints } = await app.open();
    const { ask } = app.workspace;
    const make = async (number: string, category: string) =>
      (await ask('POST', '/entities', { category, name: `Named ${number}`, number })).body.id as string;
    const [top, kept, left] = [
      await make('RV-1', 'assembly'),
      await make('RV-2', 'part'),
      await make('RV-3', 'part'),
    ];
    await ask('PUT', `/entities/${top}/uses/${kept}`, { quantity: 4, findNumber: '20' });
    await ask('PUT', `/entities/${top}/uses/${left}`, { quantity: 7, findNumber: '10' });
    for (const toState of ['In Review', 'Released'])
      expect((await ask('POST', `/entities/${top}/transitions`, { toState })).status).toBe(200);
    await ask('PATCH', `/entities/${top}`, { name: 'Called otherwise' });
    await ask('DELETE', `/entities/${top}/uses/${left}`);
    await goto(`/entities/${top}/revisions`);
    await page.getByRole('link', { name: 'Show revision A' }).click();
    const grid = page.getByRole('grid', { name: 'Uses of revision A' });
    await grid.getByRole('row', { name: /RV-2/ }).waitFor();
    const lines = async (of: typeof grid) =>
      (await of.getByRole('row').allInnerTexts()).flatMap((row) => row.match(/^(?:RV-\d|[47])$/gm) ?? []);
    expect(await lines(grid)).toEqual(['RV-3', '7', 'RV-2', '4']);
    await page.getByRole('heading', { name: 'Revision A', exact: true }).waitFor();
    await page.reload();
    await grid.getByRole('row', { name: /RV-3/ }).waitFor();
    await page.getByRole('link', { name: 'Show revision B' }).click();
    const now = page.getByRole('grid', { name: 'Uses of revision B' });
    await now.getByRole('row', { name: /RV-2/ }).waitFor();
    expect(await lines(now)).toEqual(['RV-2', '4']);
    await page.goBack();
    await grid.getByRole('row', { name: /RV-3/ }).waitFor();
    expect(complaints).toEqual([]);
    await app.leave(page);
  });
});

/** A screw in a hub, which is in a wheel and in a rover besides; the rover is in a project. Returns its id. */
async function makeScrew(): Promise<string> {
  const guids = Object.fromEntries(
    ['screw', 'hub', 'wheel', 'rover', 'spare'].map((name) => [name, randomUUID()]),
  );
  const part = (of: string, number: string, name: string, parent?: string, quantity = 1) => ({
    guid: guids[of],
    number,
    name,
    categoryKey: parent === undefined ? 'assembly' : 'part',
    ...(parent === undefined ? {} : { parentGuid: guids[parent], quantity }),
  });
  const { body } = await app.workspace.ask('POST', '/pdm/sync', {
    entities: [
      part('rover', 'WU-100', 'Rover with a name that is longer than a phone is wide, by far'),
      part('wheel', 'WU-110', 'Drive wheel', 'rover', 6),
      part('hub', 'WU-111', 'Hub', 'wheel'),
      part('hub', 'WU-111', 'Hub', 'rover', 2),
      // Behind the hub in the order of the ids, before it by number.
      part('spare', 'WU-20', 'Box of spare parts'),
      part('screw', 'WU-9', 'Screw', 'hub', 4.5),
      part('screw', 'WU-9', 'Screw', 'spare', 100),
    ],
  });
  expect(body.counts.error).toBe(0);
  return body.results.at(-1).entityId;
}

/** So many assemblies that have the part. */
async function useEverywhere(part: string, count: number): Promise<void> {
  const parents = await app.workspace.addEntities(count);
  const [top] = await app.workspace.addEntities(1);
  await app.workspace.transact((tx) =>
    tx.query(
      `insert into entity_link (workspace_id, parent_id, child_id, quantity)
       select $1::uuid, id, $2::uuid, 0.000001 from unnest($3::uuid[]) as id
       union all select $1, $4, id, 0.5 from unnest($3::uuid[]) as id`,
      [app.workspace.id, part, parents, top],
    ),
  );
}

describe.skipIf(browserMissing !== null)('a released structure', () => {
  test('is shown as it was released, at all levels', async () => {
    const { ask } = app.workspace;
    const make = async (number: string, name: string) =>
      (await ask('POST', '/entities', { category: 'assembly', number, name })).body.id as string;
    const release = async (id: string) => {
      for (const toState of ['In Review', 'Released'])
        expect((await ask('POST', `/entities/${id}/transitions`, { toState })).status).toBe(200);
    };
    const [top, mid, part] = [
      await make('REL-1', 'Tower'),
      await make('REL-2', 'Frame'),
      await make('REL-3', 'Bolt, zinc'),
    ];
    await ask('PUT', `/entities/${top}/uses/${mid}`, { quantity: 2 });
    await ask('PUT', `/entities/${mid}/uses/${part}`, { quantity: 3 });
    for (const id of [part, mid, top]) await release(id);
    await ask('PATCH', `/entities/${part}`, { name: 'Bolt, steel' });
    await ask('PUT', `/entities/${mid}/uses/${part}`, { quantity: 5 });
    const { page, complaints, goto } = await app.open();
    await goto(`/entities/${top}/uses`);
    await page.getByRole('button', { name: 'Open all' }).click();
    await page.getByRole('row', { name: /Bolt, steel/ }).waitFor();
    await page.getByRole('combobox', { name: 'Revisions of the parts' }).selectOption('As released');
    await page.getByRole('row', { name: /Bolt, steel/ }).waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: /REL-2/ }).waitFor();
    await page.getByRole('button', { name: 'Open all' }).click();
    const bolt = page.getByRole('row', { name: /Bolt, zinc/ });
    await bolt.waitFor();
    expect((await bolt.innerText()).split(/\s*\n\s*/)).toEqual(expect.arrayContaining(['3', '6', 'A']));
    expect(await page.getByRole('button', { name: 'Add a part' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await app.leave(page);
  });
});

describe.skipIf(browserMissing !== null)('what an entity is built into', () => {
  let screw: string;
  beforeAll(async () => {
    screw = await makeScrew();
  });

  const rowsOf = async ({ page }: AppPage) =>
    (await page.getByRole('grid').getByRole('row').allInnerTexts()).map((row) =>
      row.split(/\s*\n\s*/).filter((cell) => cell !== ''),
    );

  test('is shown level by level, with what one of each takes in all, and as what is at the top', async () => {
    const opened = await app.open();
    const { page, complaints, goto } = opened;
    await goto(`/entities/${screw}/where-used`);
    await page.getByRole('row', { name: /WU-111/ }).waitFor();
    expect((await rowsOf(opened)).slice(1).map(([number]) => number)).toEqual(['WU-20', 'WU-111']);
    await page.getByRole('link', { name: 'All levels' }).click();
    await page.getByRole('row', { name: /WU-110/ }).waitFor();
    expect(
      (await rowsOf(opened)).slice(1).map(([number, , level, takes, top]) => [number, level, takes, top]),
    ).toEqual([
      ['WU-20', '1', '100', 'top'],
      ['WU-111', '1', '4.5', 'In Work'],
      // Directly, and by way of the wheel: 2 × 4.5 and 6 × 4.5.
      ['WU-100', '2', '36', 'top'],
      ['WU-110', '2', '4.5', 'In Work'],
    ]);
    await page.getByRole('status').filter({ hasText: '4 assemblies' }).waitFor();
    await page.getByRole('link', { name: 'Top level' }).click();
    await page.getByRole('status').filter({ hasText: '2 assemblies' }).waitFor();
    expect((await rowsOf(opened)).slice(1).map(([number]) => number)).toEqual(['WU-20', 'WU-100']);
    // Each way has an address: Back goes through them, and a row leads to its entity.
    await page.goBack();
    await page.getByRole('row', { name: /WU-110/ }).waitFor();
    const written = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const csv = await readFile(await (await written).path(), 'utf8');
    expect(csv.split('\r\n').slice(0, 2)).toEqual([
      '\ufeffNumber,Name,Level,Total quantity,Top level,State,Rev.',
      'WU-20,Box of spare parts,1,100,yes,In Work,A',
    ]);
    await page.getByRole('link', { name: 'WU-110' }).click();
    await page.getByRole('heading', { name: /Drive wheel/ }).waitFor();
    expect(complaints).toEqual([]);
    await app.leave(opened.page);
  });

  deepTest('says where too much is above it what to look at instead', async () => {
    const { page, complaints, goto } = await app.open();
    const [part] = (await app.workspace.addEntities(1)) as [string];
    await useEverywhere(part, 10_000);
    await goto(`/entities/${part}/where-used?levels=all`);
    await page.getByRole('status').filter({ hasText: '10,001 assemblies' }).waitFor();
    await useEverywhere(part, 1);
    await page.reload();
    await page.getByText('More than 20,000 links lead up from it.').waitFor();
    await page.getByRole('link', { name: 'Show the top level' }).click();
    await page.getByRole('status').filter({ hasText: '2 assemblies' }).waitFor();
    // Half a millionth 10 000 times; and once, which is less than the book writes.
    await page.getByRole('row', { name: /0\.005/ }).waitFor();
    await page.getByRole('row', { name: /< 0\.000001/ }).waitFor();
    const high = await app.workspace.addEntities(102);
    await app.workspace.transact((tx) =>
      tx.query(
        `insert into entity_link (workspace_id, parent_id, child_id, quantity)
         select $1, p, c, 1 from unnest($2::uuid[], $3::uuid[]) as i (p, c)`,
        [app.workspace.id, high.slice(1), high.slice(0, -1)],
      ),
    );
    for (const levels of ['all', 'top']) {
      await goto(`/entities/${high[0]}/where-used?levels=${levels}`);
      await page.getByText('There are more than 100 levels above it.').waitFor();
    }
    await page.getByRole('link', { name: 'Show the parents' }).click();
    await page.getByRole('status').filter({ hasText: '1 parent' }).waitFor();
    expect(complaints).toEqual([]);
  });

  deepTest('says that nothing is above it, and that the service does not answer', async () => {
    const { page, goto } = await app.open();
    const [alone] = await app.workspace.addEntities(1);
    for (const levels of ['all', 'top']) {
      await goto(`/entities/${alone}/where-used?levels=${levels}`);
      await page.getByText('Nothing uses it').waitFor();
    }
    await page.route('**/where-used/all?*', (route) => route.abort());
    await page.getByRole('link', { name: 'All levels' }).click();
    await goto(`/entities/${screw}/where-used?levels=all`);
    await page.getByText('The service cannot be reached').waitFor();
    await page.unroute('**/where-used/all?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row', { name: /WU-110/ }).waitFor();
  });

  deepTest.each([375, 1280])('is sound at %i pixels, light and dark', async (width) => {
    const { page, complaints, goto, settled, axe, shoot } = await app.open({ width });
    const [alone, many] = (await app.workspace.addEntities(2)) as [string, string];
    await useEverywhere(many, 10_001);
    const findings: unknown[] = [];
    for (const [name, path] of [
      ['parents', `${screw}/where-used`],
      ['all', `${screw}/where-used?levels=all`],
      ['top', `${screw}/where-used?levels=top`],
      ['none', `${alone}/where-used?levels=all`],
      ['too-much', `${many}/where-used?levels=all`],
    ] as const) {
      await goto(`/entities/${path}`);
      await page.getByRole('link', { name: 'All levels' }).waitFor();
      await settled();
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.locator(`:root[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' });
        await shoot(`where-used-${name}-${scheme}-${width}`);
        findings.push(...(await axe({ contrastOnly: scheme === 'dark' })));
      }
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (beyond > 0) findings.push({ name, beyond });
      findings.push(...(await scrollsSideways(page)).map((sideways) => ({ name, sideways })));
    }
    expect([findings, complaints]).toEqual([[], []]);
  });
});

describe.skipIf(browserMissing !== null)('the picture of a part', () => {
  test('is chosen, dropped or pasted, stands before its number everywhere, is enlarged and removed', async () => {
    const { ask } = app.workspace;
    const make = async (number: string, category = 'part') =>
      (await ask('POST', '/entities', { category, name: `Named ${number}`, number })).body.id as string;
    const [top, seen, bare] = [await make('PIC-1', 'assembly'), await make('PIC-2'), await make('PIC-3')];
    for (const child of [seen, bare]) await ask('PUT', `/entities/${top}/uses/${child}`, { quantity: 1 });
    const pictureOf = async () => (await ask('GET', `/entities/${seen}`)).body.picture as string | null;
    const { page, goto, settled, axe, shoot, complaints } = await app.open({ width: 390, scheme: 'dark' });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'image')
        asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? '');
    });

    await goto(`/entities/${seen}`);
    const add = page.getByRole('button', { name: 'Add a picture' });
    await add.waitFor();
    const files = await Promise.all(['#4a7', '#a47', '#47a'].map((colour) => drawPng(300, 200, colour)));
    const [chosen, dropped, pasted] = files.map(sha256Of) as [string, string, string];
    const fileOf = (at: number, name = 'part.png') => ({
      name,
      mimeType: 'image/png',
      buffer: files[at] as Buffer,
    });
    const input = page.getByLabel('Picture file');
    await input.setInputFiles({ ...fileOf(0, 'part.gif'), mimeType: 'image/gif' });
    await page.getByText('part.gif is not a PNG, JPEG or WebP file.').waitFor();
    await input.setInputFiles({ ...fileOf(0), buffer: Buffer.from('no picture') });
    await page.getByText(/It is not a PNG, JPEG or WebP picture/).waitFor();
    await input.setInputFiles(fileOf(0));
    const enlarge = page.getByRole('button', { name: 'Enlarge the picture of PIC-2 Named PIC-2' });
    await enlarge.waitFor();
    await expect.poll(pictureOf).toBe(chosen);

    /** Gives a file to the page as the browser does when somebody drops or pastes it. */
    const give = (kind: 'drop' | 'paste', bytes: Buffer) =>
      enlarge.evaluate(
        (box, { kind, base64 }) => {
          const data = new DataTransfer();
          const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          data.items.add(new File([content], 'part.png', { type: 'image/png' }));
          const options = { bubbles: true, cancelable: true };
          box.dispatchEvent(
            kind === 'drop'
              ? new DragEvent('drop', { ...options, dataTransfer: data })
              : new ClipboardEvent('paste', { ...options, clipboardData: data }),
          );
        },
        { kind, base64: bytes.toString('base64') },
      );
    await give('drop', files[1] as Buffer);
    await expect.poll(pictureOf).toBe(dropped);
    await page.locator(`img[src*="${dropped}"]`).waitFor();
    await give('paste', files[2] as Buffer);
    await expect.poll(pictureOf).toBe(pasted);
    await page.locator(`img[src*="${pasted}"]`).waitFor();
    await settled();
    await shoot('picture-390-dark');
    expect(await axe()).toEqual([]);
    expect(await scrollsSideways(page)).toEqual([]);

    asked.length = 0;
    await goto(`/entities/${top}/uses`);
    const row = (number: string) => page.getByRole('row', { name: new RegExp(number) });
    await row('PIC-2').locator(`img[src$="${pasted}?size=64"]`).waitFor();
    expect(await row('PIC-3').locator('img').count()).toBe(0);
    await goto('/entities?q=PIC');
    await row('PIC-2').locator('img').waitFor();
    await settled();
    await shoot('pictures-390-dark');
    expect(await axe()).toEqual([]);
    // Of the parts without a picture nothing is asked.
    expect(new Set(asked)).toEqual(new Set([pasted]));

    await goto(`/entities/${seen}`);
    await enlarge.click();
    const large = page.getByRole('dialog');
    await large.locator('img').waitFor();
    await settled();
    expect(await axe({ within: '[role=dialog]' })).toEqual([]);
    await large.getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('dialog', { name: /Remove the picture/ })
      .getByRole('button', { name: 'Remove' })
      .click();
    await add.waitFor();
    expect(await pictureOf()).toBeNull();
    expect(complaints).toEqual([]);
  });
});
