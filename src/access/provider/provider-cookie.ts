/**
 * The cookie of a sign-in that is at the provider. It is `Lax`, because the browser comes back by a link of another site, which brings no
 * `Strict` cookie; the session that follows is `Strict`.
 */
import { type CookieHolder, type CookieKind, cookieWith, tokenInCookie } from '../token-cookie.ts';

export const ATTEMPT_SECONDS = 600;
const kind: CookieKind = {
  name: 'partbook_attempt',
  prefix: '__Secure-',
  seconds: ATTEMPT_SECONDS,
  sameSite: 'Lax',
};

export function attemptTokenOf(request: CookieHolder): string | null {
  return tokenInCookie(kind, request);
}

export function attemptCookie(token: string | null, secure: boolean): string {
  return cookieWith(kind, token, secure, '/api/sign-in');
}
