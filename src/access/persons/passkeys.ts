/** Passkeys: the ceremony of making one and of signing in with one. A challenge is kept by its hash and spent by its use. */

import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Request } from 'express';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { type InstanceTx, inTransaction, violatedConstraint } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { hashKey } from '../key-text.ts';
import { makeToken } from '../session-cookie.ts';
import { addPasskey, beginSignInAttempt, findPasskey, takeSignInAttempt, usePasskey } from './person.sql.ts';
import { siteOf } from './site.ts';

/** The answer of an authenticator, as the browser sends it; the library checks it. */
export interface Ceremony {
  attempt: string;
  response: unknown;
}

export interface CheckedPasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

const ATTEMPT_SECONDS = 600;
const TIMEOUT_MS = 300_000;
/** Ed25519, ES256, RS256: what Node verifies without experimental algorithms. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded with the first passkey: most processes never need it. */
const library = () => import('@simplewebauthn/server');

type Config_ = Pick<Config, 'PUBLIC_URL'>;

/** Options for making a passkey of that person; those that the person has are excluded. */
export async function beginRegistration(
  db: Db,
  config: Config_,
  req: Request,
  person: { name: string; known: readonly string[] },
): Promise<{ attempt: string; options: PublicKeyCredentialCreationOptionsJSON }> {
  const { rpId } = requireSite(config, req);
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: 'Partbook',
    rpID: rpId,
    userName: person.name,
    userDisplayName: person.name,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    excludeCredentials: person.known.map((credential) => ({
      id: Buffer.from(credential, 'base64').toString('base64url'),
    })),
  });
  return { attempt: await keepChallenge(db, 'register', options.challenge), options };
}

export async function beginAuthentication(
  db: Db,
  config: Config_,
  req: Request,
): Promise<{ attempt: string; options: PublicKeyCredentialRequestOptionsJSON }> {
  const { rpId } = requireSite(config, req);
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    timeout: TIMEOUT_MS,
    userVerification: 'preferred',
  });
  return { attempt: await keepChallenge(db, 'signIn', options.challenge), options };
}

/** Checks a new passkey. Throws `sign_in_expired` and `passkey_refused`. */
export async function checkRegistration(
  db: Db,
  config: Config_,
  req: Request,
  { attempt, response }: Ceremony,
): Promise<CheckedPasskey> {
  const { rpId, origin } = requireSite(config, req);
  const expectedChallenge = await takeChallenge(db, 'register', attempt);
  const { verifyRegistrationResponse } = await library();
  const given = response as RegistrationResponseJSON;
  const checked = await orRefused(() =>
    verifyRegistrationResponse({
      response: given,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!checked.verified) throw refused();
  const { id, publicKey, counter, transports } = checked.registrationInfo.credential;
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    counter,
    transports: knownTransports(transports),
  };
}

/** The library passes on what was sent, whatever it is. */
function knownTransports(given: unknown): string[] {
  if (!Array.isArray(given)) return [];
  return given.filter((one) => typeof one === 'string' && /^[a-z-]{1,20}$/.test(one)).slice(0, 10);
}

/** Throws `passkey_refused` for a credential that is known already: it could be that of somebody else. */
export async function savePasskey(
  tx: InstanceTx,
  personId: string,
  passkey: CheckedPasskey,
  name: string,
): Promise<string> {
  const id = newId();
  const { credentialId, publicKey, counter, transports } = passkey;
  await tx
    .query(addPasskey, [credentialId, id, personId, publicKey, counter, transports, name])
    .catch((error: unknown) => {
      throw violatedConstraint(error) === 'passkey_pkey' ? refused() : error;
    });
  return id;
}

/** Returns the person of a passkey. Throws `sign_in_expired` and `unauthorized`. */
export async function personOfPasskey(
  db: Db,
  config: Config_,
  req: Request,
  { attempt, response }: Ceremony,
): Promise<{ id: string; name: string }> {
  const { rpId, origin } = requireSite(config, req);
  const expectedChallenge = await takeChallenge(db, 'signIn', attempt);
  const given = response as AuthenticationResponseJSON;
  const credential = Buffer.from(String(given.id), 'base64url');
  const [known] = await inTransaction(db, 'instance', (tx) =>
    tx.query<PasskeyRow>(findPasskey, [credential]),
  );
  if (known === undefined) throw unknownPasskey();
  const { verifyAuthenticationResponse } = await library();
  const checked = await orRefused(() =>
    verifyAuthenticationResponse({
      response: given,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      credential: {
        id: credential.toString('base64url'),
        publicKey: new Uint8Array(known.public_key),
        counter: Number(known.counter),
        transports: known.transports as AuthenticatorTransport[],
      },
    }),
  );
  if (!checked.verified) throw refused();
  const { newCounter } = checked.authenticationInfo;
  await inTransaction(db, 'instance', (tx) => tx.query(usePasskey, [credential, newCounter]));
  return { id: known.person_id, name: known.name };
}

interface PasskeyRow {
  person_id: string;
  name: string;
  public_key: Buffer;
  counter: string;
  transports: string[];
}

async function keepChallenge(db: Db, purpose: string, challenge: string): Promise<string> {
  const attempt = makeToken();
  await inTransaction(db, 'instance', (tx) =>
    tx.query(beginSignInAttempt, [hashKey(attempt), purpose, challenge, ATTEMPT_SECONDS]),
  );
  return attempt;
}

async function takeChallenge(db: Db, purpose: string, attempt: string): Promise<string> {
  const [taken] = await inTransaction(db, 'instance', (tx) =>
    tx.query<{ challenge: string }>(takeSignInAttempt, [hashKey(attempt), purpose]),
  );
  if (taken === undefined)
    throw new AppError('sign_in_expired', 'This took too long, or was sent twice. Begin again.');
  return taken.challenge;
}

function requireSite(config: Config_, req: Request) {
  const site = siteOf(config, req);
  if (site.rpId === null) throw new AppError('passkeys_unavailable', site.whyNot);
  return site;
}

/** The library throws a plain error for whatever does not fit; its text may hold what was sent. */
async function orRefused<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch {
    throw refused();
  }
}

function refused(): AppError {
  return new AppError(
    'passkey_refused',
    'The answer of the passkey does not fit what was asked. Begin again.',
  );
}

function unknownPasskey(): AppError {
  return new AppError(
    'unauthorized',
    'This passkey opens nothing here: it was removed, or belongs to another installation. Ask an administrator for a sign-in link.',
  );
}
