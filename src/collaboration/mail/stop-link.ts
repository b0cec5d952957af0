/**
 * Links by which the mails of an inbox are stopped without a sign-in. A link names the member and is signed with a key of its setting, together
 * with the address: it stops the mails to this address and does nothing else, and ends with the address.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { selectStopKey, stopMails } from './inbox-mail.sql.ts';

export const STOP_PATH = '/api/unsubscribe';

export interface StopKey {
  stop_key: string;
  address: string;
}

interface Recipient {
  workspaceId: string;
  memberId: string;
}

const ID_BYTES = 16;
const SIGNATURE_BYTES = 16;
const form = /^[\w-]{64}$/;

export function stopToken(recipient: Recipient, key: StopKey): string {
  const ids = [recipient.workspaceId, recipient.memberId].map((id) =>
    Buffer.from(id.replaceAll('-', ''), 'hex'),
  );
  return Buffer.concat([...ids, signatureOf(recipient, key)]).toString('base64url');
}

/** Returns whose mails were stopped; null for a link that is not, or no longer, valid. A link can be used again. */
export async function stopByToken(db: Db, token: string): Promise<Recipient | null> {
  if (!form.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const recipient = {
    workspaceId: uuidOf(bytes.subarray(0, ID_BYTES)),
    memberId: uuidOf(bytes.subarray(ID_BYTES, 2 * ID_BYTES)),
  };
  const params = [recipient.workspaceId, recipient.memberId];
  // A caller without a valid link reaches no workspace.
  const [key] = await inTransaction(db, 'instance', (tx) => tx.query<StopKey>(selectStopKey, params), {
    readOnly: true,
  });
  if (key === undefined) return null;
  if (!timingSafeEqual(bytes.subarray(2 * ID_BYTES), signatureOf(recipient, key))) return null;
  await inTransaction(db, { workspaceId: recipient.workspaceId }, (tx) =>
    tx.query(stopMails, [...params, key.address]),
  );
  return recipient;
}

function signatureOf({ workspaceId, memberId }: Recipient, { stop_key, address }: StopKey): Buffer {
  return createHmac('sha256', stop_key)
    .update(`stop mails of an inbox\n${workspaceId}\n${memberId}\n${address}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES);
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
