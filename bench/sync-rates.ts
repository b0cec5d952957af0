/** The three syncs that the benches measure: all new, unchanged, every tenth entity changed. */
import {
  type BenchEntity,
  type BenchWorkspace,
  compressLines,
  defineProperties,
  entitiesOf,
  generateGuids,
  sendBatch,
  untilEnded,
} from './entities.ts';
import type { System } from './system.ts';

const CHANGED_ONE_IN = 10;
const WARM_UP_ENTITIES = 5000;

/** Entities per second, from the first byte of the request to `completed`. */
export interface SyncRates {
  created: number;
  unchanged: number;
  changed: number;
}

/** What happens before the first large body (threads, connections, plans) is no cost of a body. */
export async function warmUp(system: System): Promise<void> {
  const workspace = await system.createWorkspace();
  await defineProperties(workspace);
  await syncRate(workspace, entitiesOf(generateGuids(WARM_UP_ENTITIES)), { created: WARM_UP_ENTITIES });
}

export type SyncKind = keyof SyncRates;
/** Looks at what a sync costs besides time. */
export type Observe = <T>(kind: SyncKind, sync: () => Promise<T>) => Promise<T>;

/** In a fresh workspace that has the properties. */
export async function measureSync(
  workspace: BenchWorkspace,
  guids: readonly string[],
  observe: Observe = (_, sync) => sync(),
): Promise<SyncRates> {
  const updated = Math.ceil(guids.length / CHANGED_ONE_IN);
  const skipped = guids.length;
  const rate = (kind: SyncKind, entities: Iterable<BenchEntity>, expected: Record<string, number>) =>
    observe(kind, () => syncRate(workspace, entities, expected));
  return {
    created: await rate('created', entitiesOf(guids), { created: guids.length }),
    unchanged: await rate('unchanged', entitiesOf(guids), { skipped }),
    changed: await rate('changed', someChanged(guids), { updated, skipped: skipped - updated }),
  };
}

export function medianOf(rates: readonly number[]): number {
  return rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)] ?? Number.NaN;
}

/** Of each kind by itself. */
export function medianRates(rounds: readonly SyncRates[]): SyncRates {
  return {
    created: medianOf(rounds.map((round) => round.created)),
    unchanged: medianOf(rounds.map((round) => round.unchanged)),
    changed: medianOf(rounds.map((round) => round.changed)),
  };
}

/** Sends the payload and waits for the end. `expected` are the counts that are not 0, by kind of result. */
export async function syncRate(
  workspace: BenchWorkspace,
  entities: Iterable<BenchEntity>,
  expected: Record<string, number>,
): Promise<number> {
  const body = compressLines(entities);
  const started = performance.now();
  const { counts } = await untilEnded(workspace, await sendBatch(workspace, body, 60));
  const seconds = (performance.now() - started) / 1000;
  for (const [kind, count] of Object.entries(expected)) {
    if (counts[kind] !== count) throw new Error(`${kind}: ${counts[kind]} instead of ${count}`);
  }
  return Object.values(expected).reduce((sum, count) => sum + count, 0) / seconds;
}

function* someChanged(guids: readonly string[]): Generator<BenchEntity> {
  let i = 0;
  for (const entity of entitiesOf(guids)) {
    const changes = i++ % CHANGED_ONE_IN === 0;
    yield changes ? { ...entity, properties: { ...entity.properties, Mass: '9999' } } : entity;
  }
}
