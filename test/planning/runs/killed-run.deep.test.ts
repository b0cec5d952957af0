/** A planning run whose worker is killed while it computes. */
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { makeProcuringWorkspace } from '../../procurement/procuring-workspace.ts';
import { patience } from '../../setup/patience.ts';
import { startTestServer } from '../../setup/server.ts';
import { startWorkerProcess } from '../../setup/worker-process.ts';

test('another worker computes it anew, and stores its actions once', async () => {
  const server = await startTestServer();
  const workers = [startWorkerProcess(server)];
  const admin = new Client({ connectionString: server.ctx.databaseUrl });
  try {
    await admin.connect();
    const workspace = await makeProcuringWorkspace(server, { items: 1, locations: 1 });
    const [item] = workspace.items as [string];
    await workspace.must(201, 'POST', '/requirements', {
      projectId: workspace.project,
      itemEntityId: item,
      requiredQty: 4,
    });
    // The run waits for the lock while it reads.
    await admin.query('begin; lock table supplier_part in access exclusive mode');
    const { id } = await workspace.must(202, 'POST', '/planning/runs', {});
    const read = () => workspace.must(200, 'GET', `/planning/runs/${id}`);
    await vi.waitUntil(async () => (await read()).status === 'running', patience);
    await workers[0]?.kill();
    workers.push(startWorkerProcess(server));
    await admin.query('rollback');
    await vi.waitUntil(async () => (await read()).finishedAt !== null, patience);
    expect(await read()).toMatchObject({ status: 'completed', actions: { none: 1, order: 1 } });
    const { items } = await workspace.must(200, 'GET', `/planning/runs/${id}/actions`);
    expect(items).toHaveLength(2);
  } finally {
    for (const worker of workers) await worker.kill();
    await admin.end();
    await server.close();
  }
});
