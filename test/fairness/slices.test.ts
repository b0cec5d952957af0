/** What long work leaves of an event loop to the others of its process. */
import { expect, it, onTestFinished } from 'vitest';
import { Slices } from '../../src/fairness/slices.ts';

/** Counts the turns of the loop, in each of which somebody else is busy with so many items, until the test ends. */
function countTurns(items: number): () => number {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    JSON.parse(JSON.stringify(Array.from({ length: items }, (_, item) => ({ item }))));
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  onTestFinished(() => {
    isOver = true;
  });
  return () => turns;
}

/** Works until it is due, so many times; tells in which turn each slice began. */
async function work(slices: number, turns: () => number, begun: number[]): Promise<void> {
  const own = new Slices();
  for (let slice = 0; slice < slices; slice++) {
    while (!own.areDue);
    await own.next();
    begun.push(turns());
  }
}

it('gives the others a turn between any two slices, however many do long work', async () => {
  const turns = countTurns(0);
  const begun: number[] = [];
  await Promise.all(Array.from({ length: 6 }, () => work(5, turns, begun)));
  expect(begun).toHaveLength(30);
  expect(new Set(begun).size).toBe(30);
});

it('rests for several turns while others have something to do', async () => {
  const turns = countTurns(2000);
  const begun: number[] = [];
  await work(30, turns, begun);
  const between = begun.slice(1).map((turn, at) => turn - (begun[at] as number));
  expect(between.some((turnsOfOthers) => turnsOfOthers >= 3)).toBe(true);
});

it('ends when whoever wanted the work has gone', async () => {
  const gone = new AbortController();
  const slices = new Slices(gone.signal);
  const next = slices.next();
  gone.abort(new Error('gone'));
  await expect(next).rejects.toThrow('gone');
});
