/**
 * The operator's session in a browser: a cookie that proves that the token was once shown, without holding
 * it. It is signed with a key derived from the token, so a new token ends every session.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';

const COOKIE = 'partbook_operator';
const cookieForm = new RegExp(`(?:^|; *)${COOKIE}=([\\w.-]+)`);
const SESSION_MS = 8 * 3600 * 1000;

export function openSession(req: Request, res: Response, operatorToken: string, path: string): void {
  const claim = `${Date.now() + SESSION_MS}.${randomBytes(16).toString('base64url')}`;
  res.cookie(COOKIE, `${claim}.${sign(claim, operatorToken)}`, {
    httpOnly: true,
    sameSite: 'strict',
    secure: req.secure,
    path,
    maxAge: SESSION_MS,
  });
}

export function endSession(req: Request, res: Response, path: string): void {
  res.clearCookie(COOKIE, { httpOnly: true, sameSite: 'strict', secure: req.secure, path });
}

/** Whether the request comes with a valid session. */
export function hasSession(req: Request, operatorToken: string): boolean {
  const value = cookieForm.exec(req.headers.cookie ?? '')?.[1];
  const [expiresAt, nonce, signature] = value?.split('.') ?? [];
  if (expiresAt === undefined || nonce === undefined || signature === undefined) return false;
  const expected = Buffer.from(sign(`${expiresAt}.${nonce}`, operatorToken));
  const given = Buffer.from(signature);
  return (
    given.length === expected.length && timingSafeEqual(given, expected) && Number(expiresAt) > Date.now()
  );
}

function sign(claim: string, operatorToken: string): string {
  const key = createHmac('sha256', operatorToken).update('partbook operator session').digest();
  return createHmac('sha256', key).update(claim).digest('base64url');
}
