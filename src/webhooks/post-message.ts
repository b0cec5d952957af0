/**
 * Makes one attempt at one message. The name is resolved here, every address is looked at, and the connection goes to
 * the address that was looked at: a name that resolves to something else a moment later gains nothing.
 */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { refuseInTransaction } from '../db/transaction-mark.ts';
import { hostOf, isPublicAddress } from './public-address.ts';
import type { Address } from './resolve-name.ts';

export interface Message {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface PostOptions {
  timeoutMs: number;
  allowPrivate: boolean;
  /** Ends the attempt when the process stops. */
  stopping?: AbortSignal;
  /** Ends with the signal. */
  resolve: (host: string, signal: AbortSignal) => Promise<Address[]>;
}

export interface Attempt {
  /** The HTTP status of the answer; null if there was none. */
  status: number | null;
  /** It is null if the message was delivered. */
  error: string | null;
  durationMs: number;
}

/** Never rejects: whatever went wrong is the attempt's error, told without particulars of this side's network. */
export async function postMessage(message: Message, options: PostOptions): Promise<Attempt> {
  refuseInTransaction('A message is sent');
  const startedAt = performance.now();
  const attempt = (status: number | null, error: string | null): Attempt => ({
    status,
    error,
    durationMs: Math.round(performance.now() - startedAt),
  });
  const patience = AbortSignal.timeout(options.timeoutMs);
  const over = options.stopping === undefined ? patience : AbortSignal.any([patience, options.stopping]);
  try {
    over.throwIfAborted();
    const address = await pinAddress(new URL(message.url), options, over);
    const status = await post(message, address, over);
    if (status >= 200 && status < 300) return attempt(status, null);
    const redirect = status >= 300 && status < 400;
    return attempt(
      status,
      redirect ? `answered ${status}: redirects are not followed` : `answered ${status}`,
    );
  } catch (error) {
    if (patience.aborted) return attempt(null, `did not answer within ${options.timeoutMs} ms`);
    return attempt(null, describe(error));
  }
}

class TargetError extends Error {}

async function pinAddress(
  url: URL,
  { allowPrivate, resolve }: PostOptions,
  patience: AbortSignal,
): Promise<Address> {
  const host = hostOf(url);
  const family = isIP(host);
  const late = new Promise<never>((_, reject) => {
    patience.addEventListener('abort', () => reject(patience.reason), { once: true });
  });
  late.catch(() => {});
  const addresses =
    family === 0 ? await Promise.race([resolve(host, patience), late]) : [{ address: host, family }];
  const [first] = addresses;
  if (first === undefined) throw new TargetError(`${host} has no address`);
  // One that is private among public ones is no accident.
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new TargetError(`${host} is not an address of the public internet: such targets are refused`);
  }
  return first;
}

/** Sends, and reads no more of the answer than its status. */
function post(
  { url, headers, body }: Message,
  { address, family }: Address,
  signal: AbortSignal,
): Promise<number> {
  const secure = new URL(url).protocol === 'https:';
  return new Promise((resolve, reject) => {
    const sent = (secure ? requestHttps : requestHttp)(
      url,
      {
        method: 'POST',
        // A connection of its own: no pool hands out one that was made for another address.
        agent: false,
        signal,
        lookup: (_host, options, done) => {
          if (options.all === true) done(null, [{ address, family }]);
          else done(null, address, family);
        },
        headers: {
          ...headers,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'User-Agent': 'Partbook-Webhooks/1',
          Connection: 'close',
        },
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.on('error', () => {});
        response.destroy();
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function describe(error: unknown): string {
  if (error instanceof TargetError) return error.message;
  const code = (error as { code?: unknown } | null)?.code;
  const known: Record<string, string> = {
    ENOTFOUND: 'the name does not resolve',
    ENODATA: 'the name does not resolve',
    EAI_AGAIN: 'the name does not resolve at the moment',
    ESERVFAIL: 'the name does not resolve at the moment',
    ETIMEOUT: 'the name does not resolve at the moment',
    ECONNREFUSED: 'the connection was refused',
    ECONNRESET: 'the connection was cut',
    EHOSTUNREACH: 'the host cannot be reached',
    ENETUNREACH: 'the network cannot be reached',
  };
  if (typeof code !== 'string') return 'the message could not be sent';
  return known[code] ?? `the message could not be sent (${code.slice(0, 60)})`;
}
