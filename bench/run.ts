/**
 * `npm run bench -- NAME …`: runs the named benches, or all. Each measures against a limit of the same run,
 * because machines differ and are shared; the figures to quote are the ratios.
 */
import { mkdir, writeFile } from 'node:fs/promises';

interface Bench {
  name: string;
  run(): Promise<unknown>;
}

const benches: Record<string, () => Promise<Bench>> = {
  sync: () => import('./sync.ts'),
  'small-batches': () => import('./small-batches.ts'),
  search: () => import('./search.ts'),
  conditions: () => import('./conditions.ts'),
  'where-used': () => import('./where-used.ts'),
  scale: () => import('./scale.ts'),
  fairness: () => import('./fairness.ts'),
  neighbours: () => import('./neighbours.ts'),
  hostile: () => import('./hostile.ts'),
  newcomer: () => import('./newcomer.ts'),
  'row-security': () => import('./row-security.ts'),
  reads: () => import('./reads.ts'),
  lists: () => import('./lists.ts'),
  stock: () => import('./stock.ts'),
  builds: () => import('./builds.ts'),
  calls: () => import('./calls.ts'),
  cost: () => import('./cost.ts'),
  planning: () => import('./planning.ts'),
  trace: () => import('./trace.ts'),
  'stock-size': () => import('./stock-size.ts'),
  scripts: () => import('./scripts.ts'),
  'script-calls': () => import('./script-calls.ts'),
  events: () => import('./events.ts'),
  rest: () => import('./rest.ts'),
  'fail-over': () => import('./fail-over.ts'),
  fleet: () => import('./fleet.ts'),
  standby: () => import('./standby.ts'),
  move: () => import('./move.ts'),
  'queue-model': () => import('./queue-model.ts'),
  bursts: () => import('./bursts.ts'),
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}
await mkdir(new URL('results/', import.meta.url), { recursive: true });
for (const name of wanted) {
  const bench = await (benches[name] as () => Promise<Bench>)();
  const result = await bench.run();
  await writeFile(new URL(`results/${name}.json`, import.meta.url), `${JSON.stringify(result, null, 2)}\n`);
}
