/**
 * Authenticates callers. Keys and sessions are looked up for every request, without a cache, so that a revocation
 * takes effect on the next request in every process (contract §1.3).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { areasOfPermission, type NeededArea, requireArea } from '../areas.ts';
import type { Db } from '../db/connect.ts';
import { AppError, restingError } from '../errors.ts';
import type { Caller, Refusal } from '../http/callers.ts';
import { authenticateWebSession, usePersonSession } from './authenticate.sql.ts';
import { type KeyRow, lookupsOf } from './caller-lookups.ts';
import { hashKey, keyTextFault } from './key-text.ts';
import { personTokenOf } from './person-cookie.ts';
import { type CookieRequest, cookieCounts, tokenOf } from './session-cookie.ts';

/** Pattern of possible slugs. */
export const slugForm = /^[a-z0-9][a-z0-9-]{1,62}$/;

/** Looks a key or the session of a person up by its hash, with the workspace of a slug: after the request has come, and whatever was known before. */
export type FindKeyRow = (hash: Buffer, slug: string) => Promise<KeyRow | undefined>;

/**
 * Credentials of a request. A key in a header takes precedence over cookies; the cookie of a key's session, which is one workspace's, over
 * that of a person.
 */
export interface Credentials extends CookieRequest {
  /** Hours that a session lasts from its last use on. */
  sessionHours: number;
  /** For callers that look the key up in the same burst as something else. */
  find?: FindKeyRow | undefined;
}

/**
 * Returns the caller behind the request's key or session, in the workspace of that slug, with the needed area. Throws
 * `unauthorized`, `forbidden` or `area_missing`; `refused` is told why.
 */
export async function authenticateCaller(
  db: Db,
  credentials: Credentials,
  slug: string,
  needed: NeededArea,
  refused: (why: Refusal) => void,
): Promise<Caller> {
  const key = credentialOf(credentials.headers);
  const fault = faultOf(key, credentials);
  if (fault !== null) {
    refused(fault);
    throw unauthorized();
  }
  // A slug that cannot exist (it may hold what PostgreSQL refuses as text) looks like one that does not.
  const wanted = slugForm.test(slug) ? slug : '';
  const { row, credential, type } =
    key === null ? await findSession(db, credentials, wanted) : await findByKey(db, credentials, key, wanted);
  if (row === undefined || row.revoked || row.expired) {
    refused(row === undefined ? 'unknown' : row.revoked ? 'revoked' : 'expired');
    throw unauthorized();
  }
  if (row.wanted_workspace_id === null || row.wanted_workspace_id !== row.key_workspace_id) {
    refused('foreign');
    throw forbidden();
  }
  const areas = row.areas ?? areasOfPermission[row.permission];
  try {
    requireArea({ areas }, needed);
  } catch (error) {
    refused('weak');
    throw error;
  }
  // Said only to holders of a key of the workspace.
  if (row.wanted_state !== null && row.wanted_state !== 'active') {
    refused('resting');
    throw restingError(row.wanted_state, row.wanted_moved_to);
  }
  return {
    actor: { type, id: row.key_id, name: row.key_name },
    areas,
    workspace: { id: row.wanted_workspace_id, slug, name: row.wanted_workspace_name ?? slug },
    credential,
    isSession: key === null,
  };
}

interface Found {
  row: KeyRow | undefined;
  credential: string;
  type: 'apiKey' | 'member';
}

async function findByKey(db: Db, { find }: Credentials, key: string, slug: string): Promise<Found> {
  const hash = hashKey(key);
  return {
    row: await (find?.(hash, slug) ?? lookupsOf(db).find(hash, slug)),
    credential: key,
    type: 'apiKey',
  };
}

/** A session of a key that has ended says nothing while a person is signed in. */
async function findSession(db: Db, credentials: Credentials, slug: string): Promise<Found> {
  const token = tokenOf(credentials);
  const personToken = personTokenOf(credentials);
  const [ofKey] =
    token === null
      ? []
      : await db.query<KeyRow>(authenticateWebSession, [hashKey(token), slug, credentials.sessionHours]);
  const isOver = ofKey === undefined || ofKey.revoked || ofKey.expired;
  if (!isOver || personToken === null) return { row: ofKey, credential: token ?? '', type: 'apiKey' };
  return {
    row: await findPersonSession(db, credentials, personToken, slug),
    credential: personToken,
    type: 'member',
  };
}

async function findPersonSession(
  db: Db,
  { find, sessionHours }: Credentials,
  token: string,
  slug: string,
): Promise<KeyRow | undefined> {
  const hash = hashKey(token);
  const row = await (find?.(hash, slug) ?? lookupsOf(db, 'member').find(hash, slug));
  if (row?.is_stale === true) await db.query(usePersonSession, [hash, slug, sessionHours]);
  return row;
}

function faultOf(key: string | null, request: CookieRequest): Refusal | null {
  if (key !== null) return keyTextFault(key);
  if (tokenOf(request) === null && personTokenOf(request) === null) return 'missing';
  return cookieCounts(request) ? null : 'cross-site';
}

/** The workspace and the key behind the text of a key, wherever it belongs; null for one that opens nothing. */
export async function findKey(db: Db, key: string): Promise<{ workspaceId: string; keyId: string } | null> {
  if (keyTextFault(key) !== null) return null;
  const row = await lookupsOf(db).find(hashKey(key), '');
  if (row === undefined || row.revoked || row.expired) return null;
  return { workspaceId: row.key_workspace_id, keyId: row.key_id };
}

/** Lets the operator pass, and nobody else. Returns the token as presented. */
export function authenticateOperator(
  operatorToken: string,
  headers: IncomingHttpHeaders,
  refused: (why: Refusal) => void,
): string {
  const credential = credentialOf(headers);
  if (credential === null || !sameSecret(credential, operatorToken)) {
    refused(credential === null ? 'missing' : 'unknown');
    throw unauthorized(
      'The operator token of the installation is needed, "Authorization: Bearer <OPERATOR_TOKEN>": a key of a workspace opens nothing here.',
    );
  }
  return credential;
}

/** Compares in a time that tells neither content nor length. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The key of `Authorization: Bearer`, else of `X-API-Key`, else null. */
export function credentialOf(headers: IncomingHttpHeaders): string | null {
  // KiCad sends its key as `Token`.
  const bearer = /^(?:bearer|token) +([^ ]+) *$/i.exec(headers.authorization ?? '');
  if (bearer?.[1] !== undefined) return bearer[1];
  const own = headers['x-api-key'];
  return typeof own === 'string' && own !== '' ? own.trim() : null;
}

function unauthorized(
  detail = 'A valid API key is needed, "Authorization: Bearer <API_KEY>" or "X-API-Key: <API_KEY>", or a session.',
): AppError {
  return new AppError('unauthorized', {
    detail,
    headers: { 'WWW-Authenticate': 'Bearer realm="partbook"' },
  });
}

/** Returns the same error for a foreign workspace and a missing one, so that nobody can probe for slugs. */
function forbidden(): AppError {
  return new AppError(
    'forbidden',
    'This takes a key of the workspace in the path: this one is of another workspace.',
  );
}
