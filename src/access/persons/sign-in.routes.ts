/** Signing in as a person: with a passkey or a password. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { clientAddress } from '../../http/requests/client-address.ts';
import { type AnyRoute, type Call, defineRoute } from '../../http/route.ts';
import { beginAuthentication, personOfPasskey } from './passkeys.ts';
import {
  CeremonyAnswer,
  CeremonyOptions,
  PasswordSignIn,
  PersonSession,
  SignInWays,
} from './person.schema.ts';
import { findPersonPassword } from './person.sql.ts';
import { beginSession, giveCookie, requireOwnSite } from './person-session.ts';
import { showPersonSession } from './read-me.ts';
import { siteOf } from './site.ts';

export const tag = 'Persons';
/** Maximum body of callers without credentials; the answer of an authenticator takes some kilobytes. */
export const SIGN_IN_BYTES_MAX = 32 * 1024;

const ways = defineRoute({
  method: 'get',
  path: '/api/sign-in',
  operationId: 'listSignInWays',
  tag,
  summary: 'Tell how persons can sign in',
  access: 'public',
  transaction: 'none',
  answers: { 200: { description: 'The ways in.', schema: SignInWays } },
  handle: async ({ ctx, req }) => {
    const site = siteOf(ctx.config, req);
    return {
      status: 200,
      body: {
        passkey: site.rpId !== null,
        passkeyNote: site.rpId === null ? site.whyNot : null,
        provider: ctx.provider === null ? null : { name: ctx.provider.name },
      },
    };
  },
});

const beginPasskey = defineRoute({
  method: 'post',
  path: '/api/sign-in/passkey/options',
  operationId: 'beginPasskeySignIn',
  tag,
  summary: 'Begin to sign in with a passkey',
  access: 'public',
  transaction: 'none',
  body: z.strictObject({}),
  bodyBytesMax: SIGN_IN_BYTES_MAX,
  answers: { 200: { description: 'Options for the browser.', schema: CeremonyOptions } },
  errors: ['forbidden', 'passkeys_unavailable', 'rate_limited'],
  handle: async (call) => {
    requireOwnSite(call.req);
    await countCeremony(call);
    return { status: 200, body: await beginAuthentication(call.ctx.db, call.ctx.config, call.req) };
  },
});

const signInWithPasskey = defineRoute({
  method: 'post',
  path: '/api/sign-in/passkey',
  operationId: 'signInWithPasskey',
  tag,
  summary: 'Sign in with a passkey',
  description:
    'Returns a cookie for the whole service (`HttpOnly`, `SameSite=Strict`, `__Host-` over TLS): one sign-in opens every workspace of which the person is a member.',
  access: 'public',
  transaction: 'none',
  body: CeremonyAnswer,
  bodyBytesMax: SIGN_IN_BYTES_MAX,
  answers: { 201: { description: 'The session, and its cookie.', schema: PersonSession } },
  errors: [
    'forbidden',
    'unauthorized',
    'passkeys_unavailable',
    'passkey_refused',
    'sign_in_expired',
    'rate_limited',
  ],
  handle: async (call) => {
    requireOwnSite(call.req);
    await countAttempt(call, clientAddress(call.req));
    const person = await personOfPasskey(call.ctx.db, call.ctx.config, call.req, call.body);
    await call.ctx.signIns.takeBack(clientAddress(call.req));
    return signInAs(call, person, 'passkey');
  },
});

const signInWithPassword = defineRoute({
  method: 'post',
  path: '/api/sign-in/password',
  operationId: 'signInWithPassword',
  tag,
  summary: 'Sign in with a password',
  description:
    'Failed attempts are limited by address, and by sign-in name with a much higher limit. An unknown name takes as long as a wrong password.',
  access: 'public',
  transaction: 'none',
  body: PasswordSignIn,
  bodyBytesMax: SIGN_IN_BYTES_MAX,
  answers: { 201: { description: 'The session, and its cookie.', schema: PersonSession } },
  errors: ['forbidden', 'unauthorized', 'rate_limited'],
  handle: async (call) => {
    const { req, body, log } = call;
    requireOwnSite(req);
    const person = await personOfPassword(call, body);
    if (person === null) {
      log.warn({ from: clientAddress(req), by: 'password' }, 'sign-in refused');
      throw new AppError(
        'unauthorized',
        'The name or the password is wrong. An administrator can give you a sign-in link.',
      );
    }
    return signInAs(call, person, 'password');
  },
});

/**
 * Returns the person with that sign-in name and password, or null. Attempts are counted by address, and by name with a much higher limit.
 * Throws `rate_limited`.
 */
export async function personOfPassword(
  { ctx, req }: Pick<Call, 'ctx' | 'req'>,
  { userName, password }: { userName: string; password: string },
): Promise<{ id: string; name: string } | null> {
  const address = clientAddress(req);
  const name = createHash('sha256').update(userName.toLowerCase()).digest('base64url');
  await countAttempt({ ctx }, address);
  refuseIfMany(await ctx.namedSignIns.begin(name));
  const [known] = await inTransaction(ctx.db, 'instance', (tx) =>
    tx.query<{ person_id: string; name: string; hash: string }>(findPersonPassword, [userName]),
  );
  if (!(await ctx.passwords.matches(password, known?.hash ?? null)) || known === undefined) return null;
  await ctx.namedSignIns.takeBack(name);
  await ctx.signIns.takeBack(address);
  return { id: known.person_id, name: known.name };
}

async function signInAs(call: Call, person: { id: string; name: string }, by: string) {
  const { ctx, log } = call;
  const { token, workspaces } = await inTransaction(ctx.db, 'instance', (tx) =>
    beginSession(tx, call, person.id),
  );
  giveCookie(call, token, workspaces);
  log.info({ personId: person.id, by }, 'signed in');
  return { status: 201, body: showPersonSession(person, workspaces), headers: { Location: '/api/me' } };
}

/** Counts an attempt at a secret. Throws `rate_limited`. */
export async function countAttempt({ ctx }: Pick<Call, 'ctx'>, from: string): Promise<void> {
  refuseIfMany(await ctx.signIns.begin(from));
}

/** Counts a challenge that is kept for somebody who may be anybody. Throws `rate_limited`. */
export async function countCeremony({ ctx, req }: Pick<Call, 'ctx' | 'req'>): Promise<void> {
  refuseIfMany(await ctx.ceremonies.begin(clientAddress(req)));
}

function refuseIfMany(seconds: number | null): void {
  if (seconds === null) return;
  throw new AppError('rate_limited', {
    detail: 'Too many attempts to sign in. Try again a little later.',
    headers: { 'Retry-After': String(seconds) },
  });
}

export const signInRoutes: readonly AnyRoute[] = [ways, beginPasskey, signInWithPasskey, signInWithPassword];
