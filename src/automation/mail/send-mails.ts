/**
 * Sends mails of automations. PostgreSQL holds what is due: a mail is taken for a while, sent outside of any transaction, and noted. If the
 * process ends in between, the mail is sent again later, with the same `Message-ID`, by which mail programs know it.
 */
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { restingState } from '../../db/resting.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import { mailTried } from '../../telemetry/signals.ts';
import { noteMail, selectDueMails, takeMail } from './mail.sql.ts';

export interface Mailing {
  db: Db;
  log: Logger;
  config: Config;
}

const PERIOD_MS = 1000;
/** Mails that one look takes, and of them those of one workspace. */
const DUE_MAX = 20;
const OF_WORKSPACE_MAX = 4;
/** The server is spoken to by so many connections at once. */
const CONNECTIONS = 4;
const TIMEOUT_MS = 30_000;
/** Longer than all timeouts of one mail together. */
const LEASE_SECONDS = 300;
/** Multiples of the first wait; with a minute: 1 min, 5 min, 30 min, 2 h, 6 h, 12 h. */
const steps = [1, 5, 30, 120, 360, 720];
const ERROR_CHARS_MAX = 500;

interface Mail {
  id: string;
  recipients: string[];
  subject: string;
  body: string;
  stop_url: string | null;
  attempts: number;
}

/** Returns how many mails were tried. */
export async function sendMails(
  { db, log, config }: Mailing,
  transport: Transporter,
  signal?: AbortSignal,
): Promise<number> {
  const due = await inTransaction(
    db,
    'instance',
    (tx) => tx.query<{ workspace_id: string; id: string }>(selectDueMails, [OF_WORKSPACE_MAX, DUE_MAX]),
    { readOnly: true },
  );
  const waiting = [...due];
  let tried = 0;
  const sendInOrder = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (signal?.aborted === true) return;
      const { workspace_id: workspaceId, id } = next;
      try {
        if (await sendMail({ db, log, config }, transport, workspaceId, id)) tried += 1;
      } catch (error) {
        if (restingState(error) === null) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendInOrder));
  return tried;
}

async function sendMail(
  { db, log, config }: Mailing,
  transport: Transporter,
  workspaceId: string,
  id: string,
): Promise<boolean> {
  const [mail] = await inTransaction(db, { workspaceId }, (tx) =>
    tx.query<Mail>(takeMail, [workspaceId, id, LEASE_SECONDS]),
  );
  if (mail === undefined) return false;
  const failure = await transport
    .sendMail({
      from: config.SMTP_FROM,
      to: mail.recipients,
      subject: mail.subject,
      text: mail.body,
      messageId: `<${mail.id}@${domainOf(config.SMTP_FROM ?? '')}>`,
      // An auto-responder does not answer it.
      headers: { 'Auto-Submitted': 'auto-generated', ...stopHeaders(mail.stop_url) },
    })
    .then(
      () => null,
      (error: Error & { responseCode?: number }) => error,
    );
  mailTried.send(() => ({ outcome: failure === null ? 'sent' : 'failed' }));
  const step = failure === null ? undefined : steps[mail.attempts - 1];
  // A server that answers 5xx refuses the mail for good.
  const isRefused = (failure?.responseCode ?? 0) >= 500;
  const delayMs = step === undefined || isRefused ? null : step * config.MAIL_RETRY_BASE_MS;
  const status = failure === null ? 'sent' : delayMs === null ? 'failed' : 'waiting';
  const error = failure === null ? null : failure.message.slice(0, ERROR_CHARS_MAX);
  if (failure !== null)
    log.warn({ workspaceId, mailId: id, status, err: failure }, 'a mail could not be sent');
  await inTransaction(db, { workspaceId }, (tx) =>
    tx.query(noteMail, [workspaceId, id, delayMs, status, error]),
  );
  return true;
}

/** Mail programs show a button that stops the mails by one click (RFC 8058). */
function stopHeaders(url: string | null): Record<string, string> {
  if (url === null) return {};
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

function domainOf(sender: string): string {
  return /@([\w.-]+)/.exec(sender)?.[1] ?? 'partbook';
}

export async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport(url, {
    // Mails are plain text: nodemailer must read no file and no address for them.
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  } as object);
}

/** Returns null if no mail server is configured. */
export function startMailing(mailing: Mailing): PeriodicLoop | null {
  const { SMTP_URL } = mailing.config;
  if (SMTP_URL === undefined) return null;
  let transport: Promise<Transporter> | null = null;
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at once',
    run: async (signal) => {
      transport ??= openTransport(SMTP_URL);
      const opened = await transport;
      while ((await sendMails(mailing, opened, signal)) === DUE_MAX && !signal.aborted);
    },
    failure: { log: mailing.log, message: 'mails have to wait' },
  });
}
