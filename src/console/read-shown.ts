/** Reads workspaces and batches for pages and forms of the console, each in one transaction of the instance. */
import type { Db } from '../db/connect.ts';
import { type InstanceTx, inTransaction } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import {
  selectBatch,
  selectPauses,
  selectProgress,
  selectRun,
  selectSeries,
  selectWorkspace,
} from './actions/console.sql.ts';
import {
  type FailureGroup,
  groupFailures,
  readFailures,
  type Work,
  works,
} from './actions/group-failures.ts';
import type { BatchShown, BatchStanding } from './batch-page.ts';
import { type Figure, HOURS } from './draw-series.ts';
import { readLines } from './lines.ts';
import type { Series } from './page-parts.ts';
import type { RunShown } from './run-page.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function reading<T>(db: Db, work: (tx: InstanceTx) => Promise<T>): Promise<T> {
  return inTransaction(db, 'instance', work, { readOnly: true });
}

export async function readSeries(tx: InstanceTx, workspace: string): Promise<Series> {
  const rows = await tx.query<Figure & { work: Work }>(selectSeries, [workspace, HOURS]);
  return Object.fromEntries(works.map((work) => [work, rows.filter((row) => row.work === work)]));
}

export function readGroups(db: Db): Promise<FailureGroup[]> {
  return reading(db, async (tx) => groupFailures(await readFailures(tx)));
}

export async function readBatch(db: Db, params: Readonly<Record<string, string>>) {
  const workspaceId = requireId(params.workspaceId);
  const id = requireId(params.id);
  return reading(db, async (tx) => {
    const [batch] = await tx.query<BatchShown>(selectBatch, [workspaceId, id]);
    if (batch === undefined) throw new AppError('batch_not_found', `There is no batch ${id}.`);
    const pauses = await tx.query<{ work: Work }>(selectPauses, [workspaceId]);
    const [progress] = await tx.query<BatchStanding['progress']>(selectProgress, [workspaceId, id]);
    const [line] = await readLines(tx, workspaceId);
    return {
      workspaceId,
      batch,
      pauses,
      progress: progress ?? { done: 0, elements: 0, attempts: 0 },
      line: line ?? null,
    };
  });
}

export async function readRun(
  db: Db,
  params: Readonly<Record<string, string>>,
): Promise<{ workspaceId: string; run: RunShown & { automation_id: string } }> {
  const workspaceId = requireId(params.workspaceId);
  const id = requireId(params.id);
  const [run] = await reading(db, (tx) =>
    tx.query<RunShown & { automation_id: string }>(selectRun, [workspaceId, id]),
  );
  if (run === undefined) throw new AppError('not_found', `There is no automation run ${id}.`);
  return { workspaceId, run };
}

export async function findWorkspace(
  tx: InstanceTx,
  slug: string,
): Promise<{ id: string; slug: string; name: string; state: string }> {
  const [workspace] = await tx.query<{ id: string; slug: string; name: string; state: string }>(
    selectWorkspace,
    [withoutNul(slug)],
  );
  if (workspace === undefined) throw new AppError('not_found', 'There is no such workspace.');
  return workspace;
}

/** PostgreSQL stores every character in a text except U+0000. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

export function requireId(text: string | undefined): string {
  if (text === undefined || !uuid.test(text))
    throw new AppError('not_found', 'There is nothing at this path.');
  return text;
}
