/** Reads one run with what led to it and what it led to. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { selectMailsOfRun } from '../mail/mail.sql.ts';
import type { Run } from './run.schema.ts';
import { selectChain, selectEffects, selectRun } from './run.sql.ts';
import type { FullRunRow, MailRow, RelatedRow } from './run-row.ts';
import { showRun } from './show-run.ts';

const EFFECTS_MAX = 100;
const MAILS_MAX = 200;

/** Throws `automation_run_not_found`. */
export async function findRun(tx: Tx, id: string): Promise<Run> {
  const [row] = await tx.query<FullRunRow>(selectRun, [tx.workspaceId, id]);
  if (row === undefined) {
    throw new AppError(
      'automation_run_not_found',
      `There is no run ${id} in this workspace, or none any more.`,
    );
  }
  const chain =
    row.cause_run_id === null
      ? []
      : await tx.query<RelatedRow>(selectChain, [tx.workspaceId, row.cause_run_id]);
  const effects = await tx.query<RelatedRow>(selectEffects, [tx.workspaceId, id, EFFECTS_MAX]);
  const mails = await tx.query<MailRow>(selectMailsOfRun, [tx.workspaceId, id, MAILS_MAX]);
  return showRun(row, { chain, effects, mails });
}
