/** Reads bulk edits and shows them. */
import { rfc3339 } from '../../db/time.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { BulkEdit, BulkEditChange, BulkEditResult } from './bulk-edit.schema.ts';
import { lockBulkEdit, selectBulkEdit } from './bulk-edits.sql.ts';

export interface BulkEditRow {
  id: string;
  status: BulkEdit['status'];
  dry_run: boolean;
  filter: BulkEdit['filter'];
  change: BulkEditChange;
  source_id: string | null;
  source_use: 'apply' | 'undo' | null;
  reason: string | null;
  expected: number | null;
  changed: number;
  unchanged: number;
  refused: number;
  failure: BulkEdit['failure'];
  actor_type: string;
  actor_id: string;
  actor_name: string;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** With `lock` the step that is under way ends first. Throws `bulk_edit_not_found`. */
export async function findBulkEdit(
  tx: Tx,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<BulkEditRow> {
  const [row] = await tx.query<BulkEditRow>(lock ? lockBulkEdit : selectBulkEdit, [tx.workspaceId, id]);
  if (row === undefined)
    throw new AppError('bulk_edit_not_found', `There is no bulk edit ${id} in this workspace.`);
  return row;
}

export function showBulkEdit(row: BulkEditRow): BulkEdit {
  const moment = (text: string | null) => (text === null ? null : rfc3339(text));
  return {
    id: row.id,
    status: row.status,
    dryRun: row.dry_run,
    applies: row.source_use === 'apply' ? row.source_id : null,
    undoes: row.source_use === 'undo' ? row.source_id : null,
    filter: row.filter,
    change: row.change,
    reason: row.reason,
    expected: row.expected,
    changed: row.changed,
    unchanged: row.unchanged,
    refused: row.refused,
    by: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    failure: row.failure,
    createdAt: rfc3339(row.created_at),
    startedAt: moment(row.started_at),
    finishedAt: moment(row.finished_at),
  };
}

export interface ResultRow {
  entity_id: string;
  number: string | null;
  name: string;
  result: BulkEditResult['result'];
  changes: string;
  code: string | null;
  message: string | null;
}

export function showResult(row: ResultRow): BulkEditResult {
  const { entity_id: entityId, number, name, result, code, message } = row;
  return { entityId, number, name, result, changes: JSON.parse(row.changes), code, message };
}
