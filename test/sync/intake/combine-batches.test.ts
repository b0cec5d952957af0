/** Which workspaces share a transaction, and which go alone. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CombinedBatches } from '../../../src/sync/intake/combine-batches.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('a workspace that fails again and again has the others fail with it more and more seldom', async () => {
  let passedMs = 0;
  const combined = new CombinedBatches(server.ctx.db, () => passedMs);
  const workspaces = await Promise.all([makeDefaultWorkspace(server), makeDefaultWorkspace(server)]);
  const [failing, other] = workspaces.map(({ id }) => id) as [string, string];
  /** Sends a batch of each; whether the one that fails has shared the other's transaction. */
  const shares = async (fails = true) => {
    let hasShared = false;
    const work = (isFailing: boolean) => ({
      bytes: 1,
      together: async (tx: { query(text: string): Promise<unknown[]> }) => {
        if (isFailing) hasShared = true;
        await tx.query('select');
        if (isFailing && fails) throw new Error('not together');
        return 'together';
      },
      alone: async () => 'alone',
    });
    const done = await Promise.all([combined.run(failing, work(true)), combined.run(other, work(false))]);
    expect(done).toEqual(Array(2).fill(hasShared && !fails ? 'together' : 'alone'));
    return hasShared;
  };
  const after = (seconds: number, fails?: boolean) => {
    passedMs += seconds * 1000;
    return shares(fails);
  };
  expect([await after(0), await after(5), await after(6)]).toEqual([true, false, true]);
  // Twice as long, and twice as long again.
  expect([await after(11), await after(10), await after(21), await after(20)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  // At most five minutes; and whoever has not failed for as long begins anew.
  for (const seconds of [81, 161, 301]) expect(await after(seconds)).toBe(true);
  expect([await after(290), await after(11, false), await after(301)]).toEqual([false, true, true]);
  expect([await after(5), await after(6)]).toEqual([false, true]);
});
