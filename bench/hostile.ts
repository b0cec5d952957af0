/**
 * What is inside every limit and asks for as much as it can of a thread or of a transaction: each has to complete, in bounded
 * memory, while a batch of one element in another workspace is answered as ever; what breaks a limit is refused with it.
 * BENCH_PART makes them smaller (default 1), BENCH_HOSTILE names those wanted, separated by commas; of a name a part is enough.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { compressLines, defineProperties, generateEntities, sendBatch, untilEnded } from './entities.ts';
import { chosenGuids, stageChosen } from './hostile/chosen-guids.ts';
import { type System, startSystem } from './system.ts';

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

const WANTED = process.env.BENCH_HOSTILE?.split(',') ?? [''];
/** Of one entity, as text: less than an element may have. */
const FAT_VALUES = 116;
const FAT_CHARACTERS = 32_768;

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

function lines(elements: Iterable<object>): Buffer {
  // A piece for each million characters: entities of megabytes are never one text.
  const pieces: Buffer[] = [];
  let text = '';
  const pack = () => {
    if (text !== '') pieces.push(gzipSync(text, { level: 1 }));
    text = '';
  };
  for (const element of elements) {
    text += `${JSON.stringify(element)}\n`;
    if (text.length > 1_000_000) pack();
  }
  pack();
  return Buffer.concat(pieces);
}

function* fatEntities(count: number): Generator<object> {
  const properties = Object.fromEntries(
    Array.from({ length: FAT_VALUES }, (_, at) => [`Fat${at}`, 'x'.repeat(FAT_CHARACTERS)]),
  );
  for (let at = 0; at < count; at++) yield part({ properties });
}

/** What is more than two bodies: each prepares what it needs, then does it; `completed` where it went as it should. */
const deeds: Record<string, (system: System) => Promise<() => Promise<string>>> = {
  '250 000 GUIDs chosen to fall into one part of the hash': async (system) => {
    const workspace = await system.createWorkspace();
    const guids = chosenGuids(times(250_000));
    return async () => {
      const batchId = await stageChosen(system.serviceUrl, workspace, guids);
      return (await untilEnded(workspace, { batchId, status: 'queued', finishedAt: null, counts: {} }))
        .status;
    };
  },
  '1 000 entities of 3.8 MB': async (system) => {
    const workspace = await system.createWorkspace();
    await define(
      workspace,
      Array.from({ length: FAT_VALUES }, (_, at) => `Fat${at}`),
      'text',
    );
    const body = lines(fatEntities(times(1000)));
    return async () => (await untilEnded(workspace, await sendBatch(workspace, body, 0))).status;
  },
  '2 500 entities of 3.8 MB, which is more than a body may have': async (system) => {
    const workspace = await system.createWorkspace();
    const body = lines(fatEntities(2500));
    return async () => {
      // The body took longer to make than an idle connection is kept: who sends on that one is answered by nobody.
      await fetch(`${system.baseUrl}/health/live`).catch(() => {});
      const refusal = String(await sendBatch(workspace, body, 0).catch(String));
      return refusal.includes('payload_too_large') ? 'completed' : refusal;
    };
  },
  'a transition that 10 000 children follow': async (system) => {
    const workspace = await system.createWorkspace();
    const ask = async (method: string, path: string, body: unknown) => {
      const answer = await fetch(`${workspace.path}${path}`, {
        method,
        headers: { Authorization: `Bearer ${workspace.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, text: await answer.text() };
    };
    const lifecycle = {
      key: 'following',
      name: 'Following',
      initialState: 'Open',
      states: ['Open', 'Closed'].map((name) => ({ name, released: false })),
      transitions: [
        {
          id: 'close',
          name: 'Close',
          from: 'Open',
          to: 'Closed',
          featureAutomations: [{ feature: 'cascadeTransition', settings: {} }],
        },
      ],
    };
    const made = await ask('POST', '/lifecycles', lifecycle);
    const kept = await ask('POST', '/categories', {
      key: 'following',
      name: 'Following',
      role: 'item',
      lifecycle: 'following',
    });
    if (made.status !== 201 || kept.status !== 201) throw new Error(`${made.text} ${kept.text}`);
    const top = part({ categoryKey: 'following' });
    const children = Array.from({ length: times(10_000) }, () =>
      part({ categoryKey: 'following', parentGuid: top.guid }),
    );
    await untilEnded(workspace, await sendBatch(workspace, lines([top, ...children]), 0));
    return async () => {
      const closing = `/entities/guid:${top.guid}/transitions`;
      const { status, text } = await ask('POST', closing, { toState: 'Closed' });
      return status === 200 ? 'completed' : text;
    };
  },
};

export async function run(): Promise<unknown> {
  // What is staged here is announced by healing.
  const system = await startSystem({ SYNC_HEAL_SECONDS: '1' });
  try {
    const quiet = await system.createWorkspace();
    await defineProperties(quiet);
    const results: Record<string, unknown> = {};
    let ok = true;
    for (const [label, begin] of Object.entries(casesOf(system))) {
      if (!WANTED.some((wanted) => label.includes(wanted))) continue;
      const work = await begin();
      const started = performance.now();
      await system.web.loopDelay();
      let done = false;
      const ended = work().finally(() => {
        done = true;
      });
      ended.catch(() => {});
      const waits: number[] = [];
      while (!done) {
        const sent = performance.now();
        await untilEnded(quiet, await sendBatch(quiet, compressLines(generateEntities(1)), 60));
        waits.push(performance.now() - sent);
        await delay(50);
      }
      const statuses = await ended;
      const seconds = (performance.now() - started) / 1000;
      waits.sort((a, b) => a - b);
      const p99Ms = waits[Math.floor(0.99 * waits.length)] ?? 0;
      const peakMiB = { web: system.web.peakRssMiB(), worker: system.worker.peakRssMiB() };
      const loop = await system.web.loopDelay();
      ok &&= statuses.every((status) => status === 'completed') && p99Ms < P99_MS_BELOW;
      results[label] = { statuses, seconds, p99Ms, maxMs: waits.at(-1), peakMiB, loop };
      console.log(
        `  ${label.padEnd(60)} ${statuses.join(', ')} in ${seconds.toFixed(0)} s; beside it p99 ${p99Ms.toFixed(0)} ms; web so far ${peakMiB.web} MiB, its loop busy for ${loop.busyMs.toFixed(0)} ms at most; worker ${peakMiB.worker} MiB`,
      );
    }
    console.log(`all as they should, p99 beside them below ${P99_MS_BELOW} ms: ${ok ? 'holds' : 'FAILS'}`);
    return { results, ok };
  } finally {
    await system.close();
  }
}

/** By label what prepares a case, and then does it. */
function casesOf(system: System): Record<string, () => Promise<() => Promise<string[]>>> {
  const ofPayload = (make: (workspace: Workspace) => Promise<object[]>) => async () => {
    // Two at once: as many as there are threads.
    const hostile = [await system.createWorkspace(), await system.createWorkspace()];
    const bodies: Buffer[] = [];
    for (const workspace of hostile) bodies.push(lines(await make(workspace)));
    return () =>
      Promise.all(
        hostile.map(async (workspace, i) => {
          const batch = await sendBatch(workspace, bodies[i] as Buffer, 0);
          return (await untilEnded(workspace, batch)).status;
        }),
      );
  };
  const ofDeed = (prepare: (typeof deeds)[string]) => async () => {
    const deed = await prepare(system);
    return async () => [await deed()];
  };
  return {
    ...Object.fromEntries(Object.entries(payloads).map(([label, make]) => [label, ofPayload(make)])),
    ...Object.fromEntries(Object.entries(deeds).map(([label, deed]) => [label, ofDeed(deed)])),
  };
}
