/** Sessions: a person signs in with an API key once, and the browser shows a cookie from then on. */
import { AppError } from '../../errors.ts';
import { clientAddress } from '../../http/requests/client-address.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { hashKey } from '../key-text.ts';
import { personCookie } from '../person-cookie.ts';
import { endPersonSession } from '../persons/person.sql.ts';
import { comesFromAnotherSite, sessionCookie } from '../session-cookie.ts';
import { openSession, readSession } from './open-session.ts';
import { Session, SignIn } from './session.schema.ts';
import { deleteSession } from './session.sql.ts';
import { comesFromThisMachine } from './sign-in-codes.ts';

const tag = 'Sessions';
/** Maximum body size for callers without credentials. */
const SIGN_IN_BYTES_MAX = 4096;
const single = '/api/wid/{slug}/session';

const signIn = defineRoute({
  method: 'post',
  path: '/api/sessions',
  operationId: 'signIn',
  tag,
  summary: 'Sign in with an API key',
  description:
    'Finds the workspace by the key and returns a cookie for that workspace only (`HttpOnly`, `SameSite=Strict`, `Secure` over TLS, path `/api/wid/{slug}`), so you can be signed in to several workspaces. A session has the permission of its key and ends with it; it lasts 12 hours from its last use. Over TLS the name of the cookie begins with `__Secure-`, and no other is accepted. A key in a header takes precedence over the cookie. Failed attempts are limited by address; a valid key is always accepted.',
  access: 'public',
  transaction: 'none',
  body: SignIn,
  bodyBytesMax: SIGN_IN_BYTES_MAX,
  answers: { 201: { description: 'The session, and its cookie.', schema: Session } },
  errors: ['unauthorized', 'forbidden', 'rate_limited', 'workspace_moving', 'workspace_gone'],
  handle: async ({ ctx, log, body, req }) => {
    if (comesFromAnotherSite({ headers: req.headers, host: req.host })) {
      throw new AppError('forbidden', 'The request comes from another site.');
    }
    const from = clientAddress(req);
    // A code is short: it counts for nothing beyond the limit. A key that opens does, or whoever mistypes behind a proxy
    // would lock out everybody there; it cannot be guessed in as many attempts as a service can take.
    if (!('key' in body)) await begin();
    const key = 'key' in body ? body.key.trim() : keyOfCode();
    const limits = { hours: ctx.config.SESSION_HOURS, perKey: ctx.config.SESSIONS_PER_KEY_MAX };
    const opened = key === null ? null : await openSession(ctx.db, key, limits);
    if (opened === null) {
      if ('key' in body) await begin();
      log.warn({ from, by: 'key' in body ? 'key' : 'code' }, 'sign-in refused');
      throw new AppError(
        'unauthorized',
        'key' in body
          ? 'Unknown or revoked key.'
          : 'This link was already used or has expired. Sign in with an API key.',
      );
    }
    if (!('key' in body)) await ctx.signIns.takeBack(from);
    const { session, token } = opened;
    log.info({ workspace: session.workspace.slug, actorId: session.actor.id }, 'signed in');
    return {
      status: 201,
      body: session,
      headers: {
        Location: `/api/wid/${session.workspace.slug}/session`,
        'Set-Cookie': sessionCookie(session.workspace.slug, token, req.secure),
      },
    };

    async function begin(): Promise<void> {
      const seconds = await ctx.signIns.begin(from);
      if (seconds === null) return;
      throw new AppError('rate_limited', {
        detail: 'Too many attempts to sign in. Try again a little later.',
        headers: { 'Retry-After': String(seconds) },
      });
    }

    function keyOfCode(): string | null {
      return 'code' in body && comesFromThisMachine(req) ? ctx.signInCodes.spend(body.code) : null;
    }
  },
});

const read = defineRoute({
  method: 'get',
  path: single,
  operationId: 'getSession',
  tag,
  summary: 'Read the current caller',
  description:
    'Returns the session of the cookie, of a key or of a person, or, if a key is sent in a header, what that key allows.',
  access: 'read',
  transaction: 'read',
  answers: { 200: { description: 'The session.', schema: Session } },
  handle: async (call, tx) => ({ status: 200, body: await readSession(tx, call) }),
});

const signOut = defineRoute({
  method: 'delete',
  path: single,
  operationId: 'signOut',
  tag,
  summary: 'Sign out',
  description:
    'Ends the session of the cookie. Other sessions of the same key, and the key, stay. The session of a person ends in all workspaces.',
  access: 'read',
  transaction: 'write',
  answers: { 204: { description: 'The session has ended.' } },
  handle: async ({ actor, workspace, sessionToken, req }, tx) => {
    if (actor.type === 'member' && sessionToken !== null) {
      await tx.query(endPersonSession, [hashKey(sessionToken)]);
      return { status: 204, headers: { 'Set-Cookie': personCookie(null, req.secure) } };
    }
    if (sessionToken !== null) await tx.query(deleteSession, [workspace.id, hashKey(sessionToken)]);
    return {
      status: 204,
      headers: { 'Set-Cookie': sessionCookie(workspace.slug, null, req.secure) },
    };
  },
});

export const sessionRoutes: readonly AnyRoute[] = [signIn, read, signOut];
