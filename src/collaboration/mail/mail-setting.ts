/** Says how a member wants mails of its inbox. An address counts when the member has sent the code that was mailed to it. */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { queueMail } from '../../automation/mail/queue-mail.ts';
import type { Config } from '../../config.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError, invalidValue } from '../../errors.ts';
import {
  changeMailMode,
  confirmMail,
  countCodes,
  countCodeTry,
  lockCodes,
  lockMailSetting,
  saveMailAddress,
  selectMailSetting,
} from './inbox-mail.sql.ts';
import type { MailSetting, NewMailSetting } from './mail.schema.ts';

interface SettingRow {
  mode: MailSetting['mode'];
  address: string;
  confirmed: boolean;
  code_hash: Buffer | null;
  code_tries: number;
  /** Codes that were mailed within a day. */
  codes: number;
  /** Codes that were mailed again within an hour. */
  resends: number;
  /** Whether the code was mailed less than a minute ago. */
  is_fresh: boolean | null;
  /** Whether the code has expired. */
  is_old: boolean | null;
}

type MailConfig = Pick<Config, 'SMTP_URL' | 'MAILS_PER_DAY'>;
const TRIES_MAX = 5;
/** Codes for one member within a day. They go to addresses that nobody has confirmed. */
const CODES_MAX = 10;
/** Codes that are mailed again to the same address within an hour. */
const RESENDS_MAX = 3;

export async function readMailSetting(
  tx: Tx,
  memberId: string,
  { SMTP_URL }: MailConfig,
): Promise<MailSetting> {
  const [row] = await tx.query<SettingRow>(selectMailSetting, [tx.workspaceId, memberId]);
  const { mode = 'none', address = null, confirmed = false } = row ?? {};
  return { mode, address, confirmed, isAvailable: SMTP_URL !== undefined };
}

/** Mails a code to a new address. Throws `mail_not_available`, `too_many_mails`, `validation_failed`. */
export async function changeMailSetting(
  tx: Tx,
  memberId: string,
  { mode, address, resendCode }: NewMailSetting,
  config: MailConfig,
): Promise<void> {
  await tx.query(lockCodes, [tx.workspaceId]);
  const [row] = await tx.query<SettingRow>(lockMailSetting, [tx.workspaceId, memberId]);
  const wanted = address ?? row?.address;
  if (wanted === undefined) {
    if (mode !== 'none') throw refused('/address', 'Say to which address mails are sent.');
    return;
  }
  const canConfirm = row !== undefined && row.is_old !== true && row.code_tries < TRIES_MAX;
  const isSame =
    row !== undefined && wanted === row.address && (row.confirmed || (canConfirm && !resendCode));
  if (isSame || mode === 'none') {
    if (row !== undefined) await tx.query(changeMailMode, [tx.workspaceId, memberId, mode]);
    return;
  }
  if (row?.is_fresh === true)
    throw new AppError('too_many_mails', 'A code was mailed less than a minute ago. Wait for a minute.');
  const isAgain = row !== undefined && wanted === row.address && canConfirm;
  if (isAgain && row.resends >= RESENDS_MAX)
    throw new AppError(
      'too_many_mails',
      `The code was mailed again ${RESENDS_MAX} times within an hour, which is the most. Look among unwanted mails, or try again in an hour.`,
    );
  await requireRoomForCode(tx, row?.codes ?? 0, config);
  const code = String(randomInt(10 ** 8)).padStart(8, '0');
  await queueMail(tx, config, {
    runId: null,
    automationId: null,
    recipients: [wanted],
    subject: 'Your code for mails of Partbook',
    body: `Somebody entered this address to get mails of an inbox in Partbook. If that was you, enter this code there:\n\n${code}\n\nIt works for a day. If it was not you, do nothing: no further mail is sent.\n`,
  });
  await tx.query(saveMailAddress, [tx.workspaceId, memberId, mode, wanted, hashOf(code), isAgain]);
}

/** Throws `too_many_mails`. */
async function requireRoomForCode(tx: Tx, ofMember: number, { MAILS_PER_DAY }: MailConfig): Promise<void> {
  if (ofMember >= CODES_MAX)
    throw new AppError(
      'too_many_mails',
      `${CODES_MAX} codes were mailed for you within a day, which is the most. Try again tomorrow.`,
    );
  const [mailed] = await tx.query<{ count: number }>(countCodes, [tx.workspaceId]);
  if ((mailed?.count ?? 0) >= MAILS_PER_DAY)
    throw new AppError(
      'too_many_mails',
      `${MAILS_PER_DAY} codes were mailed for members of this workspace within a day, which is the most (MAILS_PER_DAY). Try again tomorrow.`,
    );
}

/** Returns false for a wrong code, which is counted. */
export async function confirmAddress(tx: Tx, memberId: string, code: string): Promise<boolean> {
  const [row] = await tx.query<SettingRow>(lockMailSetting, [tx.workspaceId, memberId]);
  if (row?.code_hash == null || row.is_old === true || row.code_tries >= TRIES_MAX) return false;
  const isRight = timingSafeEqual(hashOf(code), row.code_hash);
  await tx.query(isRight ? confirmMail : countCodeTry, [tx.workspaceId, memberId]);
  return isRight;
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

function refused(pointer: string, message: string): AppError {
  return invalidValue(pointer, message);
}
