/** Calls by which a person reads and changes itself: passkeys, password, sessions. */
import { z } from 'zod';
import type { Db } from '../../db/connect.ts';
import { inTransaction, violatedConstraint } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { clientAddress } from '../../http/requests/client-address.ts';
import { type AnyRoute, type Call, defineRoute } from '../../http/route.ts';
import { hashKey } from '../key-text.ts';
import { personCookie, personTokenOf } from '../person-cookie.ts';
import { beginRegistration, checkRegistration, personOfPasskey, savePasskey } from './passkeys.ts';
import { CeremonyAnswer, CeremonyOptions, Me, NewPassword, Proof } from './person.schema.ts';
import {
  describePerson,
  endPersonSession,
  endPersonSessions,
  findIdentityToken,
  lockPerson,
  provePersonSession,
  removePasskey,
  setPersonPassword,
} from './person.sql.ts';
import { requireOwnSite, requirePerson, requireProvedPerson } from './person-session.ts';
import { type DescribedPerson, readMe, readPerson } from './read-me.ts';
import { countAttempt, countCeremony, personOfPassword, SIGN_IN_BYTES_MAX, tag } from './sign-in.routes.ts';

const PASSKEYS_MAX = 20;
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

const beginPasskey = defineRoute({
  method: 'post',
  path: '/api/me/passkeys/options',
  operationId: 'beginMyPasskey',
  tag,
  summary: 'Begin to make a further passkey',
  access: 'public',
  transaction: 'none',
  body: z.strictObject({}),
  bodyBytesMax: SIGN_IN_BYTES_MAX,
  answers: { 200: { description: 'Options for the browser.', schema: CeremonyOptions } },
  errors: ['unauthorized', 'proof_needed', 'passkeys_unavailable', 'rate_limited'],
  handle: async (call) => {
    const person = await requireProvedPerson(call);
    await countCeremony(call);
    const { passkeys } = await readPerson(call.ctx.db, person.id);
    const known = passkeys.map(({ credentialId }) => credentialId);
    return {
      status: 200,
      body: await beginRegistration(call.ctx.db, call.ctx.config, call.req, { name: person.name, known }),
    };
  },
});

const addPasskey = defineRoute({
  method: 'post',
  path: '/api/me/passkeys',
  operationId: 'addMyPasskey',
  tag,
  summary: 'Add a passkey',
  access: 'public',
  transaction: 'none',
  body: CeremonyAnswer.extend({ name: z.string().trim().min(1).max(100) }).meta({ id: 'NewPasskey' }),
  bodyBytesMax: SIGN_IN_BYTES_MAX,
  answers: { 201: { description: 'The person, with the new passkey.', schema: Me } },
  errors: [
    'unauthorized',
    'proof_needed',
    'passkeys_unavailable',
    'passkey_refused',
    'sign_in_expired',
    'configuration_full',
  ],
  handle: async (call) => {
    const { ctx, req, body } = call;
    const person = await requireProvedPerson(call);
    const checked = await checkRegistration(ctx.db, ctx.config, req, body);
    await changeWaysIn(call, person.id, async (tx, { passkeys }) => {
      if (passkeys.length >= PASSKEYS_MAX)
        throw new AppError('configuration_full', {
          detail: `You have ${PASSKEYS_MAX} passkeys, which is as many as a person can have. Remove some.`,
          extensions: { limit: PASSKEYS_MAX },
        });
      await savePasskey(tx, person.id, checked, body.name);
    });
    return { status: 201, body: await readMe(call.ctx, person) };
  },
});

const deletePasskey = defineRoute({
  method: 'delete',
  path: '/api/me/passkeys/{id}',
  operationId: 'removeMyPasskey',
  tag,
  summary: 'Remove a passkey',
  description: 'It opens nothing from the next sign-in on. The last way to sign in stays.',
  access: 'public',
  transaction: 'none',
  params: ById,
  answers: { 204: { description: 'The passkey is removed.' } },
  errors: ['unauthorized', 'proof_needed', 'not_found', 'last_way_in'],
  handle: async (call) => {
    const person = await requireProvedPerson(call);
    await changeWaysIn(call, person.id, async (tx, { passkeys, userName, identities }) => {
      if (!passkeys.some(({ id }) => id === call.params.id))
        throw new AppError('not_found', 'You have no such passkey.');
      if (passkeys.length === 1 && userName === null && identities.length === 0)
        throw new AppError(
          'last_way_in',
          'This is your only way to sign in. Add another passkey or a password first.',
        );
      await tx.query(removePasskey, [person.id, call.params.id]);
    });
    return { status: 204 };
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
    await changeWaysIn(call, person.id, async (tx) => {
      await tx.query(setPersonPassword, [person.id, call.body.userName, hash]);
      await tx.query(endPersonSessions, [person.id, null, hashKey(person.token)]);
    }).catch(throwNameTaken);
    return { status: 200, body: await readMe(call.ctx, person) };
  },
});

/** Runs work with the person locked: of two changes at once, the second sees what the first has left. */
async function changeWaysIn(
  { ctx }: Pick<Call, 'ctx'>,
  personId: string,
  work: (tx: Parameters<typeof savePasskey>[0], person: DescribedPerson) => Promise<void>,
): Promise<void> {
  await inTransaction(ctx.db, 'instance', async (tx) => {
    await tx.query(lockPerson, [personId]);
    const [row] = await tx.query<{ person: DescribedPerson }>(describePerson, [personId]);
    if (row === undefined) throw new Error('the person of a session is gone');
    await work(tx, row.person);
  });
}

/** Says that a sign-in name is taken, where that is what went wrong. */
export function throwNameTaken(error: unknown): never {
  if (violatedConstraint(error) !== 'person_password_user_name') throw error;
  throw new AppError('user_name_taken', 'Somebody else has this sign-in name. Choose another one.');
}

export const meRoutes: readonly AnyRoute[] = [
  read,
  signOut,
  endSession,
  prove,
  beginPasskey,
  addPasskey,
  deletePasskey,
  putPassword,
];
