/** Calls by which a person reads and changes itself: passkeys, password, sessions. */
import { z } from 'zod';
import type { Db } from '../../db/connect.ts';
import { inTransaction, violatedConstraint } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { clientAddress } from '../../http/requests/client-address.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { hashKey } from '../key-text.ts';
import { personCookie, personTokenOf } from '../person-cookie.ts';
import { changeWaysIn } from './change-ways-in.ts';
import { personOfPasskey } from './passkeys.ts';
import { Me, NewPassword, Proof } from './person.schema.ts';
import {
  endPersonSession,
  endPersonSessions,
  findIdentityToken,
  provePersonSession,
  setPersonPassword,
} from './person.sql.ts';
import { requireOwnSite, requirePerson, requireProvedPerson } from './person-session.ts';
import { readMe, readPerson } from './read-me.ts';
import { countAttempt, countCeremony, personOfPassword, SIGN_IN_BYTES_MAX, tag } from './sign-in.routes.ts';

const ById = z.object({ id: z.uuid() });

const read = defineRoute({
  method: 'get',
  path: '/api/me',
  operationId: 'getMe',
  tag,
  summary: 'Read the person who is signed in',
  description: 'With its workspaces, passkeys and sessions.',
  access: 'public',
  transaction: 'none',
  answers: { 200: { description: 'The person.', schema: Me } },
  errors: ['unauthorized'],
  handle: async (call) => ({ status: 200, body: await readMe(call.ctx, await requirePerson(call)) }),
});

const signOut = defineRoute({
  method: 'delete',
  path: '/api/me/session',
  operationId: 'signOutPerson',
  tag,
  summary: 'Sign out',
  description: 'Ends the session of the cookie in every workspace. Without a session nothing happens.',
  access: 'public',
  transaction: 'none',
  answers: {
    200: {
      description: 'The session has ended.',
      schema: z.object({
        endSessionUrl: z.string().nullable().meta({
          description: 'Where the browser signs out at the provider too; null where there is nothing to do.',
        }),
      }),
    },
  },
  errors: ['forbidden'],
  handle: async ({ ctx, req, res }) => {
    requireOwnSite(req);
    const token = personTokenOf(req);
    const identity = token === null ? null : await endOwnSession(ctx.db, token);
    res.append('Set-Cookie', personCookie(null, req.secure));
    const { provider } = ctx;
    const isOfProvider = provider !== null && identity?.issuer === provider.issuer;
    const endSessionUrl = isOfProvider ? await provider.endSessionUrl(identity.id_token) : null;
    return { status: 200, body: { endSessionUrl } };
  },
});

/** Ends the session first, whatever becomes of the provider's. Returns the identity that it was opened by; null for other sessions. */
function endOwnSession(db: Db, token: string): Promise<{ issuer: string; id_token: string } | null> {
  return inTransaction(db, 'instance', async (tx) => {
    const [identity] = await tx.query<{ issuer: string; id_token: string }>(findIdentityToken, [
      hashKey(token),
    ]);
    await tx.query(endPersonSession, [hashKey(token)]);
    return identity ?? null;
  });
}

const endSession = defineRoute({
  method: 'delete',
  path: '/api/me/sessions/{id}',
  operationId: 'endMySession',
  tag,
  summary: 'End one of your sessions',
  access: 'public',
  transaction: 'none',
  params: ById,
  answers: { 204: { description: 'The session has ended.' } },
  errors: ['unauthorized', 'not_found'],
  handle: async (call) => {
    const person = await requirePerson(call);
    const ended = await inTransaction(call.ctx.db, 'instance', (tx) =>
      tx.query(endPersonSessions, [person.id, call.params.id, null]),
    );
    if (ended.length === 0) throw new AppError('not_found', 'You have no such session.');
    return { status: 204 };
  },
});

const prove = defineRoute({
  method: 'post',
  path: '/api/me/proof',
  operationId: 'proveMe',
  tag,
  summary: 'Prove again that it is you',
  description:
    'Takes your password, or the answer of one of your passkeys to `POST /api/sign-in/passkey/options`. Changes of your passkeys and your password need a proof or a sign-in within the last ten minutes (`PROOF_MINUTES`).',
  access: 'public',
  transaction: 'none',
  body: Proof,
  bodyBytesMax: SIGN_IN_BYTES_MAX,
  answers: { 204: { description: 'The session is proved.' } },
  errors: ['unauthorized', 'passkeys_unavailable', 'passkey_refused', 'sign_in_expired', 'rate_limited'],
  handle: async (call) => {
    const { ctx, req, body, log } = call;
    const person = await requirePerson(call);
    if (!(await isProof())) {
      log.warn({ personId: person.id }, 'proof refused');
      throw new AppError('unauthorized', 'This is not your password, or not one of your passkeys.');
    }
    await inTransaction(ctx.db, 'instance', (tx) => tx.query(provePersonSession, [hashKey(person.token)]));
    return { status: 204 };

    async function isProof(): Promise<boolean> {
      if ('passkey' in body) {
        await countAttempt(call, clientAddress(req));
        if ((await personOfPasskey(ctx.db, ctx.config, req, body.passkey)).id !== person.id) return false;
        await ctx.signIns.takeBack(clientAddress(req));
        return true;
      }
      const { userName } = await readPerson(ctx.db, person.id);
      if (userName === null) return false;
      return (await personOfPassword(call, { userName, password: body.password }))?.id === person.id;
    }
  },
});

const putPassword = defineRoute({
  method: 'put',
  path: '/api/me/password',
  operationId: 'setMyPassword',
  tag,
  summary: 'Set or change your password',
  description: 'Your other sessions end. It needs a proof or a sign-in within the last minutes.',
  access: 'public',
  transaction: 'none',
  body: NewPassword,
  bodyBytesMax: SIGN_IN_BYTES_MAX,
  answers: { 200: { description: 'The person.', schema: Me } },
  errors: ['unauthorized', 'proof_needed', 'user_name_taken', 'rate_limited'],
  handle: async (call) => {
    const person = await requireProvedPerson(call);
    await countCeremony(call);
    const hash = await call.ctx.passwords.hash(call.body.password);
    await changeWaysIn(call.ctx.db, person.id, async (tx) => {
      await tx.query(setPersonPassword, [person.id, call.body.userName, hash]);
      await tx.query(endPersonSessions, [person.id, null, hashKey(person.token)]);
    }).catch(throwNameTaken);
    return { status: 200, body: await readMe(call.ctx, person) };
  },
});

/** Says that a sign-in name is taken, where that is what went wrong. */
export function throwNameTaken(error: unknown): never {
  if (violatedConstraint(error) !== 'person_password_user_name') throw error;
  throw new AppError('user_name_taken', 'Somebody else has this sign-in name. Choose another one.');
}

export const meRoutes: readonly AnyRoute[] = [read, signOut, endSession, prove, putPassword];
