/**
 * What most connectors send all day: 1, 10 and 100 entities a call, from 1, 8 and 32 connectors at once, each in a
 * workspace of its own, against a hand-written route of one upsert and one list in the same run, in turns. Every other
 * call sends entities that are new; the one behind it sends them again with one value changed. All but the first of a
 * call have the first as their parent. BENCH_SECONDS and BENCH_ROUNDS set how long, BENCH_SIZES which sizes.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { defineProperties } from './entities.ts';
import { type LoadResult, load } from './stock/load.ts';
import { medianOf } from './sync-rates.ts';
import { type System, startSystem } from './system.ts';

export const name = 'small-batches';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SIZES = (process.env.BENCH_SIZES ?? '1,10,100').split(',').map(Number);
const CONNECTORS = [1, 8, 32];
/** Of the hand-written route's calls a second, at least. */
const RATIO_MIN = 0.5;

interface Target {
  port: number;
  /** How a call of one connector begins, up to its Content-Length. */
  head(connector: number): string;
}

interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export async function run(): Promise<unknown> {
  const system = await startSystem();
  const hand = await startHandWritten(system);
  try {
    const service = await serviceOf(system, Math.max(...CONNECTORS));
    const cases = [];
    let ok = true;
    console.log(
      `small batches, median of ${ROUNDS} rounds of ${SECONDS} s; the other is a hand-written route`,
    );
    for (const size of SIZES) {
      for (const connectors of CONNECTORS) {
        // What happens once (threads, connections, plans) is no cost of a call.
        for (const target of [service, hand.target]) await measure(target, size, connectors, 0.5);
        const rounds: { ours: Measured; theirs: Measured }[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const ours = await measure(service, size, connectors, SECONDS);
          rounds.push({ ours, theirs: await measure(hand.target, size, connectors, SECONDS) });
        }
        const median = (of: 'ours' | 'theirs', figure: keyof Measured) =>
          medianOf(rounds.map((round) => round[of][figure]));
        const ratio = median('ours', 'perSecond') / median('theirs', 'perSecond');
        const met = ratio >= RATIO_MIN;
        ok &&= met;
        const shown = (of: 'ours' | 'theirs') =>
          `${median(of, 'perSecond').toFixed(0).padStart(6)}/s, p50 ${median(of, 'p50Ms').toFixed(1)}, p99 ${median(of, 'p99Ms').toFixed(1)} ms`;
        console.log(
          `  ${String(size).padStart(3)} entities, ${String(connectors).padStart(2)} connectors:  ${shown('ours')};  other ${shown('theirs')};  ${ratio.toFixed(2)}, at least ${RATIO_MIN}: ${met ? 'holds' : 'FAILS'}`,
        );
        cases.push({ size, connectors, rounds, ratio, met });
      }
    }
    return { cases, ok };
  } finally {
    await hand.stop();
    await system.close();
  }
}

async function measure(
  { port, head }: Target,
  size: number,
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const calls = Array.from({ length: connections }, (_, connector) => callsOf(head(connector), size));
  const next = (connection: number) => (calls[connection] as Generator<Buffer, never>).next().value;
  const result = await load({ port, connections, seconds, next });
  const strange = Object.keys(result.statuses).filter((status) => status !== '200');
  if (strange.length > 0) throw new Error(`Answers with ${strange.join(', ')}`);
  return result;
}

/** Every entity twice: new, and with another value. */
function* callsOf(head: string, size: number): Generator<Buffer, never> {
  for (let call = 0; ; call++) {
    const guids = Array.from({ length: size }, () => randomUUID());
    for (const mass of ['1.5', '2.25']) {
      const entities = guids.map((guid, i) => ({
        guid,
        number: `PRT-${call}-${i}`,
        name: `Hexagon socket head cap screw M${(i % 12) + 3} x ${(call % 80) + 5}`,
        categoryKey: i === 0 ? 'assembly' : 'part',
        parentGuid: i === 0 ? null : guids[0],
        properties: {
          Material: 'Stainless steel 1.4301',
          Mass: mass,
          Supplier: 'Supplier 7',
          Purchased: 'true',
        },
      }));
      const body = JSON.stringify({ entities });
      yield Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    }
  }
}

async function serviceOf(system: System, connectors: number): Promise<Target> {
  const heads: string[] = [];
  for (let connector = 0; connector < connectors; connector++) {
    const workspace = await system.createWorkspace();
    await defineProperties(workspace);
    heads.push(
      `POST /api/wid/${workspace.slug}/pdm/sync HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.key}\r\nContent-Type: application/json\r\n`,
    );
  }
  const { port } = new URL(system.baseUrl);
  return { port: Number(port), head: (connector) => heads[connector] as string };
}

async function startHandWritten(system: System): Promise<{ target: Target; stop(): Promise<void> }> {
  const script = fileURLToPath(new URL('small-batches/hand-written.script.ts', import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, DATABASE_URL: system.databaseUrl },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { port } = JSON.parse(line) as { port: number };
  const head = () => 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  return {
    target: { port, head },
    stop: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
