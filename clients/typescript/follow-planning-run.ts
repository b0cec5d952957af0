/** Follows a planning run to its end. */
import { type CallOptions, type Partbook, wait } from './connect.ts';
import type { PlanningRun } from './generated/types.ts';

const PERIOD_MS_MIN = 250;
const PERIOD_MS_MAX = 2000;

/** Asks until it has ended. */
export async function followPlanningRun(
  partbook: Partbook,
  begun: PlanningRun,
  { signal }: CallOptions = {},
): Promise<PlanningRun> {
  let run = begun;
  for (let periodMs = PERIOD_MS_MIN; run.finishedAt === null; periodMs *= 1.5) {
    await wait(Math.min(periodMs, PERIOD_MS_MAX), signal);
    run = await partbook('GET /planning/runs/{id}', { id: run.id }, signal === undefined ? {} : { signal });
  }
  return run;
}
