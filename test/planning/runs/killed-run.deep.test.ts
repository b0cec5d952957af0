/** A planning run whose worker is killed while it computes. */
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { makeProcuringWorkspace } from '../../procurement/procuring-workspace.ts';
import { patience } from '../../setup/patience.ts';
import { startTestServer } from '../../setup/server.ts';
import { startWorkerProcess } from '../../setup/worker-process.ts';

test('another worker computes it anew, and stores its actions once, or what differs in them', async () => {
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

    // The second run goes on with the first, and is killed while it writes what differs.
    for (const one of await workspace.addEntities(8))
      await workspace.must(201, 'POST', '/requirements', {
        projectId: workspace.project,
        itemEntityId: one,
        requiredQty: 4,
      });
    const plan = async () => (await workspace.must(202, 'POST', '/planning/runs', {})).id as string;
    const ended = (run: string) =>
      vi.waitUntil(
        async () => (await workspace.must(200, 'GET', `/planning/runs/${run}`)).finishedAt !== null,
        patience,
      );
    await ended(await plan());
    await workspace.adjust(item, workspace.locations[0], 1);
    await admin.query('begin; lock table planning_action in exclusive mode');
    const difference = await plan();
    await vi.waitUntil(async () => {
      const { rows } = await admin.query(
        `select from pg_locks where relation = 'planning_action'::regclass and not granted`,
      );
      return rows.length > 0;
    }, patience);
    await workers[1]?.kill();
    workers.push(startWorkerProcess(server));
    await admin.query('rollback');
    await ended(difference);
    const stored = await admin.query(
      `select from_generation, until_generation, count(*)::int from planning_action
       where run_id = $1 group by 1, 2 order by 1, 2`,
      [id],
    );
    expect(stored.rows).toEqual([
      { from_generation: 0, until_generation: 2, count: 2 },
      { from_generation: 1, until_generation: 2_147_483_647, count: 16 },
      { from_generation: 2, until_generation: 2_147_483_647, count: 2 },
    ]);
  } finally {
    for (const worker of workers) await worker.kill();
    await admin.end();
    await server.close();
  }
});
