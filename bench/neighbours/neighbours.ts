/**
 * What one workspace, or a few, can do to the others: each neighbour prepares what it needs, then makes its
 * trouble until it is told to stop. Everything is legal input, from keys that are allowed to send it.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { constants, zstdCompressSync } from 'node:zlib';
import pg from 'pg';
import type { BenchWorkspace } from '../entities.ts';
import type { Client } from '../system.ts';
import { call, create } from './quiet-workspace.ts';

export interface Neighbour {
  /** Goes on until the signal, and ends its own connections. */
  trouble(signal: AbortSignal): Promise<void>;
}

export type NeighbourName = keyof typeof neighbours;

export const neighbours = {
  'shortages of a long chain': chainOfFractions,
  'pages of fat rows': fatPages,
  'zstd with a wide window': wideWindows,
  'one GUID 95 000 times': sameGuid,
  'a flood of warnings': warnings,
  'ten calls on a locked row': lockedRow,
  'twelve syntax checks': syntaxChecks,
  '218 event streams': eventStreams,
  '218 streams of a batch that has ended': endedStreams,
  '320 uploads that trickle': tricklingUploads,
  'fifty webhooks that never answer': silentWebhooks,
  'scripts that take their time': slowScripts,
  'sixty large lifecycles': largeLifecycles,
  'calls with sixty keys': manyKeys,
} satisfies Record<string, (system: Client) => Promise<Neighbour>>;

/** `side` loops of `work` until the signal; whatever it answers, a refusal included. */
async function again(signal: AbortSignal, side: number, work: (place: number) => Promise<unknown>) {
  await Promise.all(
    Array.from({ length: side }, async (_, place) => {
      while (!signal.aborted) {
        await work(place).catch(() => {});
        // A neighbour that is refused at once would otherwise measure how fast it can be refused.
        await delay(5, undefined, { signal }).catch(() => {});
      }
    }),
  );
}

function get({ path, key }: BenchWorkspace, below: string, signal: AbortSignal): Promise<unknown> {
  return fetch(`${path}${below}`, { headers: { Authorization: `Bearer ${key}` }, signal }).then((answer) =>
    answer.arrayBuffer(),
  );
}

function send(workspace: BenchWorkspace, entities: unknown[], signal?: AbortSignal): Promise<Response> {
  return fetch(`${workspace.path}/pdm/sync`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${workspace.key}`,
      'Content-Type': 'application/x-ndjson',
      Prefer: 'wait=60',
    },
    body: entities.map((entity) => `${JSON.stringify(entity)}\n`).join(''),
    signal: signal ?? null,
  });
}

async function load(workspace: BenchWorkspace, entities: unknown[]): Promise<void> {
  const answer = await send(workspace, entities);
  const batch = (await answer.json()) as { status: string; batchId: string };
  if (batch.status !== 'completed')
    throw new Error(`a neighbour's batch: ${JSON.stringify(batch).slice(0, 300)}`);
}

const CHAIN = 10_000;

async function chainOfFractions(system: Client): Promise<Neighbour> {
  const workspace = await system.createWorkspace();
  const guids = Array.from({ length: CHAIN }, () => randomUUID());
  await load(
    workspace,
    guids.map((guid, place) => ({
      guid,
      number: `C-${place}`,
      name: 'Link of a chain',
      categoryKey: place === 0 ? 'project' : 'assembly',
      parentGuid: place === 0 ? null : guids[place - 1],
      quantity: 1.000001,
    })),
  );
  return {
    trouble: (signal) =>
      again(signal, 4, () => get(workspace, `/projects/guid:${guids[0]}/shortages`, signal)),
  };
}

const FAT_ENTITIES = 60;
const FAT_PROPERTIES = 100;
const VALUE_CHARS = 32_768;

async function defineTexts(workspace: BenchWorkspace, count: number, type = 'text'): Promise<void> {
  for (let at = 0; at < count; at++)
    await call(workspace, 'POST', '/property-definitions', { key: `P${at}`, name: `P${at}`, type });
}

async function fatPages(system: Client): Promise<Neighbour> {
  const workspace = await system.createWorkspace();
  await defineTexts(workspace, FAT_PROPERTIES);
  for (let at = 0; at < FAT_ENTITIES; at += 10) {
    await load(
      workspace,
      Array.from({ length: 10 }, (_, place) => ({
        guid: randomUUID(),
        number: `F-${at + place}`,
        name: 'Fat',
        categoryKey: 'part',
        properties: Object.fromEntries(
          Array.from({ length: FAT_PROPERTIES }, (_, key) => [`P${key}`, 'x'.repeat(VALUE_CHARS)]),
        ),
      })),
    );
  }
  return { trouble: (signal) => again(signal, 3, () => get(workspace, '/entities?limit=1000', signal)) };
}

async function wideWindows(system: Client): Promise<Neighbour> {
  const workspace = await system.createWorkspace();
  // Zeros: some kilobytes on the wire, 48 MiB behind it, with a window of 128 MiB to be kept.
  const body = new Uint8Array(
    zstdCompressSync(Buffer.alloc(48 * 1024 * 1024, ' '), {
      params: { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_compressionLevel]: 1 },
    }),
  );
  return {
    trouble: (signal) =>
      again(signal, 30, () =>
        fetch(`${workspace.path}/pdm/sync`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${workspace.key}`,
            'Content-Type': 'application/json',
            'Content-Encoding': 'zstd',
          },
          body,
          signal,
        }).then((answer) => answer.arrayBuffer()),
      ),
  };
}

async function sameGuid(system: Client): Promise<Neighbour> {
  const workspaces = await Promise.all([system.createWorkspace(), system.createWorkspace()]);
  for (const workspace of workspaces) await defineTexts(workspace, 4);
  const guid = randomUUID();
  const entities = Array.from({ length: 95_000 }, (_, place) => ({
    guid,
    number: 'SCREW',
    name: 'Screw',
    categoryKey: 'part',
    properties: Object.fromEntries(
      Array.from({ length: 4 }, (_, key) => [`P${key}`, `${place}`.padEnd(100, 'x')]),
    ),
  }));
  return {
    trouble: (signal) =>
      again(signal, 2, (place) =>
        send(workspaces[place] as BenchWorkspace, entities, signal).then((answer) => answer.arrayBuffer()),
      ),
  };
}

async function warnings(system: Client): Promise<Neighbour> {
  const workspaces = await Promise.all([system.createWorkspace(), system.createWorkspace()]);
  for (const workspace of workspaces) await defineTexts(workspace, 500, 'numeric');
  const properties = Object.fromEntries(Array.from({ length: 500 }, (_, key) => [`P${key}`, 'none']));
  const entities = Array.from({ length: 3000 }, (_, place) => ({
    guid: randomUUID(),
    number: `W-${place}`,
    name: 'Unreadable',
    categoryKey: 'part',
    properties,
  }));
  return {
    trouble: (signal) =>
      again(signal, 2, (place) =>
        send(workspaces[place] as BenchWorkspace, entities, signal).then((answer) => answer.arrayBuffer()),
      ),
  };
}

async function lockedRow(system: Client): Promise<Neighbour> {
  const workspace = await system.createWorkspace();
  const id = await create(workspace, 'part', 'Locked');
  return {
    trouble: async (signal) => {
      await asOwner(system, async (holder) => {
        await holder.query('begin');
        await holder.query('select from entity where id = $1 for update', [id]);
        await again(signal, 10, () =>
          fetch(`${workspace.path}/entities/${id}`, {
            method: 'PATCH',
            headers: { Authorization: `Bearer ${workspace.key}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ name: `Waiting ${randomUUID()}` }),
            signal,
          }).then((answer) => answer.arrayBuffer()),
        );
        await holder.query('rollback');
      });
    },
  };
}

async function syntaxChecks(system: Client): Promise<Neighbour> {
  const workspace = await system.createWorkspace();
  // As large as a script may be, with much to parse; the last line does not, so that nothing is kept.
  const script = `${'a=[1,{b:(c)=>c+1}];'.repeat(3200)}\n}`;
  return {
    trouble: (signal) =>
      again(signal, 12, () =>
        fetch(`${workspace.path}/automations`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${workspace.key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ name: 'Checked', contextTypeId: 1, script }),
          signal,
        }).then((answer) => answer.arrayBuffer()),
      ),
  };
}

async function eventStreams(system: Client): Promise<Neighbour> {
  const workspace = await system.createWorkspace();
  // A batch that stays open, as it does behind others or while the operator holds it back.
  await asOwner(system, (owner) =>
    owner.query(`insert into operator_pause (workspace_id, work, reason) values ($1, 'batch', 'measured')`, [
      workspace.id,
    ]),
  );
  const answer = await fetch(`${workspace.path}/pdm/sync`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${workspace.key}`,
      'Content-Type': 'application/json',
      Prefer: 'respond-async',
    },
    body: JSON.stringify({
      entities: Array.from({ length: 300 }, (_, place) => ({
        guid: randomUUID(),
        number: `E-${place}`,
        name: 'Seen',
        categoryKey: 'part',
      })),
    }),
  });
  const { batchId, status } = (await answer.json()) as { batchId: string; status: string };
  if (status !== 'queued') throw new Error(`the batch that is watched is ${status}`);
  return {
    trouble: (signal) =>
      again(signal, 218, async () => {
        const stream = await fetch(`${workspace.path}/pdm/sync/batches/${batchId}/events`, {
          headers: { Authorization: `Bearer ${workspace.key}` },
          signal,
        });
        for await (const _ of stream.body ?? []) if (signal.aborted) break;
      }),
  };
}

/** The same that opens none: each is asked for again as soon as it was answered. */
async function endedStreams(system: Client): Promise<Neighbour> {
  const workspace = await system.createWorkspace();
  const batch = (await send(workspace, [
    { guid: randomUUID(), number: 'E-1', name: 'Seen', categoryKey: 'part' },
  ]).then((answer) => answer.json())) as { batchId: string };
  return {
    trouble: (signal) =>
      again(signal, 218, () => get(workspace, `/pdm/sync/batches/${batch.batchId}/events`, signal)),
  };
}

async function asOwner(system: Client, work: (owner: pg.Client) => Promise<unknown>): Promise<void> {
  const owner = new pg.Client({ connectionString: system.databaseUrl });
  await owner.connect();
  await work(owner);
  await owner.end();
}

async function tricklingUploads(system: Client): Promise<Neighbour> {
  const workspaces = await Promise.all(Array.from({ length: 5 }, () => system.createWorkspace()));
  return {
    trouble: async (signal) => {
      const { port } = new URL(system.baseUrl);
      await again(signal, 320, async (place) => {
        const workspace = workspaces[place % workspaces.length] as BenchWorkspace;
        const socket = connect(Number(port), '127.0.0.1');
        await trickle(socket, workspace, signal);
      });
    },
  };
}

async function trickle(socket: Socket, { path, key }: BenchWorkspace, signal: AbortSignal): Promise<void> {
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  const ended = once(socket, 'close');
  socket.write(
    `POST ${new URL(path).pathname}/pdm/sync HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/x-ndjson\r\nContent-Length: 50000000\r\n\r\n`,
  );
  while (!signal.aborted && !socket.destroyed) {
    socket.write(' ');
    await Promise.race([ended, delay(500, undefined, { signal }).catch(() => {})]);
  }
  socket.destroy();
}

async function silentWebhooks(system: Client): Promise<Neighbour> {
  const workspace = await system.createWorkspace();
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  for (let at = 0; at < 50; at++)
    await call(workspace, 'POST', '/webhooks', {
      url: `http://127.0.0.1:${port}/${at}`,
      events: ['entity.created'],
    });
  return {
    trouble: async (signal) => {
      await again(signal, 2, () => create(workspace, 'part', 'Told of'));
      silent.closeAllConnections();
      silent.close();
    },
  };
}

async function slowScripts(system: Client): Promise<Neighbour> {
  const workspace = await system.createWorkspace();
  const script = 'const until = 4e6; let sum = 0; for (let at = 0; at < until; at++) sum += at; return sum;';
  await call(workspace, 'POST', '/automations', { name: 'Slow', contextTypeId: 3, enabled: true, script });
  return {
    trouble: (signal) =>
      again(signal, 12, (place) =>
        place < 8
          ? call(workspace, 'POST', '/automations/test', { script })
          : send(
              workspace,
              Array.from({ length: 50 }, () => ({
                guid: randomUUID(),
                number: randomUUID(),
                name: 'Sets off a script',
                categoryKey: 'part',
              })),
              signal,
            ).then((answer) => answer.arrayBuffer()),
      ),
  };
}

async function largeLifecycles(system: Client): Promise<Neighbour> {
  const workspace = await system.createWorkspace();
  const states = Array.from({ length: 100 }, (_, at) => ({
    // As long as the lifecycle with all of its transitions may be.
    name: `State ${at} ${'x'.repeat(75)}`,
    released: false,
  }));
  const nameOf = (at: number) => (states[at % states.length] as { name: string }).name;
  const transitions = Array.from({ length: 1000 }, (_, at) => ({
    id: `t${at}`,
    name: `Way ${at}`,
    from: nameOf(at),
    to: nameOf(at + 1 + Math.floor(at / 100)),
  }));
  // Up to what the service takes: where it refuses, the refusal is the limit.
  for (let at = 0; at < 60; at++) {
    try {
      await call(workspace, 'POST', '/lifecycles', {
        key: `large-${at}`,
        name: 'Large',
        initialState: nameOf(0),
        states,
        transitions,
      });
    } catch (error) {
      if (!String(error).includes('409') && !String(error).includes('422')) throw error;
      break;
    }
  }
  const id = await create(workspace, 'part', 'Configured');
  return {
    trouble: (signal) =>
      again(signal, 8, () => call(workspace, 'PATCH', `/entities/${id}`, { name: `Name ${randomUUID()}` })),
  };
}

async function manyKeys(system: Client): Promise<Neighbour> {
  const workspace = await system.createWorkspace();
  const id = await create(workspace, 'part', 'Read often');
  const keys: string[] = [];
  for (let at = 0; at < 60; at++) {
    const made = (await call(workspace, 'POST', '/api-keys', { name: `Key ${at}`, permission: 'read' })) as {
      key: string;
    };
    keys.push(made.key);
  }
  return {
    trouble: (signal) =>
      again(signal, keys.length, (place) =>
        get({ path: workspace.path, key: keys[place] as string }, `/entities/${id}`, signal),
      ),
  };
}
