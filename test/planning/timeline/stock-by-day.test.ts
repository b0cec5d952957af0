/** Stock of an item day by day, as its order lines bring it and as the plan changes them. */
import { expect, test } from 'vitest';
import { type Days, daysOf } from '../../../src/planning/timeline/stock-by-day.ts';

// The timeline is computed in a request, beside those of others: looked up line by line, so many actions would take minutes.
test('each of very many lines comes on the day to which its own action moves it', { timeout: 60_000 }, () => {
  const lines = 300_000;
  const supplies = Array.from({ length: lines }, (_, at) => at);
  const actions = supplies.map((supply) => ({
    action: { action: 'expedite' as const, item: 0, supply, day: supply % 2, quantity: 1e6, lateDays: 0 },
  }));
  const input = {
    items: { available: new Float64Array(1) },
    supply: { day: new Int32Array(lines).fill(5), quantity: new Float64Array(lines).fill(1e6) },
  };
  const days = daysOf({
    input: input as unknown as Days['input'],
    item: 0,
    day: '2026-11-27',
    horizonDays: 180,
    needs: [],
    actions: actions as unknown as Days['actions'],
    supplies,
  });
  expect(days.map(({ on, comes, planned }) => [on, comes, planned])).toEqual([
    ['2026-11-27', 0, lines / 2],
    ['2026-11-28', 0, lines / 2],
    ['2026-12-02', lines, 0],
  ]);
});
