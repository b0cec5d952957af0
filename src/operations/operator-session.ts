/**
 * The operator's session in a browser: a cookie that proves that the token was once shown, without holding it. It is
 * signed with a key derived from the token, so a new token ends every session; and it is known to the database until
 * the operator signs out, in every process.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { type Actor, OPERATOR, operatorOf } from '../actor.ts';
import type { Db } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import {
  deleteOperatorSession,
  insertOperatorSession,
  selectOperatorSession,
} from './operator-session.sql.ts';

const COOKIE = 'partbook_operator';
const cookieForm = new RegExp(`(?:^|; *)${COOKIE}=([\\w-]+)\\.([\\w-]+)(?:;|$)`);
const SESSION_SECONDS = 8 * 3600;
const TOKEN_BYTES = 32;

export interface SessionKeeper {
  db: Db;
  operatorToken: string;
}

/** Opens a session of whoever showed the token, or of a person, whose own session it then ends with. */
export async function openSession(
  { db, operatorToken }: SessionKeeper,
  req: Request,
  res: Response,
  { path, personTokenHash }: { path: string; personTokenHash: Buffer | null },
): Promise<void> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await inTransaction(db, 'instance', (tx) =>
    tx.query(insertOperatorSession, [hashOf(token), SESSION_SECONDS, personTokenHash]),
  );
  res.cookie(COOKIE, `${token}.${sign(token, operatorToken)}`, {
    httpOnly: true,
    sameSite: 'strict',
    secure: req.secure,
    path,
    maxAge: SESSION_SECONDS * 1000,
  });
}

/** Ends the session of the request's cookie, for every process; the cookie goes too. */
export async function endSession(
  { db, operatorToken }: SessionKeeper,
  req: Request,
  res: Response,
  path: string,
): Promise<void> {
  const token = tokenOf(req, operatorToken);
  if (token !== null) {
    await inTransaction(db, 'instance', (tx) => tx.query(deleteOperatorSession, [hashOf(token)]));
  }
  res.clearCookie(COOKIE, { httpOnly: true, sameSite: 'strict', secure: req.secure, path });
}

/** Returns who acts in the session of the request; null where there is none that has not ended. */
export async function findSession({ db, operatorToken }: SessionKeeper, req: Request): Promise<Actor | null> {
  const token = tokenOf(req, operatorToken);
  if (token === null) return null;
  const [found] = await inTransaction(
    db,
    'instance',
    (tx) =>
      tx.query<{ person_id: string | null; name: string | null }>(selectOperatorSession, [hashOf(token)]),
    { readOnly: true },
  );
  if (found === undefined) return null;
  const { person_id: id, name } = found;
  return id === null ? OPERATOR : operatorOf({ id, name: name ?? '' });
}

/** Returns the token of the cookie if the service has signed it; only such a token is looked up in the database. */
function tokenOf(req: Request, operatorToken: string): string | null {
  const [, token, signature] = cookieForm.exec(req.headers.cookie ?? '') ?? [];
  if (token === undefined || signature === undefined) return null;
  const expected = Buffer.from(sign(token, operatorToken));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

function sign(token: string, operatorToken: string): string {
  const key = createHmac('sha256', operatorToken).update('partbook operator session').digest();
  return createHmac('sha256', key).update(token).digest('base64url');
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
