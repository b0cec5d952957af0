/**
 * Clients that call on and on while something is wrong, one for each kind of call; a change is sent under one Idempotency-Key
 * until it is acknowledged. What every call was answered is kept, and what was acknowledged.
 */
import { randomUUID } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export const kinds = ['ready', 'read', 'adjust', 'small', 'large'] as const;
/** A look at readiness, a read, an adjustment, a batch that is waited for, and one of several chunks that is not. */
export type Kind = (typeof kinds)[number];

/**
 * `away`: 503 that says when to come back (of readiness any 503); `held`: 409 of what another call, or the same one
 * before, still does; `cut`: the connection ended without an answer; `wrong`: everything else, and no answer at all.
 */
export type Outcome = 'done' | 'away' | 'held' | 'cut' | 'wrong';

export interface Answer {
  kind: Kind;
  outcome: Outcome;
  /** What was said, where it is not `done`. */
  said: string;
  /** When it was asked, by `performance.now`, and for how long it was waited for. */
  askedAt: number;
  ms: number;
}

export interface Called {
  url: string;
  path: string;
  key: string;
  itemId: string;
  locationId: string;
}

export interface Acknowledged {
  adjusted: number;
  /** Ids, with how many elements each. */
  batches: Map<string, number>;
}

export interface Calling {
  readonly answers: readonly Answer[];
  /** Lets every client go on until its last change is acknowledged. */
  stop(): Promise<void>;
}

const PAUSE_MS = 50;
/** Between two large batches: what cannot be worked off meanwhile is not to become a backlog that takes longer than the fault. */
const LARGE_PAUSE_MS = 1_500;
/** One that is not answered by then hangs. */
const ANSWER_MS_MAX = 60_000;
const SMALL_ELEMENTS = 2;
const LARGE_ELEMENTS = 12;

interface Call {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

interface Heard {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Adds to `acknowledged`. */
export function keepCalling(called: Called, acknowledged: Acknowledged): Calling {
  const answers: Answer[] = [];
  let isOver = false;

  /** The body where it was done. */
  const ask = async (kind: Kind, agent: Agent, call: Call): Promise<string | null> => {
    const askedAt = performance.now();
    const heard = await send(agent, called, call).catch((error: Error) => error);
    const outcome = outcomeOf(kind, heard);
    const said = heard instanceof Error ? heard.message : `${heard.status} ${heard.text.slice(0, 400)}`;
    answers.push({
      kind,
      outcome,
      said: outcome === 'done' ? '' : said,
      askedAt,
      ms: performance.now() - askedAt,
    });
    await delay(PAUSE_MS);
    return outcome === 'done' && !(heard instanceof Error) ? heard.text : null;
  };
  /** Null where it was refused for good. */
  const change = async (kind: Kind, agent: Agent, call: Call): Promise<string | null> => {
    const headers = { ...call.headers, 'Idempotency-Key': randomUUID() };
    for (;;) {
      const text = await ask(kind, agent, { ...call, headers });
      if (text !== null) return text;
      if (answers.at(-1)?.outcome === 'wrong' && isOver) return null;
    }
  };
  const batch = async (kind: Kind, agent: Agent, elements: number, headers: Record<string, string>) => {
    const body = { entities: Array.from({ length: elements }, aPart) };
    const text = await change(kind, agent, { method: 'POST', path: '/pdm/sync', body, headers });
    if (text !== null) acknowledged.batches.set((JSON.parse(text) as { batchId: string }).batchId, elements);
  };
  const { itemId: itemEntityId, locationId: locationEntityId } = called;
  const turns: Record<Kind, (agent: Agent) => Promise<unknown>> = {
    ready: (agent) => ask('ready', agent, { method: 'GET', path: '/health/ready' }),
    read: (agent) => ask('read', agent, { method: 'GET', path: `/entities/${itemEntityId}` }),
    adjust: async (agent) => {
      const body = { itemEntityId, locationEntityId, quantity: 1 };
      const text = await change('adjust', agent, { method: 'POST', path: '/stock/adjustments', body });
      if (text !== null) acknowledged.adjusted++;
    },
    small: (agent) => batch('small', agent, SMALL_ELEMENTS, { Prefer: 'wait=1' }),
    large: async (agent) => {
      await batch('large', agent, LARGE_ELEMENTS, { Prefer: 'respond-async' });
      await delay(LARGE_PAUSE_MS);
    },
  };
  const client = async (kind: Kind): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) await turns[kind](agent);
    agent.destroy();
  };
  const running = Promise.all(kinds.map(client));
  return {
    answers,
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}

function outcomeOf(kind: Kind, heard: Heard | Error): Outcome {
  if (heard instanceof Error)
    return /ECONNRESET|ECONNREFUSED|EPIPE|socket hang up/.test(
      `${(heard as NodeJS.ErrnoException).code} ${heard.message}`,
    )
      ? 'cut'
      : 'wrong';
  if (heard.status < 300) return 'done';
  const saysWhen = Number(heard.headers['retry-after']) > 0;
  if (heard.status === 503 && (saysWhen || kind === 'ready')) return 'away';
  if (heard.status === 409 && saysWhen) return 'held';
  return 'wrong';
}

function aPart(): object {
  const guid = randomUUID();
  return { guid, number: `F-${guid.slice(0, 13)}`, name: 'Sent during a fault', categoryKey: 'part' };
}

function send(agent: Agent, called: Called, { method, path, body, headers }: Call): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const target = path.startsWith('/health') ? path : `${called.path}${path}`;
    const call = request(`${called.url}${target}`, {
      agent,
      method,
      headers: {
        Authorization: `Bearer ${called.key}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    call.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode as number, headers: answer.headers, text }));
      answer.on('error', reject);
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
