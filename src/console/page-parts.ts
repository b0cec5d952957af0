/** Parts that several pages of the console share. */
import { drawSeries, type Figure, HOURS } from './draw-series.ts';
import type { Work } from './group-failures.ts';
import { Html, html, type Piece } from './write-page.ts';

export const workNames: Readonly<Record<Work, string>> = {
  batch: 'Batches',
  automation: 'Automations',
  webhook: 'Webhooks',
};

/** Singular and plural of what fails: a failure is one of a run, not of the automation. */
export const itemNames: Readonly<Record<Work, readonly [one: string, several: string]>> = {
  batch: ['batch', 'batches'],
  automation: ['run of an automation', 'runs of automations'],
  webhook: ['delivery of a webhook', 'deliveries of webhooks'],
};

export const countOf = (count: number, work: Work) => `${count} ${itemNames[work][count === 1 ? 0 : 1]}`;

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

export type Series = Readonly<Partial<Record<Work, Figure[]>>>;

export function time(at: string | null, without = 'never'): Html {
  if (at === null) return html`<span class="muted">${without}</span>`;
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`;
}

export function duration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

export function table(heads: readonly string[], rows: readonly Piece[][], empty: string): Html {
  if (rows.length === 0) return html`<p class="muted">${empty}</p>`;
  // On a phone a row is a block and each cell says its head; the roles are what a block would lose.
  const cells = (row: readonly Piece[]) =>
    row.map((cell, at) => html`<td role="cell" data-head="${heads[at] ?? ''}"><div>${cell}</div></td>`);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${heads.join(', ')}"><table role="table">
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${cells(row)}</tr>`)}</tbody></table></div>`;
}

export const workspaceLink = (slug: string) => html`<a href="/admin/workspaces/${slug}">${slug}</a>`;

/**
 * Names of the oldest waiting work. Of a delivery the figures know how long it was due and not sent: before its
 * next try nobody is late.
 */
const oldestNames: Readonly<Record<Work, string>> = {
  batch: 'Oldest that waits',
  automation: 'Oldest that waits',
  webhook: 'Longest due',
};

/** Throughput, time and age of one kind of work, and what is to be said of it as it stands now. */
export function pictures(
  work: Work,
  figures: readonly Figure[],
  now: Date,
  standing: Html | null = null,
): Html {
  const done = figures.reduce((sum, one) => sum + one.done, 0);
  const failed = figures.reduce((sum, one) => sum + one.failed, 0);
  const slowest = figures.reduce((most, one) => Math.max(most, one.p95 ?? 0), 0);
  const oldest = figures.reduce((most, one) => Math.max(most, one.oldest), 0);
  const picture = (measure: 'done' | 'p95' | 'oldest', what: string, most: string) =>
    html`<div class="picture"><span><b>${what}</b> ${most}</span>${new Html(drawSeries(figures, measure, `${workNames[work]}: ${what}, ${most}`, now))}</div>`;
  return html`<section aria-label="${workNames[work]}"><h2>${workNames[work]}</h2>
${picture('done', 'Done, and failed', `${done} in ${HOURS} h, ${failed} failed`)}
${picture('p95', 'Time, p95', slowest === 0 ? 'none yet' : `at most ${duration(slowest)}`)}
${picture('oldest', oldestNames[work], oldest === 0 ? 'none in the figures' : `at most ${duration(oldest * 1000)}`)}
${standing}</section>`;
}
