/** Puts a mail of an automation or an inbox in line, in the transaction of its cause. A loop sends it (send-mails.ts). */
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { insertMail, lockMails, selectMailsLeft } from './mail.sql.ts';

export const MAIL_SUBJECT_CHARS_MAX = 255;
export const MAIL_TEXT_CHARS_MAX = 20_000;
const RECIPIENTS_MAX = 10;

export interface NewMail {
  /** The run; null in the test of a script, which is undone. */
  runId: string | null;
  /** The automation that sends it. It is null for a mail of an inbox, which does not count among those of automations. */
  automationId: string | null;
  recipients: readonly string[];
  subject: string;
  body: string;
  /** Address that stops such mails by a POST, without a sign-in. */
  stopUrl?: string | null;
}

const Address = z.email().max(254);

/** Returns the addresses of a list with commas. Throws `validation_failed`. */
export function addressesIn(text: string): string[] {
  const addresses = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const wrong = addresses.find((one) => !Address.safeParse(one).success);
  if (wrong !== undefined)
    throw new AppError('validation_failed', `"${wrong.slice(0, 100)}" is no mail address.`);
  if (addresses.length === 0 || addresses.length > RECIPIENTS_MAX)
    throw new AppError('validation_failed', `A mail has 1 to ${RECIPIENTS_MAX} addresses.`);
  return [...new Set(addresses)];
}

/** Returns its id. Throws `mail_not_available`, `too_many_mails`. */
export async function queueMail(
  tx: Tx,
  { SMTP_URL, MAILS_PER_DAY }: Pick<Config, 'SMTP_URL' | 'MAILS_PER_DAY'>,
  { runId, automationId, recipients, subject, body, stopUrl = null }: NewMail,
): Promise<string> {
  if (SMTP_URL === undefined)
    throw new AppError(
      'mail_not_available',
      'This service cannot send mail. Its operator sets SMTP_URL and SMTP_FROM.',
    );
  if (automationId !== null) await requireRoom(tx, recipients.length, MAILS_PER_DAY);
  const id = newId();
  const line = subject
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAIL_SUBJECT_CHARS_MAX);
  await tx.query(insertMail, [tx.workspaceId, id, runId, automationId, recipients, line, body, stopUrl]);
  return id;
}

/** Throws `too_many_mails`. */
async function requireRoom(tx: Tx, count: number, MAILS_PER_DAY: number): Promise<void> {
  await tx.query(lockMails, [tx.workspaceId]);
  const [left] = await tx.query<{ count: number }>(selectMailsLeft, [tx.workspaceId, MAILS_PER_DAY]);
  if ((left?.count ?? 0) < count)
    throw new AppError(
      'too_many_mails',
      `Automations of this workspace have written to ${MAILS_PER_DAY} addresses within 24 hours, which is the most (MAILS_PER_DAY).`,
    );
}
