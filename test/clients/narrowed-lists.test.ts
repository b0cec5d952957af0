// What the command line shows of long lists, by the options that narrow them, and what it does with orders.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderWithLines } from '../../web/client/operations.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { runCli } from './run-cli.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'partbook-lists-'));
  server = await startTestServer();
  workspace = await makeProcuringWorkspace(server);
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

const run = (...args: string[]) => runIn(workspace, args);

function runIn(
  { slug, key }: Pick<ProcuringWorkspace, 'slug' | 'key'>,
  args: readonly string[],
): Promise<{ code: number; out: string; said: string }> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    PARTBOOK_URL: server.baseUrl,
    PARTBOOK_WORKSPACE: slug,
    PARTBOOK_API_KEY: key,
  };
  return runCli(args, { env });
}

test('movements are those of one person, and of a time', async () => {
  const [item, location] = [workspace.items[0], workspace.locations[0]];
  const ada = await workspace.must(201, 'POST', '/api-keys', { name: 'Ada', permission: 'write' });
  await workspace.adjust(item, location, 5, { note: 'Found' });
  const taken = await server.request(`/api/wid/${workspace.slug}/stock/adjustments`, {
    key: ada.key,
    body: { itemEntityId: item, locationEntityId: location, quantity: -2, note: 'For the museum' },
  });
  expect(taken.status, taken.text).toBe(201);
  const all = await run('stock', 'ledger');
  expect(all.out).toMatch(/-2 .*Ada .*For the museum\n.*5 .*Found/);
  for (const who of ['Ada', ada.id]) {
    const { out } = await run('stock', 'ledger', '--by', who, '--from', '2026-01-01');
    expect(out).toContain('For the museum');
    expect(out).not.toContain('Found');
  }
  expect((await run('stock', 'ledger', '--to', '2020-01-01')).out).not.toContain('Found');
  expect(await run('stock', 'ledger', '--by', 'Nobody')).toMatchObject({
    code: 2,
    said: expect.stringContaining('Nobody called Nobody has moved any stock'),
  });
  expect(await run('stock', 'ledger', '--to', 'yesterday')).toMatchObject({
    code: 2,
    said: expect.stringContaining('--to "yesterday" is neither a day nor a time'),
  });
});

test('each part that cannot be archived is named, and the others are archived', async () => {
  const [free, held] = await workspace.addEntities(2);
  await workspace.adjust(held, workspace.locations[0], 3);
  const { code, out, said } = await run('archive', held as string, 'NOBODY-1', free as string);
  expect(code).toBe(1);
  expect(said).toContain('cannot be archived');
  expect(said).toContain('NOBODY-1');
  expect(out).toMatch(/: archived\n$/);
  expect((await workspace.must(200, 'GET', `/entities/${free}`)).archivedAt).not.toBeNull();
  expect((await run('unarchive', free as string)).code).toBe(0);
});

test('orders are those of one supplier, of a type, and due on days', async () => {
  const order = (type: string, supplier: string | undefined, requiredBy?: string) =>
    workspace.must(201, 'POST', '/orders', {
      type,
      supplier,
      lines: [
        {
          itemEntityId: workspace.items[0],
          locationEntityId: workspace.locations[0],
          quantity: 3,
          requiredBy,
        },
      ],
    });
  await order('purchaseOrder', 'DigiKey', '2026-12-01');
  await order('purchaseOrder', 'Mouser', '2026-12-05');
  await order('manufacturingOrder', undefined);
  const shown = async (...flags: string[]) => {
    const { code, out, said } = await run('orders', ...flags);
    expect(code, said).toBe(0);
    return out.match(/DigiKey|Mouser|manufacturingOrder/g) ?? [];
  };
  expect(await shown()).toEqual(['DigiKey', 'Mouser', 'manufacturingOrder']);
  expect(await shown('--supplier', 'mouser')).toEqual(['Mouser']);
  expect(await shown('--type', 'manufacturingOrder')).toEqual(['manufacturingOrder']);
  expect(await shown('--state', 'Closed')).toEqual([]);
  expect(await shown('--required-before', '2026-12-05')).toEqual(['DigiKey']);
  expect(await shown('--required-from', '2026-12-02', '--state', 'Open')).toEqual(['Mouser']);
  const lines = async (...flags: string[]) => {
    const { code, out, said } = await run('lines', ...flags, '--json');
    expect(code, said).toBe(0);
    return JSON.parse(out).map(
      ({ supplier, requiredBy }: { supplier: string | null; requiredBy: string | null }) =>
        [supplier, requiredBy?.slice(5)].filter((one) => one != null).join(' '),
    );
  };
  await order('purchaseOrder', 'Reichelt', '2026-11-30');
  expect(await lines()).toEqual(['Reichelt 11-30', '', 'Mouser 12-05', 'DigiKey 12-01']);
  expect(await lines('--by-day')).toEqual(['Reichelt 11-30', 'DigiKey 12-01', 'Mouser 12-05', '']);
  expect(await lines('--supplier', 'mouser')).toEqual(['Mouser 12-05']);
  expect(await lines('--required-before', '2026-12-05', '--by-day')).toEqual([
    'Reichelt 11-30',
    'DigiKey 12-01',
  ]);
  const { items } = await workspace.must(200, 'GET', '/orders?supplier=Mouser');
  expect(await lines('--order', items[0].number)).toEqual(['Mouser 12-05']);
  expect(await lines('--item', String(workspace.items[1]))).toEqual([]);
  // A part may have the number of an order: each is looked for among its own.
  const part = { category: 'part', number: items[0].number, name: 'Called like an order' };
  await workspace.must(201, 'POST', '/entities', part);
  expect(await lines('--order', items[0].number)).toEqual(['Mouser 12-05']);
  expect(await lines('--item', items[0].number)).toEqual([]);
  expect(await run('lines', '--item', 'NO-SUCH')).toMatchObject({
    code: 2,
    said: 'No item has the number "NO-SUCH".\n',
  });
  expect(await run('lines', '--order', 'NO-SUCH')).toMatchObject({
    code: 2,
    said: 'No order has the number "NO-SUCH".\n',
  });
  expect((await run('lines', '--state', 'Received')).said).toContain('No line matches these options.');
  for (const day of ['soon', '2026-02-30', '2026-2-3'])
    expect(await run('orders', '--required-from', day)).toMatchObject({
      code: 2,
      said: expect.stringMatching(/--required-from.*It is not a day: write it as/),
    });
  expect(await run('orders', '--type', 'po')).toMatchObject({
    code: 2,
    said: expect.stringContaining('Allowed choices are purchaseOrder'),
  });
});

test('lines that are still open are shown by themselves, and of them those that are overdue, the longest first', async () => {
  const own = await makeProcuringWorkspace(server);
  const asked = (...args: string[]) => runIn(own, ['lines', ...args]);
  expect(await asked('--overdue')).toEqual({ code: 0, out: '', said: 'No line is overdue.\n' });
  expect((await asked('--open')).said).toBe('No line is open.\n');
  const line = (quantity: number, requiredBy?: string) => ({
    itemEntityId: own.items[0],
    locationEntityId: own.locations[0],
    quantity,
    requiredBy,
  });
  expect(await runIn(own, ['orders', '--overdue'])).toEqual({
    code: 0,
    out: '',
    said: 'No order is overdue.\n',
  });
  expect((await runIn(own, ['orders', '--open'])).said).toBe('No order is open.\n');
  const { lines } = await own.must(201, 'POST', '/orders', {
    type: 'purchaseOrder',
    lines: [
      line(1, '2020-02-02'),
      line(2, '2020-03-03'),
      line(3, '2020-01-01'),
      line(4, '2999-01-01'),
      line(5),
    ],
  });
  await own.act(lines[1].id, 'receipts', { quantity: 2 });
  const quantities = async (...args: string[]) => {
    const { code, out, said } = await asked(...args, '--json');
    expect(code, said).toBe(0);
    return JSON.parse(out).map(({ quantity }: { quantity: number }) => quantity);
  };
  expect(await quantities('--open')).toEqual([5, 4, 3, 1]);
  expect(await quantities('--open', '--by-day')).toEqual([3, 1, 4, 5]);
  expect(await quantities('--overdue')).toEqual([3, 1]);
  expect(await quantities('--overdue', '--required-before', '2020-02-02')).toEqual([3]);
  expect(await quantities('--open', '--state', 'received')).toEqual([]);
  const done = await own.must(201, 'POST', '/orders', {
    type: 'purchaseOrder',
    lines: [line(7, '2020-01-01')],
  });
  await own.act(done.lines[0].id, 'receipts', { quantity: 7 });
  await own.must(201, 'POST', '/orders', { type: 'manufacturingOrder', lines: [line(8)] });
  const orders = async (...args: string[]) => {
    const { code, out, said } = await runIn(own, ['orders', ...args, '--json']);
    expect(code, said).toBe(0);
    return JSON.parse(out).map(({ totals }: { totals: { openQty: number } }) => totals.openQty);
  };
  expect(await orders()).toEqual([13, 0, 8]);
  expect(await orders('--open')).toEqual([13, 8]);
  expect(await orders('--open', '--type', 'manufacturingOrder')).toEqual([8]);
  expect(await orders('--overdue')).toEqual([13]);
  expect(await orders('--overdue', '--required-before', '2020-01-01')).toEqual([]);
  expect((await runIn(own, ['orders', '--overdue', '--state', 'closed'])).said).toContain(
    'No order matches these options.',
  );
});

test('states and suppliers are named as people name them; what is none is told what there is', async () => {
  const own = await makeProcuringWorkspace(server);
  const asked = (...args: string[]) => runIn(own, args);
  const lines = [{ itemEntityId: own.items[0], locationEntityId: own.locations[0], quantity: 3 }];
  expect(await asked('lines', '--supplier', 'anybody')).toMatchObject({
    code: 2,
    said: 'The workspace has no suppliers: not "anybody" either.\n',
  });
  const none = await asked('lines', '--supplier', 'anybody', '--json');
  expect(none).toEqual({ code: 0, out: '[]\n', said: '' });
  for (const supplier of ['Digi-Key', 'Digi-Key Electronics', 'Mouser'])
    await own.must(201, 'POST', '/orders', { type: 'purchaseOrder', supplier, lines });
  await own.must(201, 'POST', '/orders', { type: 'manufacturingOrder', lines });
  const found = async (...args: string[]) => {
    const { code, out, said } = await asked(...args, '--json');
    expect(code, said).toBe(0);
    return JSON.parse(out).map((one: { supplier: string | null; state: string }) => [
      one.supplier,
      one.state,
    ]);
  };
  expect(await found('lines', '--supplier', 'mous', '--state', 'ORDERED')).toEqual([['Mouser', 'Ordered']]);
  // A whole name is that supplier, though another one begins so.
  expect(await found('orders', '--supplier', ' digi-KEY', '--state', 'open')).toEqual([['Digi-Key', 'Open']]);
  expect(await found('lines', '--state', 'received')).toEqual([]);
  expect(await asked('entities', '--state', 'ordered', '--category', 'purchaseOrderLine')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/(?:POL-.*\n){3}/),
  });
  for (const [args, said] of [
    [
      ['lines', '--supplier', 'key'],
      'Several suppliers have "key" in their name: Digi-Key, Digi-Key Electronics. Write the whole name of one.',
    ],
    [['orders', '--supplier', 'Mauser'], 'There is no supplier "Mauser". Is it Mouser?'],
    [
      ['lines', '--supplier', 'elektronics'],
      'There is no supplier "elektronics". Is it Digi-Key Electronics?',
    ],
    [
      ['orders', '--supplier', 'Zellwerk'],
      'There is no supplier "Zellwerk". There are Digi-Key, Digi-Key Electronics, Mouser.',
    ],
    [
      ['lines', '--type', 'manufacturingOrder', '--state', 'orderd'],
      'No line can be in the state "orderd". Its states: Draft, Ordered, Received, Closed, Cancelled.',
    ],
    [
      ['orders', '--state', 'draft'],
      'No order can be in the state "draft". Its states: Open, Closed, Cancelled.',
    ],
    [
      ['entities', '--state', 'made', '--category', 'location'],
      'No entity can be in the state "made". Its states: Active, Inactive.',
    ],
  ] as const) {
    expect(await asked(...args)).toEqual({ code: 2, out: '', said: `${said}\n` });
    // Of scripts the text goes to the service as it is.
    expect(await asked(...args, '--json')).toEqual({ code: 0, out: '[]\n', said: '' });
    expect(await asked(...args, '--ndjson')).toEqual({ code: 0, out: '', said: '' });
  }
});

test('a project is supplied with what is listed as short', async () => {
  const own = await makeProcuringWorkspace(server);
  const { must, project, items, locations } = own;
  const run = (...args: string[]) => runIn(own, args);
  const [bolt, nut, washer] = items as [string, string, string];
  const shelf = locations[0] as string;
  for (const [item, quantity] of [
    [bolt, 4],
    [nut, 6],
    [washer, 2],
  ] as const)
    await own.link(project, item, quantity);
  await own.adjust(nut, locations[1], 6);
  const numbers = await Promise.all(
    [bolt, nut, washer].map(async (item) => (await must(200, 'GET', `/entities/${item}`)).number as string),
  );
  const [boltNumber, nutNumber, washerNumber] = numbers as [string, string, string];
  const listed = async (...args: string[]): Promise<string[]> => {
    const { out } = await run('shortages', project, '--json', ...args);
    return JSON.parse(out).map(({ itemNumber }: { itemNumber: string }) => itemNumber);
  };
  expect(await listed('--every', '--sort', 'number', '--desc')).toEqual(numbers.toSorted().reverse());
  expect(await listed('--search', washerNumber)).toEqual([washerNumber]);
  expect(await listed('--kind', 'made')).toEqual([]);

  const plan = await run('shortages', project, '--reserve', '--plan');
  expect(plan).toMatchObject({ code: 3, out: expect.stringContaining(nutNumber) });
  expect(plan.out).not.toContain(boltNumber);
  const reserved = await run('shortages', project, '--reserve', '--note', 'For the fair');
  expect(reserved).toMatchObject({ code: 0, out: expect.stringContaining(`6 × ${nutNumber} reserved at `) });
  expect(await run('shortages', project, '--reserve')).toMatchObject({
    code: 0,
    out: 'There is nothing to supply.\n',
  });

  const raised = await run('shortages', project, '--search', washerNumber, '--raise');
  expect(raised.out).toMatch(new RegExp(`^\\S+: 2 × ${washerNumber} required\n$`));
  const ordered = await run('shortages', project, '--order', shelf, '--supplier', 'Nordic Fasteners');
  expect(ordered.out).toMatch(/^\S+ from Nordic Fasteners: /);
  expect(ordered.out).toContain(`4 × ${boltNumber}`);
  expect(ordered.out).toContain(`2 × ${washerNumber}`);
  expect(await listed()).toEqual([]);
  expect(await run('shortages', project, '--raise', '--order', shelf)).toMatchObject({ code: 2 });
});

test('a requirement is changed by its number', async () => {
  const body = { projectId: workspace.project, itemEntityId: workspace.items[0], requiredQty: 10 };
  const { number } = await workspace.must(201, 'POST', '/requirements', body);
  const changed = await run(
    'requirements',
    'change',
    number,
    '--quantity',
    '4.5',
    '--required-by',
    '2027-02-01',
  );
  expect(changed).toMatchObject({ code: 0, out: expect.stringContaining('4.5 of') });
  expect((await run('requirements')).out).toMatch(new RegExp(`${number} .*4.5 .*2027-02-01`));
  expect((await run('requirements', 'change', number)).code).toBe(2);
});

test('lines and requirements show the revision of their item and the unit of their quantities', async () => {
  const [item] = (await workspace.addEntities(1)) as [string];
  await workspace.must(200, 'PUT', `/stock/units/${item}`, { baseUnit: 'kg' });
  const { revision } = await workspace.must(200, 'GET', `/entities/${item}`);
  await workspace.must(201, 'POST', '/orders', {
    type: 'purchaseOrder',
    lines: [{ itemEntityId: item, locationEntityId: workspace.locations[0], quantity: 7 }],
  });
  const body = { projectId: workspace.project, itemEntityId: item, requiredQty: 3 };
  const { number } = await workspace.must(201, 'POST', '/requirements', body);
  const lines = (await run('lines', '--item', item)).out;
  expect(lines).toMatch(/item +revision +name +quantity +open +unit/);
  expect(lines).toMatch(new RegExp(` ${revision} .* 7 +7 +kg `));
  const requirements = (await run('requirements')).out;
  expect(requirements).toMatch(/item +revision +project .*open +unit/);
  expect(requirements).toMatch(new RegExp(`${number} .* ${revision} .* 3 +kg `));
});

test('suppliers and what they sell are listed, added and merged', async () => {
  const own = await makeProcuringWorkspace(server);
  const asked = (...args: string[]) => runIn(own, args);
  const item = `${own.items[0]}`;
  for (const name of ['DigiKey', 'Digi-Key Electronics', 'Mouser'])
    await own.must(201, 'POST', '/suppliers', { name, currency: 'USD' });
  const added = `add ${item} --from electronics --sku DK-1 --mpn RC0603 --pack 10`.split(' ');
  const made = await asked('supplier-parts', ...added, '--price', '1=0.02 USD', '100=0.015 USD', '--json');
  expect(made.said).toBe('');
  expect(JSON.parse(made.out)).toMatchObject({
    sku: 'DK-1',
    packQuantity: 10,
    supplier: 'Digi-Key Electronics',
  });
  expect((await asked('supplier-parts', ...added, '--price', '1 for free')).said).toContain(
    'write "100=0.0123 EUR"',
  );
  const merged = await asked('suppliers', 'merge', 'electronics', 'digikey', '--yes');
  expect(merged).toMatchObject({ code: 0, out: 'Digi-Key Electronics was merged into DigiKey.\n' });
  expect((await asked('suppliers')).out).toMatch(/DigiKey .*USD .*active\s+Mouser/);
  const { out } = await asked('supplier-parts', '--item', item, '--supplier', 'digikey', '--text', 'rc0603');
  expect(out).toMatch(/DigiKey +DK-1 +RC0603 +10 +1=0\.02 USD, 100=0\.015 USD/);
  expect((await asked('supplier-parts', '--text', 'nothing')).said).toContain(
    'No supplier part matches these options.',
  );
  // A sum of which nothing is known is not shown as zero.
  await own.must(200, 'PUT', `/planning/items/${item}`, { policy: 'reorderPoint', reorderPoint: 5 });
  for (const words of [['cost', item], ['reorder']]) {
    const { out, said } = await asked(...words, '--currency', 'KWD');
    expect(out + said).toMatch(/without an exchange rate to KWD: USD/i);
    expect(out + said).not.toMatch(/in KWD:/i);
  }
});

test('revisions beside a cost are named by their number or label', async () => {
  const own = await makeProcuringWorkspace(server);
  const [item] = own.items as [string];
  const { items: revisions } = await own.must(200, 'GET', `/entities/${item}/revisions`);
  const unknown = await runIn(own, ['cost', item, '--against', 'Z9']);
  expect(unknown).toMatchObject({
    code: 2,
    said: expect.stringContaining('The item has no revision "Z9".'),
  });
  for (const { revision } of revisions)
    expect(await runIn(own, ['cost', item, '--against', revision.toLowerCase()])).toMatchObject({ code: 0 });
  expect((await runIn(own, ['cost', item, '--currency', 'KWD'])).out).not.toContain('in KWD');
});

test('an order is written into a file, as PDF or CSV', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partbook-document-'));
  const [order] = (await workspace.must(200, 'GET', '/orders?limit=1')).items;
  const file = join(folder, 'order.csv');
  const written = await run('orders', 'document', order.number, '--format', 'csv', '--out', file);
  expect(written).toMatchObject({ code: 0, out: expect.stringMatching(/order\.csv: \d+ bytes/) });
  expect(readFileSync(file, 'utf8')).toMatch(/^Pos\.,Part,Description/);
  const pdf = join(folder, 'order.pdf');
  expect(await run('orders', 'document', order.number, '--out', pdf)).toMatchObject({ code: 0 });
  expect(readFileSync(pdf, 'latin1')).toMatch(/^%PDF-/);
  expect((await run('orders', 'document', order.number, '--out', join(folder, 'none', 'x.pdf'))).code).toBe(
    2,
  );
  rmSync(folder, { recursive: true });
});

test('entities are those of a saved view, by its name', async () => {
  for (const [name, number] of [
    ['In view', 'VIEW-IN'],
    ['Out of view', 'VIEW-OUT'],
  ])
    await workspace.must(201, 'POST', '/entities', { category: 'part', name, number });
  await workspace.must(201, 'POST', '/views', {
    name: 'Chosen parts',
    list: 'entities',
    filters: { number: 'VIEW-IN' },
  });
  expect((await run('views')).out).toMatch(/Chosen parts .*entities .*you/);
  const { out } = await run('entities', '--view', 'chosen parts');
  expect(out).toContain('VIEW-IN');
  expect(out).not.toContain('VIEW-OUT');
  expect(await run('entities', '--view', 'Lost')).toMatchObject({
    code: 2,
    said: expect.stringContaining('There is no saved view "Lost". There are Chosen parts.'),
  });
});

describe('goods of an order', () => {
  let mine: ProcuringWorkspace;
  let bolt: string;
  let nut: string;
  let shelf: string;
  let other: string;
  beforeAll(async () => {
    mine = await makeProcuringWorkspace(server);
    [bolt, nut] = mine.items as [string, string];
    [shelf, other] = mine.locations as [string, string];
  });
  const runHere = (...args: string[]) => runIn(mine, args);
  const order = (type: string, quantities: readonly [string, number][]): Promise<OrderWithLines> =>
    mine.must(201, 'POST', '/orders', {
      type,
      lines: quantities.map(([itemEntityId, quantity]) => ({
        itemEntityId,
        locationEntityId: shelf,
        quantity,
      })),
    });
  const numbersOf = ({ number, lines }: OrderWithLines) => [
    number as string,
    ...lines.map((line) => line.number as string),
  ];

  test('lines of an order are received where the goods are put, returned, and taken back', async () => {
    const made = await order('purchaseOrder', [
      [bolt, 10],
      [nut, 5],
    ]);
    const [number = '', bolts = ''] = numbersOf(made);
    const plan = await runHere('orders', 'receive', number, `${bolts}=4`, '--at', other, '--plan');
    expect(plan.code, plan.said).toBe(3);
    expect(plan.out).toMatch(/^Would become:\n[\s\S]*10 +4 +0 +0 +6 +Ordered/);
    expect(await mine.figures(bolt, other)).toEqual([0, 0, 0]);

    const part = await runHere('orders', 'receive', number, `${bolts}=4`, '--at', other);
    expect(part.code, part.said).toBe(0);
    expect(part.out).toMatch(/10 +4 +0 +0 +6 +Ordered/);
    expect(await mine.figures(bolt, other)).toEqual([4, 0, 0]);
    const rest = await runHere('orders', 'receive', number, '--note', 'Second parcel');
    expect(rest.out).toMatch(/10 +10 .*Received[\s\S]*5 +5 .*Received/);

    const undone = await runHere('orders', 'reverse', number, '--note', 'Counted again');
    expect(undone.code, undone.said).toBe(0);
    expect(undone.out).toMatch(/10 +4 +0 +0 +6 +Ordered/);
    const first = await runHere('orders', 'reverse', number, '--note', 'Counted again', '--plan');
    expect(first.out).toMatch(/10 +0 +0 +0 +10 +Ordered/);
    const back = await runHere(
      'orders',
      'return',
      number,
      `${bolts}=2`,
      '--at',
      other,
      '--reason',
      'bent',
      '--replace',
    );
    expect(back.code, back.said).toBe(0);
    expect(back.out).toMatch(/10 +4 +0 +2 +8 +Ordered/);
    expect(await mine.figures(bolt, other)).toEqual([2, 0, 0]);
    await mine.expectConsistent();
  });

  test('what the supplier has promised is noted by line, in parts', async () => {
    const made = await order('purchaseOrder', [
      [bolt, 10],
      [nut, 4],
    ]);
    const [number, first, second] = numbersOf(made) as [string, string, string];
    const parts = [`${first}=2027-01-05=4`, `${first}=2027-02-01`, `${second}=2027-01-05`];
    const { out } = await runHere('orders', 'promise', number, ...parts);
    expect(out).toMatch(/4 on 2027-01-05, 6 on 2027-02-01/);
    expect(out).toMatch(/4 on 2027-01-05\n/);
    expect((await runHere('lines', '--order', number)).out).toContain('4 on 2027-01-05, 6 on 2027-02-01');
    expect((await runHere('orders', 'promise', number, second, '--none')).out).not.toContain('2027');
    for (const wrong of [first, `${first}=soon`, `${first}=2027-01-05=2 box`])
      expect(await runHere('orders', 'promise', number, wrong)).toMatchObject({
        code: 2,
        said: expect.stringContaining(wrong),
      });
  });

  test('lots and serial numbers of an order are named by line, and shipped as they expire', async () => {
    const [, , screw = ''] = mine.items;
    await mine.must(200, 'PUT', `/stock/tracking/${screw}`, { tracking: 'lot' });
    const [number = '', line = ''] = numbersOf(await order('purchaseOrder', [[screw, 10]]));
    const got = await runHere('orders', 'receive', number, '--lot', `${line}=L1=6`, `${line}=L..2=4`);
    expect(got.code, got.said).toBe(0);
    const [sale = '', sold = ''] = numbersOf(await order('salesOrder', [[screw, 7]]));
    expect(await runHere('orders', 'ship', sale, '--lot', `${line}=L1`)).toMatchObject({
      code: 2,
      said: expect.stringContaining(`${sale} has no line "${line}"`),
    });
    const sent = await runHere(
      'orders',
      'ship',
      sale,
      `${sold}=5`,
      '--lot',
      `${sold}=L..2=4`,
      `${sold}=L1=1`,
    );
    expect(sent.code, sent.said).toBe(0);
    const last = await runHere('orders', 'ship', sale, '--first-expired');
    expect(last.out).toMatch(/7 +0 +7 +0 +0 +Shipped/);
    await mine.expectConsistent();
  });

  test('a manufacturing order takes its components as the command says, and a slip of the caller says what to do', async () => {
    const made = await order('manufacturingOrder', [[bolt, 3]]);
    const [number = '', line = ''] = numbersOf(made);
    const built = await runHere('orders', 'receive', number, `${line}=1`, '--consume', 'none');
    expect(built.out).toMatch(/3 +1 .*Ordered/);
    const { items } = await mine.must(200, 'GET', `/stock/ledger?orderId=${made.id}&movementType=MOReceipt`);
    expect(items).toMatchObject([{ consume: 'none', quantity: 1 }]);
    for (const [args, said] of [
      [['return', number, line], `Say how much of ${line} is returned`],
      [['receive', number, 'Nothing=1'], `${number} has no line "Nothing"`],
      [['receive', 'PO-999999'], 'No order has the number "PO-999999"'],
      [['receive', number, '--lot', line], `"${line}" is neither LINE=LOT`],
    ] as const)
      expect(await runHere('orders', ...args)).toMatchObject({
        code: 2,
        said: expect.stringContaining(said),
      });
    expect(await runHere('sync', '-', '--dry-run')).toMatchObject({
      code: 2,
      said: expect.stringContaining('--plan shows the changes'),
    });
  });
});

test('stock has a value once the workspace keeps costs, and another when it is set', async () => {
  const own = await makeProcuringWorkspace(server);
  const call = (...args: string[]) => runIn(own, args);
  const [item] = own.items as [string];
  await own.adjust(item, own.locations[0], 4);
  expect((await call('value')).said).toMatch(/keeps no costs/);
  expect((await call('stock', 'settings', '--costing', 'lifo:EUR')).said).toMatch(/fifo:EUR/);
  expect((await call('stock', 'settings', '--costing', 'fifo:EUR')).out).toMatch(/valued: fifo, in EUR/);
  expect((await call('value', 'total')).out).toMatch(/unknown for 1 item \(fifo\)\n.*1 item$/m);
  expect((await call('value', 'set', item, '2.5', '--note', 'Opening')).out).toMatch(
    /4 on hand: unknown before, 10\.00 EUR now; 4/,
  );
  expect((await call('value', 'standard', item)).said).toMatch(/has no standard cost/);
  expect((await call('value', 'variances', item)).said).toContain('never had a standard cost');
  expect((await call('value', 'standard', item, 'none')).out).toContain('there is none to remove');
  expect((await call('value', '--item', item)).out).toMatch(/4 +0 +2\.50 EUR +10\.00 EUR/);
  expect((await call('value', 'standard', item, '3', '--note', 'Of 2027')).out).toMatch(
    /standard cost: 3\.00 EUR\n4 on hand: 10\.00 EUR before, 12\.00 EUR now/,
  );
  await call('stock', 'adjust', item, own.locations[0] as string, '2', '--cost', '3.5');
  const variances = await call('value', 'variances', item);
  expect(variances.out).toMatch(/2 +6\.00 EUR +7\.00 EUR +1\.00 EUR/);
  expect(variances.said).toContain('Total at a price: 1.00 EUR (1 arrival).');
  expect((await call('cost', item, '--quantity', '-1')).said).toMatch(/^--quantity is -1, which is not/);
  expect((await call('value', '--at', 'yesterday')).said).toMatch(/^The request is not valid\. --at: /);
  expect((await call('value', 'standard', item, 'none')).out).toMatch(/no standard cost from now on/);
  expect((await call('value', 'standard', item)).out).toMatch(/none[\s\S]*3\.00 EUR +Of 2027/);
});
