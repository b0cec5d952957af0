/** The HTTP client of the soak, as a connector's should be: it repeats a call until it has its answer. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Element } from './book.ts';

const ATTEMPT_MS_MAX = 30_000;
const PAUSE_MS = 100;
const PIECES = 15;
const PIECE_PAUSE_MS = 80;

export interface Ask {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** The first attempt is given up after this. */
  hangUpMs?: number | null;
  /** Makes the body anew for every attempt. */
  body?: () => string | ReadableStream<Uint8Array>;
}

export interface Client {
  /**
   * The JSON of a 2xx. What may pass (no answer, 5xx, 429, the same call still under way) is asked again until
   * `deadlineMs` after the first attempt. Throws on any other refusal.
   */
  ask<T>(path: string, ask?: Ask): Promise<T>;
}

interface Attempt {
  answer?: unknown;
  /** Why there is no answer yet. */
  trouble?: string;
}

export function openClient(workspace: { path: string; key: string }, deadlineMs: number): Client {
  return {
    ask: async <T>(path: string, ask: Ask = {}) => {
      const call = `${ask.method ?? 'GET'} ${path}`;
      const deadline = Date.now() + deadlineMs;
      for (let waitMs = ask.hangUpMs ?? ATTEMPT_MS_MAX; ; waitMs = ATTEMPT_MS_MAX) {
        const { answer, trouble } = await attempt(
          `${workspace.path}${path}`,
          workspace.key,
          ask,
          call,
          waitMs,
        );
        if (trouble === undefined) return answer as T;
        if (Date.now() > deadline)
          throw new Error(`${call} had no answer for ${deadlineMs / 1000} s; the last was: ${trouble}`);
        await delay(PAUSE_MS);
      }
    },
  };
}

async function attempt(
  url: string,
  key: string,
  { method, headers, body }: Ask,
  call: string,
  waitMs: number,
): Promise<Attempt> {
  let status: number;
  let text: string;
  try {
    const answer = await fetch(url, {
      method: method ?? 'GET',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      signal: AbortSignal.timeout(waitMs),
      ...(body === undefined ? {} : { body: body(), duplex: 'half' }),
    });
    status = answer.status;
    text = await answer.text();
    if (answer.ok) return { answer: JSON.parse(text) };
  } catch (error) {
    const { message, cause } = error as Error;
    return { trouble: `${message}${cause instanceof Error ? ` (${cause.message})` : ''}` };
  }
  if (mayPass(status, text)) return { trouble: `${status} ${text}` };
  throw new Error(`${call} was refused: ${status} ${text}`);
}

function mayPass(status: number, text: string): boolean {
  return status >= 500 || status === 429 || (status === 409 && text.includes('idempotency_in_progress'));
}

export interface Sending {
  idempotencyKey: string;
  /** As NDJSON, in pieces with pauses. */
  slow: boolean;
  hangUpMs: number | null;
}

/** Sends a payload until it is acknowledged; its batch's id. */
export async function submit(
  client: Client,
  elements: readonly Element[],
  { idempotencyKey, slow, hangUpMs }: Sending,
): Promise<string> {
  const batch = await client.ask<{ batchId: string }>('/pdm/sync', {
    method: 'POST',
    hangUpMs,
    headers: {
      Prefer: 'respond-async',
      'Idempotency-Key': idempotencyKey,
      'Content-Type': slow ? 'application/x-ndjson' : 'application/json',
    },
    body: slow ? () => slowLines(elements) : () => JSON.stringify({ entities: elements }),
  });
  return batch.batchId;
}

/** NDJSON in pieces, with a pause behind each. */
function slowLines(elements: readonly Element[]): ReadableStream<Uint8Array> {
  const size = Math.ceil(elements.length / PIECES);
  async function* pieces() {
    for (let at = 0; at < elements.length; at += size) {
      const lines = elements.slice(at, at + size).map((element) => `${JSON.stringify(element)}\n`);
      yield Buffer.from(lines.join(''));
      await delay(PIECE_PAUSE_MS);
    }
  }
  return ReadableStream.from(pieces());
}
