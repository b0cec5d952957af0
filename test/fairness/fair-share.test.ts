/** Who gets how much of what is scarce, and when: the rule behind connections, threads and places. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FairShare, type FairShareOptions, type Release, ShareError } from '../../src/fairness/fair-share.ts';

const options: FairShareOptions = { name: 'places', units: 9, waitingMax: 3, patienceMs: 60_000 };

/** Asks so many times for a party; what it has got by the time that everybody else has had a turn. */
async function take(share: FairShare, party: string, times: number): Promise<Release[]> {
  const got: Release[] = [];
  for (let time = 0; time < times; time++) {
    share.acquire(party).then(
      (release) => got.push(release),
      () => {},
    );
  }
  await new Promise((resolve) => setImmediate(resolve));
  return got;
}

describe('a share', () => {
  it('is followed by no pause where half of the patience went by before it was given', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const share = new FairShare({ ...options, units: 2, patienceMs: 60_000 });
    const [first] = await take(share, 'a', 1);
    const got: (Release | null)[] = [];
    for (let time = 0; time < 3; time++) void share.acquire('a').then((release) => got.push(release));
    await vi.advanceTimersByTimeAsync(15_000);
    first?.();
    await vi.advanceTimersByTimeAsync(0);
    // It has waited for a quarter of its patience: half of the pause is left.
    const missed: number[] = [];
    got[0]?.(1000, (part) => missed.push(part));
    await vi.advanceTimersByTimeAsync(490);
    expect([got.length, missed]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(20);
    // And somebody has waited for it.
    expect([got.length, missed]).toEqual([2, [0.5]]);
    await vi.advanceTimersByTimeAsync(15_000);
    got[1]?.();
    await vi.advanceTimersByTimeAsync(0);
    got[2]?.(1000);
    expect([got.length, share.parties]).toEqual([3, 0]);
  });

  it('leaves something to whoever comes next, however many have come before', async () => {
    const share = new FairShare(options);
    const got: number[] = [];
    for (const party of ['a', 'b', 'c', 'd']) got.push((await take(share, party, 20)).length);
    expect(got).toEqual([5, 2, 1, 1]);
  });

  it('goes to whoever holds least, and then to whoever was served longest ago', async () => {
    const share = new FairShare({ ...options, units: 2 });
    const [first] = await take(share, 'a', 1);
    const [second] = await take(share, 'b', 1);
    const order: string[] = [];
    const wait = (party: string) =>
      share.acquire(party).then((release) => {
        order.push(party);
        return release;
      });
    const [a, later, c, d] = ['a', 'a', 'c', 'd'].map(wait);
    first?.();
    second?.();
    for (const one of [c, d, a, later]) (await one)?.();
    expect(order).toEqual(['c', 'd', 'a', 'a']);
    expect([share.held, share.waiting]).toEqual([0, 0]);
  });

  it('that is given back with a pause is anybody’s but the giver’s until it ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const share = new FairShare({ ...options, units: 2 });
    const [first] = await take(share, 'a', 1);
    first?.(1000);
    expect([share.held, share.parties]).toEqual([0, 1]);
    const got: string[] = [];
    void share.acquire('a').then(() => got.push('a'));
    expect(await take(share, 'b', 1)).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(999);
    expect([share.held, share.waiting, got]).toEqual([1, 1, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect([share.held, share.waiting, got]).toEqual([2, 0, ['a']]);
  });

  it('is refused to nobody for a pause: one ends where the line behind it is full', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const share = new FairShare({ ...options, units: 1, waitingMax: 1 });
    const [first] = await take(share, 'a', 1);
    first?.(1000);
    const second = share.acquire('a');
    await vi.advanceTimersByTimeAsync(200);
    expect([share.held, share.waiting]).toEqual([0, 1]);
    const third = share.acquire('a');
    (await second)();
    (await third)();
    expect(share.parties).toBe(0);
  });

  it('is refused at once beyond those who may wait, and to them when their patience ends', async () => {
    const share = new FairShare({ ...options, units: 1, patienceMs: 20 });
    await take(share, 'a', 1);
    const waits = Promise.allSettled([1, 2, 3].map(() => share.acquire('b')));
    await expect(share.acquire('b')).rejects.toThrow(/^places: 3 wait already/);
    const reasons = (await waits).map((one) => one.status === 'rejected' && one.reason instanceof ShareError);
    expect(reasons).toEqual([true, true, true]);
    expect(share.waiting).toBe(0);
  });

  it('is not kept by somebody who has gone', async () => {
    const share = new FairShare({ ...options, units: 1 });
    const [held] = await take(share, 'a', 1);
    const gone = new AbortController();
    const waits = share.acquire('b', 1, gone.signal);
    gone.abort(new Error('gone'));
    await expect(waits).rejects.toThrow('gone');
    held?.();
    held?.();
    expect(share.held).toBe(0);
    (await share.acquire('b'))();
    await expect(share.acquire('b', 1, gone.signal).then((release) => release())).resolves.toBeUndefined();
  });

  it('is no more than one party may hold, whatever is free', async () => {
    const share = new FairShare({ ...options, ofOneMax: 1 });
    const [held] = await take(share, 'a', 3);
    expect([share.held, share.waiting]).toEqual([1, 2]);
    expect((await take(share, 'b', 1)).length).toBe(1);
    held?.();
    expect([share.held, share.waiting]).toEqual([2, 1]);
  });

  it('is kept for the privileged, who take nothing from the others while they use it', async () => {
    const share = new FairShare({ ...options, units: 5, reserved: 1, privileged: 'x' });
    const [own] = await take(share, 'x', 1);
    expect((await take(share, 'a', 9)).length).toBe(2);
    expect((await take(share, 'b', 9)).length).toBe(1);
    expect((await take(share, 'c', 9)).length).toBe(1);
    expect((await take(share, 'd', 9)).length).toBe(0);
    own?.();
    expect((await take(share, 'd', 9)).length).toBe(0);
    expect((await take(share, 'x', 9)).length).toBe(1);
  });

  it('may weigh more than another, and as much as there is at most', async () => {
    const share = new FairShare({ ...options, units: 100 });
    const large = await share.acquire('a', 1000);
    expect(share.held).toBe(100);
    large();
    await share.acquire('a', 40);
    await share.acquire('b', 40);
    const gone = new AbortController();
    const waits = share.acquire('b', 15, gone.signal);
    expect(share.waiting).toBe(1);
    (await share.acquire('c', 20))();
    expect(share.waiting).toBe(1);
    gone.abort(new Error('gone'));
    await expect(waits).rejects.toThrow('gone');
  });

  it('remembers nobody whom it refused', async () => {
    const share = new FairShare({ ...options, units: 1, waitingMax: 0 });
    const release = await share.acquire('a');
    for (let at = 0; at < 1000; at++) await expect(share.acquire(`refused ${at}`)).rejects.toThrow();
    expect(share.parties).toBe(1);
    release();
    expect(share.parties).toBe(0);
  });
});
