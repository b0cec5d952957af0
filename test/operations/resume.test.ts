// What the operator held back goes on when it is let go, and not when healing finds it.
import { expect, test, vi } from 'vitest';
import { announceNext } from '../../src/sync/batch/announce-steps.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer } from '../setup/server.ts';
import { element, syncCalls } from '../sync/sync-calls.ts';
import { makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

test('a batch whose turn came while batches were paused begins when they are resumed', async () => {
  const server = await startTestServer({
    worker: true,
    environment: { SYNC_HEAL_SECONDS: '3600', SYNC_AT_ONCE_ELEMENTS_MAX: '0' },
  });
  try {
    const workspace = await makeDefaultWorkspace(server);
    const calls = syncCalls(server, workspace);
    const control = async (doing: 'pause' | 'resume') => {
      const answer = await server.request(`/admin/workspaces/${workspace.slug}/${doing}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${server.ctx.operatorToken}`,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: 'work=batch&reason=A+look+at+the+line.',
      });
      expect(answer.status, answer.text).toBe(303);
    };
    const { sync } = server.ctx.queues.byName;
    const untilTaken = () =>
      vi.waitFor(async () => {
        const { waiting, active, delayed, prioritized } = await sync.getJobCounts();
        expect([waiting, active, delayed, prioritized]).toEqual([0, 0, 0, 0]);
      }, patience);

    await control('pause');
    const sent = await calls.send({ entities: [element()] }, { headers: { Prefer: 'respond-async' } });
    expect(sent.status, sent.text).toBe(202);
    await untilTaken();
    // As the end of the batch before it does, whose last step was under way when they were paused.
    await announceNext(server.ctx, workspace.id);
    await untilTaken();
    await control('resume');
    await vi.waitFor(async () => {
      const { body } = await calls.get(`/pdm/sync/batches/${sent.body.batchId}`);
      expect(body.status).toBe('completed');
    }, patience);
  } finally {
    await server.close();
  }
});
