/**
 * The cookie of a sign-in that is at the provider. It is `Lax`, because the browser comes back by a link of another site, which brings no
 * `Strict` cookie; the session that follows is `Strict`.
 */
import type { IncomingHttpHeaders } from 'node:http';

export const ATTEMPT_SECONDS = 600;
const nameOf = (secure: boolean) => (secure ? '__Secure-partbook_attempt' : 'partbook_attempt');

export function attemptTokenOf({
  headers,
  secure,
}: {
  headers: IncomingHttpHeaders;
  secure: boolean;
}): string | null {
  const form = new RegExp(`(?:^|; *)${nameOf(secure)}=([\\w-]{43})(?:;|$)`);
  return form.exec(headers.cookie ?? '')?.[1] ?? null;
}

/** Returns the `Set-Cookie` that hands the token out; null ends it. */
export function attemptCookie(token: string | null, secure: boolean): string {
  return [
    `${nameOf(secure)}=${token ?? ''}`,
    'Path=/api/sign-in',
    `Max-Age=${token === null ? 0 : ATTEMPT_SECONDS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}
