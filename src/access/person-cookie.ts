/** The cookie of a person's session: one for all workspaces. The door of each workspace says what it opens there. */
import type { IncomingHttpHeaders } from 'node:http';

const COOKIE_SECONDS = 30 * 86_400;
/** Over TLS, browsers take it only from the host itself: a neighbour cannot put its own in place. */
const nameOf = (secure: boolean) => (secure ? '__Host-partbook_person' : 'partbook_person');
const formOf = (secure: boolean) => new RegExp(`(?:^|; *)${nameOf(secure)}=([\\w-]{43})(?:;|$)`);
const forms = { plain: formOf(false), secure: formOf(true) };

/** Returns the token in the request's cookie; null without one. */
export function personTokenOf({
  headers,
  secure,
}: {
  headers: IncomingHttpHeaders;
  secure: boolean;
}): string | null {
  return (secure ? forms.secure : forms.plain).exec(headers.cookie ?? '')?.[1] ?? null;
}

/** Returns the `Set-Cookie` that hands the token out; null ends it. */
export function personCookie(token: string | null, secure: boolean): string {
  return [
    `${nameOf(secure)}=${token ?? ''}`,
    'Path=/',
    `Max-Age=${token === null ? 0 : COOKIE_SECONDS}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}
