/** Calls by which a person adds, renames and removes its passkeys. */
import { z } from 'zod';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { changeWaysIn } from './change-ways-in.ts';
import { beginRegistration, checkRegistration, savePasskey } from './passkeys.ts';
import { CeremonyAnswer, CeremonyOptions, Me } from './person.schema.ts';
import { removePasskey, renamePasskey } from './person.sql.ts';
import { requirePerson, requireProvedPerson } from './person-session.ts';
import { readMe, readPerson } from './read-me.ts';
import { countCeremony, SIGN_IN_BYTES_MAX, tag } from './sign-in.routes.ts';

const PASSKEYS_MAX = 20;
const PasskeyName = z.string().trim().min(1).max(100);
const ById = z.object({ id: z.uuid() });

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
  body: CeremonyAnswer.extend({ name: PasskeyName }).meta({ id: 'NewPasskey' }),
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
    await changeWaysIn(call.ctx.db, person.id, async (tx, { passkeys }) => {
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
    await changeWaysIn(call.ctx.db, person.id, async (tx, { passkeys, userName, identities }) => {
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

const patchPasskey = defineRoute({
  method: 'patch',
  path: '/api/me/passkeys/{id}',
  operationId: 'renameMyPasskey',
  tag,
  summary: 'Rename a passkey',
  access: 'public',
  transaction: 'none',
  params: ById,
  body: z.strictObject({ name: PasskeyName }).meta({ id: 'PasskeyRename' }),
  answers: { 200: { description: 'The person.', schema: Me } },
  errors: ['unauthorized', 'not_found'],
  handle: async (call) => {
    const person = await requirePerson(call);
    const renamed = await inTransaction(call.ctx.db, 'instance', (tx) =>
      tx.query(renamePasskey, [person.id, call.params.id, call.body.name]),
    );
    if (renamed.length === 0) throw new AppError('not_found', 'You have no such passkey.');
    return { status: 200, body: await readMe(call.ctx, person) };
  },
});

export const myPasskeyRoutes: readonly AnyRoute[] = [beginPasskey, addPasskey, patchPasskey, deletePasskey];
