/** Failures of the last days over all workspaces, and groups of those that are alike. */
import { createHash } from 'node:crypto';
import type { InstanceTx } from '../../db/transaction.ts';
import { failedBatches, failedDeliveries, failedRuns } from './failures.sql.ts';
import { hostOf } from './host-of.ts';

export const works = ['batch', 'automation', 'webhook'] as const;
export type Work = (typeof works)[number];

export interface Failure {
  work: Work;
  workspaceId: string;
  slug: string;
  id: string;
  /** The automation or the webhook; null for a batch. */
  parent: string | null;
  at: string | null;
  text: string;
  requestId: string | null;
  /** Name of the import definition or automation, or the host of the receiver. */
  name: string | null;
  /** Its workspace, or its webhook, may have earlier failures that were not read. */
  isCut: boolean;
}

export interface FailureGroup {
  work: Work;
  /** Follows from the work and what the failures have in common. */
  key: string;
  text: string;
  failures: Failure[];
  workspaces: number;
  /** There may be more of them than `failures`. */
  isAtLeast: boolean;
}

/** Number of failures looked at for each workspace and webhook. */
export const NEWEST = 200;
const TEXT_CHARS_MAX = 500;
const statements = { batch: failedBatches, automation: failedRuns, webhook: failedDeliveries };

interface Row {
  workspace_id: string;
  slug: string;
  id: string;
  parent: string | null;
  at: string | null;
  text: string;
  request_id: string | null;
  name: string | null;
  looked: number;
}

export async function readFailures(tx: InstanceTx): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const work of works) {
    const rows = await tx.query<Row>(statements[work], [NEWEST, TEXT_CHARS_MAX]);
    for (const row of rows) {
      const { workspace_id: workspaceId, request_id: requestId, text, slug, id, parent, at } = row;
      failures.push({
        work,
        workspaceId,
        slug,
        id,
        parent,
        at,
        requestId,
        isCut: row.looked === NEWEST,
        name: work === 'webhook' ? hostOf(row.name ?? '') : row.name,
        text,
      });
    }
  }
  return failures;
}

/** Returns groups of failures whose texts differ only in ids and numbers, the largest first. */
export function groupFailures(failures: readonly Failure[]): FailureGroup[] {
  const groups = Map.groupBy(failures, keyOf);
  return [...groups]
    .map(([key, alike]) => {
      const [first] = alike as [Failure, ...Failure[]];
      const workspaces = new Set(alike.map(({ slug }) => slug)).size;
      const isAtLeast = alike.some(({ isCut }) => isCut);
      return { key, work: first.work, text: first.text, failures: alike, workspaces, isAtLeast };
    })
    .sort((a, b) => b.failures.length - a.failures.length);
}

/** Returns a key that ignores ids and numbers in the text. */
function keyOf({ work, text }: Failure): string {
  const kind = `${work} ${text.replaceAll(/[0-9a-f-]*\d[0-9a-f-]*/gi, '#')}`;
  return createHash('sha256').update(kind).digest('hex').slice(0, 16);
}
