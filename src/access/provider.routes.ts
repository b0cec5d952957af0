/**
 * The calls of a sign-in by the OpenID Connect provider, which browsers and the provider make: they are no operations of the interface.
 * A browser that fails is sent to the sign-in page with the code of the error.
 */
import { z } from 'zod';
import { newId } from '../db/ids.ts';
import { inTransaction, violatedConstraint } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { readBody, readingFor, wantBody } from '../http/bodies/read-body.ts';
import { clientAddress } from '../http/requests/client-address.ts';
import { type AnyRoute, type Call, defineRoute } from '../http/route.ts';
import { applyGroups } from './groups/apply-groups.ts';
import { hashKey } from './key-text.ts';
import { beginSignInAttempt, takeSignInAttempt } from './persons/person.sql.ts';
import {
  beginSession,
  giveCookie,
  requireProvedPerson,
  type WorkspaceOfPerson,
} from './persons/person-session.ts';
import { countAttempt, countCeremony, tag } from './persons/sign-in.routes.ts';
import {
  bindPersonSession,
  connectIdentity,
  endSessionsOfIdentity,
  keepGroups,
  keepRefreshToken,
  knowIdentity,
} from './provider/identity.sql.ts';
import type { Provider, ProviderAnswer, ProviderAttempt } from './provider/provider.ts';
import { ATTEMPT_SECONDS, attemptCookie, attemptTokenOf } from './provider/provider-cookie.ts';
import { returnAddress } from './provider/return-address.ts';
import { makeToken } from './session-cookie.ts';

const LOGOUT_BYTES_MAX = 32 * 1024;
const formType = 'application/x-www-form-urlencoded';

interface KeptAttempt extends ProviderAttempt {
  returnTo: string;
  /** The person who connects its identity; null for a sign-in. */
  personId: string | null;
}

const begin = defineRoute({
  method: 'get',
  path: '/api/sign-in/provider',
  operationId: 'beginProviderSignIn',
  tag,
  summary: 'Go to the identity provider',
  access: 'public',
  transaction: 'none',
  query: z.object({
    returnTo: z.string().max(2000).default('/'),
    connect: z.enum(['true', 'false']).default('false'),
  }),
  answers: { 303: { description: 'The provider.' } },
  errors: ['not_found', 'unauthorized', 'proof_needed', 'provider_unavailable', 'rate_limited'],
  handle: (call) =>
    orSignInPage(call, async (provider) => {
      const { ctx, req, res, query } = call;
      await countCeremony(call);
      const personId = query.connect === 'true' ? (await requireProvedPerson(call)).id : null;
      const { url, attempt } = await provider.begin();
      const token = makeToken();
      const kept: KeptAttempt = { ...attempt, returnTo: query.returnTo, personId };
      await inTransaction(ctx.db, 'instance', (tx) =>
        tx.query(beginSignInAttempt, [hashKey(token), 'provider', JSON.stringify(kept), ATTEMPT_SECONDS]),
      );
      res.append('Set-Cookie', attemptCookie(token, req.secure));
      return url;
    }),
});

const finish = defineRoute({
  method: 'get',
  path: '/api/sign-in/callback',
  operationId: 'finishProviderSignIn',
  tag,
  summary: 'Come back from the identity provider',
  access: 'public',
  transaction: 'none',
  query: z.looseObject({}),
  answers: { 303: { description: 'The page that the sign-in began at.' } },
  errors: ['not_found', 'sign_in_expired', 'provider_refused', 'provider_unavailable', 'rate_limited'],
  handle: (call) =>
    orSignInPage(call, async (provider, origin) => {
      const { req, res, log } = call;
      const attempt = await takeAttempt(call);
      res.append('Set-Cookie', attemptCookie(null, req.secure));
      const answer = await provider.finish(new URL(req.originalUrl, origin).search, attempt);
      const personId = await findPerson(call, answer, attempt.personId);
      if (answer.groups === null)
        log.info({ personId }, 'the provider names no groups: members stay as they are');
      else await applyGroups(call.ctx, { id: personId, name: answer.name, groups: answer.groups });
      const workspaces = await open(call, answer, personId);
      log.info({ personId, by: 'provider' }, 'signed in');
      return goalOf(origin, attempt, workspaces);
    }),
});

/** Spends the attempt of the browser's cookie: a callback works once, and in that browser alone. Throws `sign_in_expired`. */
async function takeAttempt({ ctx, req }: Call): Promise<KeptAttempt> {
  const token = attemptTokenOf(req);
  const [kept] =
    token === null
      ? []
      : await inTransaction(ctx.db, 'instance', (tx) =>
          tx.query<{ challenge: string }>(takeSignInAttempt, [hashKey(token), 'provider']),
        );
  if (kept !== undefined) return JSON.parse(kept.challenge) as KeptAttempt;
  throw new AppError('sign_in_expired', 'This took too long, or was begun in another browser. Begin again.');
}

/** Returns the person of the identity, who is made at its first sign-in. Throws `provider_refused` for an identity of somebody else. */
async function findPerson({ ctx }: Call, answer: ProviderAnswer, connecting: string | null): Promise<string> {
  const { issuer, subject, name } = answer;
  const know = () =>
    inTransaction(ctx.db, 'instance', async (tx) => {
      const [row] =
        connecting === null
          ? await tx.query<{ id: string }>(knowIdentity, [issuer, subject, newId(), name])
          : await tx.query<{ id: string }>(connectIdentity, [issuer, subject, connecting]);
      return row?.id;
    });
  // If a person signs in twice at once for the first time, the second sign-in finds the person that the first one made.
  const id = await know().catch((error: unknown) => {
    if (violatedConstraint(error) !== 'person_identity_pkey') throw error;
    return know();
  });
  if (id === undefined) throw new Error('an identity has no person');
  if (connecting === null || connecting === id) return id;
  throw new AppError('provider_refused', 'This account of the provider belongs to another person here.');
}

async function open(
  call: Call,
  answer: ProviderAnswer,
  personId: string,
): Promise<readonly WorkspaceOfPerson[]> {
  const { config, db } = call.ctx;
  const { issuer, subject, sid, idToken, refreshToken } = answer;
  const hours = refreshToken === null ? config.OIDC_SESSION_HOURS : null;
  const session = await inTransaction(db, 'instance', async (tx) => {
    const begun = await beginSession(tx, call, personId);
    await tx.query(bindPersonSession, [hashKey(begun.token), issuer, subject, sid, idToken, hours]);
    await tx.query(keepRefreshToken, [issuer, subject, refreshToken, config.OIDC_CHECK_MINUTES * 60]);
    if (answer.groups !== null) await tx.query(keepGroups, [issuer, subject, answer.groups]);
    return begun;
  });
  giveCookie(call, session.token, session.workspaces);
  return session.workspaces;
}

/** Returns the page that the sign-in began at. From the start page it leads on to a workspace, or says that the person has none. */
function goalOf(origin: string, attempt: KeptAttempt, [first]: readonly WorkspaceOfPerson[]): string {
  const address = returnAddress(origin, attempt.returnTo);
  if (attempt.personId !== null || address !== `${origin}/`) return address;
  return first === undefined ? `${origin}/?refused=not_a_member` : `${origin}/w/${first.slug}`;
}

const logout = defineRoute({
  method: 'post',
  path: '/api/sign-in/logout',
  operationId: 'announceProviderLogout',
  tag,
  summary: 'Back-channel logout: the provider says that a session has ended',
  access: 'public',
  transaction: 'none',
  rawBody: { [formType]: '`logout_token`, as OpenID Connect Back-Channel Logout 1.0 has it.' },
  answers: { 204: { description: 'The sessions have ended.' } },
  errors: ['not_found', 'logout_refused', 'provider_unavailable', 'rate_limited'],
  handle: async (call) => {
    const { ctx, req, res, log } = call;
    const provider = requireProvider(call);
    wantBody(req, res);
    const bytes = await readBody(
      req,
      LOGOUT_BYTES_MAX,
      ctx.config.BODY_TIMEOUT_SECONDS * 1000,
      readingFor(ctx),
    );
    const token = new URLSearchParams(bytes.toString()).get('logout_token') ?? '';
    const { subject, sid, id } = await provider.readLogout(token).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'logout_refused')
        await countAttempt(call, clientAddress(req));
      throw error;
    });
    const ended = await inTransaction(ctx.db, 'instance', async (tx) => {
      // Kept for longer than such a token is valid.
      await tx.query(beginSignInAttempt, [hashKey(`logout ${id}`), 'logout', '', 2 * ATTEMPT_SECONDS]);
      // A named session ends alone; other sessions of the person go on.
      const [bySubject, bySid] = sid === null ? [subject, null] : [null, sid];
      return tx.query(endSessionsOfIdentity, [provider.issuer, bySubject, bySid]);
    }).catch((error: unknown) => {
      if (violatedConstraint(error) !== 'sign_in_attempt_pkey') throw error;
      throw new AppError('logout_refused', 'The logout token was used before.');
    });
    log.info({ sessions: ended.length }, 'signed out by the provider');
    return { status: 204 };
  },
});

function requireProvider({ ctx }: Pick<Call, 'ctx'>): Provider {
  if (ctx.provider !== null) return ctx.provider;
  throw new AppError('not_found', 'The installation has no identity provider (OIDC_ISSUER).');
}

/** Redirects to the address that `work` returns. A refusal leads to the sign-in page, which says it in words. */
async function orSignInPage(
  call: Call,
  work: (provider: Provider, origin: string) => Promise<string>,
): Promise<{ status: number; headers: Record<string, string> }> {
  const provider = requireProvider(call);
  const origin = call.ctx.config.PUBLIC_URL as string;
  const to = await work(provider, origin).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    call.log.warn({ code: error.code, ...error.extensions }, 'sign-in by the provider refused');
    return `${origin}/?refused=${error.code}`;
  });
  return { status: 303, headers: { Location: to, 'Cache-Control': 'no-store' } };
}

export const providerRoutes: readonly AnyRoute[] = [begin, finish, logout];
