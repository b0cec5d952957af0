// A buyer works through the shortage list of a project: searches it, sorts it, reserves and orders many items at once.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OrderWithLines, Shortage, StockLine } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let machine: string;
let bolt: string;
let nut: string;
let shelf: string;
let bin: string;
beforeAll(async () => {
  server = await startTestServer();
});
/** project ─1→ machine ─10→ bolt, ─20→ nut */
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
  [machine, bolt, nut] = workspace.items as [string, string, string];
  [shelf, bin] = workspace.locations as [string, string];
  await workspace.link(workspace.project, machine, 1);
  await workspace.link(machine, bolt, 10);
  await workspace.link(machine, nut, 20);
  for (const [id, name] of Object.entries({ [machine]: 'Machine', [bolt]: 'Bolt M8', [nut]: 'Nut M8 steel' }))
    await workspace.must(200, 'PATCH', `/entities/${id}`, { name });
});
afterEach(() => workspace.expectConsistent());
afterAll(() => server.close());

const path = () => `/projects/${workspace.project}/shortages`;
const list = (query = '') => workspace.must(200, 'GET', `${path()}${query}`);
const names = async (query: string) => (await list(query)).items.map((one: Shortage) => one.itemName);
const buy = (supplier: string | null, item: string, quantity = 1) =>
  workspace.must(201, 'POST', '/orders', {
    type: 'purchaseOrder',
    supplier,
    lines: [{ itemEntityId: item, locationEntityId: bin, quantity }],
  });

test('the list is searched, sorted and narrowed to purchased or made parts', async () => {
  await buy('Zinc & Co', bolt);
  await buy('Alpha', nut);
  const [first, ...others] = await names('');
  expect([first, others.toSorted()]).toEqual(['Machine', ['Bolt M8', 'Nut M8 steel']]);
  expect(await names('?order=desc')).toEqual([...others.toReversed(), 'Machine']);
  expect((await names('?kind=purchased')).toSorted()).toEqual(['Bolt M8', 'Nut M8 steel']);
  expect(await names('?kind=made')).toEqual(['Machine']);
  expect(await names('?q=STEEL%20m8')).toEqual(['Nut M8 steel']);
  expect(await names('?sort=name&order=desc')).toEqual(['Nut M8 steel', 'Machine', 'Bolt M8']);
  expect(await names('?sort=shortageQty&order=desc')).toEqual(['Nut M8 steel', 'Bolt M8', 'Machine']);
  expect(await names('?sort=supplier')).toEqual(['Nut M8 steel', 'Bolt M8', 'Machine']);
  const bolts = (await list('?q=bolt')).items[0] as Shortage;
  expect(await names(`?q=number:${bolts.itemNumber}`)).toEqual(['Bolt M8']);
  expect(bolts.supplier).toBe('Zinc & Co');
  const refused = await workspace.ask('GET', `${path()}?sort=price`);
  expect(refused.status).toBe(422);
});

test('as CSV it has a line for each item', async () => {
  await buy('Alpha', bolt);
  const { text } = await workspace.ask('GET', `${path()}?format=csv&kind=purchased&sort=name`);
  const [head, first, second, ...rest] = text.split('\r\n');
  expect(head).toBe(
    'itemEntityId,itemNumber,itemName,isAssembly,supplier,requiredQty,neededQty,reservedQty,availableQty,onOrderQty,shortageQty,openRequirementQty,unit,itemRevision',
  );
  expect(first).toMatch(/,Bolt M8,false,Alpha,10,10,0,0,1,9,0,,A$/);
  expect(second).toMatch(/,Nut M8 steel,false,,20,20,0,0,0,20,0,,A$/);
  expect(rest).toEqual(['']);
});

test('an open requirement is told of although nothing is short', async () => {
  await workspace.must(201, 'POST', `${path()}/requirements`, { itemEntityIds: [bolt] });
  await workspace.adjust(machine, shelf, 1);
  await workspace.adjust(bolt, shelf, 10);
  const nothing = await list();
  expect(nothing.items).toEqual([]);
  expect(nothing).toMatchObject({ itemCount: 3, shortCount: 0, openRequirementCount: 1 });
  const { items } = await list('?open=true');
  expect(items).toMatchObject([{ itemEntityId: bolt, shortageQty: 0, openRequirementQty: 10 }]);
});

test('many items are reserved at once, from several locations, with a requirement where none is', async () => {
  await workspace.must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: bolt,
    requiredQty: 4,
  });
  await workspace.adjust(bolt, shelf, 3);
  await workspace.adjust(bolt, bin, 5);
  await workspace.adjust(nut, bin, 50);
  const lines = [bolt, nut, machine].map((itemEntityId) => ({ itemEntityId }));
  const { reservations } = await workspace.must(201, 'POST', `${path()}/reservations`, { lines });
  const total = (item: string) =>
    reservations
      .filter((one: { itemEntityId: string }) => one.itemEntityId === item)
      .reduce((sum: number, one: { quantity: number }) => sum + one.quantity, 0);
  expect([total(bolt), total(nut), total(machine)]).toEqual([8, 20, 0]);
  const { items } = await list('?all=true&sort=name');
  expect(items.map((one: Shortage) => [one.itemName, one.reservedQty, one.shortageQty])).toEqual([
    ['Bolt M8', 8, 2],
    ['Machine', 0, 1],
    ['Nut M8 steel', 20, 0],
  ]);
  // A second time nothing is left to reserve.
  expect((await workspace.must(201, 'POST', `${path()}/reservations`, { lines })).reservations).toEqual([]);
});

test('what is on order for the project is not reserved a second time from other stock', async () => {
  await workspace.must(201, 'POST', `${path()}/orders`, {
    locationEntityId: bin,
    lines: [{ itemEntityId: bolt, quantity: 10 }],
  });
  await workspace.adjust(bolt, shelf, 10);
  const lines = [{ itemEntityId: bolt }];
  expect((await workspace.must(201, 'POST', `${path()}/reservations`, { lines })).reservations).toEqual([]);
});

test('many items are ordered at once: an order for each supplier, beyond the need for nobody', async () => {
  await buy('Alpha', bolt);
  await workspace.must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: bolt,
    requiredQty: 4,
    requiredBy: '2027-01-15',
  });
  const { orders } = await workspace.must(201, 'POST', `${path()}/orders`, {
    locationEntityId: bin,
    lines: [
      { itemEntityId: bolt, quantity: 9 },
      { itemEntityId: nut, quantity: 100, supplier: ' alpha ' },
      { itemEntityId: machine, quantity: 1, supplier: null },
    ],
  });
  expect(orders.map(({ supplier }: OrderWithLines) => supplier)).toEqual(['Alpha', null]);
  const shown = orders[0].lines.map((line: StockLine) => [
    line.itemEntityId === bolt ? 'bolt' : 'nut',
    line.quantity,
    line.requirementId === null ? 'free' : 'for the project',
    line.requiredBy,
  ]);
  expect(shown).toHaveLength(4);
  expect(shown).toEqual(
    expect.arrayContaining([
      ['bolt', 4, 'for the project', '2027-01-15'],
      ['bolt', 5, 'for the project', null],
      ['nut', 20, 'for the project', null],
      ['nut', 80, 'free', null],
    ]),
  );
  expect(await list('?open=true')).toMatchObject({ items: [], openRequirementCount: 0 });
  // Nothing is short any more: what is ordered now is for nobody.
  const again = await workspace.must(201, 'POST', `${path()}/orders`, {
    locationEntityId: bin,
    state: 'Draft',
    lines: [{ itemEntityId: bolt, quantity: 7 }],
  });
  expect(again.orders[0].lines).toMatchObject([{ quantity: 7, requirementId: null, state: 'Draft' }]);
});

test('an item that the project does not need, or one that is named twice, is refused and nothing is made', async () => {
  const [foreign] = await workspace.addEntities(1);
  const refuse = async (lines: object[], code: string) => {
    for (const [call, more] of [
      ['orders', { locationEntityId: bin }],
      ['reservations', {}],
    ] as const) {
      const wanted =
        call === 'orders'
          ? lines
          : lines.map(({ itemEntityId }: { itemEntityId?: string }) => ({ itemEntityId }));
      const refused = await workspace.ask('POST', `${path()}/${call}`, { ...more, lines: wanted });
      expect([refused.status, refused.body.errors?.[0]]).toMatchObject([
        422,
        { pointer: '/lines/1/itemEntityId', code },
      ]);
    }
  };
  const wanted = { itemEntityId: bolt, quantity: 1 };
  await refuse([wanted, { itemEntityId: foreign, quantity: 1 }], 'not_needed');
  await refuse([wanted, wanted], 'duplicate_item');
  expect((await list('?open=true')).openRequirementCount).toBe(0);
});

test('the supplier of an item is that of its newest order that names one', async () => {
  const lookUp = async () =>
    (await workspace.must(200, 'POST', '/suppliers/lookup', { itemEntityIds: [nut, bolt] })).items;
  expect(await lookUp()).toEqual([
    { itemEntityId: nut, supplier: null },
    { itemEntityId: bolt, supplier: null },
  ]);
  await buy('First', bolt);
  await buy('Second', bolt);
  await buy(null, bolt);
  await workspace.must(201, 'POST', '/orders', {
    type: 'manufacturingOrder',
    lines: [{ itemEntityId: bolt, locationEntityId: bin, quantity: 1 }],
  });
  expect(await lookUp()).toMatchObject([{ supplier: null }, { supplier: 'Second' }]);
  const unknown = await workspace.ask('POST', '/suppliers/lookup', { itemEntityIds: [crypto.randomUUID()] });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'entity_not_found']);
});
