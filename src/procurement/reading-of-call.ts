/** Reads for calls whose work is done in a transaction that they share with others. */
import { inTransaction } from '../db/transaction.ts';
import type { WorkspaceCall } from '../http/route.ts';
import type { Reading } from './records/given-amounts.ts';

export function readingOf({
  ctx,
  workspace,
  gone,
}: Pick<WorkspaceCall, 'ctx' | 'workspace' | 'gone'>): Reading {
  return (work) => inTransaction(ctx.db, { workspaceId: workspace.id }, work, { readOnly: true, gone });
}
