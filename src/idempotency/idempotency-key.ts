/**
 * Idempotency-Key (contract §1.10). The record of the first answer commits in the transaction of its effect,
 * so that there is never the one without the other; while that transaction runs, an advisory lock that
 * belongs to it turns others away at once.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { AnyTx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { insertKept, keepPartitions, selectKept, tryLockKeys } from './kept-answers.sql.ts';

/** All that makes a request the same one again. */
export interface IdempotentRequest {
  readonly key: string;
  readonly workspaceId: string;
  readonly actorId: string;
  /** Method and target; the body's digest is added by the time the record is looked up. */
  readonly target: string;
  /** SHA-256 of the decompressed body; null until a body that the handler reads itself has been read. */
  readonly bodyDigest: Buffer | null;
  /** Key that seals the kept answer: derived from the caller's own key, which is stored nowhere. */
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

/** The digest of no body: where a key stands for the target alone. */
export const noBody = createHash('sha256').digest();

export function withBody(request: IdempotentRequest, bodyDigest: Buffer): IdempotentRequest {
  return { ...request, bodyDigest };
}

/** A kept answer, byte for byte; the HTTP code creates and sends it. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes: Buffer;
}

interface Kept {
  workspace_id: string;
  actor_id: string;
  key: string;
  request_hash: Buffer;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Result of a claim: continue, send the first answer as it is, or refuse. */
export type Claim =
  | { kind: 'first' }
  | { kind: 'replay'; answer: KeptAnswer }
  | { kind: 'refused'; error: AppError };

/**
 * Claims the key until `tx` ends. The first answer when there is one already, to be sent as it is; null
 * when the caller is the first: it does its work and calls `recordAnswer` before it commits.
 * Throws `idempotency_in_progress` and `idempotency_key_reused`.
 */
export async function claimIdempotencyKey(tx: AnyTx, request: IdempotentRequest): Promise<KeptAnswer | null> {
  const [claim] = await claimIdempotencyKeys(tx, [request]);
  if (claim?.kind === 'refused') throw claim.error;
  return claim?.kind === 'replay' ? claim.answer : null;
}

/**
 * Claims keys for requests that share a transaction: each gets its own result, in order. Of two with the same key
 * the first counts, and the other finds it in progress.
 */
export async function claimIdempotencyKeys(
  tx: AnyTx,
  requests: readonly IdempotentRequest[],
): Promise<Claim[]> {
  if (requests.length === 0) return [];
  const names = requests.map((request) => `${request.workspaceId} ${request.actorId} ${request.key}`);
  const locking = tx.queryPrepared<{ claimed: boolean }>(tryLockKeys, [names]);
  // A statement of its own behind the other: its snapshot must be younger than the lock.
  const looking = tx.queryPrepared<Kept>(selectKept, [
    requests.map((request) => request.workspaceId),
    requests.map((request) => request.actorId),
    requests.map((request) => request.key),
    Math.max(...requests.map((request) => request.retentionDays)),
  ]);
  const [locks, kept] = await Promise.all([locking, looking]);
  const byName = new Map(kept.map((row) => [`${row.workspace_id} ${row.actor_id} ${row.key}`, row]));
  const claimedHere = new Set<string>();
  return requests.map((request, index) => {
    const name = names[index] as string;
    const first = byName.get(name);
    // A session gets a lock that it holds a second time: the twin in the group is told from the first here.
    const isTwin = first === undefined && claimedHere.has(name);
    claimedHere.add(name);
    const taken = locks[index]?.claimed !== true || isTwin;
    return taken ? { kind: 'refused', error: inProgress() } : claimOf(request, first);
  });
}

function claimOf(request: IdempotentRequest, kept: Kept | undefined): Claim {
  if (kept === undefined) return { kind: 'first' };
  if (!kept.request_hash.equals(hashOf(request))) {
    return {
      kind: 'refused',
      error: new AppError(
        'idempotency_key_reused',
        'This Idempotency-Key came with another request before. Use a new key for a new request.',
      ),
    };
  }
  const bytes = unseal(kept.body, request.sealKey);
  if (bytes === null) {
    return {
      kind: 'refused',
      error: new AppError(
        'idempotency_answer_sealed',
        'The request was done already, under another sign-in. Only that sign-in can be shown its answer.',
      ),
    };
  }
  const headers = { ...kept.headers, 'Idempotent-Replayed': 'true' };
  return { kind: 'replay', answer: { status: kept.status, headers, bytes } };
}

function inProgress(): AppError {
  return new AppError('idempotency_in_progress', {
    detail: 'A request with this Idempotency-Key is still running. Repeat it a little later.',
    headers: { 'Retry-After': '1' },
  });
}

/**
 * Keeps an answer for the next time, in the transaction of its effect, which has claimed the key. Answers from 400 up are not
 * kept (their transaction rolls back).
 */
export function recordAnswer(tx: AnyTx, request: IdempotentRequest, answer: KeptAnswer): void {
  recordAnswers(tx, [{ request, answer }]);
}

/** Records answers of requests that share a transaction, each with its own key. */
export function recordAnswers(
  tx: AnyTx,
  answers: readonly { request: IdempotentRequest; answer: KeptAnswer }[],
): void {
  const kept = answers.filter(({ answer }) => answer.status < 400);
  if (kept.length === 0) return;
  const keeping = tx.queryPrepared(insertKept, [
    kept.map(({ request }) => request.workspaceId),
    kept.map(({ request }) => request.actorId),
    kept.map(({ request }) => request.key),
    kept.map(({ request }) => bytea(hashOf(request))),
    kept.map(({ answer }) => answer.status),
    kept.map(({ answer }) => JSON.stringify(answer.headers)),
    kept.map(({ request, answer }) => bytea(seal(answer.bytes, request.sealKey))),
  ]);
  tx.withCommit(keeping);
}

function bytea(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

/** Makes partitions for what comes and drops those that are past their retention, in the instance's scope; see the statement. */
export async function pruneIdempotencyKeys(
  tx: AnyTx,
  retentionDays: number,
  rowsMax = 5000,
): Promise<number> {
  const [kept] = await tx.query<{ removed: number }>(keepPartitions, [retentionDays, rowsMax]);
  return kept?.removed ?? 0;
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

/** Returns null if another credential sealed it: a key acts by itself and through its sessions. */
function unseal(kept: Buffer, key: Buffer): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, kept.subarray(0, 12));
  decipher.setAuthTag(kept.subarray(12, 28));
  const opened = decipher.update(kept.subarray(28));
  try {
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    return null;
  }
}

function uuidOf(digest: Buffer): string {
  const hex = digest.toString('hex', 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
