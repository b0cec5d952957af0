/** The thread that computes planning runs. */
import { workerData } from 'node:worker_threads';
import { connectDb, type Db } from '../src/db/connect.ts';
import { planWorkspace } from '../src/planning/runs/plan-workspace.ts';
import type { PlanningTask, PlanningThreadOptions } from '../src/planning/runs/run-planning.ts';

const { limits, ...connection } = workerData as PlanningThreadOptions;
let connected: Promise<Db> | null = null;

/** Connects at the first task, and again after a connection could not be made. */
function db(): Promise<Db> {
  connected ??= connectDb({ ...connection, log: { warn: () => {} } }).catch((error: unknown) => {
    connected = null;
    throw error;
  });
  return connected;
}

export async function plan({ ref }: PlanningTask): Promise<void> {
  await planWorkspace(await db(), ref, limits);
}
