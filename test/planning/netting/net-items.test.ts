/** The netting of a planning run, without a database. */
import { describe, expect, test } from 'vitest';
import { WorkingCalendar } from '../../../src/calendar/working-calendar.ts';
import { Slices } from '../../../src/fairness/slices.ts';
import { netInSlices, netItems } from '../../../src/planning/netting/net-items.ts';
import { exceptionsOf, type PlanAction } from '../../../src/planning/netting/plan-actions.ts';
import { NO_DAY, type PlanningInput } from '../../../src/planning/netting/planning-input.ts';
import {
  type Case,
  type CaseItem,
  inputOf,
  naiveProposals,
  needsOf,
  randomCase,
  seeded,
} from './naive-plan.ts';

const CASES = 150;

function planned(input: PlanningInput): PlanAction[] {
  const actions = netItems(input);
  return [...actions.sorted(input.items.ids, input.supply)].map((at) => actions.at(at));
}

/** Actions in words: `make gear 5 on 12 from 7, late`. */
function told(one: Case, input = inputOf(one)): string[] {
  return planned(input).map(({ action, item, supply, day, start, quantity, exceptions, substitute }) =>
    [
      `${action} ${supply < 0 ? input.items.ids.at(item) : input.supply.ids.at(supply)} ${quantity / 1e6} on ${day} from ${start}`,
      ...(substitute === undefined
        ? []
        : [`${substitute.quantity / 1e6} ${input.items.ids.at(substitute.item)}`]),
      ...exceptionsOf(exceptions),
    ].join(', '),
  );
}

const item = (id: string, more: Partial<CaseItem> = {}): CaseItem => ({
  id,
  way: 'buy',
  available: 0,
  floor: 0,
  minimum: 0,
  multiple: 0,
  leadDays: 5,
  ...more,
});
const link = (parent: string, child: string, thousandths: number, more = {}) => ({
  parent,
  child,
  thousandths,
  fixed: 0,
  isPhantom: false,
  ...more,
});
const plan = (more: Partial<Case>): Case => ({
  horizonDays: 100,
  periodDays: 1,
  toleranceDays: 3,
  items: [],
  links: [],
  demand: [],
  supply: [],
  ...more,
});

describe('one item', () => {
  test('is ordered so much earlier as its lead time says, in lots', () => {
    const one = plan({
      items: [item('screw', { available: 10, minimum: 50, multiple: 20 })],
      demand: [
        { item: 'screw', day: 20, quantity: 15 },
        { item: 'screw', day: 30, quantity: 60 },
      ],
    });
    expect(told(one)).toEqual(['order screw 60 on 20 from 15', 'order screw 60 on 30 from 25']);
  });

  test('covers the needs of a period by one order', () => {
    const demand = [10, 12, 16, 17].map((day) => ({ item: 'screw', day, quantity: 1 }));
    const one = plan({ periodDays: 7, items: [item('screw')], demand });
    expect(told(one)).toEqual(['order screw 3 on 10 from 5', 'order screw 1 on 17 from 12']);
  });

  test('uses supply that exists before it proposes an order, and moves, reduces and cancels it', () => {
    const one = plan({
      items: [item('screw')],
      demand: [
        { item: 'screw', day: 10, quantity: 5 },
        { item: 'screw', day: 40, quantity: 8 },
      ],
      supply: [
        { id: 'first', item: 'screw', day: 15, quantity: 5, explodes: false },
        { id: 'second', item: 'screw', day: 20, quantity: 10, explodes: false },
        { id: 'third', item: 'screw', day: 50, quantity: 10, explodes: false },
      ],
    });
    expect(told(one)).toEqual([
      'expedite first 5 on 10 from 10',
      'defer second 8 on 40 from 20',
      'decrease second 8 on 20 from 20',
      'cancel third 0 on 50 from 50',
    ]);
  });

  test('uses each part of a line on its own day, and keeps the lot sizes of the whole line', () => {
    const part = (day: number, quantity: number) => ({
      id: 'line',
      item: 'screw',
      day,
      quantity,
      explodes: false,
    });
    const one = plan({
      items: [item('screw', { minimum: 20, multiple: 10 })],
      demand: [
        { item: 'screw', day: 10, quantity: 5 },
        { item: 'screw', day: 20, quantity: 8 },
      ],
      supply: [part(10, 10), part(30, 10), part(50, 10)],
    });
    expect(told(one)).toEqual(['expedite line 10 on 20 from 20', 'cancel line 0 on 50 from 50']);
    expect(told({ ...one, demand: one.demand.slice(0, 1) })).toEqual(['cancel line 0 on 30 from 30']);
  });

  test('leaves supply for needs beyond the horizon alone', () => {
    const one = plan({
      items: [item('screw')],
      demand: [{ item: 'screw', day: 500, quantity: 5 }],
      supply: [{ id: 'early', item: 'screw', day: 50, quantity: 5, explodes: false }],
    });
    expect(told(one)).toEqual([]);
  });

  test('increases an order under way where a new one would come too late', () => {
    const one = plan({
      items: [item('screw', { leadDays: 20 })],
      demand: [{ item: 'screw', day: 10, quantity: 8 }],
      supply: [{ id: 'coming', item: 'screw', day: 8, quantity: 5, explodes: false }],
    });
    expect(told(one)).toEqual(['increase coming 8 on 8 from 8']);
  });

  test('fills its safety stock when the lead time allows it', () => {
    const one = plan({ items: [item('screw', { available: 4, floor: 10 })] });
    expect(told(one)).toEqual(['order screw 6 on 5 from 0']);
  });

  test('counts working days', () => {
    const weekdays = [false, true, true, true, true, true, false];
    // Day 0 is a Monday, and Friday of the second week is a holiday.
    const calendar = new WorkingCalendar({ weekdays, firstWeekday: 1, holidays: new Set([11]) }, 1000);
    const one = plan({ items: [item('screw')], demand: [{ item: 'screw', day: 15, quantity: 1 }] });
    expect(told(one, inputOf(one, calendar))).toEqual(['order screw 1 on 15 from 7']);
    // What is needed on the holiday, or on the weekend behind it, arrives on the Thursday before.
    expect([10, 11, 13, 14].map((day) => calendar.startFor(day, 5))).toEqual([3, 3, 3, 4]);
    expect([4, 5, 6].map((day) => calendar.startFor(day, 5))).toEqual([null, null, null]);
    expect([0, 1, 4, 5, 9].map((lead) => calendar.earliestReceipt(lead))).toEqual([0, 1, 4, 7, 14]);
  });
});

describe('a structure', () => {
  test('needs components when its proposal begins, with losses and through phantoms', () => {
    const one = plan({
      items: [item('frame', { way: 'make' }), item('kit'), item('tube'), item('bolt')],
      links: [
        link('frame', 'kit', 2000, { isPhantom: true }),
        link('frame', 'tube', 1500, { fixed: 1 }),
        link('kit', 'bolt', 4000),
      ],
      demand: [{ item: 'frame', day: 30, quantity: 10 }],
    });
    expect(told(one)).toEqual([
      'order bolt 80 on 25 from 20',
      'order tube 16 on 25 from 20',
      'make frame 10 on 30 from 25',
    ]);
  });

  test('needs the components of an order that has no requirements yet, and of no other', () => {
    const supplies = (explodes: boolean) =>
      plan({
        items: [item('frame', { way: 'make' }), item('tube')],
        links: [link('frame', 'tube', 1000)],
        demand: [{ item: 'frame', day: 30, quantity: 10 }],
        supply: [{ id: 'order', item: 'frame', day: 30, quantity: 10, explodes }],
      });
    expect(told(supplies(true))).toEqual(['order tube 10 on 25 from 20']);
    expect(told(supplies(false))).toEqual([]);
  });
});

describe('substitutes', () => {
  const frame = item('frame', { way: 'make' });
  const substitutes = [
    { item: 'second', ratio: 1500 },
    { item: 'third', ratio: 1000 },
  ];
  const one = plan({
    items: [
      frame,
      item('screw', { available: 2 }),
      item('second', { available: 10 }),
      item('third', { available: 3 }),
    ],
    links: [link('frame', 'screw', 1000, { substitutes })],
    demand: [
      { item: 'frame', day: 30, quantity: 12 },
      { item: 'second', day: 60, quantity: 4 },
    ],
  });

  test('cover by rank and ratio what the stock of the item does not, with what their own needs leave', () => {
    expect(told(one)).toEqual(
      [
        'order screw 3 on 25 from 20',
        'make frame 12 on 30 from 25',
        'useSubstitute screw 4 on 25 from 25, 6 second',
        'useSubstitute screw 3 on 25 from 25, 3 third',
      ].sort((a, b) => Number(/from (\d+)/.exec(a)?.[1]) - Number(/from (\d+)/.exec(b)?.[1])),
    );
  });

  test('are used for no other line of the item, and in place of no supply in time', () => {
    const demand = [{ item: 'screw', day: 25, quantity: 5 }];
    expect(told({ ...one, demand })).toEqual(['order screw 3 on 25 from 20']);
    const supply = [{ id: 'coming', item: 'screw', day: 25, quantity: 10, explodes: false }];
    expect(told({ ...one, supply })).toEqual(['make frame 12 on 30 from 25']);
  });
});

describe('what cannot be planned is named', () => {
  test('what has no date, is overdue or late, and has no supplier or lead time', () => {
    const one = plan({
      items: [item('late'), item('undated'), item('overdue'), item('unknown', { leadDays: -1 })],
      demand: [
        { item: 'late', day: 2, quantity: 1 },
        { item: 'undated', day: NO_DAY, quantity: 1 },
        { item: 'overdue', day: 9, quantity: 1 },
        { item: 'unknown', day: 9, quantity: 1 },
      ],
      supply: [{ id: 'lost', item: 'overdue', day: -4, quantity: 1, explodes: false }],
    });
    const input = inputOf(one);
    input.items.hasSupplier[3] = 0;
    expect(told(one, input)).toEqual([
      'order late 1 on 2 from 0, late',
      'none lost 1 on -4 from 0, overdueSupply',
      'defer lost 1 on 9 from 0',
      'none undated 1 on 0 from 0, demandWithoutDate',
      'order undated 1 on 0 from 0, late',
      'order unknown 1 on 9 from 9, noSupplier, noLeadTime',
    ]);
  });

  test('archived items, lead times of a thousand years, cycles, quantities beyond nine digits', () => {
    const one = plan({
      items: [
        item('archived'),
        item('slow', { leadDays: 365_000 }),
        item('egg', { way: 'make' }),
        item('hen', { way: 'make' }),
        item('feed'),
        item('huge'),
      ],
      links: [link('egg', 'hen', 1000), link('hen', 'egg', 1000), link('hen', 'feed', 1000)],
      demand: [
        { item: 'archived', day: 9, quantity: 1 },
        { item: 'slow', day: 9, quantity: 1 },
        { item: 'egg', day: 9, quantity: 1 },
        { item: 'feed', day: 9, quantity: 2 },
        { item: 'huge', day: 9, quantity: 999_999_999 },
        { item: 'huge', day: 9, quantity: 1 },
      ],
    });
    const input = inputOf(one);
    input.items.isArchived[0] = 1;
    expect(told(one, input)).toEqual([
      'none archived 1 on 0 from 0, archivedItem',
      'none egg 0 on 0 from 0, cycle',
      'none hen 0 on 0 from 0, cycle',
      'none huge 999999999 on 0 from 0, quantityOutOfRange',
      'order slow 1 on 9 from 0, late, leadTimeTooLong',
      'order feed 2 on 9 from 4',
    ]);
  });

  test('phantoms that contain each other', () => {
    const phantom = { isPhantom: true };
    const one = plan({
      items: [
        item('box', { way: 'make' }),
        item('egg', { way: 'make' }),
        item('hen', { way: 'make' }),
        item('lid'),
      ],
      links: [
        link('box', 'egg', 1000, phantom),
        link('box', 'lid', 1000),
        link('egg', 'hen', 1000, phantom),
        link('hen', 'egg', 1000, phantom),
      ],
      demand: [{ item: 'box', day: 9, quantity: 1 }],
    });
    expect(told(one)).toEqual([
      'none egg 0 on 0 from 0, cycle',
      'none hen 0 on 0 from 0, cycle',
      'order lid 1 on 4 from 0, late',
      'make box 1 on 9 from 4',
    ]);
  });

  test('very many phantoms below one item', () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `phantom ${at}`);
    const one = plan({
      items: [item('box', { way: 'make', leadDays: 0 }), ...names.map((name) => item(name)), item('screw')],
      links: names.flatMap((name) => [
        link('box', name, 1000, { isPhantom: true }),
        link(name, 'screw', 2000),
      ]),
      demand: Array.from({ length: 5 }, (_, day) => ({ item: 'box', day: day + 6, quantity: 1 })),
    });
    const ordered = told(one).filter((action) => action.startsWith('order'));
    expect(ordered[0]).toBe('order screw 40000 on 6 from 1');
    expect(ordered).toHaveLength(5);
  });

  test('a quantity that grows out of range along the levels', () => {
    const one = plan({
      items: [item('a', { way: 'make' }), item('b', { way: 'make' }), item('c')],
      links: [link('a', 'b', 900_000_000), link('b', 'c', 900_000_000)],
      demand: [{ item: 'a', day: 90, quantity: 1 }],
    });
    expect(told(one)).toEqual([
      'none c 0 on 0 from 0, quantityOutOfRange',
      'make b 900000 on 85 from 80',
      'make a 1 on 90 from 85',
    ]);
  });
});

describe('random cases', () => {
  test('in slices the plan is the same, and the event loop serves others meanwhile', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `item ${at}`);
    const one = plan({
      items: names.map((id) => item(id, { way: 'make', leadDays: 1 })),
      links: names
        .slice(3)
        .flatMap((child, at) => [1, 2, 3].map((n) => link(`item ${at + n - 1}`, child, 10))),
      demand: names.flatMap((id) => [20, 30, 40, 50].map((day) => ({ item: id, day, quantity: 1 }))),
    });
    const input = inputOf(one);
    let [turns, isDone] = [0, false];
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const found = await netInSlices(input, null, new Slices());
    isDone = true;
    expect(turns).toBeGreaterThan(2);
    const all = (actions: ReturnType<typeof netItems>) =>
      Array.from({ length: actions.length }, (_, at) => actions.at(at));
    expect(all(found)).toEqual(all(netItems(input)));
  });

  test('supply, stock and proposals equal the needs and what is left, of each item on each day', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const one = randomCase(seeded(seed));
      const { received, started, taken } = carriedOut(one);
      const needs = needsOf(one, started);
      for (const { id, way, available, floor } of one.items) {
        if (way === 'notPlanned') continue;
        let left = BigInt(available) * 1_000_000n - (taken.get(id) ?? 0n);
        for (let day = 0; day <= one.horizonDays; day++) {
          for (const receipt of received)
            if (receipt.item === id && receipt.day === day) left += receipt.quantity;
          left -= needs.get(id)?.get(day) ?? 0n;
          expect(left >= 0n, `seed ${seed}, ${id}, day ${day}`).toBe(true);
        }
        expect(left >= BigInt(floor) * 1_000_000n, `seed ${seed}, ${id}`).toBe(true);
      }
    }
  });

  test('no proposal could be left out', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const one = randomCase(seeded(seed));
      const { received, started, taken } = carriedOut(one);
      const needs = needsOf(one, started);
      for (const { action, item: at, quantity } of planned(inputOf(one))) {
        if (action !== 'order' && action !== 'make') continue;
        const { id, available, floor } = one.items[at] as CaseItem;
        const within = (day: number) => day <= one.horizonDays;
        const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, amount) => total + amount, 0n);
        const coming = sum(
          received.flatMap((receipt) =>
            receipt.item === id && within(receipt.day) ? [receipt.quantity] : [],
          ),
        );
        const going = sum(
          [...(needs.get(id) ?? [])].flatMap(([day, amount]) => (within(day) ? [amount] : [])),
        );
        const left = BigInt(available + -floor) * 1_000_000n - (taken.get(id) ?? 0n) + coming - going;
        expect(left < BigInt(quantity) + lotSlack(one.items[at] as CaseItem), `seed ${seed}, ${id}`).toBe(
          true,
        );
      }
    }
  });

  test('the order of rows changes nothing', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const one = randomCase(seeded(seed));
      const next = seeded(seed + 1_000_000);
      const shuffled = <T>(rows: readonly T[]) =>
        rows
          .map((row) => ({ row, by: next(1e9) }))
          .toSorted((a, b) => a.by - b.by)
          .map(({ row }) => row);
      const other = {
        ...one,
        items: shuffled(one.items),
        links: shuffled(one.links),
        demand: shuffled(one.demand),
        supply: shuffled(one.supply),
      };
      expect(told(other), `seed ${seed}`).toEqual(told(one));
    }
  });

  test('a plan is that of a plain model that plans item by item and day by day', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const drawn = randomCase(seeded(seed));
      const items = drawn.items.map((one) => ({ ...one, floor: 0 }));
      const one = { ...drawn, items, supply: [], periodDays: 1 };
      const found = planned(inputOf(one)).flatMap(
        ({ action, item: at, day, start, quantity, substitute }) => {
          const used =
            substitute === undefined ? '' : `: ${substitute.quantity} ${one.items[substitute.item]?.id}`;
          return action === 'none'
            ? []
            : [`${action} ${one.items[at]?.id}, ${quantity} on ${day} from ${start}${used}`];
        },
      );
      expect(found.sort(), `seed ${seed}`).toEqual(naiveProposals(one));
    }
  });

  test('the first actions by date are the beginning of all', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const input = inputOf(randomCase(seeded(seed)));
      const actions = netItems(input);
      const all = actions.sorted(input.items.ids, input.supply);
      for (const max of [0, 1, Math.floor(all.length / 2), all.length, all.length + 1])
        expect(actions.sorted(input.items.ids, input.supply, max), `seed ${seed}, ${max}`).toEqual(
          all.slice(0, max),
        );
    }
  });

  test('a second run proposes nothing when the first was carried out', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const drawn = randomCase(seeded(seed));
      const one = { ...drawn, links: drawn.links.map((row) => ({ ...row, substitutes: [] })) };
      const after = { ...one, supply: carriedOut(one).supply };
      expect(
        told(after).filter((text) => !text.startsWith('none')),
        `seed ${seed}`,
      ).toEqual([]);
    }
  });

  test('what was used of substitutes is gone, and nothing more is ordered for it', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const one = randomCase(seeded(seed));
      const { supply, taken, replaced } = carriedOut(one);
      const items = one.items.map((row) => ({
        ...row,
        available: row.available - Number(taken.get(row.id) ?? 0n) / 1e6,
      }));
      const used = replaced.map(({ item: of, day, quantity }, at) => ({
        id: `c ${String(at).padStart(3, '0')}`,
        item: of,
        day,
        quantity: Number(quantity) / 1e6,
        explodes: false,
      }));
      const after = { ...one, items, supply: [...supply, ...used] };
      expect(
        told(after).filter((text) => /^(order|make|increase)/.test(text)),
        `seed ${seed}`,
      ).toEqual([]);
    }
  });
});

/** Lots make the last proposal larger than its need. */
function lotSlack({ minimum, multiple }: CaseItem): bigint {
  return BigInt(minimum + multiple) * 1_000_000n;
}

interface Received {
  item: string;
  day: number;
  quantity: bigint;
}

/** The case with all actions done; what is received and what is begun by them. */
function carriedOut(one: Case) {
  const input = inputOf(one);
  const supply = one.supply
    .map((row) => ({ ...row, micros: BigInt(row.quantity) * 1_000_000n }))
    // Supplies of one day are used in the order of their ids, which is here that of their days.
    .toSorted((a, b) => Math.max(0, a.day) - Math.max(0, b.day) || (a.id < b.id ? -1 : 1))
    .map((row, _, rows) => {
      const first = rows.findIndex(({ id }) => id === row.id);
      return { ...row, id: `a ${String(first).padStart(3, '0')}` };
    });
  const ordered: Case = { ...one, supply };
  const orderedInput = inputOf(ordered);
  const added: typeof supply = [];
  const taken = new Map<string, bigint>();
  const replaced: Received[] = [];
  for (const { action, item: at, supply: index, day, quantity, substitute } of planned(orderedInput)) {
    const id = input.items.ids.at(at) as string;
    if (substitute !== undefined) {
      const other = input.items.ids.at(substitute.item) as string;
      taken.set(other, (taken.get(other) ?? 0n) + BigInt(substitute.quantity));
      replaced.push({ item: id, day, quantity: BigInt(quantity) });
    }
    if (action === 'order' || action === 'make')
      added.push({
        id: `b ${String(added.length).padStart(3, '0')}`,
        item: id,
        day,
        quantity: quantity / 1e6,
        micros: BigInt(quantity),
        explodes: action === 'make',
      });
    const row = supply[index];
    if (row === undefined || action === 'none') continue;
    if (action === 'expedite' || action === 'defer') row.day = day;
    else {
      row.quantity = quantity / 1e6;
      row.micros = BigInt(quantity);
    }
  }
  // Parts of a line that come on one day are one.
  const byDay = Map.groupBy([...supply, ...added], ({ id, day }) => `${id} ${Math.max(0, day)}`);
  const all = [...byDay.values()]
    .map((parts) => {
      const micros = parts.reduce((sum, part) => sum + part.micros, 0n);
      return { ...(parts[0] as (typeof parts)[number]), micros, quantity: Number(micros) / 1e6 };
    })
    .filter(({ micros }) => micros > 0n);
  const started = all.flatMap(({ item: id, day, micros, explodes }) => {
    const of = one.items.find((candidate) => candidate.id === id) as CaseItem;
    const isPlanned = of.way !== 'notPlanned';
    const start = Math.max(0, Math.max(0, day) - Math.max(0, of.leadDays));
    return explodes && isPlanned ? [{ item: id, day: start, quantity: micros }] : [];
  });
  const received = all.map(({ item: id, day, micros }) => ({
    item: id,
    day: Math.max(0, day),
    quantity: micros,
  }));
  return { supply: all, started, taken, replaced, received: [...received, ...replaced] };
}
