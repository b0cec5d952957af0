/** The present lines of imports. The figures of the charts are up to five minutes old. */
import type { Config } from '../config.ts';
import type { InstanceTx } from '../db/transaction.ts';
import { stillSeconds } from '../sync/batch/still-seconds.ts';
import { selectLines } from './actions/console.sql.ts';
import { table, time, workspaceLink } from './page-parts.ts';
import { duration } from './units.ts';
import { type Html, html } from './write-page.ts';

export interface Line {
  slug: string;
  workspace_id: string;
  count: number;
  /** The first batch of the line, which the others wait for. */
  id: string;
  status: string;
  profile_name: string;
  submitted_at: string;
  progressed_at: string;
  idle_seconds: number;
  paused: boolean;
}

const SHOWN_MAX = 50;

export interface LineLimits {
  /** The number of batches that a line may have. */
  queuedBatchesMax: number;
  /** Seconds without progress after which the first batch is reported. */
  stillAfter: number;
}

export function lineLimits(config: Config): LineLimits {
  return { queuedBatchesMax: config.SYNC_MAX_QUEUED_BATCHES, stillAfter: stillSeconds(config) };
}

/** Reads the lines of all workspaces, or of one. */
export function readLines(tx: InstanceTx, workspaceId: string | null = null): Promise<Line[]> {
  return tx.query<Line>(selectLines, [SHOWN_MAX, workspaceId]);
}

export function linesPart(lines: readonly Line[], { queuedBatchesMax, stillAfter }: LineLimits): Html | null {
  if (lines.length === 0) return null;
  const standing = lines.some((one) => !one.paused && one.idle_seconds > stillAfter);
  return html`<section><h2>Imports in line now</h2>
${standing ? html`<p>An import without progress blocks those behind it. It is retried automatically and fails after some attempts; then the next one starts. Open it to see why it waits, or to cancel it.</p>` : null}
${lines.length < SHOWN_MAX ? null : html`<p>Only the ${SHOWN_MAX} lines that have waited longest are shown.</p>`}
${table(
  ['Workspace', 'In line', 'First', 'Accepted', 'Last progress', 'State'],
  lines.map((one) => [
    workspaceLink(one.slug),
    one.count < queuedBatchesMax
      ? one.count
      : html`<span class="bad">${one.count}: full, no more are accepted</span>`,
    html`<a href="/admin/batches/${one.workspace_id}/${one.id}">${one.profile_name}</a>`,
    time(one.submitted_at),
    time(one.progressed_at),
    stateOf(one, stillAfter),
  ]),
  '',
)}</section>`;
}

function stateOf({ paused, status, idle_seconds: idle }: Line, stillAfter: number): Html {
  if (paused) return html`paused`;
  if (idle <= stillAfter) return html`${status}`;
  return html`<span class="bad">no progress for ${duration(idle * 1000)}</span>`;
}
