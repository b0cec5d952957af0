/** An assembly with all that a workspace must keep when it goes to another installation. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { drawPng } from '../pictures/draw.ts';
import type { TestServer } from '../setup/server.ts';

interface Place {
  slug: string;
  key: string;
}

export interface Gearbox {
  id: string;
  /** Answers of the installation that the workspace leaves, by path. */
  answers: ReadonlyMap<string, unknown>;
  /** Its picture, by the parameters of the call. */
  pictures: ReadonlyMap<string, Buffer>;
}

/**
 * Makes an assembly with a picture that uses one part in two lines, with find numbers, designators, a unit and a substitute. It was
 * released with revision A of the part, which has a revision B since.
 */
export async function makeGearbox(server: TestServer, place: Place): Promise<Gearbox> {
  const call = callsOf(server, place);
  const guids = { box: randomUUID(), cable: randomUUID(), other: randomUUID() };
  const part = async (name: string, guid: string): Promise<string> =>
    (await call('POST', '/entities', { category: 'part', name, E_Guid: guid })).id;
  const [id, cable] = [await part('Gearbox', guids.box), await part('Cable', guids.cable)];
  await part('Other cable', guids.other);
  await call('PUT', `/stock/units/${cable}`, { baseUnit: 'mm' });
  const twist = { findNumber: '20', note: 'Twist', substitutes: [{ guid: guids.other, ratio: 1.5 }] };
  // No other assembly has it.
  const designator = `W1-${guids.box.slice(0, 8)}`;
  const lines = [
    { quantity: 1, unit: 'm', findNumber: '10', referenceDesignators: ['W0', designator] },
    { quantity: 2, unit: 'm', ...twist },
  ];
  await call('PUT', `/entities/${id}/uses/${cable}`, { quantity: 3, lines });
  const { picture } = await call('PUT', `/entities/${id}/picture`, await drawPng(40, 30));
  for (const one of [cable, id])
    for (const toState of ['In Review', 'Released'])
      await call('POST', `/entities/${one}/transitions`, { toState });
  await call('PATCH', `/entities/${cable}`, { name: 'Cable, thicker' });
  await addValued(call, cable);
  const answers = new Map<string, unknown>();
  for (const path of [
    `/stock/value?item=${cable}`,
    `/stock/value/${cable}/layers`,
    `/stock/value/${cable}/standards`,
    `/stock/value/${cable}/variances`,
    `/entities/${id}`,
    `/entities/${id}/uses`,
    `/entities/${id}/revisions/1/uses?configuration=asReleased`,
    `/entities/${id}/tree?configuration=asReleased`,
    `/entities/${cable}/where-used?revisions=released`,
    `/uses?referenceDesignator=${designator}`,
  ])
    answers.set(path, await call('GET', path));
  const [values, , , , box, uses, released] = [...answers.values()] as {
    picture?: string;
    items: object[];
  }[];
  expect(values?.items).toContainEqual(expect.objectContaining({ itemEntityId: cable, value: '33.75' }));
  expect(box?.picture).toBe(picture);
  expect(uses?.items).toMatchObject([
    {
      name: 'Cable, thicker',
      revision: 'B',
      quantity: 3,
      lines: [
        { findNumber: '10', quantity: 1, unit: 'm', referenceDesignators: ['W0', designator] },
        { findNumber: '20', quantity: 2, unit: 'm', note: 'Twist', substitutes: [{ ratio: 1.5 }] },
      ],
    },
  ]);
  expect(released?.items).toMatchObject([{ name: 'Cable', revision: 'A', quantity: 3 }]);
  const pictures = new Map<string, Buffer>();
  for (const size of ['', '?size=64'])
    pictures.set(size, await pictureOf(server, place, `${id}/picture${size}`));
  return { id, answers, pictures };
}

/** Gives the part stock of two prices at two locations, of which some was used, and some has another cost since. */
async function addValued(call: ReturnType<typeof callsOf>, itemEntityId: string): Promise<void> {
  const costing = { method: 'fifo', currency: 'EUR' };
  const workingDays = { weekdays: [1, 2, 3, 4, 5], holidays: ['2026-12-24'] };
  await call('PUT', '/stock/settings', {
    ...(await call('GET', '/stock/settings')),
    costing,
    workingDays,
  });
  const location = async (name: string): Promise<string> =>
    (await call('POST', '/entities', { category: 'location', name })).id;
  const [drum, cart] = [await location('Drum'), await location('Cart')];
  for (const price of ['0.25', '0.3'])
    await call('POST', '/stock/adjustments', {
      itemEntityId,
      locationEntityId: drum,
      quantity: 40,
      unitCost: { price },
    });
  const moved = { itemEntityId, fromLocationEntityId: drum, toLocationEntityId: cart, quantity: 50 };
  await call('POST', '/stock/transfers', { lines: [moved] });
  await call('POST', '/stock/adjustments', { itemEntityId, locationEntityId: cart, quantity: -5 });
  await call('POST', `/stock/value/${itemEntityId}/revaluations`, {
    locationEntityId: drum,
    unitCost: { price: '0.5' },
  });
  const one = { itemEntityId, locationEntityId: cart, quantity: 1 };
  await call('POST', `/stock/value/${itemEntityId}/standards`, { cost: '0.45', note: 'Of 2027' });
  await call('POST', '/stock/adjustments', { ...one, unitCost: { price: '0.4' } });
  await call('POST', '/stock/adjustments', { ...one, quantity: -1 });
}

/** The assembly is as it was: its picture, its lines, and the revisions with which it was released. */
export async function expectGearbox(
  { id, answers, pictures }: Gearbox,
  server: TestServer,
  place: Place,
): Promise<void> {
  const call = callsOf(server, place);
  for (const [path, answer] of answers) expect(await call('GET', path), path).toEqual(answer);
  for (const [size, bytes] of pictures)
    expect((await pictureOf(server, place, `${id}/picture${size}`)).equals(bytes), size).toBe(true);
}

function callsOf(server: TestServer, { slug, key }: Place) {
  return async (method: string, path: string, body?: unknown) => {
    const answer = await server.request(`/api/wid/${slug}${path}`, {
      method,
      key,
      ...(body === undefined ? {} : { body }),
      ...(body instanceof Uint8Array ? { headers: { 'Content-Type': 'image/png' } } : {}),
    });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
}

async function pictureOf({ baseUrl }: TestServer, { slug, key }: Place, path: string): Promise<Buffer> {
  const answer = await fetch(`${baseUrl}/api/wid/${slug}/entities/${path}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
