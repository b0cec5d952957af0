/**
 * Payloads inside every limit that ask for as much of a sync thread as they can: each has to complete, in bounded memory,
 * while a batch of one element in another workspace is answered as ever. BENCH_PART makes them smaller (default 1).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { compressLines, defineProperties, generateEntities, sendBatch, untilEnded } from './entities.ts';
import { startSystem } from './system.ts';

export const name = 'hostile';

const PART = Number(process.env.BENCH_PART ?? 1);
const P99_MS_BELOW = 1000;

type Workspace = { path: string; key: string };

const times = (count: number) => Math.ceil(count * PART);
const part = (given: object = {}) => ({
  guid: randomUUID(),
  number: 'N',
  name: 'A part',
  categoryKey: 'part',
  ...given,
});

async function define(workspace: Workspace, keys: readonly string[], type: string): Promise<void> {
  for (const key of keys) {
    const answer = await fetch(`${workspace.path}/property-definitions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${workspace.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ key, name: key, type }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
}

const badKeys = Array.from({ length: 500 }, (_, i) => `Bad${i}`);

const payloads: Record<string, (workspace: Workspace) => Promise<object[]>> = {
  'one part 95 000 times, with 400 characters': async (workspace) => {
    await define(workspace, ['Note'], 'text');
    const screw = part({ properties: { Note: 'n'.repeat(400) } });
    const top = part();
    return [top, ...Array.from({ length: times(95_000) }, () => ({ ...screw, parentGuid: top.guid }))];
  },
  'one part under 95 000 parents that are nowhere': async () => {
    const screw = part();
    return Array.from({ length: times(95_000) }, () => ({ ...screw, parentGuid: randomUUID() }));
  },
  '3 000 elements with 500 values that cannot be read': async (workspace) => {
    await define(workspace, badKeys, 'numeric');
    const properties = Object.fromEntries(badKeys.map((key) => [key, 'x']));
    return Array.from({ length: times(3000) }, () => part({ properties }));
  },
  '90 000 children of one parent that comes last': async () => {
    const top = part();
    return [...Array.from({ length: times(90_000) }, () => part({ parentGuid: top.guid })), top];
  },
};

function lines(elements: readonly object[]): Buffer {
  return gzipSync(elements.map((element) => `${JSON.stringify(element)}\n`).join(''), { level: 1 });
}

export async function run(): Promise<unknown> {
  const system = await startSystem();
  try {
    const quiet = await system.createWorkspace();
    await defineProperties(quiet);
    const results: Record<string, unknown> = {};
    let ok = true;
    for (const [label, make] of Object.entries(payloads)) {
      // Two at once: as many as there are threads.
      const hostile = [await system.createWorkspace(), await system.createWorkspace()];
      const bodies: Buffer[] = [];
      for (const workspace of hostile) bodies.push(lines(await make(workspace)));
      const started = performance.now();
      let done = false;
      const ended = Promise.all(
        hostile.map(async (workspace, i) =>
          untilEnded(workspace, await sendBatch(workspace, bodies[i] as Buffer, 0)),
        ),
      ).finally(() => {
        done = true;
      });
      const waits: number[] = [];
      while (!done) {
        const sent = performance.now();
        await untilEnded(quiet, await sendBatch(quiet, compressLines(generateEntities(1)), 60));
        waits.push(performance.now() - sent);
        await delay(50);
      }
      const statuses = (await ended).map(({ status }) => status);
      const seconds = (performance.now() - started) / 1000;
      waits.sort((a, b) => a - b);
      const p99Ms = waits[Math.floor(0.99 * waits.length)] ?? 0;
      const peakMiB = system.worker.peakRssMiB();
      ok &&= statuses.every((status) => status === 'completed') && p99Ms < P99_MS_BELOW;
      results[label] = { statuses, seconds, p99Ms, maxMs: waits.at(-1), peakMiB };
      console.log(
        `  ${label.padEnd(54)} ${statuses.join(', ')} in ${seconds.toFixed(0)} s; beside it p99 ${p99Ms.toFixed(0)} ms; worker so far ${peakMiB} MiB`,
      );
    }
    console.log(`all completed, p99 beside them below ${P99_MS_BELOW} ms: ${ok ? 'holds' : 'FAILS'}`);
    return { results, ok };
  } finally {
    await system.close();
  }
}
