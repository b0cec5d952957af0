/** A small rover with stock, orders and a batch with errors: what the tests of the web app look at. */
import { randomUUID } from 'node:crypto';
import type { DefaultWorkspace } from '../workspaces/default-workspace.ts';

export interface Rover {
  rover: string;
  wheel: string;
  screw: string;
  shelf: string;
  project: string;
  /** A batch of which some elements were refused. */
  batch: string;
  /** A dry run that would change something. */
  dryRun: string;
  order: string;
  requirement: string;
  webhook: string;
}

export async function makeRover({ ask, slug }: DefaultWorkspace): Promise<Rover> {
  const post = async (path: string, body: unknown) => {
    const answer = await ask('POST', path, body);
    if (answer.status >= 300) throw new Error(`${slug} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  for (const [key, name, type] of [
    ['Mass', 'Mass (kg)', 'numeric'],
    ['Material', 'Material', 'text'],
    ['ReleasedOn', 'Released on', 'date'],
    ['Purchased', 'Purchased', 'boolean'],
  ]) {
    await post('/property-definitions', { key, name, type });
  }
  const guids = { rover: randomUUID(), wheel: randomUUID(), screw: randomUUID(), hub: randomUUID() };
  const part = (
    guid: string,
    number: string,
    name: string,
    parentGuid: string | null,
    { quantity = 1, ...more }: Record<string, unknown> = {},
  ) => ({
    guid,
    number,
    name,
    categoryKey: parentGuid === null ? 'assembly' : 'part',
    parentGuid,
    ...(parentGuid === null ? {} : { quantity }),
    ...more,
  });
  const entities = [
    part(guids.rover, 'ROV-100', 'Rover', null, { properties: { Mass: '11.4' } }),
    part(guids.wheel, 'ROV-110', 'Drive wheel', guids.rover, {
      quantity: 6,
      categoryKey: 'assembly',
      properties: { Mass: '0.35', Material: 'Rubber' },
    }),
    part(guids.hub, 'ROV-111', 'Hub', guids.wheel),
    part(guids.screw, 'SCR-M3', 'Screw M3 × 8', guids.hub, {
      quantity: 4.5,
      properties: { Material: 'Steel' },
    }),
  ];
  await post('/pdm/sync', { entities });
  // Enough that a list has more than one page.
  const more = Array.from({ length: 240 }, (_, at) =>
    part(randomUUID(), `STD-${String(at).padStart(4, '0')}`, `Standard part ${at}`, guids.screw, {
      parentGuid: null,
      quantity: undefined,
      categoryKey: 'part',
    }),
  );
  await post('/pdm/sync?profile=standard-parts', { entities: more });
  const failing = await post('/pdm/sync?profile=night-import', {
    entities: [
      part(randomUUID(), 'GBX-1', 'Gearbox', guids.rover, { quantity: 6, categoryKey: 'gearbox' }),
      part(randomUUID(), 'GBX-2', 'Gearbox, left', guids.rover, { quantity: 2, categoryKey: 'gearbox' }),
      part(randomUUID(), 'BRK-1', 'Bracket', guids.rover, { quantity: 2, properties: { Mass: 'heavy' } }),
      part(guids.rover, 'ROV-100', 'Rover', guids.screw),
    ],
  });
  const dry = await post('/pdm/sync?profile=upload&dryRun=true', {
    entities: [
      part(guids.wheel, 'ROV-110', 'Drive wheel, wide', guids.rover, {
        quantity: 6,
        categoryKey: 'assembly',
        properties: { Mass: '0.4' },
      }),
      part(randomUUID(), 'ROV-120', 'Camera mast', guids.rover),
    ],
  });
  const idOf = async (guid: string) => (await ask('GET', `/entities/guid:${guid}`)).body.id as string;
  const [rover, wheel, screw] = [await idOf(guids.rover), await idOf(guids.wheel), await idOf(guids.screw)];
  const shelf = (await post('/entities', { category: 'location', number: 'SH-A1', name: 'Shelf A1' })).id;
  const project = (await post('/entities', { category: 'project', number: 'PRJ-1', name: 'Museum rover' }))
    .id;
  await ask('PUT', `/entities/${project}/uses/${rover}`, { quantity: 2 });
  for (const [item, quantity] of [
    [screw, 40],
    [wheel, 3],
    [screw, -2.5],
  ] as const) {
    await post('/stock/adjustments', {
      itemEntityId: item,
      locationEntityId: shelf,
      quantity,
      note: 'Opening balance',
    });
  }
  const { line } = await post('/stock/lines', {
    type: 'purchaseOrder',
    itemEntityId: screw,
    locationEntityId: shelf,
    quantity: 100,
    requiredBy: '2026-12-24',
  });
  const requirement = await post('/requirements', {
    projectId: project,
    itemEntityId: wheel,
    requiredQty: 12,
    requiredBy: '2026-12-01',
  });
  // Nobody there: it is off, and nothing is sent.
  const webhook = await post('/webhooks', {
    url: 'https://receiver.example/partbook',
    events: ['entity.created'],
    enabled: false,
  });
  return {
    rover,
    wheel,
    screw,
    shelf,
    project,
    batch: failing.batchId,
    dryRun: dry.batchId,
    order: line.orderId,
    requirement: requirement.id,
    webhook: webhook.id,
  };
}
