/** Callers of one workspace who send each request again until it is taken, and remember what was. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const AGAIN_MS = 25;
/** A call that is not taken in that time is lost. */
const TAKEN_MS_MAX = 180_000;
const OPEN_BATCHES = 4;
const ELEMENTS = 200;
const POOL = 2000;

export interface CalledWorkspace {
  url: string;
  slug: string;
  key: string;
  items: readonly string[];
  location: string;
}

/** A call, from its first attempt to the answer that took it. */
export interface Waited {
  from: number;
  until: number;
  attempts: number;
}

export interface Load {
  /** Adjustments, which take turns with nothing but each other. */
  readonly waits: Waited[];
  readonly entries: string[];
  readonly batches: string[];
  /** What each GUID was called last. */
  readonly names: Map<string, string>;
  /** Answers that are none of what may be, with what they said. */
  readonly failures: string[];
  /** How often an answer was 503 with Retry-After. */
  refusals(): number;
  reads(): number;
  /** The longest that one answer took, of whatever status. */
  slowestMs(): number;
  stop(): Promise<void>;
}

export function startCallers(workspace: CalledWorkspace, senders: number): Load {
  const { url, slug, key, items, location } = workspace;
  const base = `${url}/api/wid/${slug}`;
  const waits: Waited[] = [];
  const entries: string[] = [];
  const batches: string[] = [];
  const names = new Map<string, string>();
  const failures: string[] = [];
  let refusals = 0;
  let reads = 0;
  let slowestMs = 0;
  let isOn = true;

  const until = async (path: string, body?: object): Promise<{ text: string; waited: Waited }> => {
    const from = performance.now();
    const headers: Record<string, string> = { Authorization: `Bearer ${key}`, Prefer: 'respond-async' };
    if (body !== undefined) {
      headers['Content-Type'] = 'application/json';
      headers['Idempotency-Key'] = randomUUID();
    }
    for (let attempts = 1; ; attempts++) {
      const sent = performance.now();
      const answer = await fetch(`${base}${path}`, {
        headers,
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const now = performance.now();
      slowestMs = Math.max(slowestMs, now - sent);
      if (answer.ok) return { text, waited: { from, until: now, attempts } };
      if (answer.status === 503 && answer.headers.get('retry-after') !== null) refusals++;
      else failures.push(`${path}: ${answer.status} ${text.slice(0, 500)}`);
      if (now - from > TAKEN_MS_MAX) throw new Error(`${path} was not taken: ${answer.status} ${text}`);
      await delay(AGAIN_MS);
    }
  };
  const adjust = async (item: string) => {
    while (isOn) {
      const body = { itemEntityId: item, locationEntityId: location, quantity: 1 };
      const { text, waited } = await until('/stock/adjustments', body);
      entries.push((JSON.parse(text) as { entry: { id: string } }).entry.id);
      waits.push(waited);
    }
  };
  const send = async () => {
    const guids = Array.from({ length: POOL }, () => randomUUID());
    const open: string[] = [];
    for (let round = 0; isOn; round++) {
      const at = (round * ELEMENTS) % POOL;
      const entities = guids.slice(at, at + ELEMENTS).map((guid) => {
        const name = `Part of round ${round}`;
        names.set(guid, name);
        return { guid, number: `M-${guid}`, name, categoryKey: 'part' };
      });
      const { text } = await until('/pdm/sync', { entities });
      const { batchId } = JSON.parse(text) as { batchId: string };
      batches.push(batchId);
      open.push(batchId);
      // A few wait at any time, those of a moment before a move among them.
      const first = open.length > OPEN_BATCHES ? open.shift() : undefined;
      while (first !== undefined && !(await hasEnded(first))) await delay(AGAIN_MS);
    }
  };
  const hasEnded = async (id: string): Promise<boolean> => {
    const { text } = await until(`/pdm/sync/batches/${id}`);
    return (JSON.parse(text) as { finishedAt: string | null }).finishedAt !== null;
  };
  const read = async () => {
    while (isOn) {
      await until('/entities?limit=50');
      reads++;
      await delay(AGAIN_MS);
    }
  };
  const running = Promise.all([...items.map(adjust), ...Array.from({ length: senders }, send), read()]);
  // Whoever fails first is heard of at the end.
  running.catch(() => {});
  return {
    waits,
    entries,
    batches,
    names,
    failures,
    refusals: () => refusals,
    reads: () => reads,
    slowestMs: () => slowestMs,
    stop: async () => {
      isOn = false;
      await running;
    },
  };
}
