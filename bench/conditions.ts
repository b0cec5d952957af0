/**
 * Lists by conditions on properties: a workspace with BENCH_ENTITIES entities (default 1 000 000) and twelve filterable properties, two
 * conditions and a sort, one call after the other while BENCH_IMPORTED more (default 250 000) are imported. And what the indexes cost an
 * import, in CPU of the service and of PostgreSQL: the same payload in a workspace whose properties are not filterable.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { cpuBetween, cpuOfSystem, totalCpu } from './cpu-of-system.ts';
import {
  type BenchEntity,
  type BenchWorkspace,
  compressLines,
  entitiesOf,
  generateGuids,
  sendBatch,
  untilEnded,
} from './entities.ts';
import { medianOf, warmUp } from './sync-rates.ts';
import { startSystem } from './system.ts';

export const name = 'conditions';

const ENTITIES = Number(process.env.BENCH_ENTITIES ?? 1_000_000);
const IMPORTED = Number(process.env.BENCH_IMPORTED ?? 250_000);
const ROUNDS_MIN = 101;
const P99_MS_MAX = 50;
const COST_MAX = 1.1;

const definitions = {
  Material: 'text',
  Supplier: 'text',
  Finish: 'text',
  Standard: 'text',
  Mass: 'numeric',
  UnitCost: 'numeric',
  Length: 'numeric',
  Width: 'numeric',
  Height: 'numeric',
  Purchased: 'boolean',
  Coated: 'boolean',
  ReleaseDate: 'date',
};

const queries = [
  'where=Mass:lt:0.5&where=Material:eq:Aluminium EN AW-6082&sort=properties.Mass',
  'where=UnitCost:ge:99&where=Supplier:eq:Supplier 7&sort=properties.UnitCost',
  'where=Supplier:in:Supplier 3,Supplier 4&where=Purchased:eq:true&sort=properties.Length',
  'where=Material:eq:Stainless steel 1.4301&where=Coated:eq:false&sort=properties.ReleaseDate',
  'where=Length:gt:400&where=Width:lt:20&sort=properties.Height',
  'where=Finish:eq:Finish 11&where=Standard:eq:ISO 4017&sort=number',
];

export async function run(): Promise<unknown> {
  const system = await startSystem();
  try {
    await warmUp(system);
    const cpuOf = async (work: () => Promise<unknown>) => {
      const before = cpuOfSystem(system);
      await work();
      return totalCpu(cpuBetween(before, cpuOfSystem(system)));
    };
    const [indexed, plain] = [await system.createWorkspace(), await system.createWorkspace()];
    for (const [workspace, filterable] of [
      [indexed, true],
      [plain, false],
    ] as const)
      for (const [key, type] of Object.entries(definitions))
        await ask(workspace, 'POST', '/property-definitions', { key, name: key, type, filterable });
    const load = async (workspace: BenchWorkspace, count: number) =>
      untilEnded(workspace, await sendBatch(workspace, compressLines(parts(count)), 0));
    // The same number of entities in both, so that neither has the larger indexes.
    const costs = {
      plain: await cpuOf(() => load(plain, IMPORTED)),
      indexed: await cpuOf(() => load(indexed, IMPORTED)),
      filling: await cpuOf(() => untilIndexed(indexed)),
    };
    await load(indexed, ENTITIES - IMPORTED);
    await untilIndexed(indexed);

    const times = new Map(queries.map((query) => [query, [] as number[]]));
    let isRunning = true;
    const importing = load(indexed, IMPORTED).finally(() => {
      isRunning = false;
    });
    for (let round = 0; isRunning || round < ROUNDS_MIN; round++)
      for (const query of queries) {
        const began = performance.now();
        await ask(indexed, 'GET', `/entities?limit=50&${encodeURI(query)}`);
        times.get(query)?.push(performance.now() - began);
      }
    await importing;
    console.log(`lists of ${ENTITIES} entities while ${IMPORTED} are imported`);
    const measured = queries.map((query) => {
      const sorted = (times.get(query) ?? []).toSorted((a, b) => a - b);
      const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
      const ok = p99 < P99_MS_MAX;
      console.log(
        `  ${query}\n    p50 ${medianOf(sorted).toFixed(1)} ms   p99 ${p99.toFixed(1)} ms of ${sorted.length}, below ${P99_MS_MAX}: ${ok ? 'holds' : 'FAILS'}`,
      );
      return { query, p50: medianOf(sorted), p99, calls: sorted.length, ok };
    });
    const cost = costs.indexed / costs.plain;
    console.log(
      `  an import with twelve filterable properties: ${costs.indexed.toFixed(1)} s of CPU (and ${costs.filling.toFixed(1)} s behind it), without ${costs.plain.toFixed(1)} s: ${cost.toFixed(2)}, at most ${COST_MAX}: ${cost <= COST_MAX ? 'holds' : 'FAILS'}`,
    );
    return {
      entities: ENTITIES,
      measured,
      costs,
      cost,
      ok: cost <= COST_MAX && measured.every(({ ok }) => ok),
    };
  } finally {
    await system.close();
  }
}

async function ask(
  { path, key }: BenchWorkspace,
  method: string,
  address: string,
  body?: object,
): Promise<{ items: { index?: string }[] }> {
  const answer = await fetch(`${path}${address}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${address}: ${text}`);
  return JSON.parse(text);
}

async function untilIndexed(workspace: BenchWorkspace): Promise<void> {
  for (;;) {
    const { items } = await ask(workspace, 'GET', '/property-definitions?limit=100');
    if (items.every(({ index }) => index !== 'filling')) return;
    await delay(200);
  }
}

function* parts(count: number): Generator<BenchEntity> {
  let i = 0;
  for (const entity of entitiesOf(generateGuids(count))) {
    const more = {
      Finish: `Finish ${i % 40}`,
      Standard: `ISO ${4000 + (i % 60)}`,
      Length: String((i % 4999) / 10),
      Width: String((i % 997) / 4),
      Height: String((i % 613) / 2),
      Coated: i % 5 === 0 ? 'true' : 'false',
    };
    i++;
    yield { ...entity, properties: { ...entity.properties, ...more } };
  }
}
