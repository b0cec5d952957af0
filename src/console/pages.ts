/** Content of each page of the console. */
import { HOURS } from './draw-series.ts';
import { type FailingWebhook, failingWebhooksPart } from './failing-webhooks.ts';
import { type State, stateNotices } from './find-state.ts';
import type { Found, Search } from './find-work.ts';
import { type Failure, type FailureGroup, NEWEST, type Work, works } from './group-failures.ts';
import { type Line, type LineLimits, linesPart } from './lines.ts';
import {
  countOf,
  duration,
  pictures,
  type Series,
  table,
  time,
  workNames,
  workspaceLink,
} from './page-parts.ts';
import { RETRIED_MAX } from './retry-failures.ts';
import { type WaitingDeliveries, waitingDeliveriesPart } from './waiting-deliveries.ts';
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
${moving.map(({ slug }) => html`<p class="notice">${workspaceLink(slug)} is held, or on its way to another installation: its callers get 503. npm run workspace -- resume ${slug} takes it back into use.</p>`)}
${linesPart(lines, limits)}
<p class="muted">A worker draws these figures every five minutes: what was done and what has begun to wait since is not in them.</p>
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
<section><h2>Workspaces of the last ${HOURS} hours</h2>
${table(
  ['Workspace', 'Work', 'Done', 'Failed', 'Time, p95', 'Oldest waited'],
  busiest.map((one) => [
    workspaceLink(one.workspace),
    workNames[one.work],
    one.done,
    one.failed === 0 ? 0 : html`<span class="bad">${one.failed}</span>`,
    duration(one.p95),
    duration(one.oldest * 1000),
  ]),
  'Nothing was done yet. Figures come every five minutes.',
)}</section>`;
}

function standingOf(work: Work, deliveries: WaitingDeliveries): Html | null {
  return work === 'webhook' ? waitingDeliveriesPart(deliveries) : null;
}

function groupTable(groups: readonly FailureGroup[]): Html {
  const isCut = groups.some(({ isAtLeast }) => isAtLeast);
  const rows = table(
    ['What is wrong', 'Work', 'How many', 'Workspaces', 'Since', 'Newest'],
    groups.map(({ work, key, text, failures, workspaces, isAtLeast }) => [
      html`<a href="/admin/failures/${work}/${key}">${text}</a><br><span class="muted">${namesOf(failures)}</span>`,
      workNames[work],
      isAtLeast ? `${failures.length} and more` : failures.length,
      workspaces,
      html`${isAtLeast ? 'before ' : null}${time(failures.at(-1)?.at ?? null)}`,
      time(failures[0]?.at ?? null),
    ]),
    'Nothing has failed that was not mended since.',
  );
  return html`${rows}${isCut ? html`<p class="muted">Of each workspace the newest ${NEWEST} of a kind are looked at: what failed before is seen when these are retried, or gone.</p>` : null}`;
}

/** Which of the workspaces' things fail so: a few of their names. */
function namesOf(failures: readonly Failure[]): string {
  const names = [...new Set(failures.flatMap(({ name }) => (name === null ? [] : [name])))];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

export const failuresPage = (groups: readonly FailureGroup[]) =>
  html`<section>${groupTable(groups)}</section>`;

function failureLink({ work, workspaceId, id }: Failure): Html {
  return work === 'batch'
    ? html`<a class="mono" href="/admin/batches/${workspaceId}/${id}">${id}</a>`
    : html`<span class="mono">${id}</span>`;
}

export function groupPage({ work, key, text, failures, workspaces, isAtLeast }: FailureGroup): Html {
  const count = Math.min(failures.length, RETRIED_MAX);
  const more = failures.length > count ? ` the newest ${count} of` : '';
  return html`<section>
<p class="mono">${text}</p>
<p>${countOf(failures.length, work)}${isAtLeast ? ' and more' : ''} of ${workspaces} ${workspaces === 1 ? 'workspace' : 'workspaces'}.</p>
<form class="inline" method="post" action="/admin/failures/${work}/${key}/retry">
<input type="hidden" name="count" value="${failures.length}">
<button>Retry${more} ${failures.length}</button></form></section>
<section><h2>Each of them</h2>${table(
    ['Workspace', 'Of what', 'Failed', 'Which'],
    failures
      .slice(0, RETRIED_MAX)
      .map((one) => [workspaceLink(one.slug), one.name, time(one.at), failureLink(one)]),
    '',
  )}</section>`;
}

const kindNames = { workspace: 'Workspace', batch: 'Batch', run: 'Run', entity: 'Entity' } as const;

export function searchPage({ found, failures, isPartial }: Search): Html {
  const link = ({ kind, workspace_id: workspaceId, id, title }: Found) =>
    kind === 'batch'
      ? html`<a href="/admin/batches/${workspaceId}/${id}">${title ?? 'Batch'} <span class="mono">${id}</span></a>`
      : html`${title ?? ''} <span class="mono">${id}</span>`;
  const isFailure = (status: string) => status === 'failed';
  return html`${isPartial ? html`<p class="notice">There is more to look through than one search does: of the payloads of failed imports only the newest were.</p>` : null}
<section><h2>Workspaces, batches, entities and runs</h2>${table(
    ['What', 'Workspace', 'State', 'When', 'Which'],
    found.map((one) => [
      kindNames[one.kind],
      workspaceLink(one.slug),
      isFailure(one.status) ? html`<b class="bad">${one.status}</b>` : one.status,
      time(one.at),
      link(one),
    ]),
    'None by this id, GUID, number, slug or name, and none in a failed import.',
  )}</section>
<section><h2>Failures that say so</h2>${table(
    ['Work', 'Workspace', 'When', 'Which', 'What is wrong'],
    failures.map((one) => [
      workNames[one.work],
      workspaceLink(one.slug),
      time(one.at),
      failureLink(one),
      one.text,
    ]),
    'None.',
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
  moving: 'It is held, or on its way to another installation: nobody works on it here.',
  gone: 'It is gone to another installation: nobody works on it here.',
};

export function workspacePage(shown: WorkspaceShown, now: Date): Html {
  const { slug, state, series, pauses, lines, groups, webhooks, limits, deliveries } = shown;
  const resting = restingNotices[state];
  const control = (work: Work): Html => {
    const pause = pauses.find((one) => one.work === work);
    const doing = pause === undefined ? 'pause' : 'resume';
    return html`<section aria-label="${workNames[work]}: ${doing}"><h2>${workNames[work]}</h2>
${pause === undefined ? html`<p>They run.</p>` : html`<p class="notice">Paused since ${time(pause.paused_at)}: ${pause.reason}</p>`}
<form class="inline" method="post" action="/admin/workspaces/${slug}/${doing}">
<input type="hidden" name="work" value="${work}">
<label>Reason<input name="reason" maxlength="500" ${pause === undefined ? new Html('required') : null}></label>
<button>${pause === undefined ? 'Pause' : 'Resume'} ${workNames[work].toLowerCase()}</button></form></section>`;
  };
  return html`${resting === undefined ? null : html`<p class="notice" role="alert">${resting}</p>`}
${linesPart(lines, limits)}
${failingWebhooksPart(webhooks, true)}
<section><h2>Failures</h2>${groupTable(groups)}</section>
<div class="cards">${works.map(control)}</div>
<div class="cards">${works.map((work) => pictures(work, series[work] ?? [], now, standingOf(work, deliveries)))}</div>`;
}

export interface ActionShown {
  id: string;
  at: string;
  action: string;
  work: Work;
  workspace: string | null;
  subject: string;
  reason: string | null;
  items: number;
  accepted?: number;
  refused?: number;
}

const actionNames: Record<string, string> = {
  retry: 'Retried',
  cancel: 'Cancelled',
  pause: 'Paused',
  resume: 'Resumed',
};

/** Describes actions without an outcome: PostgreSQL was lost in between, or they are still running. */
const cutOff = (count: number) => (count === 0 ? '' : `, ${count} without an outcome`);

/** Describes the outcome of those that were not refused. */
const doneWord = (action: string) => (action === 'cancel' ? 'cancelled' : 'in line again');

export function actionsPage(actions: readonly ActionShown[]): Html {
  const last = actions.at(-1);
  return html`<section>${table(
    ['When', 'What', 'Workspace', 'Of what', 'Reason', 'Outcome'],
    actions.map((one) => [
      time(one.at),
      html`<a href="/admin/actions/${one.id}">${actionNames[one.action] ?? one.action} ${workNames[one.work].toLowerCase()}</a>`,
      one.workspace ?? 'several',
      one.action === 'retry' || one.action === 'cancel' ? one.subject : '',
      one.reason,
      one.items === 0
        ? ''
        : `${one.accepted ?? 0} of ${one.items} ${doneWord(one.action)}, ${one.refused ?? 0} refused${cutOff(one.items - (one.accepted ?? 0) - (one.refused ?? 0))}`,
    ]),
    'Nothing was done here yet.',
  )}${last !== undefined && actions.length === 50 ? html`<p><a href="/admin/actions?before=${last.id}">Earlier ones</a></p>` : null}</section>`;
}

export interface OutcomeShown {
  workspace: string;
  workspace_id: string | null;
  item: string;
  refusal: string | null;
  status: string | null;
}

export function actionPage(action: ActionShown, outcomes: readonly OutcomeShown[]): Html {
  const accepted = outcomes.filter(({ refusal }) => refusal === null).length;
  return html`<section><p>${time(action.at)} · ${action.subject}</p>
${action.reason === null ? null : html`<p>Reason: ${action.reason}</p>`}
${action.items === 0 ? null : html`<p>${accepted} of ${action.items} ${doneWord(action.action)}, ${outcomes.length - accepted} refused${cutOff(action.items - outcomes.length)}.</p>`}
${outcomes.length === action.items ? null : html`<p class="notice">Those without an outcome are under way yet, or were cut off when PostgreSQL was lost: look at them before you ask again; the log says what failed.</p>`}
${table(
  ['Workspace', 'Which', 'Then', 'Now'],
  outcomes.map((one) => [
    workspaceLink(one.workspace),
    action.work === 'batch' && one.workspace_id !== null
      ? html`<a class="mono" href="/admin/batches/${one.workspace_id}/${one.item}">${one.item}</a>`
      : html`<span class="mono">${one.item}</span>`,
    one.refusal === null
      ? html`<span class="good">${doneWord(action.action)}</span>`
      : html`<span class="bad">${one.refusal}</span>`,
    one.status ?? '–',
  ]),
  '',
)}</section>`;
}
