/** The part of the walk that concerns planning runs. */
import { vi } from 'vitest';
import { computeRuns, openPlanningThread } from '../../src/planning/runs/run-planning.ts';
import type { ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { patience } from '../setup/patience.ts';
import type { TestServer } from '../setup/server.ts';
import { walkValue } from './walk-cost.ts';

/** Values stock, then plans what is below its reorder point, looks at it, and commits an order. The worker of the server may compute the run, too. */
export async function walkPlanning(
  { ctx }: TestServer,
  { must, items: parts, locations }: ProcuringWorkspace,
  shelf: string,
): Promise<void> {
  await walkValue(must, parts[0] as string, [shelf, locations[1] as string]);
  const { items: positions } = await must(200, 'GET', `/stock/positions/by-location/${shelf}?limit=1`);
  const forecast = {
    itemEntityId: positions[0].itemEntityId,
    from: '2027-01-01',
    until: '2027-01-31',
    quantity: 1,
  };
  await must(200, 'POST', '/planning/forecasts', { forecasts: [forecast] });
  await must(200, 'GET', '/planning/forecasts?limit=5');
  const { id } = await must(202, 'POST', '/planning/runs', { horizonDays: 60 });
  const thread = openPlanningThread(ctx);
  await vi.waitUntil(async () => {
    await computeRuns(ctx, thread);
    return (await must(200, 'GET', `/planning/runs/${id}`)).finishedAt !== null;
  }, patience);
  await thread.destroy();
  await must(200, 'GET', '/planning/runs?limit=5');
  const { items } = await must(200, 'GET', `/planning/runs/${id}/actions?action=order&limit=5`);
  const [{ number, itemEntityId }, other] = items;
  await must(
    200,
    'GET',
    `/planning/runs/${id}/actions?item=${itemEntityId}&exception=noLeadTime&status=open`,
  );
  await must(200, 'GET', `/planning/runs/${id}/items/${itemEntityId}`);
  await must(200, 'GET', `/entities/${itemEntityId}/promise?quantity=5`);
  await must(200, 'GET', `/planning/runs/${id}/compare?with=${id}&limit=5`);
  await must(200, 'POST', `/planning/runs/${id}/dismiss`, { actions: [other.number] });
  await must(200, 'POST', `/planning/runs/${id}/commit`, { actions: [number], locationEntityId: shelf });
}
