/** A cookie that holds a token and nothing else. No script of a page reads it. */
import type { IncomingHttpHeaders } from 'node:http';

export interface CookieKind {
  readonly name: string;
  /**
   * Over TLS the name has a prefix by which browsers take the cookie only over TLS: a neighbour in the network, or another port of the host,
   * cannot put its own in place. With `__Host-` the path is that of the whole host.
   */
  readonly prefix: '__Host-' | '__Secure-';
  readonly seconds: number;
  readonly sameSite: 'Strict' | 'Lax';
}

export interface CookieHolder {
  headers: IncomingHttpHeaders;
  /** Whether it came over TLS. */
  secure: boolean;
}

function nameOf({ name, prefix }: CookieKind, secure: boolean): string {
  return secure ? `${prefix}${name}` : name;
}

/** Returns the token that a request's cookie holds; null without one. */
export function tokenInCookie(kind: CookieKind, { headers, secure }: CookieHolder): string | null {
  const form = new RegExp(`(?:^|; *)${nameOf(kind, secure)}=([\\w-]{43})(?:;|$)`);
  return form.exec(headers.cookie ?? '')?.[1] ?? null;
}

/** Returns the `Set-Cookie` that hands the token out; null ends it. */
export function cookieWith(kind: CookieKind, token: string | null, secure: boolean, path: string): string {
  return [
    `${nameOf(kind, secure)}=${token ?? ''}`,
    `Path=${path}`,
    `Max-Age=${token === null ? 0 : kind.seconds}`,
    'HttpOnly',
    `SameSite=${kind.sameSite}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}
