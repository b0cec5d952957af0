// Random sequences of all operations, held against a model (stock-model.ts), and sent many at once.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { isDeep, runs } from '../setup/tier.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';
import { ITEMS, LOCATIONS, type Operation, operation, StockModel } from './stock-model.ts';

/** SEQUENCES=200 for a long search. */
const RUNS = Number(process.env.SEQUENCES ?? runs(10, 3));
const SEED = Number(process.env.SEQUENCE_SEED ?? 20261120);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Some stock and some need, so that not everything is refused at first. */
const beginning: Operation[] = [0, 1].flatMap((item): Operation[] => [
  { do: 'adjust', item, location: 0, quantity: 150 },
  { do: 'raise', item, quantity: 60 },
  { do: 'line', kind: 'salesOrder', item, location: 0, quantity: 40, draft: false, of: null },
]);
const done = new Map<string, number>();
const movements = {
  MRReservation: 'reservations',
  MRRelease: 'releases',
  MRIssue: 'issues',
  order: 'orders',
};

/** Sends operations, and knows the ids behind the model's indexes. */
class Sender {
  readonly lineIds: string[] = [];
  readonly requirementIds: string[] = [];
  readonly workspace: ProcuringWorkspace;

  constructor(workspace: ProcuringWorkspace) {
    this.workspace = workspace;
  }

  place({ item, location }: { item?: number; location: number }) {
    const { items, locations } = this.workspace;
    return {
      ...(item === undefined ? {} : { itemEntityId: items[item] }),
      locationEntityId: locations[location],
    };
  }

  async send(op: Operation, requirementFor: number | null): Promise<TestAnswer> {
    const { workspace } = this;
    switch (op.do) {
      case 'adjust':
        return workspace.ask('POST', '/stock/adjustments', { ...this.place(op), quantity: op.quantity / 10 });
      case 'line': {
        const working = op.kind === 'salesOrder' ? 'Reserved' : 'Ordered';
        return this.#keep(
          await workspace.line({
            ...this.place(op),
            type: op.kind,
            quantity: op.quantity / 10,
            state: op.draft ? 'Draft' : working,
            requirementId: requirementFor === null ? null : this.requirementIds[requirementFor],
          }),
        );
      }
      case 'raise': {
        const answer = await workspace.ask('POST', '/requirements', {
          projectId: workspace.project,
          itemEntityId: workspace.items[op.item],
          requiredQty: op.quantity / 10,
        });
        this.requirementIds.push(answer.body.id);
        return answer;
      }
      case 'drop':
        return workspace.move(this.requirementIds[op.of] as string, 'Cancelled');
      case 'MRReservation':
      case 'MRRelease':
      case 'MRIssue':
      case 'order': {
        const path = `/requirements/${this.requirementIds[op.of]}/${movements[op.do]}`;
        const body = { ...this.place({ location: op.location }), quantity: op.quantity / 10 };
        return this.#keep(await workspace.ask('POST', path, body));
      }
      case 'begin':
      case 'finish': {
        const id = this.lineIds[op.line] as string;
        const { type } = await workspace.must(200, 'GET', `/stock/lines/${id}`);
        const sale = type === 'salesOrder';
        const states = op.do === 'begin' ? ['Reserved', 'Ordered'] : ['Shipped', 'Received'];
        return workspace.move(id, states[sale ? 0 : 1] as string);
      }
      case 'change':
        return workspace.ask('PATCH', `/stock/lines/${this.lineIds[op.line]}`, {
          quantity: op.quantity / 10,
        });
      case 'close':
      case 'cancel':
        return workspace.act(this.lineIds[op.line] as string, op.do);
      default:
        return workspace.act(this.lineIds[op.line] as string, op.do, { quantity: op.quantity / 10 });
    }
  }

  #keep(answer: TestAnswer): TestAnswer {
    if (answer.status === 201 && answer.body.line !== undefined) this.lineIds.push(answer.body.line.id);
    return answer;
  }
}

const tenths = (value: number) => Math.round(value * 10);

async function compare(sender: Sender, model: StockModel): Promise<void> {
  const { workspace } = sender;
  for (const [item, places] of model.positions.entries()) {
    for (const [location, { onHand, reserved, onOrder }] of places.entries()) {
      const figures = await workspace.figures(workspace.items[item], workspace.locations[location]);
      expect(figures.map(tenths)).toEqual([onHand, reserved, onOrder]);
    }
  }
  const lines = (await workspace.must(200, 'GET', '/stock/lines?limit=1000')).items;
  const shownLines = new Map(lines.map((line: { id: string }) => [line.id, line]));
  for (const [index, line] of model.lines.entries()) {
    expect(shownLines.get(sender.lineIds[index])).toMatchObject({
      state: line.state,
      quantity: line.quantity / 10,
      receivedQty: line.received / 10,
      shippedQty: line.shipped / 10,
      reservedQty: line.reserved / 10,
      openQty: model.openOfLine(line) / 10,
    });
  }
  expect(lines).toHaveLength(model.lines.length);
  const requirements = (await workspace.must(200, 'GET', '/requirements?limit=1000')).items;
  const shown = new Map(requirements.map((one: { id: string }) => [one.id, one]));
  for (const [index, one] of model.requirements.entries()) {
    const open = model.openOf(one);
    expect(shown.get(sender.requirementIds[index])).toMatchObject({
      requiredQty: one.required / 10,
      reservedQty: one.reserved / 10,
      issuedQty: one.issued / 10,
      orderedQty: (one.ordered - one.converted - one.arrived) / 10,
      openQty: open / 10,
      status: one.cancelled ? 'cancelled' : open > 0 ? 'open' : 'covered',
    });
  }
}

test('one after another they do what the model does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(operation, { minLength: 50, maxLength: 100, size: 'max' }),
      async (reserves, operations) => {
        const size = { items: ITEMS, locations: LOCATIONS };
        const workspace = await makeProcuringWorkspace(server, { ...size, reserveReceived: reserves });
        const sender = new Sender(workspace);
        const model = new StockModel({ reserves });
        for (const given of [...beginning, ...operations]) {
          const op = within(given, model);
          if (op === null) continue;
          const of = op.do === 'line' ? model.requirementFor(op) : null;
          const possible = model.perform(op);
          if (possible === null) continue;
          done.set(`${op.do} ${possible}`, (done.get(`${op.do} ${possible}`) ?? 0) + 1);
          const answer = await sender.send(op, of);
          expect(answer.status, `${JSON.stringify(op)} → ${answer.text}`).toSatisfy((status: number) =>
            possible ? status === 200 || status === 201 : status === 409,
          );
        }
        await compare(sender, model);
        await workspace.expectConsistent();
      },
    ),
    {
      numRuns: RUNS,
      endOnFailure: true,
      seed: SEED,
    },
  );
});

/** Without this the sequences could prove less than they seem to; a sample is too small for it. */
test.runIf(isDeep)('the sequences did all there is to do', () => {
  const operations = [
    ...[
      'adjust',
      'line',
      'receipts',
      'shipments',
      'reservations',
      'releases',
      'change',
      'close',
      'cancel',
      'begin',
      'finish',
    ],
    ...['raise', 'MRReservation', 'MRRelease', 'MRIssue', 'order', 'drop'],
  ];
  if (process.env.SEQUENCES) process.stdout.write(`${JSON.stringify([...done].sort())}\n`);
  expect(operations.filter((name) => !done.has(`${name} true`))).toEqual([]);
});

/**
 * Brought to something that there is, and mostly to something that it can be done to: chosen blindly nearly all
 * would be refused.
 */
function within(op: Operation, model: StockModel): Operation | null {
  if ('line' in op) {
    const sale = ['shipments', 'reservations', 'releases'].includes(op.do);
    const fits = model.lines.flatMap((line, index) => {
      const kind = op.do === 'receipts' ? line.kind !== 'salesOrder' : !sale || line.kind === 'salesOrder';
      return kind && model.openOfLine(line) > 0 ? [index] : [];
    });
    const line = chosen(op.line, fits, model.lines.length);
    if (op.do === 'change') return { ...op, line };
    return 'quantity' in op ? { ...op, line, quantity: 1 + (op.quantity % 12) } : { ...op, line };
  }
  if (!('of' in op)) return op;
  if (op.of === null) return op;
  const { requirements } = model;
  const uses = op.do === 'MRRelease' || op.do === 'MRIssue';
  const fits = requirements.flatMap((one, index) => {
    if (op.do === 'line' && one.item !== op.item) return [];
    return !one.cancelled && (!uses || one.held.some((held) => held > 0)) ? [index] : [];
  });
  const of = chosen(op.of, fits, requirements.length);
  if (!uses) return { ...op, of };
  const holding = requirements[of]?.held.findIndex((held) => held > 0) ?? -1;
  return {
    ...op,
    of,
    location: op.of % 4 === 0 || holding < 0 ? op.location : holding,
    quantity: 1 + (op.quantity % 12),
  };
}

function chosen(index: number, fits: readonly number[], length: number): number {
  if (index % 5 === 0 || fits.length === 0) return length === 0 ? 0 : index % length;
  return fits[index % fits.length] as number;
}

test('at once they refuse or are done, and the sums hold', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(operation, { minLength: 60, maxLength: 120, size: 'max' }),
      async (reserveReceived, operations) => {
        const size = { items: ITEMS, locations: LOCATIONS };
        const workspace = await makeProcuringWorkspace(server, { ...size, reserveReceived });
        const sender = new Sender(workspace);
        for (let item = 0; item < ITEMS; item++) {
          await sender.send({ do: 'raise', item, quantity: 100 }, null);
          await sender.send({ do: 'adjust', item, location: 0, quantity: 200 }, null);
          for (const kind of ['purchaseOrder', 'salesOrder'] as const) {
            await sender.send(
              { do: 'line', kind, item, location: 0, quantity: 50, draft: false, of: null },
              item,
            );
          }
        }
        const known = [sender.lineIds.length, sender.requirementIds.length] as const;
        let next = 0;
        const worker = async () => {
          for (let op = operations[next++]; op !== undefined; op = operations[next++]) {
            if (op.do === 'adjust' && op.quantity === 0) continue;
            const folded =
              'line' in op
                ? { ...op, line: op.line % known[0] }
                : 'of' in op && op.of !== null
                  ? { ...op, of: op.of % known[1] }
                  : op;
            const answer = await sender.send(folded, null);
            expect([200, 201, 409], `${JSON.stringify(folded)} → ${answer.text}`).toContain(answer.status);
          }
        };
        await Promise.all(Array.from({ length: 12 }, worker));
        await workspace.expectConsistent();
        await expectSums(workspace);
      },
    ),
    { numRuns: Math.ceil(RUNS / 2), endOnFailure: true, seed: SEED },
  );
});

/** What lines and requirements hold is what positions have reserved and on order. */
async function expectSums(workspace: ProcuringWorkspace): Promise<void> {
  const lines = (await workspace.must(200, 'GET', '/stock/lines?limit=1000')).items;
  const requirements = (await workspace.must(200, 'GET', '/requirements?limit=1000')).items;
  for (const item of workspace.items) {
    const own = <T extends { itemEntityId: string }>(all: T[]) =>
      all.filter((one) => one.itemEntityId === item);
    const sum = (values: number[]) => values.reduce((a, b) => a + tenths(b), 0);
    const { items } = await workspace.must(200, 'GET', `/stock/positions/by-item/${item}`);
    const supply = own(lines as AnyLine[]).filter((line) => line.state === 'Ordered');
    expect(sum(items.map((one: { onOrder: number }) => one.onOrder))).toBe(
      sum(supply.map((line) => line.openQty)),
    );
    const held = [
      ...own(lines as AnyLine[]).map((line) => line.reservedQty),
      ...own(requirements as AnyRequirement[]).map((one) => one.reservedQty - one.issuedQty),
    ];
    expect(sum(items.map((one: { reserved: number }) => one.reserved))).toBe(sum(held));
    for (const one of own(requirements as AnyRequirement[])) {
      expect(tenths(one.openQty)).toBe(
        tenths(one.requiredQty) - tenths(one.reservedQty) - tenths(one.orderedQty),
      );
      expect(one.openQty).toBeGreaterThanOrEqual(0);
    }
  }
}

interface AnyLine {
  itemEntityId: string;
  state: string;
  openQty: number;
  reservedQty: number;
}
interface AnyRequirement {
  itemEntityId: string;
  requiredQty: number;
  reservedQty: number;
  issuedQty: number;
  orderedQty: number;
  openQty: number;
}
