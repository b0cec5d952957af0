/** Who pauses behind heavy work, for how long, and for whom: what keeps light callers from standing in line for a processor. */
import { describe, expect, it } from 'vitest';
import { CostAccounts } from '../../src/fairness/cost-accounts.ts';

/** Accounts on a clock that stands until it is moved. */
function accounts(isCrowded = true) {
  const clock = { ms: 0 };
  return { clock, costs: new CostAccounts({ now: () => clock.ms, pauses: isCrowded ? 'always' : 'never' }) };
}

/** Calls of all of them, and work of those that cost something. */
function work(costs: CostAccounts, spent: Record<string, number>): void {
  for (const [name, ms] of Object.entries(spent)) {
    costs.called(name);
    if (ms > 0) costs.charge(name, ms);
  }
}

describe('a workspace that keeps a machine busy', () => {
  it('pauses for three times as long as it works while another calls that asks for little', () => {
    const { costs } = accounts();
    work(costs, { heavy: 5000, light: 10 });
    expect([costs.pauseTimes('heavy'), costs.pauseTimes('light')]).toEqual([3, 0]);
  });

  it('does not pause where it is alone, or for one that has not called for a second', () => {
    const { clock, costs } = accounts();
    work(costs, { heavy: 5000 });
    expect(costs.pauseTimes('heavy')).toBe(0);
    work(costs, { light: 0 });
    expect(costs.pauseTimes('heavy')).toBe(3);
    clock.ms = 1001;
    work(costs, { heavy: 5000 });
    expect(costs.pauseTimes('heavy')).toBe(0);
  });

  it('does not pause for another that costs as much, and shares the time with it where a third asks for little', () => {
    const { clock, costs } = accounts();
    work(costs, { one: 5000, other: 4000 });
    // Both were light when they called first.
    clock.ms = 1001;
    work(costs, { one: 500, other: 500 });
    expect([costs.pauseTimes('one'), costs.pauseTimes('other')]).toEqual([0, 0]);
    work(costs, { light: 0 });
    expect([costs.pauseTimes('one'), costs.pauseTimes('other')]).toEqual([1.5, 1.5]);
  });

  it('does not pause for one that costs little less, be it heavy or not', () => {
    const { costs } = accounts();
    work(costs, { heavy: 700, like: 500 });
    expect([costs.pauseTimes('heavy'), costs.pauseTimes('like')]).toEqual([0, 0]);
    work(costs, { light: 300 });
    expect([costs.pauseTimes('heavy'), costs.pauseTimes('like')]).toEqual([3, 0]);
  });

  it('does not pause where nobody has to wait for a processor', () => {
    const { costs } = accounts(false);
    work(costs, { heavy: 5000, light: 0 });
    expect(costs.pauseTimes('heavy')).toBe(0);
  });

  it('stays heavy for as long as it would do as much again, and no longer', () => {
    const { clock, costs } = accounts();
    work(costs, { heavy: 1000, light: 0 });
    // A quarter of the time is what is left to it: it is no less heavy for that.
    for (; clock.ms < 60_000; clock.ms += 400) work(costs, { light: 0, heavy: 100 });
    expect(costs.pauseTimes('heavy')).toBe(3);
    for (; clock.ms < 90_000; clock.ms += 400) work(costs, { light: 0, heavy: 5 });
    expect(costs.pauseTimes('heavy')).toBe(0);
  });

  it('stays heavy behind its pauses where its work waits for their ends, and not where it comes as rarely by itself', () => {
    const pausedFor = (waits: boolean) => {
      const { clock, costs } = accounts();
      work(costs, { heavy: 1000, light: 0 });
      for (; clock.ms < 60_000; clock.ms += 400) {
        work(costs, { light: 0, heavy: 26 });
        if (waits) costs.missedBehind('heavy', costs.pauseTimes('heavy'))();
      }
      return costs.pauseTimes('heavy');
    };
    expect([pausedFor(true), pausedFor(false)]).toEqual([3, 0]);
  });
});

it('counts no more for a pause than the second that it lasts at most, however long the work before it was', () => {
  const { costs } = accounts();
  work(costs, { heavy: 2000, light: 0 });
  costs.missedBehind('heavy', 3)();
  expect(costs.msOf('heavy')).toBe(3000);
});

it('counts for a pause what was done before it, whatever else was done until it ended, and no more than the part that it lasted', () => {
  const { costs } = accounts();
  work(costs, { mixed: 3 });
  const missed = costs.missedBehind('mixed', 3);
  work(costs, { mixed: 150 });
  missed();
  expect(costs.msOf('mixed')).toBe(162);
  missed(1 / 3);
  expect(costs.msOf('mixed')).toBe(165);
});

it('remembers no more workspaces than it may, and those that have called last', () => {
  const { costs } = accounts();
  work(costs, { first: 5000 });
  for (let name = 0; name < 10_000; name++) costs.called(`w${name}`);
  expect([costs.size, costs.msOf('first'), costs.pauseTimes('first')]).toEqual([10_000, 0, 0]);
});
