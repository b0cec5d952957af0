/**
 * Idempotency-Key (contract §1). The record of the first answer commits in the transaction of its effect,
 * so that there is never the one without the other; while that transaction runs, an advisory lock that
 * belongs to it turns others away at once.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import type { Answer } from './route.ts';
import { encodeAnswer } from './send-answer.ts';

/** All that makes a request the same one again. */
export interface IdempotentRequest {
  readonly key: string;
  readonly workspaceId: string;
  readonly actorId: string;
  /** Method and target; the body's digest is added by the time the record is looked up. */
  readonly target: string;
  /** SHA-256 of the decompressed body; null until a body that the handler reads itself has been read. */
  readonly bodyDigest: Buffer | null;
  /** What seals the kept answer: made of the caller's own key, which is stored nowhere. */
  readonly sealKey: Buffer;
  readonly retentionDays: number;
}

const visibleAscii = /^[\x21-\x7e]{1,255}$/;
const INSTANCE = '00000000-0000-0000-0000-000000000000';

/** Reads the header; null without one. Throws `invalid_header`. */
export function readIdempotencyKey(
  header: string | undefined,
  request: {
    workspaceId: string | null;
    actorId: string | null;
    credential: string;
    target: string;
    retentionDays: number;
  },
): IdempotentRequest | null {
  if (header === undefined) return null;
  if (!visibleAscii.test(header)) {
    throw new AppError('invalid_header', 'Idempotency-Key takes 1 to 255 visible ASCII characters.');
  }
  const sealKey = createHash('sha256').update('partbook idempotency').update(request.credential).digest();
  return {
    key: header,
    workspaceId: request.workspaceId ?? INSTANCE,
    // The operator has no key row: its token's digest stands in, so that a new token is a new caller.
    actorId: request.actorId ?? uuidOf(createHash('sha256').update(sealKey).digest()),
    target: request.target,
    bodyDigest: null,
    sealKey,
    retentionDays: request.retentionDays,
  };
}

export function withBody(request: IdempotentRequest, bodyDigest: Buffer): IdempotentRequest {
  return { ...request, bodyDigest };
}

interface Kept {
  request_hash: Buffer;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Claims the key until `tx` ends. The first answer when there is one already, to be sent as it is; null
 * when the caller is the first: it does its work and calls `recordAnswer` before it commits.
 * Throws `idempotency_in_progress` and `idempotency_key_reused`.
 */
export async function claimIdempotencyKey(tx: Tx, request: IdempotentRequest): Promise<Answer | null> {
  const [claim] = await tx.query<{ claimed: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 7278623)) as claimed',
    [`${request.workspaceId} ${request.actorId} ${request.key}`],
  );
  if (claim?.claimed !== true) {
    throw new AppError('idempotency_in_progress', {
      detail: 'A request with this Idempotency-Key is still running. Repeat it a little later.',
      headers: { 'Retry-After': '1' },
    });
  }
  // A statement of its own: its snapshot must be younger than the lock.
  const [kept] = await tx.query<Kept>(
    `select request_hash, status, headers, body from idempotency_key
     where workspace_id = $1 and actor_id = $2 and key = $3
       and created_at > now() - make_interval(days => $4)`,
    [request.workspaceId, request.actorId, request.key, request.retentionDays],
  );
  if (kept === undefined) return null;
  if (!kept.request_hash.equals(hashOf(request))) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key came with another request before. Use a new key for a new request.',
    );
  }
  return {
    status: kept.status,
    headers: { ...kept.headers, 'Idempotent-Replayed': 'true' },
    bytes: unseal(kept.body, request.sealKey),
  };
}

/**
 * Keeps an answer for the next time, in the transaction of its effect. Answers from 400 up are not kept
 * (their transaction rolls back). Called again, it replaces what was kept.
 */
export async function recordAnswer(tx: Tx, request: IdempotentRequest, answer: Answer): Promise<void> {
  if (answer.status >= 400) return;
  const { headers, bytes } = encodeAnswer(answer);
  await tx.query(
    `insert into idempotency_key (workspace_id, actor_id, key, request_hash, status, headers, body)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (workspace_id, actor_id, key) do update set
       request_hash = excluded.request_hash, status = excluded.status, headers = excluded.headers,
       body = excluded.body, created_at = now()`,
    [
      request.workspaceId,
      request.actorId,
      request.key,
      hashOf(request),
      answer.status,
      JSON.stringify(headers),
      seal(bytes, request.sealKey),
    ],
  );
}

/** Removes one portion of what is past its retention, in the instance's scope; returns how many rows. */
export async function pruneIdempotencyKeys(tx: Tx, retentionDays: number, rowsMax = 5000): Promise<number> {
  const rows = await tx.query(
    `delete from idempotency_key where ctid = any (array(
       select ctid from idempotency_key where created_at < now() - make_interval(days => $1) limit $2
     )) returning 1`,
    [retentionDays, rowsMax],
  );
  return rows.length;
}

function hashOf(request: IdempotentRequest): Buffer {
  if (request.bodyDigest === null)
    throw new Error('the body must be read before its Idempotency-Key is used');
  return createHash('sha256').update(`${request.target}\n`).update(request.bodyDigest).digest();
}

// Answers may show a secret once (a new API key). Sealed with what only the caller has, a copy of the
// database does not show it a second time.
function seal(bytes: Buffer, key: Buffer): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

function unseal(kept: Buffer, key: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, kept.subarray(0, 12));
  decipher.setAuthTag(kept.subarray(12, 28));
  return Buffer.concat([decipher.update(kept.subarray(28)), decipher.final()]);
}

function uuidOf(digest: Buffer): string {
  const hex = digest.toString('hex', 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
