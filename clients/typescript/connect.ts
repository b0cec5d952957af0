/**
 * One call of the service: its address, its errors as classes, and again what may be tried again. Every change carries one
 * Idempotency-Key, made before the first try, so that an answer that was lost is given once more and nothing is done twice.
 */
import { ApiError, ArgumentError, ConnectionError, PartbookError, TimeoutError } from './errors.ts';
import type { Operations, Problem } from './generated/types.ts';

type ByRoute = { [Name in keyof Operations as Operations[Name]['route']]: Operations[Name] };

/** Method and path, below the workspace where it stands below one: `GET /entities/{id}`. */
export type Route = keyof ByRoute;
export type Input<R extends Route> = ByRoute[R]['input'];
export type Answer<R extends Route> = ByRoute[R]['answer'];
export type ErrorCode<R extends Route> = ByRoute[R]['error'];

export interface Connection {
  /** The address of the service, such as `https://partbook.example`; empty in a page of its own origin. */
  url: string;
  /** The slug; for all that stands below a workspace. */
  workspace?: string;
  /** An API key, or what makes one for each try. A page that is signed in has none. */
  key?: string | (() => string | Promise<string>);
  headers?: Record<string, string>;
  /** Tries after the first one. */
  retries?: number;
  /** The timeout of one attempt; 0 for none. */
  timeoutMs?: number;
  fetch?: typeof fetch;
}

export type Body = string | Blob | Uint8Array;

export interface CallOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  idempotencyKey?: string;
  timeoutMs?: number;
  /** In place of a JSON body: made anew for every try, because a stream cannot be sent twice. */
  stream?: () => Body | AsyncIterable<Uint8Array>;
  /** The media type of the stream; by default NDJSON. */
  contentType?: string;
}

export interface Partbook {
  /** Calls an operation and answers with its JSON. */
  <R extends Route>(route: R, input?: Input<R>, options?: CallOptions): Promise<Answer<R>>;
  /** The same, with the whole answer: for its headers, or for what streams. Its status is a good one. */
  send<R extends Route>(route: R, input?: Input<R>, options?: CallOptions): Promise<Response>;
}

const RETRIES = 4;
const WAIT_MS = 500;
const WAIT_MS_MAX = 8_000;
const RETRY_AFTER_MS_MAX = 60_000;
/** Refused before anything was done, or a gateway that has nobody behind it. */
const passing = new Set([408, 425, 429, 502, 503, 504]);

export function connect(connection: Connection): Partbook {
  const send: Partbook['send'] = (route, input, options) =>
    sendCall(connection, route, input, options, (response) => response);
  const call = async <R extends Route>(
    route: R,
    input?: Input<R>,
    options?: CallOptions,
  ): Promise<Answer<R>> => {
    const text = await sendCall(connection, route, input, options, (response) => response.text());
    try {
      return (text === '' ? undefined : JSON.parse(text)) as Answer<R>;
    } catch (cause) {
      throw new PartbookError(
        `${connection.url} answered with no JSON, but with "${text.slice(0, 60)}": is the service there?`,
        { cause },
      );
    }
  };
  return Object.assign(call, { send });
}

/** `take` reads what the caller wants of a good answer: one that breaks off in the middle is as lost as one that never came. */
async function sendCall<Taken>(
  connection: Connection,
  route: string,
  input: object = {},
  options: CallOptions = {},
  take: (response: Response) => Taken | Promise<Taken>,
): Promise<Taken> {
  const [method = '', path = ''] = route.split(' ');
  const fields = input as Record<string, unknown>;
  const body = fields.body === undefined ? undefined : JSON.stringify(fields.body);
  const { signal, stream } = options;
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...(method === 'POST' ? { 'Idempotency-Key': options.idempotencyKey ?? newKey() } : {}),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(stream === undefined ? {} : { 'Content-Type': options.contentType ?? 'application/x-ndjson' }),
    ...connection.headers,
    ...options.headers,
  };
  const address = addressOf(connection, path, fields);
  for (let attempt = 0; ; attempt++) {
    let error: ApiError | ConnectionError;
    try {
      return await attemptOnce(connection, address, { method, headers, body, options }, take);
    } catch (failure) {
      if (signal?.aborted) throw signal.reason;
      if (!(failure instanceof ApiError || failure instanceof ConnectionError)) throw failure;
      error = failure;
    }
    const waitMs = waitBefore(error, attempt, headers);
    if (waitMs === null || attempt >= (connection.retries ?? RETRIES)) throw error;
    await wait(waitMs, signal);
  }
}

interface Attempt {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  options: CallOptions;
}

async function attemptOnce<Taken>(
  connection: Connection,
  address: string,
  { method, headers, body, options }: Attempt,
  take: (response: Response) => Taken | Promise<Taken>,
): Promise<Taken> {
  const { key, fetch: own = fetch } = connection;
  const timeoutMs = options.timeoutMs ?? connection.timeoutMs ?? 0;
  const timeout = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : null;
  const signals = [options.signal, timeout].filter((one) => one != null);
  const shown = typeof key === 'function' ? await key() : key;
  const sent = options.stream?.() ?? body;
  let refused: Response;
  let fault = 'The service cannot be reached.';
  try {
    const response = await own(address, {
      method,
      // Followed, it would lose the key on the way to another origin, and a POST its method.
      redirect: 'manual',
      headers: shown === undefined ? headers : { ...headers, Authorization: `Bearer ${shown}` },
      ...(sent === undefined ? {} : { body: sent as NonNullable<RequestInit['body']>, duplex: 'half' }),
      ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
    } as RequestInit);
    fault = 'The answer broke off.';
    if (response.ok) return await take(response);
    refused = response;
  } catch (cause) {
    if (timeout?.aborted) throw new TimeoutError(`No answer within ${timeoutMs} ms.`, { cause });
    throw new ConnectionError(fault, { cause });
  }
  throw await refusalOf(refused);
}

/** Refused for now: what was asked may be asked again. */
export function isPassing(error: ApiError): boolean {
  return passing.has(error.status) || error.code === 'idempotency_in_progress';
}

/** Null where trying again would not help, or might do twice what a change with `If-Match` did already. */
function waitBefore(
  error: ApiError | ConnectionError,
  attempt: number,
  headers: Record<string, string>,
): number | null {
  const backOff = Math.min(WAIT_MS_MAX, WAIT_MS * 2 ** attempt) * (1 - Math.random() / 4);
  if (!(error instanceof ApiError)) return headers['If-Match'] === undefined ? backOff : null;
  if (!isPassing(error) || (error.retryAfterMs ?? 0) > RETRY_AFTER_MS_MAX) return null;
  if (headers['If-Match'] !== undefined && error.status >= 500) return null;
  return error.retryAfterMs ?? backOff;
}

function addressOf({ url, workspace }: Connection, path: string, fields: Record<string, unknown>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => segmentOf(field, fields[field]));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((fields.query ?? {}) as object)) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) query.append(name, String(one));
  }
  const outside = /^\/(?:api|health)\//.test(path);
  const base = `${url.replace(/\/+$/, '')}${outside ? '' : `/api/wid/${segmentOf('workspace', workspace)}`}`;
  return `${base}${filled}${query.size === 0 ? '' : `?${query}`}`;
}

/** Throws for what would be no segment of its own: `.` and `..` lead to another path, however they are encoded. */
function segmentOf(field: string, value: unknown): string {
  const text = String(value);
  if (/^\.{0,2}$/.test(text)) throw new ArgumentError(`"${text}" cannot be the ${field} of anything.`);
  // "guid:…" is an id as well, and a colon may stand in a path.
  return encodeURIComponent(text).replaceAll('%3A', ':');
}

async function refusalOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const retryAfterMs = waitSaid(response.headers.get('Retry-After'));
  try {
    const problem = JSON.parse(text) as Problem;
    if (typeof problem.code === 'string') return new ApiError(problem, retryAfterMs);
  } catch {
    // Not the service's own words: a proxy's, or none at all.
  }
  const { status, statusText, headers, url } = response;
  const location = headers.get('Location');
  return new ApiError(
    {
      type: 'about:blank',
      title: statusText || `Status ${status}`,
      status,
      detail: `The service answered ${status} without saying why${location ? `, and leads to ${location}` : ''}.`,
      instance: url,
      code: 'no_problem',
      requestId: headers.get('X-Request-Id') ?? '',
    },
    retryAfterMs,
  );
}

/** Seconds, or the date that some gateways name. */
function waitSaid(text: string | null): number | null {
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function newKey(): string {
  // Not randomUUID: browsers have it on pages of https alone.
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** Ends early, with its reason, when the signal is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
