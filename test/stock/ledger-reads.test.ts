import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LedgerReads } from '../../src/stock/ledger/ledger-reads.ts';

let reads: LedgerReads;
let ends: (() => void)[];
beforeEach(() => {
  reads = new LedgerReads(2);
  ends = [];
});
afterEach(() => {
  for (const end of ends) end();
});

function want(workspaceId: string, given: { subject?: string; gone?: AbortSignal } = {}) {
  const started: AbortSignal[] = [];
  const result = reads.run({
    workspaceId,
    kind: 'verify',
    gone: new AbortController().signal,
    closing: new AbortController().signal,
    work: (signal) => {
      started.push(signal);
      return new Promise<string>((resolve, reject) => {
        ends.push(() => resolve(`of ${workspaceId}`));
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
    ...given,
  });
  return { started, result };
}

test('whoever asks for the same while it runs gets the same result', async () => {
  const [first, second] = [want('a'), want('a')];
  expect([first.started.length, second.started.length]).toEqual([1, 0]);
  ends[0]?.();
  expect(await Promise.all([first.result, second.result])).toEqual(['of a', 'of a']);
  expect(want('a').started).toHaveLength(1);
});

test('a third ledger has to come again, and so has another question about the same one', async () => {
  const running = [want('a'), want('b')];
  await expect(want('c').result).rejects.toMatchObject({ code: 'ledger_busy' });
  await expect(want('a', { subject: 'another digest' }).result).rejects.toMatchObject({
    code: 'ledger_busy',
  });
  for (const end of ends) end();
  await Promise.all(running.map((one) => one.result));
  expect(want('c').started).toHaveLength(1);
});

test('it goes on while one still waits, and ends when the last has gone', async () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const [first, second] = [want('a', { gone: one.signal }), want('a', { gone: other.signal })];
  one.abort();
  expect(first.started[0]?.aborted).toBe(false);
  other.abort();
  expect(first.started[0]?.aborted).toBe(true);
  await expect(Promise.all([first.result, second.result])).rejects.toBe(one.signal.reason);
});

test('whoever asks while a run that was left is still ending gets a run of their own', async () => {
  const leaving = new AbortController();
  const left = want('a', { gone: leaving.signal });
  leaving.abort();
  const [next, another] = [want('a'), want('a')];
  await expect(left.result).rejects.toBe(leaving.signal.reason);
  await vi.waitFor(() => expect(next.started).toHaveLength(1));
  for (const end of ends) end();
  expect(await Promise.all([next.result, another.result])).toEqual(['of a', 'of a']);
  expect(another.started).toHaveLength(0);
});
