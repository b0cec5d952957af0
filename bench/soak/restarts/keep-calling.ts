/** Clients that call on and on over connections that they keep, and remember what they were told. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

export interface Workspace {
  /** `/api/wid/{slug}` */
  path: string;
  key: string;
}

export interface Calls {
  /** Answered as they should be. */
  answered: number;
  /** Why the others were not. */
  failed: string[];
  /** What was acknowledged. */
  adjusted: number;
  batches: string[];
}

export interface Calling {
  readonly calls: Calls;
  /** Lets every client have the answer to its last call. */
  stop(): Promise<Calls>;
}

/** Of the calls of a client, one in so many is a batch; the others are adjustments and reads in turn. */
const BATCH_EVERY = 8;

export function keepCalling(
  url: string,
  { path, key }: Workspace,
  { itemId, locationId, clients }: { itemId: string; locationId: string; clients: number },
): Calling {
  const calls: Calls = { answered: 0, failed: [], adjusted: 0, batches: [] };
  let isOver = false;
  const ask = async (agent: Agent, method: string, target: string, body?: unknown): Promise<unknown> => {
    const answer = await send(agent, `${url}${path}${target}`, method, key, body).catch(
      (error: Error) => error,
    );
    if (!(answer instanceof Error) && answer.status < 300) {
      calls.answered++;
      return JSON.parse(answer.text);
    }
    calls.failed.push(
      `${method} ${target}: ${answer instanceof Error ? answer.message : `${answer.status} ${answer.text}`}`,
    );
    return null;
  };
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = 0; !isOver; turn++) {
      if (turn % BATCH_EVERY === 0) {
        const batch = (await ask(agent, 'POST', '/pdm/sync', { entities: [aPart(), aPart()] })) as {
          batchId: string;
        } | null;
        if (batch !== null) calls.batches.push(batch.batchId);
      } else if (turn % 2 === 0) {
        const adjustment = { itemEntityId: itemId, locationEntityId: locationId, quantity: 1 };
        if ((await ask(agent, 'POST', '/stock/adjustments', adjustment)) !== null) calls.adjusted++;
      } else await ask(agent, 'GET', `/entities/${itemId}`);
    }
    agent.destroy();
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  return {
    calls,
    stop: async () => {
      isOver = true;
      await running;
      return calls;
    },
  };
}

function aPart(): unknown {
  const guid = randomUUID();
  return { guid, number: `R-${guid.slice(0, 8)}`, name: 'Sent during a restart', categoryKey: 'part' };
}

function send(
  agent: Agent,
  url: string,
  method: string,
  key: string,
  body: unknown,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      Prefer: 'respond-async',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const call = request(url, { agent, method, headers });
    call.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode as number, text }));
      answer.on('error', reject);
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
