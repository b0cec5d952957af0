/**
 * Searches while an import runs: what people type, one call after the other, in a workspace with BENCH_ENTITIES entities (default
 * 1 000 000) into which BENCH_IMPORTED more come meanwhile (default 250 000, so many that the slowest of a hundred is one of several). And whether what a batch brought is found when it ends.
 */
import {
  compressLines,
  defineProperties,
  entitiesOf,
  generateGuids,
  sendBatch,
  untilEnded,
} from './entities.ts';
import { medianOf, warmUp } from './sync-rates.ts';
import { startSystem } from './system.ts';

export const name = 'search';

const ENTITIES = Number(process.env.BENCH_ENTITIES ?? 1_000_000);
const IMPORTED = Number(process.env.BENCH_IMPORTED ?? 250_000);
const P99_MS_MAX = 50;
/** From the end of a batch until what it brought is found. */
const FRESH_MS_MAX = 2000;
/** So long it is looked for. */
const FRESH_PATIENCE_MS = 20_000;
/** With fewer, the 99th percentile is the slowest; those behind the import have a quieter machine. */
const ROUNDS_MIN = 101;
const TEXTS = [
  'PRT-0000',
  'PRT-00012',
  'PRT-0012345',
  'screw',
  'hex',
  'cap screw',
  'screw M7',
  'M7 x 33',
  'zeppelin',
];

interface Found {
  items: { name: string }[];
}

export async function run(): Promise<unknown> {
  const system = await startSystem();
  try {
    await warmUp(system);
    const workspace = await system.createWorkspace();
    await defineProperties(workspace);
    const send = (count: number, last: string) =>
      sendBatch(workspace, compressLines(withLast(count, last)), 0);
    const search = async (text: string): Promise<{ ms: number; found: Found }> => {
      const started = performance.now();
      const query = new URLSearchParams({ q: text, sort: 'best', limit: '20' });
      const answer = await fetch(`${workspace.path}/entities?${query}`, {
        headers: { Authorization: `Bearer ${workspace.key}` },
      });
      const found = (await answer.json()) as Found;
      if (!answer.ok) throw new Error(JSON.stringify(found));
      return { ms: performance.now() - started, found };
    };
    await untilEnded(workspace, await send(ENTITIES, 'The last of the first'));
    const times = new Map(TEXTS.map((text) => [text, [] as number[]]));
    let isRunning = true;
    const importing = (async () => {
      const ended = await untilEnded(workspace, await send(IMPORTED, 'Zeppelin mount'));
      isRunning = false;
      const endedAt = Date.parse(ended.finishedAt ?? '');
      for (;;) {
        const { ms, found } = await search('zeppelin mou');
        const freshMs = Date.now() - endedAt;
        if (found.items.length > 0 || freshMs > FRESH_PATIENCE_MS)
          return { ms, freshMs, finishedAt: ended.finishedAt, found: found.items.length };
      }
    })();
    for (let round = 0; isRunning || round < ROUNDS_MIN; round++)
      for (const text of TEXTS) times.get(text)?.push((await search(text)).ms);
    const brought = await importing;
    console.log(`searches of ${ENTITIES} entities while ${IMPORTED} are imported`);
    const measured = TEXTS.map((text) => {
      const sorted = (times.get(text) ?? []).toSorted((a, b) => a - b);
      const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
      const ok = p99 < P99_MS_MAX;
      console.log(
        `  ${text.padEnd(12)} p50 ${medianOf(sorted).toFixed(1).padStart(6)} ms   p99 ${p99.toFixed(1).padStart(6)} ms of ${sorted.length}, below ${P99_MS_MAX}: ${ok ? 'holds' : 'FAILS'}`,
      );
      return { text, p50: medianOf(sorted), p99, calls: sorted.length, ok };
    });
    const isFresh = brought.found === 1 && brought.freshMs < FRESH_MS_MAX;
    console.log(
      `  what the batch brought is found ${brought.freshMs} ms behind its end, below ${FRESH_MS_MAX}: ${isFresh ? 'holds' : 'FAILS'}`,
    );
    const ok = isFresh && measured.every((one) => one.ok);
    return { entities: ENTITIES, imported: IMPORTED, measured, brought, ok };
  } finally {
    await system.close();
  }
}

function* withLast(count: number, last: string) {
  let place = 0;
  for (const entity of entitiesOf(generateGuids(count)))
    yield ++place === count ? { ...entity, name: last } : entity;
}
