/** The lines of batches as they stand now: the figures of the pictures are five minutes old, and whoever is called at night asks what waits. */
import type { Config } from '../config.ts';
import type { InstanceTx } from '../db/transaction.ts';
import { stillSeconds } from '../sync/batch/still-seconds.ts';
import { selectLines } from './console.sql.ts';
import { duration, table, time, workspaceLink } from './page-parts.ts';
import { type Html, html } from './write-page.ts';

export interface Line {
  slug: string;
  workspace_id: string;
  count: number;
  /** The batch that the others wait for. */
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
  /** So many batches may be in line. */
  queuedBatchesMax: number;
  /** After so long without a step the first of them stands still. */
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
  return html`<section><h2>Batches in line now</h2>
${standing ? html`<p>A batch that stands still keeps those behind it. It is tried again by itself, and fails after some attempts: then it makes way. Its page says what is known, and cancels it; the log has its id.</p>` : null}
${lines.length < SHOWN_MAX ? null : html`<p>The ${SHOWN_MAX} lines that have stood longest stand here.</p>`}
${table(
  ['Workspace', 'In line', 'First', 'Accepted', 'Last step', 'State'],
  lines.map((one) => [
    workspaceLink(one.slug),
    one.count < queuedBatchesMax
      ? one.count
      : html`<span class="bad">${one.count}, full: no more are accepted</span>`,
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
  return html`<span class="bad">stands still for ${duration(idle * 1000)}</span>`;
}
