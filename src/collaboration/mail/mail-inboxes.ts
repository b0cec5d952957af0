/**
 * Puts mails of inboxes in line. A mail and how far the inbox has been mailed commit together, so that nothing is put in line twice; the
 * mails are sent with those of automations (automation/mail/send-mails.ts).
 */
import type { Logger } from 'pino';
import { queueMail } from '../../automation/mail/queue-mail.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { restingState } from '../../db/resting.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import type { LineKind } from '../inbox/news.ts';
import {
  deferInboxMail,
  noteInboxMailed,
  selectDueInboxes,
  selectUnmailed,
  takeDueInbox,
} from './inbox-mail.sql.ts';
import { STOP_PATH, type StopKey, stopToken } from './stop-link.ts';

export interface InboxMailing {
  db: Db;
  log: Logger;
  config: Config;
}

const PERIOD_MS = 2000;
const DUE_MAX = 100;
const OF_WORKSPACE_MAX = 20;
const LISTED_MAX = 50;

interface Unmailed {
  kind: LineKind;
  events: number;
  detail: string | null;
  /** When the last of all these lines was told. */
  told_to: string;
  subject_type: string;
  subject_key: string;
  entity: string | null;
  actor_name: string | null;
}

interface DueInbox extends StopKey {
  told_to: string;
  slug: string;
  name: string;
}

/** Returns the number of inboxes that were due. An inbox whose mail fails waits, and the others go on. */
export async function mailInboxes({ db, log, config }: InboxMailing): Promise<number> {
  const due = await inTransaction(
    db,
    'instance',
    (tx) =>
      tx.query<{ workspace_id: string; member_id: string }>(selectDueInboxes, [OF_WORKSPACE_MAX, DUE_MAX]),
    { readOnly: true },
  );
  for (const { workspace_id: workspaceId, member_id: memberId } of due) {
    try {
      await inTransaction(db, { workspaceId }, (tx) => mailInbox(tx, memberId, config));
    } catch (error) {
      if (restingState(error) !== null) continue;
      log.warn({ workspaceId, memberId, err: error }, 'an inbox could not be mailed');
      await inTransaction(db, { workspaceId }, (tx) => tx.query(deferInboxMail, [workspaceId, memberId]));
    }
  }
  return due.length;
}

async function mailInbox(tx: Tx, memberId: string, config: Config): Promise<void> {
  const [inbox] = await tx.query<DueInbox>(takeDueInbox, [tx.workspaceId, memberId]);
  const lines =
    inbox === undefined
      ? []
      : await tx.query<Unmailed>(selectUnmailed, [tx.workspaceId, memberId, inbox.told_to, LISTED_MAX + 1]);
  const [newest] = lines;
  if (inbox !== undefined && newest !== undefined) {
    const stopUrl = stopUrlOf(tx.workspaceId, memberId, inbox, config);
    await queueMail(tx, config, {
      runId: null,
      automationId: null,
      recipients: [inbox.address],
      subject: subjectOf(inbox, lines),
      body: bodyOf(inbox, lines, stopUrl, config),
      stopUrl,
    });
  }
  await tx.query(noteInboxMailed, [tx.workspaceId, memberId, newest?.told_to ?? null]);
}

const happened: Readonly<Record<LineKind, string>> = {
  mentioned: 'you were mentioned',
  commented: 'new comments',
  created: 'new',
  moved: 'new state',
  changed: 'changed',
  order: 'changed in procurement',
  stock: 'stock moved',
  importEnded: 'import completed',
  importProblem: 'import ended with errors, failed or was cancelled',
};

function subjectOf({ name }: DueInbox, lines: readonly Unmailed[]): string {
  const [one] = lines;
  if (lines.length === 1 && one !== undefined) return `${name}: ${nameOf(one)}, ${happened[one.kind]}`;
  return `${name}: ${lines.length > LISTED_MAX ? `more than ${LISTED_MAX}` : lines.length} new lines in your inbox`;
}

/** Returns null where the service does not know its address. */
function stopUrlOf(
  workspaceId: string,
  memberId: string,
  key: StopKey,
  { PUBLIC_URL }: Config,
): string | null {
  return PUBLIC_URL === undefined
    ? null
    : `${PUBLIC_URL}${STOP_PATH}/${stopToken({ workspaceId, memberId }, key)}`;
}

function bodyOf(
  { slug }: DueInbox,
  lines: readonly Unmailed[],
  stopUrl: string | null,
  { PUBLIC_URL }: Config,
): string {
  const listed = lines.slice(0, LISTED_MAX).map((line) => {
    const times = line.events === 1 ? '' : ` (${line.events} times)`;
    const by = line.actor_name === null ? '' : `, by ${line.actor_name}`;
    return `- ${nameOf(line)}: ${happened[line.kind]}${times}${by}`.replaceAll(/[\p{Cc}\s]+/gu, ' ');
  });
  const page = PUBLIC_URL === undefined ? null : `${PUBLIC_URL}/w/${encodeURIComponent(slug)}/inbox`;
  return [
    ...listed,
    ...(lines.length > LISTED_MAX ? ['- and more'] : []),
    '',
    page === null ? 'Read them in your inbox in Partbook.' : `Read them: ${page}`,
    stopUrl === null
      ? 'To stop these mails, choose "Mail" in your inbox.'
      : `Stop these mails, without a sign-in: ${stopUrl}`,
    '',
  ].join('\n');
}

function nameOf({ entity, subject_type, subject_key }: Unmailed): string {
  return entity ?? (subject_type === 'importProfile' ? `imports of ${subject_key}` : 'an import');
}

/** Returns null if no mail server is configured. */
export function startInboxMailing(mailing: InboxMailing): PeriodicLoop | null {
  if (mailing.config.SMTP_URL === undefined) return null;
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at random',
    run: async (signal) => {
      while ((await mailInboxes(mailing)) === DUE_MAX && !signal.aborted);
    },
    failure: { log: mailing.log, message: 'mails of inboxes have to wait' },
  });
}
