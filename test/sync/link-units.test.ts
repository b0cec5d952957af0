// BOM lines keep quantity and unit as they were entered. Whatever multiplies them takes them in the base unit of the child.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readKnownUnits } from '../../migrations/20261202_3010_link_units.ts';
import { findUnit } from '../../src/units/unit.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type SyncCalls, element as sent, syncCalls } from './sync-calls.ts';

let server: TestServer;
let w: ProcuringWorkspace;
let calls: SyncCalls;
beforeAll(async () => {
  server = await startTestServer();
  w = await makeProcuringWorkspace(server);
  calls = syncCalls(server, w);
});
afterAll(() => server.close());

let made = 0;
const element = (given: object) => sent({ number: `LU-${++made}`, ...given });

const setUnits = (guid: string, baseUnit: string | null, units: object[] = []) =>
  w.must(200, 'PUT', `/stock/units/guid:${guid}`, { baseUnit, units });
const codesOf = (result: { warnings?: { code: string }[] | undefined }) =>
  (result.warnings ?? []).map(({ code }) => code);

/** What a project that uses one of the parent needs of the child. */
async function needOf(parentGuid: string, childGuid: string): Promise<number> {
  const parent = await calls.entity(parentGuid);
  const child = await calls.entity(childGuid);
  const project = await w.addProject();
  await w.link(project, parent.id, 1);
  const { items } = await w.must(200, 'GET', `/projects/${project}/shortages?all=true`);
  return items.find((one: { itemEntityId: string }) => one.itemEntityId === child.id)?.requiredQty;
}

test('a quantity in another unit counts in the base unit of the child, and is shown as it was entered', async () => {
  const top = element({ categoryKey: 'assembly' });
  const cable = element({ parentGuid: top.guid, quantity: 0.5, unit: 'm' });
  const first = await calls.sync([top, cable]);
  expect(first.results.map(codesOf)).toEqual([[], ['unit_unknown']]);
  expect(await needOf(top.guid, cable.guid)).toBe(0.5);
  await setUnits(cable.guid, 'mm', [{ unit: 'roll', numerator: 100_000 }]);
  expect(await needOf(top.guid, cable.guid)).toBe(500);
  const { items } = await w.must(200, 'GET', `/entities/guid:${top.guid}/uses`);
  expect(items[0]).toMatchObject({ quantity: 0.5, unit: 'm' });
  // The same again changes nothing, and another unit does.
  expect((await calls.sync([top, cable])).counts).toMatchObject({ skipped: 2, warnings: 0 });
  const changed = await calls.sync([{ ...cable, quantity: 0.25, unit: 'Roll' }]);
  expect(changed.counts).toMatchObject({ updated: 1, warnings: 0 });
  expect(await needOf(top.guid, cable.guid)).toBe(25_000);
  const unknown = await calls.sync([{ ...cable, quantity: 3, unit: 'kg' }]);
  expect(unknown.results.map(codesOf)).toEqual([['unit_unknown']]);
  expect(await needOf(top.guid, cable.guid)).toBe(3);
  const far = await calls.sync([{ ...cable, quantity: 2000, unit: 'km' }]);
  expect(far.results.map(codesOf)).toEqual([['quantity_out_of_range']]);
  expect(await needOf(top.guid, cable.guid)).toBe(2000);
  // A UCUM code that links do not convert is no silent number either.
  const rare = await calls.sync([{ ...cable, quantity: 3, unit: 'dam' }]);
  expect(rare.results.map(codesOf)).toEqual([['unit_unknown']]);
  await calls.sync([{ ...cable, quantity: 2, unit: 'in' }]);
  expect(await needOf(top.guid, cable.guid)).toBe(50.8);
  await setUnits(cable.guid, null);
  expect(await needOf(top.guid, cable.guid)).toBe(2);
});

test('a build takes its components in base units, with the fixed loss too', async () => {
  const top = element({ categoryKey: 'assembly' });
  const cable = element({ parentGuid: top.guid, quantity: 1.5, unit: 'm', lossFixed: 0.1 });
  await calls.sync([top, cable]);
  await setUnits(cable.guid, 'mm');
  const line = await w.line({
    type: 'manufacturingOrder',
    itemEntityId: `guid:${top.guid}`,
    quantity: 2,
  });
  expect(line.status, line.text).toBe(201);
  const { components } = await w.must(200, 'GET', `/stock/lines/${line.body.line.id}/components`);
  expect(components).toMatchObject([{ requiredQty: 3100 }]);
  expect(await needOf(top.guid, cable.guid)).toBe(1600);
});

test('lines of one child in different units add up in its base unit', async () => {
  const top = element({ categoryKey: 'assembly' });
  const wire = element({ parentGuid: top.guid });
  await calls.sync([top, { ...wire, parentGuid: null }]);
  await setUnits(wire.guid, 'mm');
  const sent = await calls.sync([
    { ...wire, quantity: 0.5, unit: 'm', findNumber: '10' },
    { ...wire, quantity: 3, unit: 'cm', findNumber: '20', lossFixed: 0.2 },
    { ...wire, quantity: 7, findNumber: '30' },
    { ...wire, quantity: 2, unit: 'kg', findNumber: '40' },
  ]);
  expect(sent.results.flatMap(codesOf).filter((code) => code === 'unit_unknown')).toHaveLength(1);
  expect(await needOf(top.guid, wire.guid)).toBe(500 + 30 + 2 + 7 + 2);
});

test('lines that are too many in the base unit together count as they were entered', async () => {
  const top = element({ categoryKey: 'assembly' });
  const cable = element({});
  await calls.sync([top, cable]);
  await setUnits(cable.guid, 'mm');
  const line = { ...cable, parentGuid: top.guid, quantity: 900_000, unit: 'm' };
  const sync = await calls.sync([
    { ...line, findNumber: '10' },
    { ...line, findNumber: '20' },
  ]);
  expect(sync.counts).toMatchObject({ error: 0 });
  expect(await needOf(top.guid, cable.guid)).toBe(1_800_000);
});

test('a unit of the dimension is not taken for an own unit that differs in case', async () => {
  const top = element({ categoryKey: 'assembly' });
  const powder = element({ parentGuid: top.guid, quantity: 500, unit: 'mg' });
  await calls.sync([top, powder]);
  await setUnits(powder.guid, 'g', [{ unit: 'Mg', numerator: 1_000_000 }]);
  expect(await needOf(top.guid, powder.guid)).toBe(0.5);
});

test('pieces are understood without a base unit, and links by hand follow units too', async () => {
  const top = element({ categoryKey: 'assembly' });
  const bolt = element({ parentGuid: top.guid, quantity: 4, unit: 'pcs' });
  const wire = element({});
  const sent = await calls.sync([top, bolt, wire]);
  expect(sent.counts.warnings).toBe(0);
  await setUnits(wire.guid, 'mm');
  const parent = await calls.entity(top.guid);
  const child = await calls.entity(wire.guid);
  await w.must(201, 'PUT', `/entities/${parent.id}/uses/${child.id}`, { quantity: 3, unit: 'cm' });
  expect(await needOf(top.guid, wire.guid)).toBe(30);
});

test('the database knows the units of its list as the code knows them', () => {
  const known = readKnownUnits();
  expect(known.length).toBeGreaterThan(250);
  for (const { name, dimension, numerator, denominator } of known) {
    const unit = findUnit(name);
    expect(unit?.dimension, name).toBe(dimension);
    expect([unit?.factor.numerator, unit?.factor.denominator], name).toEqual([
      BigInt(numerator),
      BigInt(denominator),
    ]);
  }
});

test('a line that is made by hand warns as an import does, until the item knows the unit', async () => {
  const [top, cable] = [element({ categoryKey: 'assembly' }), element({})];
  await calls.sync([top, cable]);
  const path = `/entities/guid:${top.guid}/uses/guid:${cable.guid}`;
  const lines = [
    { quantity: 0.5, unit: 'm', findNumber: '10' },
    { quantity: 2, unit: 'bunch', findNumber: '20' },
    { quantity: 1, unit: 'pcs', findNumber: '30' },
  ];
  const made = await w.must(201, 'PUT', path, { quantity: 3.5, lines });
  expect(made.warnings).toMatchObject([
    { code: 'unit_unknown', property: 'unit', message: expect.stringContaining('"m"') },
    { code: 'unit_unknown', message: expect.stringContaining('"bunch"') },
  ]);
  expect(await w.must(200, 'GET', path)).toEqual(made);
  await setUnits(cable.guid, 'mm', [{ unit: 'bunch', numerator: 50 }]);
  const read = await w.must(200, 'GET', path);
  expect(read.warnings).toMatchObject([{ code: 'unit_unknown', message: expect.stringContaining('"pcs"') }]);
  expect((await w.must(200, 'GET', `${path}?line=20`)).warnings).toEqual([]);
  // What was read can be sent back.
  expect((await w.must(200, 'PUT', path, read)).warnings).toEqual(read.warnings);
  const far = await w.must(200, 'PUT', path, { quantity: 2000, unit: 'km' });
  expect(far.warnings).toMatchObject([{ code: 'quantity_out_of_range', property: 'quantity' }]);
});
