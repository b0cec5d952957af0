/**
 * Calls the service by operation, and turns its problems into errors. If the session has ended, or the service wants a proof of who is at
 * the browser, the page asks for it and sends the call again, so that nothing typed is lost.
 */
import { type Operations, operations, type Problem } from './operations.ts';
import { currentSlug } from './workspace.ts';

export type OperationName = keyof Operations;
export type Input<Name extends OperationName> = Operations[Name]['input'];
export type Answer<Name extends OperationName> = Operations[Name]['answer'];

export interface CallOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Of which workspace; absent: that of the tab. */
  slug?: string;
}

/** What the service refused, in its own words. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail || problem.title);
    this.problem = problem;
  }
  get status(): number {
    return this.problem.status;
  }
  get code(): string {
    return this.problem.code;
  }
}

let signInAgain: (() => Promise<void>) | null = null;

/** Sets who asks for a sign-in when the session has ended. With null, the refusal goes to the caller. */
export function onSessionEnd(ask: (() => Promise<void>) | null): void {
  signInAgain = ask;
}

let proveAgain: (() => Promise<boolean>) | null = null;

/** Sets who asks for a proof where the service answers `proof_needed`; the answer says whether there is one. With null, the refusal goes to the caller. */
export function onProofNeeded(ask: (() => Promise<boolean>) | null): void {
  proveAgain = ask;
}

/** Asks for a proof before the browser leaves the page for one that needs it. Returns whether there is one. */
export async function proveFirst(): Promise<boolean> {
  return proveAgain !== null && (await proveAgain());
}

/** Calls an operation of the current workspace and answers with its JSON. */
export async function call<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options: CallOptions = {},
): Promise<Answer<Name>> {
  return (await callWithTag(name, input, options)).answer;
}

/** The same, with the answer's entity tag: what `If-Match` of a later change names. */
export async function callWithTag<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options: CallOptions = {},
): Promise<{ answer: Answer<Name>; tag: string | null }> {
  const [method] = operations[name];
  const body = 'body' in input ? JSON.stringify(input.body) : undefined;
  const response = await send(addressOf(name, input, options.slug), {
    method,
    body,
    signal: options.signal,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
  });
  const text = await response.text();
  return { answer: answerOf<Answer<Name>>(text, response), tag: response.headers.get('etag') };
}

/** Sends a request that no operation describes, such as a file. It asks for a new sign-in or a proof in the same way, and repeats the request. */
export async function send(address: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(address, { credentials: 'same-origin', ...init });
    if (response.ok) return response;
    const refusal = new Refusal(await problemOf(response));
    if (refusal.code === 'proof_needed' && (await proveFirst())) continue;
    if (refusal.status !== 401 || signInAgain === null || isSignIn(address)) throw refusal;
    await signInAgain();
  }
}

/** The form that asks for a secret says itself that it was wrong. */
function isSignIn(address: string): boolean {
  return ['/api/sessions', '/api/me/proof'].includes(address) || address.startsWith('/api/sign-in');
}

/** Returns the address of an operation with its path and query filled in. Throws for a value that would change the path. */
export function addressOf<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  slug = currentSlug(),
): string {
  const [, path, inWorkspace] = operations[name];
  const fields = input as Record<string, unknown>;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => segmentOf(field, fields[field]));
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries((fields.query ?? {}) as Record<string, unknown>)) {
    for (const one of [value].flat()) if (one !== undefined && one !== '') query.append(key, String(one));
  }
  const suffix = query.size === 0 ? '' : `?${query}`;
  return `${inWorkspace ? `/api/wid/${slug}` : ''}${filled}${suffix}`;
}

/** Browsers resolve "." and ".." as path segments, also when they are percent-encoded, so such a call would go to another address. */
function segmentOf(field: string, value: unknown): string {
  const text = String(value);
  if (text === '' || text === '.' || text === '..')
    throw new RangeError(`The ${field} "${text}" cannot be part of an address.`);
  // "guid:…" is an id as well, and a colon may stand in a path.
  return encodeURIComponent(text).replaceAll('%3A', ':');
}

/** What is answered as if all were well, and is no answer: the sign-in of a network, the page of a proxy. */
function answerOf<Of>(text: string, response: Response): Of {
  try {
    return (text === '' ? undefined : JSON.parse(text)) as Of;
  } catch {
    throw new Refusal(
      strangeProblem(
        response,
        'Something else answered for the service',
        'A network that asks for a sign-in does so, or a proxy. Look at the connection, then try again.',
      ),
    );
  }
}

async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text().catch(() => '');
  try {
    const problem = JSON.parse(text) as Problem;
    if (typeof problem.code === 'string') return problem;
  } catch {
    // Not the service's own words: a proxy's, or none at all.
  }
  const { status, statusText } = response;
  // What stands before the service says so while none of it is there, as when it is started anew.
  return status >= 502 && status <= 504
    ? strangeProblem(
        response,
        'The service cannot be reached',
        `What stands before it answered ${status}. Wait a moment, then try again.`,
      )
    : strangeProblem(
        response,
        statusText || `Status ${status}`,
        `The service answered ${status} without saying why.`,
      );
}

function strangeProblem(response: Response, title: string, detail: string): Problem {
  return {
    type: 'about:blank',
    title,
    status: response.status,
    detail,
    instance: response.url,
    code: 'no_problem',
    requestId: response.headers.get('x-request-id') ?? '',
  };
}
