/**
 * `npm run bench -- newcomer`: a new workspace beside old ones that were analysed, against one that is alone in its
 * database: imports of 5000 and 10 000 new elements, the larger again unchanged, and a thousand of it again, ten times.
 * Two installations in turn, of which one rests. BENCH_OLD sets the entities of the old workspaces.
 */
import { Client } from 'pg';
import { defineProperties, entitiesOf, generateGuids } from './entities.ts';
import { medianOf, syncRate, warmUp } from './sync-rates.ts';
import { type System, startSystem } from './system.ts';

export const name = 'newcomer';

const OLD_ENTITIES = Number(process.env.BENCH_OLD ?? 50_000);
const OLD_WORKSPACES = 2;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const RATIO_MIN = 0.9;
const AGAIN = 1000;
const TIMES = 10;

const cases = ['5000 new', '10 000 new', '10 000 unchanged', '1000 unchanged'] as const;
type Rates = Record<(typeof cases)[number], number>;

export async function run(): Promise<unknown> {
  const alone = await startSystem();
  try {
    const beside = await startSystem();
    try {
      return await measure(alone, beside);
    } finally {
      await beside.close();
    }
  } finally {
    await alone.close();
  }
}

async function measure(alone: System, beside: System): Promise<unknown> {
  for (const system of [alone, beside]) await warmUp(system);
  for (let n = 0; n < OLD_WORKSPACES; n++) {
    const workspace = await beside.createWorkspace();
    await defineProperties(workspace);
    const guids = generateGuids(OLD_ENTITIES / OLD_WORKSPACES);
    await syncRate(workspace, entitiesOf(guids), { created: guids.length });
  }
  const rounds: { alone: Rates; beside: Rates }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = {} as { alone: Rates; beside: Rates };
    // Each first as often: what the machine does meanwhile falls on both.
    for (const which of round % 2 === 0 ? (['alone', 'beside'] as const) : (['beside', 'alone'] as const)) {
      // Alone is without those of the rounds before; beside is analysed with them.
      if (which === 'alone') await asOwner(alone, empty);
      else await asOwner(beside, 'analyze');
      one[which] = await newcomer(which === 'alone' ? alone : beside);
    }
    rounds.push(one);
  }
  console.log(
    `a new workspace beside ${OLD_ENTITIES} analysed entities, entities a second, median of ${ROUNDS} rounds`,
  );
  const ratios = cases.map((one) => {
    const of = (which: 'alone' | 'beside') => medianOf(rounds.map((round) => round[which][one]));
    const ratio = of('beside') / of('alone');
    const figures = [of('alone'), of('beside')].map((rate) => Math.round(rate).toString().padStart(7));
    const verdict = ratio >= RATIO_MIN ? 'holds' : 'FAILS';
    console.log(
      `  ${one.padEnd(18)} alone ${figures[0]}  beside ${figures[1]}  ${ratio.toFixed(2)} of alone (at least ${RATIO_MIN}) ${verdict}`,
    );
    return [one, ratio];
  });
  return { oldEntities: OLD_ENTITIES, rounds, ratios: Object.fromEntries(ratios) };
}

async function newcomer(system: System): Promise<Rates> {
  const workspace = await system.createWorkspace();
  await defineProperties(workspace);
  const [few, many] = [generateGuids(5000), generateGuids(10_000)];
  const again = many.slice(0, AGAIN);
  const rates = {
    '5000 new': await syncRate(workspace, entitiesOf(few), { created: few.length }),
    '10 000 new': await syncRate(workspace, entitiesOf(many), { created: many.length }),
    '10 000 unchanged': await syncRate(workspace, entitiesOf(many), { skipped: many.length }),
  };
  const small: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    // The first thousand of the tree: their parents are among them.
    small.push(await syncRate(workspace, firstOf(many, again.length), { skipped: again.length }));
  }
  return { ...rates, '1000 unchanged': medianOf(small) };
}

/** As they are in the whole: whether one is an assembly depends on those behind it. */
function* firstOf(guids: readonly string[], count: number) {
  let n = 0;
  for (const entity of entitiesOf(guids)) {
    if (n++ === count) return;
    yield entity;
  }
}

const empty = `truncate entity, entity_link, pending_link, sync_batch, sync_chunk, sync_payload, sync_result`;

async function asOwner(system: System, sql: string): Promise<void> {
  const client = new Client({ connectionString: system.databaseUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
