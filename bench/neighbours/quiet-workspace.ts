/** The workspace that wants its answers whatever the others do: one call of each kind, and how long each took. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchWorkspace } from '../entities.ts';
import type { Client } from '../system.ts';

export const probes = ['read', 'adjustment', 'sync of ten', 'script', 'webhook'] as const;
export type Probe = (typeof probes)[number];

/** Milliseconds of each call that was made, sorted. */
export type Latencies = Record<Probe, number[]>;

export interface QuietWorkspace {
  /** Makes calls of all kinds, side by side, `rounds` of each or as many as fit into `seconds`. */
  sample(limits: { rounds: number; seconds: number }): Promise<Latencies>;
  close(): Promise<void>;
}

/** Between two calls of one kind. */
const PAUSE_MS = 40;
/** A call that has no answer by then counts with what it has waited. */
const PATIENCE_MS = 20_000;

export async function openQuietWorkspace(system: Client): Promise<QuietWorkspace> {
  const workspace = await system.createWorkspace();
  // What has come before anybody waited for it: a delivery can overtake the answer to the call that caused it.
  const arrived = new Set<string>();
  const arrivals = new Map<string, () => void>();
  const receiver = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(parts).toString()) as { data: { entityId: string } };
      arrived.add(data.entityId);
      arrivals.get(data.entityId)?.();
      res.end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;

  const item = await create(workspace, 'part', 'Screw');
  const shelf = await create(workspace, 'location', 'Shelf');
  await call(workspace, 'POST', '/webhooks', {
    url: `http://127.0.0.1:${port}/`,
    events: ['entity.created'],
  });

  const once10 = Array.from({ length: 10 }, (_, place) => ({
    guid: randomUUID(),
    number: `Q-${place}`,
    name: `Bracket ${place}`,
    categoryKey: 'part',
  }));
  let round = 0;
  const calls: Record<Probe, () => Promise<void>> = {
    read: () => call(workspace, 'GET', `/entities/${item}`).then(() => {}),
    adjustment: () =>
      call(workspace, 'POST', '/stock/adjustments', {
        itemEntityId: item,
        locationEntityId: shelf,
        quantity: 1,
      }).then(() => {}),
    'sync of ten': async () => {
      round++;
      const entities = once10.map((entity) => ({ ...entity, name: `${entity.name}, version ${round}` }));
      const batch = (await call(workspace, 'POST', '/pdm/sync', { entities })) as { status: string };
      if (batch.status !== 'completed') throw new Error(`the quiet batch is ${batch.status}`);
    },
    script: () => call(workspace, 'POST', '/automations/test', { script: 'return 6 * 7;' }).then(() => {}),
    webhook: async () => {
      const id = await create(workspace, 'material', 'Sheet');
      if (!arrived.has(id)) await new Promise<void>((arrive) => arrivals.set(id, arrive));
      arrivals.delete(id);
      arrived.delete(id);
    },
  };

  return {
    sample: async ({ rounds, seconds }) => {
      const until = performance.now() + seconds * 1000;
      const taken = Object.fromEntries(probes.map((probe) => [probe, [] as number[]])) as Latencies;
      await Promise.all(
        probes.map(async (probe) => {
          for (let made = 0; made < rounds && performance.now() < until; made++) {
            const started = performance.now();
            await withPatience(calls[probe]());
            taken[probe].push(performance.now() - started);
            await delay(PAUSE_MS);
          }
          taken[probe].sort((a, b) => a - b);
        }),
      );
      return taken;
    },
    close: async () => {
      receiver.closeAllConnections();
      receiver.close();
      await once(receiver, 'close');
    },
  };
}

async function withPatience(work: Promise<void>): Promise<void> {
  const patience = new AbortController();
  // A refusal is an answer: the time until it came counts. What it says is of no matter here.
  await Promise.race([
    work.catch(() => {}),
    delay(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => {}),
  ]);
  patience.abort();
}

/** Makes an entity; returns its id. */
export async function create(workspace: BenchWorkspace, category: string, name: string): Promise<string> {
  const made = (await call(workspace, 'POST', '/entities', { category, name, number: randomUUID() })) as {
    id: string;
  };
  return made.id;
}

/** A call with JSON, and its answer. */
export async function call(
  { path, key }: BenchWorkspace,
  method: string,
  below: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(`${path}${below}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${below}: ${answer.status} ${text.slice(0, 300)}`);
  return text === '' ? null : (JSON.parse(text) as unknown);
}
