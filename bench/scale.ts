/**
 * Whether an entity of a large sync costs what one of a small sync costs: 10 000 and 1 000 000 entities in one
 * system, all new, unchanged and 10 % changed. BENCH_ENTITIES sets the large size.
 */
import { defineProperties, generateGuids } from './entities.ts';
import { measureSync, medianRates, type SyncRates, warmUp } from './sync-rates.ts';
import { type System, startSystem } from './system.ts';

export const name = 'scale';

const SMALL = 10_000;
const LARGE = Number(process.env.BENCH_ENTITIES ?? 1_000_000);
const SMALL_ROUNDS = 5;
/** Cost of an entity at the large size, by that at the small one. */
const COST_RATIO_MAX = 1.3;
const PEAK_MIB_BELOW = 512;

export async function run() {
  const system = await startSystem();
  try {
    await warmUp(system);
    const rounds: SyncRates[] = [];
    for (let round = 0; round < SMALL_ROUNDS; round++) rounds.push(await measureFresh(system, SMALL));
    const small = medianRates(rounds);
    const large = await measureFresh(system, LARGE);
    const memory = { webPeakMiB: system.web.peakRssMiB(), workerPeakMiB: system.worker.peakRssMiB() };
    return report({ rounds, small, large, memory });
  } finally {
    await system.close();
  }
}

async function measureFresh(system: System, entities: number): Promise<SyncRates> {
  const workspace = await system.createWorkspace();
  await defineProperties(workspace);
  return measureSync(workspace, generateGuids(entities));
}

interface Measured {
  rounds: readonly SyncRates[];
  small: SyncRates;
  large: SyncRates;
  memory: { webPeakMiB: number; workerPeakMiB: number };
}

function report({ rounds, small, large, memory }: Measured) {
  const costs = {
    created: small.created / large.created,
    unchanged: small.unchanged / large.unchanged,
    changed: small.changed / large.changed,
  };
  const labels = { created: 'all new', unchanged: 'unchanged', changed: '10 % changed' };
  const ok =
    Object.values(costs).every((ratio) => ratio <= COST_RATIO_MAX) &&
    Object.values(memory).every((peakMiB) => peakMiB < PEAK_MIB_BELOW);
  console.log(
    `sync of ${SMALL} entities (median of ${SMALL_ROUNDS} workspaces) and of ${LARGE}, in entities/s`,
  );
  for (const kind of ['created', 'unchanged', 'changed'] as const) {
    const [atSmall, atLarge] = [small[kind], large[kind]].map((rate) =>
      Math.round(rate).toString().padStart(8),
    );
    console.log(
      `  ${labels[kind].padEnd(16)}${atSmall} ${atLarge}   cost of an entity: ${costs[kind].toFixed(2)}`,
    );
  }
  console.log(`  peak RSS: web ${memory.webPeakMiB} MiB, worker ${memory.workerPeakMiB} MiB`);
  console.log(
    `costs at most ${COST_RATIO_MAX}, peaks below ${PEAK_MIB_BELOW} MiB: ${ok ? 'holds' : 'FAILS'}`,
  );
  return {
    entities: { small: SMALL, large: LARGE },
    rounds,
    perSecond: { small, large },
    ratios: costs,
    memory,
    limits: { cost: COST_RATIO_MAX, peakMiBBelow: PEAK_MIB_BELOW },
    ok,
  };
}
