/** The cookie of a person's session: one for all workspaces. Each workspace checks what it opens there. */
import { type CookieHolder, type CookieKind, cookieWith, tokenInCookie } from './token-cookie.ts';

const kind: CookieKind = {
  name: 'partbook_person',
  prefix: '__Host-',
  seconds: 30 * 86_400,
  sameSite: 'Strict',
};

export function personTokenOf(request: CookieHolder): string | null {
  return tokenInCookie(kind, request);
}

export function personCookie(token: string | null, secure: boolean): string {
  return cookieWith(kind, token, secure, '/');
}
