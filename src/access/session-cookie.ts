/**
 * The cookie of a session: one for each workspace, kept apart by its path, so that people can be signed in to
 * several side by side. When it counts is decided here: never for a request that another site's page caused.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const SESSION_COOKIE = 'partbook_session';
const TOKEN_BYTES = 32;
/** Lifetime of the cookie: daily users sign in once a month. */
const COOKIE_SECONDS = 30 * 86_400;
/**
 * Over TLS the name has a prefix by which browsers take the cookie only over TLS: a neighbour in the network, or another
 * port of the host, cannot put its own in place. With `__Host-` it could have no path, and so not be one workspace's.
 */
const nameOf = (secure: boolean) => (secure ? `__Secure-${SESSION_COOKIE}` : SESSION_COOKIE);
const formOf = (secure: boolean) => new RegExp(`(?:^|; *)${nameOf(secure)}=([\\w-]{43})(?:;|$)`);
const forms = { plain: formOf(false), secure: formOf(true) };

/** Fields of a request that decide whether its cookie counts. */
export interface CookieRequest {
  method: string;
  headers: IncomingHttpHeaders;
  /** Host and port as the client addressed them. */
  host: string | undefined;
  /** Whether it came over TLS. */
  secure: boolean;
}

/** A new token. It stands in the cookie and nowhere else; keep `hashKey` of it. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The token that the request's cookie holds; null without one. */
export function tokenOf({ headers, secure }: Pick<CookieRequest, 'headers' | 'secure'>): string | null {
  return (secure ? forms.secure : forms.plain).exec(headers.cookie ?? '')?.[1] ?? null;
}

/** Whether a page of another site caused the request: by `Sec-Fetch-Site`, or by `Origin` where that is not said. */
export function comesFromAnotherSite({ headers, host }: Pick<CookieRequest, 'headers' | 'host'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host);
}

/**
 * Whether a cookie counts. Browsers say `Sec-Fetch-Site` only over TLS and to localhost: elsewhere SameSite=Strict
 * keeps reading apart, and whatever changes something must name our own `Origin`.
 */
export function cookieCounts(request: CookieRequest): boolean {
  if (comesFromAnotherSite(request)) return false;
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  const { 'sec-fetch-site': site, origin } = request.headers;
  return site === 'same-origin' || (site === undefined && origin !== undefined);
}

/**
 * The `Set-Cookie` that hands the token out; null ends it. How long a session lasts is the server's to say: the
 * cookie only has to outlast it.
 */
export function sessionCookie(slug: string, token: string | null, secure: boolean): string {
  return [
    `${nameOf(secure)}=${token ?? ''}`,
    `Path=/api/wid/${slug}`,
    `Max-Age=${token === null ? 0 : COOKIE_SECONDS}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}
