/** Sessions of persons: beginning one, and asking whose a request's is. */
import type { Request, Response } from 'express';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { type InstanceTx, inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { printable } from '../../http/requests/log-requests.ts';
import type { Call } from '../../http/route.ts';
import { hashKey } from '../key-text.ts';
import { personCookie, personTokenOf } from '../person-cookie.ts';
import { comesFromAnotherSite, cookieCounts, makeToken, sessionCookie } from '../session-cookie.ts';
import {
  endPersonSession,
  findPersonSession,
  isSessionProved,
  openPersonSession,
  selectWorkspacesOfPerson,
} from './person.sql.ts';

/** Sessions of one person that are kept. */
const SESSIONS_MAX = 50;
export const WORKSPACES_MAX = 1000;

export interface SignedInPerson {
  id: string;
  name: string;
  sessionId: string;
  token: string;
}

export interface WorkspaceOfPerson {
  slug: string;
  name: string;
  member_id: string;
  member_name: string;
  areas: string[];
}

export interface OpenSession {
  token: string;
  workspaces: WorkspaceOfPerson[];
}

/** Begins a session with a new token, which `giveCookie` hands out when the transaction has committed. */
export async function beginSession(
  tx: InstanceTx,
  { ctx: { config }, req }: Pick<Call, 'ctx' | 'req'>,
  personId: string,
): Promise<OpenSession> {
  const token = makeToken();
  const agent = printable(req.get('user-agent') ?? '');
  await tx.query(openPersonSession, [
    hashKey(token),
    newId(),
    personId,
    agent,
    config.SESSION_HOURS,
    config.SESSION_DAYS_MAX,
    SESSIONS_MAX,
  ]);
  // A session before it, of this person or of another, is nobody's any more.
  const former = personTokenOf(req);
  if (former !== null) await tx.query(endPersonSession, [hashKey(former)]);
  return keepSession(tx, { id: personId, token });
}

/** Returns a session of the person with the workspaces that it opens now. */
export async function keepSession(
  tx: InstanceTx,
  { id, token }: Pick<SignedInPerson, 'id' | 'token'>,
): Promise<OpenSession> {
  const workspaces = await tx.query<WorkspaceOfPerson>(selectWorkspacesOfPerson, [id, WORKSPACES_MAX]);
  return { token, workspaces };
}

/** Cookies of keys would go before the person's in the workspaces that the person may enter: they end. */
export function giveCookie(
  { req, res }: { req: Request; res: Response },
  token: string,
  workspaces: readonly WorkspaceOfPerson[],
): void {
  res.append('Set-Cookie', personCookie(token, req.secure));
  for (const { slug } of workspaces.slice(0, COOKIES_ENDED_MAX))
    res.append('Set-Cookie', sessionCookie(slug, null, req.secure));
}
const COOKIES_ENDED_MAX = 20;

/** Returns the person whose session the request shows; null without one that counts. */
export async function findPerson({ ctx, req }: Pick<Call, 'ctx' | 'req'>): Promise<SignedInPerson | null> {
  const token = personTokenOf(req);
  const { method, headers, host, secure } = req;
  if (token === null || !cookieCounts({ method, headers, host, secure })) return null;
  const [row] = await inTransaction(ctx.db, 'instance', (tx) =>
    tx.query<{ person_id: string; name: string; session_id: string }>(findPersonSession, [
      hashKey(token),
      ctx.config.SESSION_HOURS,
    ]),
  );
  return row === undefined ? null : { id: row.person_id, name: row.name, sessionId: row.session_id, token };
}

/** Returns the person, for calls that nobody else may make. Throws `unauthorized`. */
export async function requirePerson(call: Pick<Call, 'ctx' | 'req'>): Promise<SignedInPerson> {
  const person = await findPerson(call);
  if (person !== null) return person;
  throw new AppError(
    'unauthorized',
    'This takes the session of a person: sign in with a passkey or a password.',
  );
}

/** Says whether the person signed in, or gave a proof (`POST /api/me/proof`), in the last minutes. */
export async function isProved(
  { db, config }: { db: Db; config: Pick<Config, 'PROOF_MINUTES'> },
  { token }: Pick<SignedInPerson, 'token'>,
): Promise<boolean> {
  const [row] = await inTransaction(db, 'instance', (tx) =>
    tx.query<{ proved: boolean }>(isSessionProved, [hashKey(token), config.PROOF_MINUTES * 60]),
  );
  return row?.proved === true;
}

/**
 * Returns the person, for changes of the ways to sign in: a stolen cookie must not become a lasting way in. Throws `unauthorized`, and
 * `proof_needed` unless the person signed in, or proved to be the one (`POST /api/me/proof`), in the last minutes.
 */
export async function requireProvedPerson(call: Pick<Call, 'ctx' | 'req'>): Promise<SignedInPerson> {
  const person = await requirePerson(call);
  if (await isProved(call.ctx, person)) return person;
  throw new AppError(
    'proof_needed',
    'This changes how you sign in. Show your password or a passkey again first (POST /api/me/proof), or sign in again.',
  );
}

/** Refuses what another site's page sends: it would sign a browser in as somebody else. Throws `forbidden`. */
export function requireOwnSite(req: Request): void {
  if (comesFromAnotherSite({ headers: req.headers, host: req.host }))
    throw new AppError('forbidden', 'The request comes from another site.');
}
