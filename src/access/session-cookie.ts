/**
 * The cookie of a session: one for each workspace, kept apart by its path, so that people can be signed in to
 * several side by side. When it counts is decided here: never for a request that another site's page caused.
 */
import { randomBytes } from 'node:crypto';
import { type CookieHolder, type CookieKind, cookieWith, tokenInCookie } from './token-cookie.ts';

const TOKEN_BYTES = 32;
/** Daily users sign in once a month. The path is the workspace's, which `__Host-` does not allow. */
const kind: CookieKind = {
  name: 'partbook_session',
  prefix: '__Secure-',
  seconds: 30 * 86_400,
  sameSite: 'Strict',
};

/** Fields of a request that decide whether its cookie counts. */
export interface CookieRequest extends CookieHolder {
  method: string;
  /** Host and port as the client addressed them. */
  host: string | undefined;
}

/** A new token. It stands in the cookie and nowhere else; keep `hashKey` of it. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The token that the request's cookie holds; null without one. */
export function tokenOf(request: CookieHolder): string | null {
  return tokenInCookie(kind, request);
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
  return cookieWith(kind, token, secure, `/api/wid/${slug}`);
}
