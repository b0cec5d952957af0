/** Sends elements as a batch, from any iterable, and follows the batch to its end. */
import { type CallOptions, isPassing, type Partbook, wait } from './connect.ts';
import { ApiError, ConnectionError } from './errors.ts';
import type { SyncBatch, SyncElement, SyncEvent, SyncResult } from './generated/types.ts';
import { listItems } from './list-items.ts';

export type { SyncElement } from './generated/types.ts';

export interface SyncOptions extends Omit<CallOptions, 'stream'> {
  /** Name of the import definition. */
  profile?: string;
  /** Only say what would happen. */
  dryRun?: boolean;
  /** Assemblies that stand in it with their children have exactly these afterwards. */
  exact?: boolean;
}

/** The elements to send, or a function that returns them again for each attempt. A one-time iterable is kept in memory. */
export type Elements =
  | Iterable<SyncElement>
  | AsyncIterable<SyncElement>
  | (() => Iterable<SyncElement> | AsyncIterable<SyncElement>);

export interface WaitOptions {
  signal?: AbortSignal;
  onProgress?: (envelope: SyncBatch) => void;
  /** How long the service may be away at a stretch; ten minutes where nothing is said. */
  patienceMs?: number;
}

const PATIENCE_MS = 600_000;

export class Batch {
  readonly id: string;
  /** As it was answered last. */
  envelope: SyncBatch;
  readonly #partbook: Partbook;

  constructor(partbook: Partbook, envelope: SyncBatch) {
    this.#partbook = partbook;
    this.id = envelope.batchId;
    this.envelope = envelope;
  }

  /** Waits for the end: by events, and by asking where there are none; also while the service is away for a time. */
  async wait(options: WaitOptions = {}): Promise<SyncBatch> {
    const { signal, onProgress, patienceMs = PATIENCE_MS } = options;
    let heardAt = performance.now();
    const note = (envelope: SyncBatch) => {
      heardAt = performance.now();
      this.envelope = envelope;
      onProgress?.(envelope);
    };
    /** The batch goes on without being looked at: what passes ends the wait only when it has not passed for long. */
    const bear = (error: unknown) => {
      if (signal?.aborted) throw signal.reason;
      const passes = error instanceof ConnectionError || (error instanceof ApiError && isPassing(error));
      if (!passes || performance.now() - heardAt > patienceMs) throw error;
    };
    const ask = async () =>
      note(await this.#partbook('GET /pdm/sync/batches/{id}', { id: this.id }, pass(signal)));
    let lastEventId = '';
    for (let failures = 0; this.envelope.finishedAt === null; failures++) {
      const before = lastEventId;
      await this.#follow(lastEventId, note, signal).then((id) => {
        lastEventId = id;
      }, bear);
      if (this.envelope.finishedAt !== null) break;
      if (lastEventId !== before) failures = 0;
      await wait(Math.min(5_000, 250 * 2 ** Math.min(failures, 5)), signal);
      await ask().catch(bear);
    }
    if (this.envelope.results === undefined && this.envelope.resultsGone !== true) await ask();
    return this.envelope;
  }

  /** In the order of what was sent. */
  results<Kind extends SyncResult['result'] = SyncResult['result']>(
    kind?: Kind,
    options: CallOptions = {},
  ): AsyncGenerator<Extract<SyncResult, { result: Kind }>> {
    const query = kind === undefined ? {} : { result: kind };
    const all = listItems(
      this.#partbook,
      'GET /pdm/sync/batches/{id}/results',
      { id: this.id, query },
      options,
    );
    // The service has looked for that kind alone.
    return all as AsyncGenerator<Extract<SyncResult, { result: Kind }>>;
  }

  /** Applies a dry run that was looked at; `plan_stale` where anything it rests on has changed. */
  async commit(options: CallOptions = {}): Promise<Batch> {
    // Waits as the service does by default: what is stale is refused then rather than failing later.
    const made = await this.#partbook('POST /pdm/sync/batches/{id}/commit', { id: this.id }, options);
    return new Batch(this.#partbook, made);
  }

  async #follow(
    lastEventId: string,
    note: (envelope: SyncBatch) => void,
    signal?: AbortSignal,
  ): Promise<string> {
    const response = await this.#partbook.send(
      'GET /pdm/sync/batches/{id}/events',
      { id: this.id },
      {
        ...pass(signal),
        headers: {
          Accept: 'text/event-stream',
          ...(lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId }),
        },
      },
    );
    let seen = lastEventId;
    // 204: the end was seen already.
    if (response.body === null || response.status === 204) return seen;
    try {
      for await (const event of readEvents(response.body)) {
        seen = event.id || seen;
        note(JSON.parse(event.data) as SyncEvent['data']);
        if (event.name !== 'progress') break;
      }
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      throw new ConnectionError('The events of the batch broke off.', { cause });
    }
    return seen;
  }
}

/** Sends a batch; it is durable when this answers. */
export async function syncBatch(
  partbook: Partbook,
  elements: Elements,
  options: SyncOptions = {},
): Promise<Batch> {
  const { profile, dryRun, exact, ...rest } = options;
  const again = await repeatable(elements);
  return sendBatch(partbook, () => ndjson(again()), { profile, dryRun, exact, ...rest });
}

/** The same for bytes that are NDJSON, JSON or CSV already (`contentType`). */
export async function sendBatch(
  partbook: Partbook,
  stream: NonNullable<CallOptions['stream']>,
  options: CallOptions & {
    profile?: string | undefined;
    dryRun?: boolean | undefined;
    exact?: boolean | undefined;
  } = {},
): Promise<Batch> {
  const { profile, dryRun, exact, ...rest } = options;
  const query = {
    ...(profile === undefined ? {} : { profile }),
    ...(dryRun === true ? { dryRun: 'true' as const } : {}),
    ...(exact === true ? { structure: 'exact' as const } : {}),
  };
  return new Batch(partbook, await partbook('POST /pdm/sync', { query }, { ...async(rest), stream }));
}

function async(options: CallOptions): CallOptions {
  return { ...options, headers: { Prefer: 'respond-async', ...options.headers } };
}

function pass(signal: AbortSignal | undefined): CallOptions {
  return signal === undefined ? {} : { signal };
}

async function repeatable(
  elements: Elements,
): Promise<() => Iterable<SyncElement> | AsyncIterable<SyncElement>> {
  if (typeof elements === 'function') return elements;
  if (Array.isArray(elements)) return () => elements as SyncElement[];
  const kept: SyncElement[] = [];
  for await (const element of elements) kept.push(element);
  return () => kept;
}

const PIECE_CHARACTERS = 64 * 1024;

async function* ndjson(
  elements: Iterable<SyncElement> | AsyncIterable<SyncElement>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = '';
  for await (const element of elements) {
    text += `${JSON.stringify(element)}\n`;
    if (text.length < PIECE_CHARACTERS) continue;
    yield encoder.encode(text);
    text = '';
  }
  if (text !== '') yield encoder.encode(text);
}

interface ServerEvent {
  id: string;
  name: string;
  data: string;
}

const EVENT_CHARACTERS_MAX = 16 * 1024 * 1024;

/** Server-Sent Events, as the HTML standard cuts them. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let event: ServerEvent = { id: '', name: 'message', data: '' };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      if (rest.length > EVENT_CHARACTERS_MAX) throw new Error('An event is too large.');
      const lines = rest.split(/\r\n|\n|\r(?=[^\n])/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (event.data !== '') yield { ...event, data: event.data.slice(0, -1) };
          event = { id: event.id, name: 'message', data: '' };
          continue;
        }
        const colon = line.indexOf(':');
        const field = colon === -1 ? line : line.slice(0, colon);
        const content = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (field === 'data') event.data += `${content}\n`;
        if (field === 'event') event.name = content;
        if (field === 'id') event.id = content;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
