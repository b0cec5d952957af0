/** Parts that several pages of the console share. */

import type { Work } from './actions/group-failures.ts';
import { drawSeries, type Figure, HOURS, type Measure } from './draw-series.ts';
import { duration } from './units.ts';
import { Html, html, type Piece } from './write-page.ts';

export const workNames: Readonly<Record<Work, string>> = {
  batch: 'Imports',
  automation: 'Automations',
  webhook: 'Webhooks',
};

/** Singular and plural of what fails: an automation fails in a run, a webhook in a delivery. */
const itemNames: Readonly<Record<Work, readonly [one: string, several: string]>> = {
  batch: ['import', 'imports'],
  automation: ['automation run', 'automation runs'],
  webhook: ['webhook delivery', 'webhook deliveries'],
};

export const countOf = (count: number, work: Work) => `${count} ${itemNames[work][count === 1 ? 0 : 1]}`;

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

export type Series = Readonly<Partial<Record<Work, Figure[]>>>;

export function time(at: string | null, without = 'never'): Html {
  if (at === null) return html`<span class="muted">${without}</span>`;
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`;
}

export function table(heads: readonly string[], rows: readonly Piece[][], empty: string): Html {
  if (rows.length === 0) return html`<p class="muted">${empty}</p>`;
  // On a phone each row is a block and each cell shows its heading. A block would lose the roles of a table, so they are set.
  const cells = (row: readonly Piece[]) =>
    row.map((cell, at) => html`<td role="cell" data-head="${heads[at] ?? ''}"><div>${cell}</div></td>`);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${heads.join(', ')}"><table role="table">
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${cells(row)}</tr>`)}</tbody></table></div>`;
}

export const workspaceLink = (slug: string) => html`<a href="/admin/workspaces/${slug}">${slug}</a>`;

export interface Item {
  work: Work;
  workspaceId: string;
  id: string;
  name: string | null;
}

const withoutName: Readonly<Record<Work, string>> = {
  batch: 'Import',
  automation: 'Deleted automation',
  webhook: 'Deleted webhook',
};

/** Names an item and links to its page. A delivery has none. */
export function itemLink({ work, workspaceId, id, name }: Item): Html {
  const text = name ?? withoutName[work];
  if (work === 'webhook') return html`<span title="${id}">${text}</span>`;
  const path = work === 'batch' ? 'batches' : 'runs';
  return html`<a href="/admin/${path}/${workspaceId}/${id}" title="${id}">${text}</a>`;
}

/** Titles of the charts of waiting work. A delivery is late only after its next attempt is due. */
const oldestNames: Readonly<Record<Work, string>> = {
  batch: 'Longest wait',
  automation: 'Longest wait',
  webhook: 'Longest overdue',
};

/** Shows throughput, duration and waiting time of one kind of work, and `standing`, its present state. */
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
  const picture = (measure: Measure, what: string, most: string) => {
    const label = `${workNames[work]}: ${what}, ${most}`;
    const { svg, most: top, times } = drawSeries(figures, measure, label, now);
    return html`<div class="picture"><span><b>${what}</b> ${most}</span>
<div class="plot"><span class="values"><span>${top}</span><span>0</span></span>${new Html(svg)}</div>
<span class="times">${times.map((one) => html`<span>${one}</span>`)}</span></div>`;
  };
  return html`<section aria-label="${workNames[work]}"><h2>${workNames[work]}</h2>
${picture('done', 'Completed and failed', `${done} in ${HOURS} h, ${failed} failed`)}
${picture('p95', 'Duration (95th percentile)', slowest === 0 ? 'no data' : `at most ${duration(slowest)}`)}
${picture('oldest', oldestNames[work], oldest === 0 ? 'nothing waited' : `at most ${duration(oldest * 1000)}`)}
${standing}</section>`;
}
