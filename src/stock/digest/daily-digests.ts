/**
 * A digest of every ledger that has moved, once a day: to the log, the audit trail and the webhooks that listen. Where
 * logs are shipped elsewhere, or a receiver keeps what it is told, that is the copy that nobody here can change.
 */
import type { Logger } from 'pino';
import { SYSTEM } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { restingState } from '../../db/resting.ts';
import { inTransaction, sqlState, type Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { listeningSlug, recordEvents } from '../../events/record-events.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import { ledgerVerified } from '../../telemetry/signals.ts';
import { LOWEST_ID } from '../entries/ledger-entry.ts';
import type { LedgerDigest } from './digest.schema.ts';
import { selectDueWorkspaces } from './digest.sql.ts';
import { takeDigest } from './take-digest.ts';

export interface DigestOptions {
  db: Db;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  config: Pick<Config, 'LEDGER_DIGEST_HOURS'>;
}

/** Looked for so often; taken by the hours of the configuration. */
const PERIOD_MS = 900_000;
const WORKSPACES_MAX = 100;

/**
 * Returns how many were taken. Of two processes that take one at once the second finds that nothing has moved since. Where PostgreSQL
 * refuses one (somebody holds a lock in that workspace for long), it throws when those of all others are taken.
 */
export async function takeDueDigests(
  { db, log, config }: DigestOptions,
  signal: AbortSignal,
): Promise<number> {
  let taken = 0;
  const refused: unknown[] = [];
  let after = LOWEST_ID;
  for (;;) {
    const due = await inTransaction(
      db,
      'instance',
      (tx) =>
        tx.query<{ id: string; slug: string }>(selectDueWorkspaces, [
          config.LEDGER_DIGEST_HOURS,
          after,
          WORKSPACES_MAX,
        ]),
      { readOnly: true },
    );
    for (const { id, slug } of due) {
      signal.throwIfAborted();
      try {
        const { digest, isNew } = await takeDigest(db, id, signal, announceDigest);
        if (!isNew) continue;
        taken += 1;
        log.info({ workspace: slug, ...digest }, 'digest of the ledger');
      } catch (error) {
        // Another process takes it; or it is for a person to look at, and the other ledgers go on.
        if (restingState(error) !== null) continue;
        if (sqlState(error) !== null) {
          refused.push(error);
          continue;
        }
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'ledger_busy') continue;
        ledgerVerified.send(() => ({ isSound: false }));
        log.error({ workspace: slug, err: error }, 'the ledger contradicts its last digest');
      }
    }
    if (due.length < WORKSPACES_MAX) {
      if (refused.length > 0)
        throw new AggregateError(refused, 'Not all digests that are due could be taken');
      ledgerVerified.send(() => ({ isSound: true }));
      return taken;
    }
    after = due.at(-1)?.id as string;
  }
}

async function announceDigest(tx: Tx, digest: LedgerDigest): Promise<void> {
  await recordChange(tx, {
    actor: SYSTEM,
    action: 'create',
    subjectType: 'ledgerDigest',
    subjectKey: digest.at,
    before: null,
    after: digest,
  });
  const slug = await listeningSlug(tx, 'ledgerDigest');
  if (slug === null) return;
  await recordEvents(tx, 'ledgerDigest', [{ ...digest, workspaceSlug: slug }]);
}

/** Returns null if the configuration disables daily digests. */
export function startDailyDigests(options: DigestOptions): PeriodicLoop | null {
  if (options.config.LEDGER_DIGEST_HOURS === 0) return null;
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at random',
    run: (signal) => takeDueDigests(options, signal),
    failure: { log: options.log, message: 'digests of ledgers have to wait' },
  });
}
