/**
 * What more processes bring on one machine: three workers and two webs behind HAProxy against one of each, on the same PostgreSQL and
 * Redis, in turns. The ratio is bounded by the machine's processors; what has to hold is that nobody fails, that all of them work,
 * and that a small batch still has its turn beside a large one.
 */
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Haproxy, startHaproxy } from '../test/setup/haproxy.ts';
import { compressLines, generateEntities, sendBatch, untilEnded } from './entities.ts';
import { type Member, startMember } from './soak/restarts/fleet.ts';
import { startSystem } from './system.ts';

export const name = 'fleet';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const WARM_SECONDS = 10;
const ROUNDS = 2;
const WORKSPACES = 8;
const ELEMENTS = 500;
const LARGE_ELEMENTS = 20_000;
/** A small batch waits for steps under way, never for the whole of a large one. */
const SHARE_BELOW = 0.5;

interface Workspace {
  path: string;
  key: string;
}

interface Phase {
  batches: number;
  reads: number;
  failed: string[];
  /** Small batches beside a large one, and how long that took. */
  smallMs: number[];
  largeMs: number;
}

export async function run(): Promise<unknown> {
  const system = await startSystem();
  const environment = {
    DATABASE_URL: system.serviceUrl,
    REDIS_URL: system.redisUrl,
    OPERATOR_TOKEN: 'operator-token-of-the-bench',
    RATE_LIMIT_REQUESTS: '10000000',
    LOG_LEVEL: 'info',
    DRAIN_SECONDS: '0',
  };
  const port = Number(new URL(system.baseUrl).port);
  try {
    const made: Workspace[] = [];
    while (made.length <= WORKSPACES) made.push(await system.createWorkspace());
    const phases: { one: Phase[]; more: Phase[] } = { one: [], more: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const single = await startHaproxy('partbook.cfg', { web1: port });
      try {
        phases.one.push(await work(single, made));
      } finally {
        await single.stop();
      }
      phases.more.push(await withMore(environment, port, made));
    }
    return conclude(phases);
  } finally {
    await system.close();
  }
}

async function withMore(
  environment: Record<string, string>,
  port: number,
  workspaces: readonly Workspace[],
): Promise<Phase> {
  const members: Member[] = [];
  try {
    for (const role of ['web', 'worker', 'worker'] as const)
      members.push(await startMember(role, environment));
    const balancer = await startHaproxy('partbook.cfg', { web1: port, web2: members[0]?.port ?? 0 });
    try {
      return await work(balancer, workspaces);
    } finally {
      await balancer.stop();
    }
  } finally {
    for (const member of members) await member.end();
  }
}

async function work({ url }: Haproxy, given: readonly Workspace[]): Promise<Phase> {
  const workspaces = given.map(({ path, key }) => ({ key, path: `${url}${new URL(path).pathname}` }));
  const [large, ...others] = workspaces as [Workspace, ...Workspace[]];
  // A process that has just started compiles what it runs, and has no connections yet: the same, and nobody counts.
  await sendAndRead(others, WARM_SECONDS);
  const { batches, reads, failed } = await sendAndRead(others, SECONDS);
  const phase: Phase = { batches, reads, failed, smallMs: [], largeMs: 0 };
  await sendLarge(large, others, phase);
  return phase;
}

/** Batches and reads without a pause. */
async function sendAndRead(
  others: readonly Workspace[],
  seconds: number,
): Promise<Pick<Phase, 'batches' | 'reads' | 'failed'>> {
  const phase = { batches: 0, reads: 0, failed: [] as string[] };
  const deadline = performance.now() + seconds * 1000;
  const isOn = () => performance.now() < deadline;
  const sync = async (workspace: Workspace) => {
    while (isOn()) {
      // Two wait at any time: no worker is ever without work.
      const bodies = [0, 1].map(() => compressLines(generateEntities(ELEMENTS)));
      const sent = await Promise.all(bodies.map((body) => sendBatch(workspace, body, 0)));
      for (const batch of sent) await untilEnded(workspace, batch);
      if (isOn()) phase.batches += sent.length;
    }
  };
  const read = async ({ path, key }: Workspace) => {
    while (isOn()) {
      const answer = await fetch(`${path}/entities?limit=20`, {
        headers: { Authorization: `Bearer ${key}`, 'X-Request-Id': randomUUID() },
      });
      await answer.arrayBuffer();
      if (answer.ok) phase.reads++;
      else phase.failed.push(`${answer.status}`);
    }
  };
  await Promise.all([...others.map(sync), ...others.slice(0, 4).map(read)]);
  return phase;
}

/** A large batch of one, and small ones of the others beside it. */
async function sendLarge(large: Workspace, others: readonly Workspace[], phase: Phase): Promise<void> {
  const started = performance.now();
  let isDone = false;
  const running = sendBatch(large, compressLines(generateEntities(LARGE_ELEMENTS)), 0)
    .then((batch) => untilEnded(large, batch))
    .then(() => {
      isDone = true;
      phase.largeMs = performance.now() - started;
    });
  const small = others.map(async (workspace) => {
    while (!isDone) {
      const from = performance.now();
      await untilEnded(workspace, await sendBatch(workspace, compressLines(generateEntities(1)), 60));
      phase.smallMs.push(performance.now() - from);
    }
  });
  await Promise.all([running, ...small]);
}

function conclude({ one, more }: { one: Phase[]; more: Phase[] }) {
  const rate = (phases: readonly Phase[], of: (phase: Phase) => number) =>
    phases.reduce((sum, phase) => sum + of(phase), 0) / phases.length / SECONDS;
  const p99 = (phases: readonly Phase[]) => {
    const sorted = phases.flatMap(({ smallMs }) => smallMs).sort((a, b) => a - b);
    return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(0.99 * sorted.length))] ?? 0);
  };
  const largeMs = (phases: readonly Phase[]) => Math.min(...phases.map((phase) => phase.largeMs));
  const figures = (phases: readonly Phase[]) => ({
    elementsPerSecond: Math.round(rate(phases, ({ batches }) => batches) * ELEMENTS),
    readsPerSecond: Math.round(rate(phases, ({ reads }) => reads)),
    largeMs: Math.round(largeMs(phases)),
    smallP99Ms: p99(phases),
  });
  const [single, several] = [figures(one), figures(more)];
  const failed = [...one, ...more].flatMap((phase) => phase.failed);
  const ratio = several.elementsPerSecond / single.elementsPerSecond;
  const fair = several.smallP99Ms < several.largeMs * SHARE_BELOW;
  const ok = failed.length === 0 && fair && several.elementsPerSecond > 0;
  for (const [what, one] of [
    ['one web, one worker', single],
    ['two webs, three workers', several],
  ] as const)
    console.log(
      `${what}: ${one.elementsPerSecond} entities and ${one.readsPerSecond} reads a second; ${LARGE_ELEMENTS} at once in ${one.largeMs} ms, one-entity batches of ${WORKSPACES} others meanwhile p99 ${one.smallP99Ms} ms`,
    );
  console.log(
    `${ratio.toFixed(2)} times the entities and ${(several.readsPerSecond / single.readsPerSecond).toFixed(2)} times the reads, on ${availableParallelism()} processors; ${failed.length} calls failed; fair (p99 below ${SHARE_BELOW} of the large one): ${ok ? 'holds' : 'FAILS'}`,
  );
  return { single, several, ratio, failed: failed.slice(0, 20), ok };
}
