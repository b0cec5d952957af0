/**
 * Content-addressed storage of files, in PostgreSQL: they move, are exported, backed up and restored with the workspace, and row-level
 * security protects them. Content is shared within a workspace and never across workspaces.
 */
import type { InstanceTx, Tx } from '../db/transaction.ts';
import { byteaArray, uuidArray } from '../db/wire/array-parameter.ts';
import { AppError } from '../errors.ts';
import {
  addUsage,
  holdBlobs,
  insertBlob,
  insertContent,
  lockUnchecked,
  markUnchecked,
  selectContent,
  selectPiece,
  settleUnchecked,
} from './blobs.sql.ts';

export interface Blob {
  /** In hexadecimal, lower case. */
  sha256: string;
  mediaType: string;
  bytes: number;
  width: number | null;
  height: number | null;
}

/** The file itself or something made of it. */
export interface BlobContent {
  form: string;
  mediaType: string;
  content: Uint8Array;
}

/** Bytes of a content that one statement reads: more would hold the event loop. */
const PIECE_BYTES = 512 * 1024;

const bytesOf = (sha256: string) => Buffer.from(sha256, 'hex');

/**
 * Stores a file with its renditions; one that is there already stays as it is. Retention deletes it if nothing refers to it in time.
 * Throws `storage_full` if the workspace would have more than `bytesMax`.
 */
export async function storeBlob(
  tx: Tx,
  blob: Blob,
  contents: readonly BlobContent[],
  bytesMax: number,
): Promise<void> {
  const { workspaceId } = tx;
  const sha256 = bytesOf(blob.sha256);
  const storedBytes = contents.reduce((sum, { content }) => sum + content.length, 0);
  const [row] = await tx.query<{ isNew: boolean }>(insertBlob, [
    workspaceId,
    sha256,
    blob.mediaType,
    blob.bytes,
    storedBytes,
    blob.width,
    blob.height,
  ]);
  if (row?.isNew !== true) return;
  const [usage] = await tx.query<{ storedBytes: number }>(addUsage, [workspaceId, storedBytes]);
  if ((usage?.storedBytes ?? 0) > bytesMax)
    throw new AppError('storage_full', {
      detail: `The files of this workspace would have more than ${bytesMax} bytes. Remove pictures that are not needed, or ask the operator for more room (PICTURES_BYTES_MAX).`,
      extensions: { limit: bytesMax },
    });
  for (const { form, mediaType, content } of contents)
    await tx.query(insertContent, [workspaceId, sha256, form, mediaType, Buffer.from(content)]);
}

/** Returns those of the hashes that are stored here, and keeps their blobs until the transaction ends. Entities are locked before. */
export async function keepBlobs(tx: Tx, sha256s: readonly string[]): Promise<Set<string>> {
  if (sha256s.length === 0) return new Set();
  const rows = await tx.query<{ sha256: string }>(holdBlobs, [
    tx.workspaceId,
    byteaArray(sha256s.map(bytesOf)),
  ]);
  return new Set(rows.map(({ sha256 }) => sha256));
}

/** Says that something no longer refers to these blobs. */
export async function releaseBlobs(tx: Tx, sha256s: readonly string[]): Promise<void> {
  if (sha256s.length === 0) return;
  await tx.query(markUnchecked, [tx.workspaceId, byteaArray(sha256s.map(bytesOf))]);
}

/** Reads a content whole, piece by piece; null where there is none. */
export async function readBlob(
  tx: Tx,
  sha256: string,
  form: string,
): Promise<{ mediaType: string; content: Buffer } | null> {
  interface First {
    mediaType: string;
    bytes: number;
    piece: Buffer;
  }
  const which = [tx.workspaceId, bytesOf(sha256), form, PIECE_BYTES];
  const [first] = await tx.query<First>(selectContent, which);
  if (first === undefined) return null;
  const pieces = [first.piece];
  for (let at = PIECE_BYTES; at < first.bytes; at += PIECE_BYTES) {
    const [next] = await tx.query<{ piece: Buffer }>(selectPiece, [...which, at]);
    if (next === undefined) return null;
    pieces.push(next.piece);
  }
  return { mediaType: first.mediaType, content: Buffer.concat(pieces) };
}

/** Deletes blobs to which nothing has referred for `days`. Returns how many were checked. */
export async function pruneBlobs(tx: InstanceTx, days: number, rowsMax: number): Promise<number> {
  const found = await tx.query<{ workspaceId: string; sha256: string }>(lockUnchecked, [days, rowsMax]);
  if (found.length === 0) return 0;
  await tx.query(settleUnchecked, [
    uuidArray(found.map(({ workspaceId }) => workspaceId)),
    byteaArray(found.map(({ sha256 }) => bytesOf(sha256))),
  ]);
  return found.length;
}
