/** The pages of work, failures, the search, and one workspace. */

import type { Found, Search } from './actions/find-work.ts';
import { type Failure, type FailureGroup, NEWEST, type Work, works } from './actions/group-failures.ts';
import { RETRIED_MAX } from './actions/retry-failures.ts';
import { HOURS } from './draw-series.ts';
import { type FailingWebhook, failingWebhooksPart } from './failing-webhooks.ts';
import { type State, stateNotices } from './find-state.ts';
import { type Line, type LineLimits, linesPart } from './lines.ts';
import {
  counted,
  countOf,
  itemLink,
  pictures,
  type Series,
  table,
  time,
  workNames,
  workspaceLink,
} from './page-parts.ts';
import { duration } from './units.ts';
import { type WaitingDeliveries, waitingDeliveriesPart } from './waiting-deliveries.ts';
import { adminKeyForm } from './workspaces-page.ts';
import { Html, html } from './write-page.ts';

export interface Busy {
  workspace: string;
  work: Work;
  done: number;
  failed: number;
  p95: number | null;
  oldest: number;
}

export interface Pause {
  slug: string;
  work: Work;
  reason: string;
  paused_at: string;
}

export function overviewPage(
  series: Series,
  {
    busiest,
    pauses,
    groups,
    webhooks,
    state,
    lines,
    moving,
    limits,
    deliveries,
  }: {
    busiest: readonly Busy[];
    pauses: readonly Pause[];
    groups: readonly FailureGroup[];
    webhooks: readonly FailingWebhook[];
    state: State;
    lines: readonly Line[];
    moving: readonly { slug: string; name: string }[];
    limits: LineLimits;
    deliveries: WaitingDeliveries;
  },
  now: Date,
): Html {
  return html`${stateNotices(state)}
${moving.map(({ slug }) => html`<p class="notice">${workspaceLink(slug)} is held, or is being moved to another installation. Its callers get 503. To take it back into use, run npm run workspace -- resume ${slug}.</p>`)}
${linesPart(lines, limits)}
<p class="muted">These figures are updated every 5 minutes.</p>
<div class="cards">${works.map((work) => pictures(work, series[work] ?? [], now, standingOf(work, deliveries)))}</div>
${
  pauses.length === 0
    ? null
    : html`<section><h2>Paused</h2>${table(
        ['Workspace', 'Work', 'Since', 'Reason'],
        pauses.map((one) => [workspaceLink(one.slug), workNames[one.work], time(one.paused_at), one.reason]),
        '',
      )}</section>`
}
${failingWebhooksPart(webhooks, false)}
<section><h2>Failures</h2>${groupTable(groups.slice(0, 10))}</section>
<section><h2>Workspaces (last ${HOURS} hours)</h2>
${table(
  ['Workspace', 'Work', 'Completed', 'Failed', 'Duration (95th percentile)', 'Longest wait'],
  busiest.map((one) => [
    workspaceLink(one.workspace),
    workNames[one.work],
    one.done,
    one.failed === 0 ? 0 : html`<span class="bad">${one.failed}</span>`,
    duration(one.p95),
    duration(one.oldest * 1000),
  ]),
  'No work yet. Figures are updated every 5 minutes.',
)}</section>`;
}

function standingOf(work: Work, deliveries: WaitingDeliveries): Html | null {
  return work === 'webhook' ? waitingDeliveriesPart(deliveries) : null;
}

function groupTable(groups: readonly FailureGroup[]): Html {
  const isCut = groups.some(({ isAtLeast }) => isAtLeast);
  const rows = table(
    ['Error', 'Work', 'Count', 'Workspaces', 'Since', 'Newest'],
    groups.map(({ work, key, text, failures, workspaces, isAtLeast }) => [
      html`<a href="/admin/failures/${work}/${key}">${text}</a><br><span class="muted">${namesOf(failures)}</span>`,
      workNames[work],
      isAtLeast ? `${failures.length} or more` : failures.length,
      workspaces,
      html`${isAtLeast ? 'before ' : null}${time(failures.at(-1)?.at ?? null)}`,
      time(failures[0]?.at ?? null),
    ]),
    'No open failures.',
  );
  return html`${rows}${isCut ? html`<p class="muted">Only the newest ${NEWEST} failures of a kind are read from each workspace. Earlier ones appear when these have been retried.</p>` : null}`;
}

/** Returns a few names of the imports, automations or receivers that fail. */
function namesOf(failures: readonly Failure[]): string {
  const names = [...new Set(failures.flatMap(({ name }) => (name === null ? [] : [name])))];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

export const failuresPage = (groups: readonly FailureGroup[]) =>
  html`<section>${groupTable(groups)}</section>`;

export function groupPage({ work, key, text, failures, workspaces, isAtLeast }: FailureGroup): Html {
  return html`<section>
<p class="mono">${text}</p>
<p>${countOf(failures.length, work)}${isAtLeast ? ' or more' : ''} in ${counted(workspaces, 'workspace')}.</p>
<p><a class="button" href="/admin/failures/${work}/${key}/retry">${retryText(failures)}…</a></p></section>
<section><h2>${workNames[work]}</h2>${table(
    ['Workspace', 'Item', 'Failed'],
    failures.slice(0, RETRIED_MAX).map((one) => [workspaceLink(one.slug), itemLink(one), time(one.at)]),
    '',
  )}</section>`;
}

function retryText({ length }: readonly Failure[]): string {
  const count = Math.min(length, RETRIED_MAX);
  return length > count ? `Retry the newest ${count} of ${length}` : `Retry ${count}`;
}

/** Asks before many things are done at once. */
export function confirmRetryPage({ work, key, text, failures, workspaces }: FailureGroup): Html {
  return html`<section>
<p class="mono">${text}</p>
<p>${countOf(Math.min(failures.length, RETRIED_MAX), work)} in ${counted(workspaces, 'workspace')} will be queued again. Retry them when the cause is fixed.</p>
<form class="inline" method="post" action="/admin/failures/${work}/${key}/retry">
<input type="hidden" name="count" value="${failures.length}">
<button>${retryText(failures)}</button><a href="/admin/failures/${work}/${key}">Cancel</a></form></section>`;
}

const kindNames = {
  workspace: 'Workspace',
  batch: 'Import',
  run: 'Automation run',
  entity: 'Entity',
} as const;

export function searchPage({ found, failures, isPartial }: Search): Html {
  const link = ({ kind, workspace_id: workspaceId, slug, id, title }: Found) => {
    const shown = title ?? kindNames[kind];
    if (kind === 'workspace') return html`<a href="/admin/workspaces/${slug}">${shown}</a>`;
    if (kind === 'entity') return html`<span title="${id}">${shown}</span>`;
    return html`<a href="/admin/${kind === 'batch' ? 'batches' : 'runs'}/${workspaceId}/${id}" title="${id}">${shown}</a>`;
  };
  const isFailure = (status: string) => status === 'failed';
  return html`${isPartial ? html`<p class="notice">The search reads only the newest payloads of failed imports. Older ones were not searched.</p>` : null}
<section><h2>Workspaces, imports, entities and automation runs</h2>${table(
    ['Kind', 'Workspace', 'State', 'Time', 'Name'],
    found.map((one) => [
      kindNames[one.kind],
      workspaceLink(one.slug),
      isFailure(one.status) ? html`<b class="bad">${one.status}</b>` : one.status,
      time(one.at),
      link(one),
    ]),
    'No workspace, import, entity or run has this id, GUID, number, slug or name, and no failed import contains it.',
  )}</section>
<section><h2>Failures with this text</h2>${table(
    ['Work', 'Workspace', 'Time', 'Item', 'Error'],
    failures.map((one) => [
      workNames[one.work],
      workspaceLink(one.slug),
      time(one.at),
      itemLink(one),
      one.text,
    ]),
    'No failures.',
  )}</section>`;
}

export interface WorkspaceShown {
  slug: string;
  state: string;
  series: Series;
  pauses: readonly { work: Work; reason: string; paused_at: string }[];
  lines: readonly Line[];
  groups: readonly FailureGroup[];
  webhooks: readonly FailingWebhook[];
  limits: LineLimits;
  deliveries: WaitingDeliveries;
}

const restingNotices: Readonly<Record<string, string>> = {
  moving: 'This workspace is held, or is being moved to another installation. It is not processed here.',
  gone: 'This workspace was moved to another installation. It is not processed here.',
};

export function workspacePage(shown: WorkspaceShown, now: Date): Html {
  const { slug, state, series, pauses, lines, groups, webhooks, limits, deliveries } = shown;
  const resting = restingNotices[state];
  const control = (work: Work): Html => {
    const pause = pauses.find((one) => one.work === work);
    const doing = pause === undefined ? 'pause' : 'resume';
    return html`<section aria-label="${workNames[work]}: ${doing}"><h2>${workNames[work]}</h2>
${pause === undefined ? html`<p>Running.</p>` : html`<p class="notice">Paused since ${time(pause.paused_at)}: ${pause.reason}</p>`}
<form class="inline" method="post" action="/admin/workspaces/${slug}/${doing}">
<input type="hidden" name="work" value="${work}">
<label>Reason<input name="reason" maxlength="500" ${pause === undefined ? new Html('required') : null}></label>
<button>${pause === undefined ? 'Pause' : 'Resume'} ${workNames[work].toLowerCase()}</button></form></section>`;
  };
  return html`${resting === undefined ? null : html`<p class="notice" role="alert">${resting}</p>`}
${linesPart(lines, limits)}
${failingWebhooksPart(webhooks, true)}
<section><h2>Failures</h2>${groupTable(groups)}</section>
<div class="cards">${works.map(control)}${state === 'active' ? adminKeyForm(slug) : null}</div>
<div class="cards">${works.map((work) => pictures(work, series[work] ?? [], now, standingOf(work, deliveries)))}</div>`;
}
