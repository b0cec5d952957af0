/** When a thread that does long work gives its processor away, by clocks of the test's own. */
import { expect, it } from 'vitest';
import { StandBack } from '../../src/fairness/stand-back.ts';

/** A thread whose clocks stand still but for what the test says. */
function thread() {
  let now = 1000;
  let computed = 0;
  const rests: number[] = [];
  const own = new StandBack({
    now: () => now,
    computed: () => computed,
    rest: (ms) => {
      rests.push(ms);
      now += ms;
    },
  });
  return {
    rests,
    /** It waits for so long for something that it has asked for. */
    wait: (ms: number) => {
      now += ms;
      own.goOn();
    },
    /** It computes for so long, somebody else has the processor for so long, and it looks. */
    pass: (ms: number, others = 0) => {
      computed += ms;
      now += ms + others;
      own.look();
    },
  };
}

it('is not held up while nobody else wants its processor', () => {
  const { rests, pass } = thread();
  for (let at = 0; at < 1000; at++) pass(1, 0.01);
  expect(rests).toEqual([]);
});

it('rests for as long as it has computed where others had its processor, a slice at a time', () => {
  const { rests, pass } = thread();
  pass(1, 1);
  pass(1, 1);
  expect(rests).toEqual([2]);
  for (let at = 0; at < 6; at++) pass(1);
  expect(rests).toEqual([2, 3, 3]);
});

it('stops resting when nobody has wanted its processor for a while', () => {
  const { rests, pass } = thread();
  pass(3, 1);
  for (let at = 0; at < 100; at++) pass(3);
  expect(rests.length).toBeGreaterThan(5);
  expect(rests.length).toBeLessThan(20);
});

it('rests no longer for what could not be asked, and not for what it waited for itself', () => {
  const { rests, pass } = thread();
  pass(400, 100);
  expect(rests).toEqual([10]);
  const other = thread();
  // It computes a little, waits for the host, and goes on.
  other.wait(500);
  for (let at = 0; at < 10; at++) other.pass(1);
  expect(other.rests).toEqual([]);
});
