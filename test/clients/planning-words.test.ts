/** What clients say of planned actions in the same way. */
import { expect, test } from 'vitest';
import type { PlanningTimeline } from '../../clients/typescript/generated/types.ts';
import { changesOfLines } from '../../clients/typescript/planning-words.ts';

const supply = (lineId: string, comesOn: string) => ({ lineId, comesOn });
const action = (number: number, values: object) => ({
  number,
  action: 'defer',
  status: 'open',
  lineId: null,
  partOn: null,
  ...values,
});

test('an action that changes a line is told beside that line, or beside the promised part of it', () => {
  const supplies = [supply('a', '2027-01-01'), supply('b', '2027-01-05'), supply('b', '2027-01-09')];
  const actions = [
    action(1, { lineId: 'a' }),
    action(2, { lineId: 'a', action: 'decrease' }),
    action(3, { lineId: 'b', partOn: '2027-01-09' }),
    // Overdue parts count on the day of the plan.
    action(4, { lineId: 'b', partOn: '2026-12-01' }),
    action(5, { action: 'order' }),
    action(6, { lineId: 'c' }),
    action(7, { lineId: 'a', status: 'committed' }),
    action(8, { action: 'none' }),
  ];
  const found = { day: '2027-01-05', supplies, actions } as unknown as PlanningTimeline;
  const { changes, others } = changesOfLines(found);
  expect(found.supplies.map((one) => changes.get(one)?.map(({ number }) => number))).toEqual([
    [1, 2],
    [4],
    [3],
  ]);
  expect(others.map(({ number }) => number)).toEqual([5, 6]);
});
